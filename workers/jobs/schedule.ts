import { tellWaiting } from "#app/catalogue/stock-waits.server.ts";
import { giveUpLease, takeLease } from "#app/db/leases.ts";
import type { Services } from "#app/request/services.ts";
import { runImportsJob } from "./imports.ts";
import { runOffersJob } from "./offers.ts";
import { runPaymentsJob } from "./payments.ts";
import { runPlansJob } from "./plans.ts";
import { runSweep } from "./sweep.ts";

/** How long a run may hold the lease, ms. The lease of a run that was cut off ends by itself. */
const LEASE_MS = 55_000;

/** The cron trigger's handler. A lease allows one run at a time, because cron may fire twice. Every job may be cut off anywhere. */
export async function runSchedule(services: Services): Promise<void> {
  if (!(await takeLease(services, "schedule", LEASE_MS))) return;
  try {
    await runPaymentsJob(services);
    await runPlansJob(services);
    await runOffersJob(services);
    await tellWaiting(services);
    services.drainOutbox();
    await runImportsJob(services);
    await runSweep(services);
  } finally {
    await giveUpLease(services, "schedule");
  }
}
