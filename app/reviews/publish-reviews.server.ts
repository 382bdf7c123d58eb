import type { Logging } from "#app/db/client.ts";
import { and, asc, eq, isNull, lte, type SQL } from "drizzle-orm";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { expectOneChange, tryWrite } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { reviews } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DEAL_ENDED_AT, findDealReviews } from "./find-deal-reviews.server.ts";
import { afterReviewsChanged, reviewedIn } from "./review-effects.server.ts";
import { PUBLISH_DAYS } from "./review-rules.ts";
import { tellPublished } from "./tell-reviews.server.ts";
import { REVIEW_NOTICES } from "./review-texts.ts";
import type { ReviewServices } from "./write-review.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How many reviews one run of the job publishes. The next run is a minute later. */
const AT_ONCE = 50;

type PublishServices = ReviewServices & Logging;

/**
 * Publishes the reviews whose week is over although the other side hasn't written. Returns how many. Two runs at once
 * and a stop at any point are safe, and one failure doesn't stop the others.
 */
export async function publishDueReviews(services: PublishServices): Promise<number> {
  const due = await services.db
    .select({ id: reviews.id, itemId: reviews.orderItemId, authorId: reviews.authorId })
    .from(reviews)
    .where(isDue(services.now()))
    .orderBy(asc(reviews.publishAt))
    .limit(AT_ONCE);
  const published = await oneByOne(
    due,
    (review) => publish(services, review),
    ({ id: reviewId }, error) =>
      services.log({ event: "review_publish_failed", level: "error", reviewId, error: String(error) }),
  );
  return published.filter(Boolean).length;
}

/**
 * SQL: a review's week is over, and so is the week since its deal ended. A report can reopen a deal; the other side,
 * who can't write meanwhile, then has a week from the decision.
 */
function isDue(now: number): SQL | undefined {
  const isOver = and(
    eq(orderItems.id, reviews.orderItemId),
    stateIs(orderItems.status, ITEM.isReviewable),
    lte(DEAL_ENDED_AT, now - PUBLISH_DAYS * DAY_MS),
  );
  return and(isNull(reviews.publishedAt), lte(reviews.publishAt, now), hasRow(orderItems, isOver));
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
  const isDone = await tryWrite(services.db, [
    build
      .update(reviews)
      .set({ publishedAt: now })
      .where(and(eq(reviews.id, id), isDue(now))),
    expectOneChange(),
    ...afterReviewsChanged(reviewedIn(eq(reviews.id, id))),
    ...(isShown ? tellPublished(deal, [deal.other], now) : []),
  ]);
  // Another run was faster, the other side has just written, or the deal was just reopened.
  if (!isDone) return false;
  if (isShown)
    await services.notifier.send(deal.other.id, {
      type: "order",
      orderId: deal.orderId,
      orderItemId: itemId,
      notice: REVIEW_NOTICES.alone(firstName(deal.self.name) || "The other side"),
    });
  return true;
}
