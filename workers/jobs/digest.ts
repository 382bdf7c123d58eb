import { continueDigest } from "#app/digest/digest.server.ts";
import { tellNotified } from "#app/notifications/notify.server.ts";
import type { Services } from "#app/request/services.ts";

/** How long one run goes on, ms. The next one goes on where it stopped. */
const RUN_MS = 8_000;

/**
 * A run ends once so many were told: fewer than the news that it sends (30), so that other news leaves beside the
 * digest.
 */
const TOLD_MAX = 20;

/** The weekly digest, spread over the hours of its days. */
export async function runDigestJob(services: Pick<Services, "db" | "now" | "log" | "notifier">): Promise<void> {
  let told = 0;
  for (const startedAt = Date.now(); told < TOLD_MAX && Date.now() - startedAt < RUN_MS;) {
    const readers = await continueDigest(services);
    if (readers === null) break;
    told += readers.length;
    await tellNotified(services, readers);
  }
  if (told > 0) services.log({ event: "digests", told });
}
