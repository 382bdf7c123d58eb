import { makeDuePreviews, type PreviewServices } from "#app/catalogue/previews.server.ts";
import { takeLease } from "#app/db/leases.ts";

/** Longer than a run may take, and shorter than the minute between two runs. */
const LEASE_MS = 55_000;
const RUN_MS = 10_000;
/** A preview costs about 0.2 s of CPU time, and listings make their own right away. This is for imports and failures. */
const MOST = 20;

/**
 * Every minute: makes previews that are due. The lease is not given up, so that the local clock, which may run more often,
 * makes no more.
 */
export async function runPreviewsJob(services: PreviewServices): Promise<void> {
  if (!(await takeLease(services, "previews", LEASE_MS))) return;
  const made = await makeDuePreviews(services, { most: MOST, untilMs: services.now() + RUN_MS });
  if (made > 0) services.log({ event: "previews_made", made });
}
