import { noteRun, watchFigures } from "#app/admin/operations/alarms.server.ts";
import { endStudents } from "#app/accounts/trust/student-end.server.ts";
import { countCategories } from "#app/catalogue/browse/count-categories.server.ts";
import { moveRemovedPhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import { notifyWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import { write } from "#app/db/batch.ts";
import { giveUpLease, takeLease } from "#app/db/leases.ts";
import { countProtectedDeals } from "#app/deals/count-protected.server.ts";
import { sendReminders } from "#app/meetings/meeting-reminders.server.ts";
import { sendDueNotices } from "#app/messaging/notices/message-notices.server.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import type { Services } from "#app/request/services.ts";
import { tellGathered } from "#app/screens/notifications/tell-gathered.server.ts";
import { publishDueReviews } from "#app/reviews/publish-reviews.server.ts";
import { runListingNewsJob } from "./listing-news.ts";
import { runBooksJob, runDealsJob, runPaymentsJob, runPullJob } from "./payments.ts";
import { runPlansJob } from "./plans.ts";
import { runDigestJob } from "./digest.ts";
import { runUpkeepJob } from "./upkeep.ts";
import { runSweep } from "./sweep.ts";

/** How long a run holds the lease, ms. A longer run overlaps the next, which every job allows. */
const LEASE_MS = 55_000;

/**
 * In order: deals and payments go first. Every run asks all of them, each minute. Some have work more seldom:
 * `pull` every half an hour; `books`, `categories` and `sweep` once an hour; `protected_deals` every six hours;
 * `digest` from Saturday, from 9:00 to 20:00, until everybody has theirs.
 */
export const JOBS: [name: string, run: (services: Services) => Promise<unknown>][] = [
  ["deals", runDealsJob],
  ["payments", runPaymentsJob],
  ["pull", runPullJob],
  ["books", runBooksJob],
  ["plans", runPlansJob],
  ["offers", counted("offers_advanced", "told", advanceOffers)],
  ["reviews", counted("reviews_published", "published", publishDueReviews)],
  ["meetings", counted("meetings_reminded", "reminded", sendReminders)],
  ["removed_photos", counted("photos_moved", "photos", moveRemovedPhotos)],
  ["waiting_lists", notifyWaitingList],
  ["message_notices", counted("message_notices_sent", "told", sendDueNotices)],
  ["listing_news", runListingNewsJob],
  ["gathered_news", counted("gathered_news_told", "told", tellGathered)],
  ["alarms", watchFigures],
  ["emails", async (services: Services) => services.drainOutbox()],
  ["categories", counted("categories_counted", "categories", countCategories)],
  ["protected_deals", counted("protected_deals_counted", "campuses", countProtectedDeals)],
  ["types", counted("types_given", "listings", continueTypePass)],
  ["students", counted("students_ended", "people", endStudents)],
  ["upkeep", runUpkeepJob],
  ["digest", runDigestJob],
  ["sweep", runSweep],
];

/** A job that logs how much it did, if anything. */
function counted(event: string, what: string, work: (services: Services) => Promise<number>) {
  return async (services: Services): Promise<void> => {
    const count = await work(services);
    if (count > 0) services.log({ event, [what]: count });
  };
}

/**
 * The cron trigger's handler. A lease allows one run at a time, because cron may fire twice. Every job may be cut off
 * anywhere. A job that fails keeps no other from running.
 * @throws AggregateError of the failures, after the last job, so that the run counts as failed
 */
export async function runSchedule(services: Services): Promise<void> {
  const failures: unknown[] = [];
  const until = await takeLease(services, "schedule", LEASE_MS);
  if (until === null) return;
  try {
    for (const [name, job] of JOBS) await run(name, () => job(services));
    await run("note_run", () => write(services.db, [noteRun(services.now())]));
  } finally {
    // If this fails, the lease ends by itself before the next run.
    await run("give_up_lease", () => giveUpLease(services, "schedule", until));
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
