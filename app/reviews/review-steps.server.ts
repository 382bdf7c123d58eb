import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { readStars, starsOf } from "#app/accounts/trust/ratings.server.ts";
import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";
import type { Database } from "#app/db/client.ts";
import { asBoolean, asJson, build } from "#app/db/build.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { reviews } from "./tables.server.ts";
import { DEAL_ENDED_AT, isFreeAgain } from "./find-deal-reviews.server.ts";
import type { ReviewFacts } from "./review-rules.ts";
import { type ReviewStep, reviewStep } from "./review-step-rules.ts";

/** The next step of one side of a deal about reviews. */
export interface NextReview {
  step: ReviewStep;
  /** The other side's first name. */
  otherName: string;
}

/**
 * What `readNextReviews` reads of items that are joined with their orders and, from the left, with the other side's
 * profile.
 */
export function reviewColumns(viewerId: string) {
  const { createdAt, publishAt, publishedAt, removedAt } = reviews;
  const facts = sql`json_object('createdAt', ${createdAt}, 'publishAt', ${publishAt},
    'publishedAt', ${publishedAt}, 'removedAt', ${removedAt})`;
  const review = (isAuthor: SQL) => {
    const isOfItem = eq(reviews.orderItemId, orderItems.id);
    const found = build.select({ facts }).from(reviews).where(and(isOfItem, isAuthor));
    return asJson<ReviewFacts | null>(sql`${found}`);
  };
  return {
    itemId: orderItems.id,
    status: orderItems.status,
    endedAt: DEAL_ENDED_AT,
    isFreeAgain: asBoolean(isFreeAgain(viewerId)),
    own: review(eq(reviews.authorId, viewerId)),
    other: review(ne(reviews.authorId, viewerId)),
    otherName: profiles.fullName,
    otherDeletedAt: profiles.deletedAt,
  };
}

/**
 * The query for the reviews of an order's items, for its buyer. Send it in a batch, and read it with `readNextReviews`.
 */
export function selectReviewsOfOrder(db: Database, orderId: string, buyerId: string) {
  return db
    .select(reviewColumns(buyerId))
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(and(eq(orderItems.orderId, orderId), eq(orders.userId, buyerId)));
}

/** The same for one item, for its seller, with the reviews of the buyer by their stars. */
export function selectReviewsOfItem(db: Database, itemId: string, sellerId: string) {
  return db
    .select({
      ...reviewColumns(sellerId),
      buyerStars: sql<StarCounts>`${starsOf(sql`${orders.userId}`, "buyer")}`.mapWith(readStars),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(profiles, eq(profiles.id, orders.userId))
    .where(and(eq(orderItems.id, itemId), eq(orderItems.sellerId, sellerId)));
}

type StepRow = Awaited<ReturnType<typeof selectReviewsOfOrder>>[number];

/** The next step for each item that has one. */
export function readNextReviews(rows: StepRow[], now: number): Map<string, NextReview> {
  return new Map(
    rows.flatMap(({ itemId, own, other, otherName, otherDeletedAt, ...deal }) => {
      const step = reviewStep(deal, { own, other, otherIsGone: otherDeletedAt !== null }, now);
      return step ? [[itemId, { step, otherName: firstName(otherName) || "The other side" }] as const] : [];
    }),
  );
}
