import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { firstName } from "#app/accounts/name-rules.ts";
import { expectOneChange, tryCommit } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { reviews } from "#app/db/schema.ts";
import { findDealReviews } from "./find-deal-reviews.server.ts";
import { tellPublished } from "./tell-reviews.server.ts";
import { REVIEW_NOTICES } from "./review-texts.ts";
import type { ReviewServices } from "./write-review.server.ts";

/** How many reviews one run of the job publishes. The next run is a minute later. */
const AT_ONCE = 50;

type PublishServices = ReviewServices & { log(event: { event: string } & Record<string, unknown>): void };

/**
 * Publishes the reviews whose week is over although the other side hasn't written. Returns how many. Two runs at once and
 * a stop at any point are safe, and one failure doesn't stop the others.
 */
export async function publishDueReviews(services: PublishServices): Promise<number> {
  const due = await services.db
    .select({ id: reviews.id, itemId: reviews.orderItemId, authorId: reviews.authorId })
    .from(reviews)
    .where(and(isNull(reviews.publishedAt), lte(reviews.publishAt, services.now())))
    .orderBy(asc(reviews.publishAt))
    .limit(AT_ONCE);
  let published = 0;
  for (const review of due) {
    try {
      if (await publish(services, review)) published += 1;
    } catch (error) {
      services.log({ event: "review_publish_failed", level: "error", reviewId: review.id, error: String(error) });
    }
  }
  return published;
}

/** Whether this run published it. */
async function publish(
  services: PublishServices,
  { id, itemId, authorId }: { id: string; itemId: string; authorId: string },
): Promise<boolean> {
  const deal = await findDealReviews(services.db, itemId, authorId);
  if (!deal) return false;
  const now = services.now();
  const isShown = deal.own?.removedAt === null;
  const isDone = await tryCommit(services.db, [
    build
      .update(reviews)
      .set({ publishedAt: now })
      .where(and(eq(reviews.id, id), isNull(reviews.publishedAt))),
    expectOneChange(),
    ...(isShown ? tellPublished(deal, [deal.other], now) : []),
  ]);
  // Another run was faster, or the other side has just written.
  if (!isDone) return false;
  if (isShown)
    await services.notifier.notify(deal.other.id, {
      type: "order",
      orderId: deal.orderId,
      orderItemId: itemId,
      notice: REVIEW_NOTICES.alone(firstName(deal.self.name) || "The other side"),
    });
  return true;
}
