import { sweepAccounts } from "#app/accounts/sweep.server.ts";
import type { DocumentServices } from "#app/accounts/documents.server.ts";
import { takeLease } from "#app/db/leases.ts";

const HOUR_MS = 60 * 60_000;

interface SweepServices extends DocumentServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Once an hour: whoever holds the lease keeps it, so that the next sweep waits for its end. */
export async function runSweep(services: SweepServices): Promise<void> {
  if (!(await takeLease(services, "sweep", HOUR_MS))) return;
  const files = await sweepAccounts(services);
  if (files > 0) services.log({ event: "swept", files });
}
