import { cpSync } from "node:fs";
import { join } from "node:path";
import { hasProfiles, migrateLocalDatabase } from "#scripts/database.ts";
import { cache, makeTemporaryFolder, stateFolder } from "#scripts/folders.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { serveLocalBuild } from "#scripts/serve.ts";

/**
 * Chooses the data folder for a size. It is filled once and kept for the next run, so only runs that write nothing may
 * use it. Others take a copy.
 */
export async function prepare(products: number, folder = String(products)): Promise<void> {
  process.env.CHUONI_STATE = join(cache, "bench", folder);
  await migrateLocalDatabase();
  if (!(await hasProfiles())) {
    console.log(`Seeding ${products.toLocaleString("en")} products …`);
    const { seedCampus } = await import("#scripts/seed/seed.ts");
    await seedCampus({ products });
  }
}

/**
 * Chooses a copy of the data folder for a size, so that no run meets the orders and payments of an earlier one. It is
 * in memory where there is room, because Miniflare's D1 waits for the disk even when it only reads.
 */
export async function prepareCopy(products: number): Promise<void> {
  await prepare(products);
  const copy = makeTemporaryFolder();
  cpSync(stateFolder(), copy, { recursive: true });
  process.env.CHUONI_STATE = copy;
}

/** Serves the chosen data folder while the work lasts. */
export async function withServer<Result>(work: (origin: string) => Promise<Result>): Promise<Result> {
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {} });
  try {
    return await work(server.origin);
  } finally {
    await server.stop();
  }
}
