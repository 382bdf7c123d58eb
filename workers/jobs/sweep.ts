import type { Logging } from "#app/db/client.ts";
import type { DocumentServices } from "#app/accounts/trust/documents.server.ts";
import { deleteOldCounters, deleteOldLinks, deleteOldSessions, sweepDocuments } from "#app/accounts/sweep.server.ts";
import { sweepCheckedDocuments } from "#app/admin/people/sweep-documents.server.ts";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { remindOfFees } from "#app/admin/income/waiting-fees.server.ts";
import { remindOfProposals } from "#app/moderation/second-admin/waiting-proposals.server.ts";
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { sweepEndedReports } from "#app/catalogue/serials/stolen-serials.server.ts";
import { forgetWords } from "#app/catalogue/search/search-index.server.ts";
import { sweepFoundListings } from "#app/catalogue/saved/listing-news.server.ts";
import { sweepMissedOnce, sweepMissedSearches } from "#app/catalogue/types/missed-searches.server.ts";
import { deleteOldMarks } from "#app/db/batch.ts";
import { takeLease } from "#app/db/leases.ts";
import { deleteOldEffects } from "#app/db/outbox.ts";
import { sweepDeletedAccounts } from "#app/moderation/erase.server.ts";
import { deleteOldTold } from "#app/notifications/centre.server.ts";
import { sweepSubscriptions } from "#app/notifications/push/push-subscriptions.server.ts";
import { deleteOldPulls } from "#app/payments/books/mpesa-lists.server.ts";
import { deleteUnknownCallbacks } from "#app/payments/answers/callbacks.server.ts";
import { deleteOldProbes } from "#app/payments/answers/probes.server.ts";
import type { SweptName } from "#app/platform/retention-rules.ts";
import { deleteOldClaims } from "#app/team/claims.server.ts";
import { sweepListingDays } from "#app/upkeep/listing-days.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

interface SweepServices extends DocumentServices, PhotoServices, Logging {}

/**
 * Who deletes each row of the table of retention periods (`app/platform/retention-rules.ts`). Each returns how many
 * went.
 */
export const SWEEPERS: Record<SweptName, (services: SweepServices) => Promise<number>> = {
  // Before the files that belong to nothing, so that these go in the same hour.
  checked_documents: sweepCheckedDocuments,
  documents: sweepDocuments,
  evidence: sweepDeletedAccounts,
  // Before the photos that nothing uses, so that the proofs go in the same hour.
  stolen_reports: sweepEndedReports,
  photos: sweepPhotos,
  missed_searches: sweepMissedSearches,
  missed_once: sweepMissedOnce,
  found_listings: sweepFoundListings,
  listing_days: sweepListingDays,
  emails: deleteOldEffects,
  notifications: deleteOldTold,
  devices: sweepSubscriptions,
  links: deleteOldLinks,
  ended_sessions: deleteOldSessions,
  counters: deleteOldCounters,
  pulled_lists: deleteOldPulls,
  unknown_callbacks: deleteUnknownCallbacks,
  probes: deleteOldProbes,
  admin_claims: deleteOldClaims,
  write_marks: deleteOldMarks,
};

async function sweepPhotos(services: SweepServices): Promise<number> {
  const { deleted, left } = await sweepUnusedPhotos(services);
  if (left > 0) services.log({ event: "photos_left", left });
  return deleted;
}

/**
 * Once an hour. The lease is not given up, so that the next sweep waits for its end. A step that fails keeps no other
 * from running.
 * @throws AggregateError of the failures, after the last step
 */
export async function runSweep(services: SweepServices): Promise<void> {
  if (!(await takeLease(services, "sweep", HOUR_MS))) return;
  const failures: unknown[] = [];
  const counts: Record<string, number> = {};
  const steps = { ...SWEEPERS, words: forgetWords, reminded: remindOfProposals, remindedOfFees: remindOfFees };
  for (const [step, work] of Object.entries(steps)) {
    try {
      const count = await work(services);
      if (count > 0) counts[step] = count;
    } catch (error) {
      failures.push(error);
      services.log({ event: "sweep_step_failed", level: "error", step, error: String(error).slice(0, 200) });
    }
  }
  if (Object.keys(counts).length > 0) services.log({ event: "swept", ...counts });
  if (failures.length > 0) throw new AggregateError(failures, "Steps of the sweep failed");
}
