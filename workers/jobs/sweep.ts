import { sweepAccounts } from "#app/accounts/sweep.server.ts";
import type { DocumentServices } from "#app/accounts/documents.server.ts";
import { sweepImports } from "#app/catalogue/listing-imports.server.ts";
import { type PhotoServices, sweepPhotos } from "#app/catalogue/photos.server.ts";
import { archiveCallbacks, rewriteArchive } from "#app/payments/archived-callbacks.server.ts";
import { takeLease } from "#app/db/leases.ts";
import { deleteOldEffects } from "#app/db/outbox.ts";

const HOUR_MS = 60 * 60_000;

interface SweepServices extends DocumentServices, PhotoServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Once an hour. The lease is not given up, so that the next sweep waits for its end. */
export async function runSweep(services: SweepServices): Promise<void> {
  if (!(await takeLease(services, "sweep", HOUR_MS))) return;
  const files = await sweepAccounts(services);
  const photos = await sweepPhotos(services);
  const imports = await sweepImports(services);
  const emails = await deleteOldEffects(services);
  const archived = await archiveCallbacks(services);
  const rewritten = await rewriteArchive(services);
  if (files + photos.deleted + imports + emails + archived + rewritten > 0)
    services.log({
      event: "swept",
      files,
      photos: photos.deleted,
      photosLeft: photos.left,
      imports,
      emails,
      archived,
      rewritten,
    });
}
