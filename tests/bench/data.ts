import { cpSync } from "node:fs";
import { join } from "node:path";
import { hasProfiles, migrateLocalDatabase } from "#scripts/database.ts";
import { cache, makeTemporaryFolder, stateFolder } from "#scripts/places.ts";
import { findFreePort, serveLocalBuild } from "#scripts/serve.ts";

/** Chooses the data folder for a size. It is filled once and kept for the next run. */
export async function prepare(products: number, folder = String(products)): Promise<void> {
  process.env.CHUONI_STATE = join(cache, "bench", folder);
  await migrateLocalDatabase();
  if (await hasProfiles()) return;
  console.log(`Seeding ${products.toLocaleString("en")} products …`);
  const { seedCampus } = await import("#scripts/seed/seed.ts");
  await seedCampus({ products });
}

/**
 * Chooses a copy of the data folder for a size, so that the next run starts from the same data. It is in memory where
 * there is room, because Miniflare's D1 waits for the disk even when it only reads.
 */
export async function prepareCopy(products: number): Promise<void> {
  await prepare(products);
  const copy = makeTemporaryFolder();
  cpSync(stateFolder(), copy, { recursive: true });
  process.env.CHUONI_STATE = copy;
}

/**
 * Serves the chosen data folder while the work lasts.
 * @param onLog called with each line that the workers log
 */
export async function withServer<Result>(
  work: (origin: string) => Promise<Result>,
  onLog: (message: string) => void = () => {},
): Promise<Result> {
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: ({ message }) => onLog(message) });
  try {
    return await work(server.origin);
  } finally {
    await server.stop();
  }
}
