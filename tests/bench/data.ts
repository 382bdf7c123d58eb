import { cpSync } from "node:fs";
import { join } from "node:path";
import { hasProfiles, migrateLocalDatabase, withLocalDatabase } from "#scripts/database.ts";
import { cache, makeTemporaryFolder, stateFolder } from "#scripts/folders.ts";
import { findFreePort, serveLocalBuild } from "#scripts/serve.ts";

/**
 * Chooses the data folder for a size. It is filled once and kept for the next run, so only runs that write nothing may use
 * it. Others take a copy.
 */
export async function prepare(products: number, folder = String(products)): Promise<void> {
  process.env.CHUONI_STATE = join(cache, "bench", folder);
  await migrateLocalDatabase();
  if (!(await hasProfiles())) {
    console.log(`Seeding ${products.toLocaleString("en")} products …`);
    const { seedCampus } = await import("#scripts/seed/seed.ts");
    await seedCampus({ products });
  }
  await drawNoPreviews();
}

/**
 * The job would draw 20 previews of the demo's listings a minute. They would take CPU time from what is measured, and a
 * public page changes when its preview is there, so that its 304 would become a 200.
 */
async function drawNoPreviews(): Promise<void> {
  await withLocalDatabase(async (database) => {
    await database.prepare("UPDATE product_previews SET due_at = NULL WHERE due_at IS NOT NULL").run();
  });
}

/**
 * Chooses a copy of the data folder for a size, so that no run meets the orders and payments of an earlier one. It is in
 * memory where there is room, because Miniflare's D1 waits for the disk even when it only reads.
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
