import { sweepUnusedPhotos } from "#app/admin/sweep-photos.server.ts";
import { remindOfProposals } from "#app/admin/waiting-proposals.server.ts";
import { sweepAccounts } from "#app/accounts/sweep.server.ts";
import type { DocumentServices } from "#app/accounts/documents.server.ts";
import { sweepImports } from "#app/catalogue/import/listing-imports.server.ts";
import type { PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { sweepFoundListings } from "#app/catalogue/saved/listing-news.server.ts";
import { sweepMissedSearches } from "#app/catalogue/types/missed-searches.server.ts";
import { deleteOldProbes } from "#app/payments/probes.server.ts";
import { deleteOldMarks } from "#app/db/batch.ts";
import { takeLease } from "#app/db/leases.ts";
import { deleteOldEffects } from "#app/db/outbox.ts";
import { deleteOldTold } from "#app/notifications/centre.server.ts";
import { sweepSubscriptions } from "#app/notifications/push-subscriptions.server.ts";
import { sweepListingDays } from "#app/upkeep/listing-days.server.ts";
import { sweepDeletedAccounts } from "#app/moderation/erase.server.ts";

const HOUR_MS = 60 * 60_000;

interface SweepServices extends DocumentServices, PhotoServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

/**
 * Once an hour. The lease is not given up, so that the next sweep waits for its end. A step that fails keeps no other
 * from running.
 * @throws AggregateError of the failures, after the last step
 */
export async function runSweep(services: SweepServices): Promise<void> {
  if (!(await takeLease(services, "sweep", HOUR_MS))) return;
  const failures: unknown[] = [];
  const files = await run("files", sweepAccounts);
  await run("deleted accounts", sweepDeletedAccounts);
  const photos = await run("photos", sweepUnusedPhotos);
  const imports = await run("imports", sweepImports);
  await run("missed_searches", sweepMissedSearches);
  await run("found_listings", sweepFoundListings);
  await run("listing days", sweepListingDays);
  const emails = await run("emails", deleteOldEffects);
  const notifications = await run("notifications", deleteOldTold);
  const reminded = await run("reminded", remindOfProposals);
  const devices = await run("devices", sweepSubscriptions);
  await run("marks", deleteOldMarks);
  await run("probes", deleteOldProbes);
  const counts = { reminded, files, photos: photos?.deleted, imports, emails, notifications, devices };
  if (Object.values(counts).some((count) => count))
    services.log({ event: "swept", ...counts, photosLeft: photos?.left });
  if (failures.length > 0) throw new AggregateError(failures, "Steps of the sweep failed");

  /** What the step returns; undefined when it fails. */
  async function run<Result>(
    step: string,
    work: (services: SweepServices) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work(services);
    } catch (error) {
      failures.push(error);
      services.log({ event: "sweep_step_failed", level: "error", step, error: String(error).slice(0, 200) });
      return undefined;
    }
  }
}
