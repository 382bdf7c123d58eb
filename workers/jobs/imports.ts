import type { Store } from "#app/db/client.ts";
import { runImports } from "#app/catalogue/import/run-listing-import.server.ts";

/** How long one run imports rows, ms. The rest waits for the next run, because payments go first. */
const RUN_MS = 10_000;

interface ImportServices extends Store {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Every minute: continues imports of listings whose page was left. */
export async function runImportsJob(services: ImportServices): Promise<void> {
  const rows = await runImports(services, { sellerId: null, untilMs: services.now() + RUN_MS });
  if (rows > 0) services.log({ event: "listings_imported", rows });
}
