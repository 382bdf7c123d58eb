import { noteRun, watchFigures } from "#app/admin/alarms.server.ts";
import { notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { repeatBatch } from "#app/db/batch.ts";
import { giveUpLease, takeLease } from "#app/db/leases.ts";
import type { Services } from "#app/request/services.ts";
import { runImportsJob } from "./imports.ts";
import { runListingNewsJob } from "./listing-news.ts";
import { runMeetingsJob } from "./meetings.ts";
import { runMessageNoticesJob } from "./message-notices.ts";
import { runOffersJob } from "./offers.ts";
import { runBooksJob, runDealsJob, runPaymentsJob, runPullJob } from "./payments.ts";
import { runPlansJob } from "./plans.ts";
import { runReviewsJob } from "./reviews.ts";
import { runTypesJob } from "./types.ts";
import { runDigestJob } from "./digest.ts";
import { runUpkeepJob } from "./upkeep.ts";
import { runSweep } from "./sweep.ts";

/** How long a run may hold the lease, ms. The lease of a run that was cut off ends by itself. */
const LEASE_MS = 55_000;

/** In order: payments go first. */
export const JOBS: [name: string, run: (services: Services) => Promise<unknown>][] = [
  ["deals", runDealsJob],
  ["payments", runPaymentsJob],
  ["pull", runPullJob],
  ["books", runBooksJob],
  ["plans", runPlansJob],
  ["offers", runOffersJob],
  ["reviews", runReviewsJob],
  ["meetings", runMeetingsJob],
  ["waiting_lists", notifyWaitingList],
  ["message_notices", runMessageNoticesJob],
  ["listing_news", runListingNewsJob],
  ["alarms", watchFigures],
  ["emails", async (services: Services) => services.drainOutbox()],
  ["imports", runImportsJob],
  ["types", runTypesJob],
  ["upkeep", runUpkeepJob],
  ["digest", runDigestJob],
  ["sweep", runSweep],
];

/**
 * The cron trigger's handler. A lease allows one run at a time, because cron may fire twice. Every job may be cut off
 * anywhere. A job that fails keeps no other from running.
 * @throws AggregateError of the failures, after the last job, so that the run counts as failed
 */
export async function runSchedule(services: Services): Promise<void> {
  const failures: unknown[] = [];
  // A run may hold the lease for longer than a minute, and the floor must still rise.
  await run("raise_floor", () => services.replicas.raiseFloor());
  if (!(await takeLease(services, "schedule", LEASE_MS))) return;
  try {
    for (const [name, job] of JOBS) await run(name, () => job(services));
    await run("note_run", () => repeatBatch(services.db, [noteRun(services.now())]));
  } finally {
    // If this fails, the lease ends by itself before the next run.
    await run("give_up_lease", () => giveUpLease(services, "schedule"));
  }
  if (failures.length > 0) throw new AggregateError(failures, "Scheduled jobs failed");

  async function run(name: string, job: () => Promise<unknown>): Promise<void> {
    try {
      await job();
    } catch (error) {
      failures.push(error);
      services.log({ event: "job_failed", level: "error", job: name, error: String(error).slice(0, 200) });
    }
  }
}
