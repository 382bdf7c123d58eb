import { makeDuePreviews, type PreviewServices } from "#app/catalogue/previews.server.ts";
import { giveUpLease, takeLease } from "#app/db/leases.ts";

/** Longer than a run may take. The lease of a run that was cut off ends by itself. */
const LEASE_MS = 55_000;
const RUN_MS = 10_000;
/** A preview costs about 0.2 s of CPU time, and listings make their own right away. This is for imports and failures. */
const MOST = 20;

/** Every minute: makes previews that are due, one run at a time. */
export async function runPreviewsJob(services: PreviewServices): Promise<void> {
  if (!(await takeLease(services, "previews", LEASE_MS))) return;
  try {
    const made = await makeDuePreviews(services, { most: MOST, untilMs: services.now() + RUN_MS });
    if (made > 0) services.log({ event: "previews_made", made });
  } finally {
    await giveUpLease(services, "previews");
  }
}
