import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { firstName } from "#app/accounts/name-rules.ts";
import { readStars, starsOf } from "#app/accounts/ratings.server.ts";
import type { StarCounts } from "#app/accounts/rating-rules.ts";
import type { Database } from "#app/db/client.ts";
import { orderItems, orders, profiles } from "#app/db/schema.ts";
import { dealEndedAt, isFreeAgain } from "./find-deal-reviews.server.ts";
import type { ReviewFacts } from "./review-rules.ts";
import { type ReviewStep, reviewStep } from "./review-step-rules.ts";

/** The next step of one side of a deal about reviews. */
export interface NextReview {
  step: ReviewStep;
  /** The other side's first name. */
  otherName: string;
}

// The names that `dealEndedAt` and the columns expect.
const i = alias(orderItems, "i");
const o = alias(orders, "o");
const p = alias(profiles, "p");

/** The query for the reviews of an order's items, for its buyer. Send it in a batch, and read it with `readNextReviews`. */
export function selectReviewsOfOrder(db: Database, orderId: string, buyerId: string) {
  return db
    .select(columns(buyerId))
    .from(i)
    .innerJoin(o, eq(o.id, i.orderId))
    .leftJoin(p, eq(p.id, i.sellerId))
    .where(and(eq(i.orderId, orderId), eq(o.userId, buyerId)));
}

/** The same for one item, for its seller, with the reviews of the buyer by their stars. */
export function selectReviewsOfItem(db: Database, itemId: string, sellerId: string) {
  return db
    .select({
      ...columns(sellerId),
      buyerStars: sql<StarCounts>`${starsOf(sql`o.user_id`, "buyer")}`.mapWith(readStars),
    })
    .from(i)
    .innerJoin(o, eq(o.id, i.orderId))
    .leftJoin(p, eq(p.id, o.userId))
    .where(and(eq(i.id, itemId), eq(i.sellerId, sellerId)));
}

function columns(viewerId: string) {
  const review = (author: SQL) =>
    sql`(SELECT json_object('createdAt', r.created_at, 'publishAt', r.publish_at, 'publishedAt', r.published_at, 'removedAt', r.removed_at)
      FROM reviews r WHERE r.order_item_id = i.id AND r.author_id ${author})`.mapWith(
      (json: string) => JSON.parse(json) as ReviewFacts,
    ) as SQL<ReviewFacts | null>;
  return {
    itemId: i.id,
    status: i.status,
    endedAt: dealEndedAt("i") as SQL<number>,
    isFreeAgain: isFreeAgain("i", viewerId).mapWith(Boolean) as SQL<boolean>,
    own: review(sql`= ${viewerId}`),
    other: review(sql`<> ${viewerId}`),
    otherName: p.fullName,
    otherDeletedAt: p.deletedAt,
  };
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
