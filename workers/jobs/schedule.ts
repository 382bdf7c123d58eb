import { giveUpLease, takeLease } from "#app/db/leases.ts";
import type { Services } from "#app/request/services.ts";
import { runPaymentsJob } from "./payments.ts";
import { runPlansJob } from "./plans.ts";
import { runSweep } from "./sweep.ts";

/** How long a run may hold its turn, ms; a run that was cut off gives it up by itself. */
const LEASE_MS = 55_000;

/** What the cron trigger starts. One run at a time: cron may fire twice, and every job is safe to cut off anywhere. */
export async function runSchedule(services: Services): Promise<void> {
  if (!(await takeLease(services, "schedule", LEASE_MS))) return;
  try {
    await runPaymentsJob(services);
    await runPlansJob(services);
    services.drainOutbox();
    await runSweep(services);
  } finally {
    await giveUpLease(services, "schedule");
  }
}
