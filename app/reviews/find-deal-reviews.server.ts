import { and, eq, max, ne, or, type SQL, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { dealEvents, orderItems, orders } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { reviews } from "./tables.server.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import type { Stars } from "./review-labels.ts";
import type { ReviewFacts, ReviewRole } from "./review-rules.ts";

/** One review of a deal. Times in ms since 1970. */
export interface DealReview extends ReviewFacts {
  id: string;
  authorId: string;
  rating: Stars;
  tags: ReviewTag[];
  text: string;
  photos: ProductImage[];
  editedAt: number | null;
  reply: string | null;
  repliedAt: number | null;
  /** When our team removed the reply, which only the person who wrote it can still read. */
  replyRemovedAt: number | null;
  /** What the reader should know about the words or the reply of the other side; null for nothing. */
  warning: string | null;
  replyWarning: string | null;
}

/** A deal with both reviews, also the one that the other side can't see yet. For use cases, never for a page. */
export interface DealReviews {
  itemId: string;
  orderId: string;
  productName: string;
  productImage: ProductImage | null;
  status: ItemStatus;
  /** When the last thing happened in the deal, ms. */
  endedAt: number;
  isFreeAgain: boolean;
  /** One of the two has blocked the other. */
  isBlocked: boolean;
  /** What the person who asks was in the deal. */
  role: ReviewRole;
  self: Party;
  other: Party;
  /** Written by the person who asks. */
  own: DealReview | null;
  /** Written by the other side. */
  others: DealReview | null;
}

const LAST_EVENT = build
  .select({ at: max(dealEvents.createdAt) })
  .from(dealEvents)
  .where(eq(dealEvents.orderItemId, orderItems.id));

/** SQL on an order item: when the last thing happened in its deal, ms. */
export const DEAL_ENDED_AT = sql<number>`COALESCE(${LAST_EVENT}, ${orderItems.updatedAt})`;

/** SQL on an order item and its order: `isFreeAgain` for `viewerId`. */
export function isFreeAgain(viewerId: string): SQL {
  const isAnother = and(
    eq(reviews.authorId, viewerId),
    sql`${reviews.subjectId} IN (${orders.userId}, ${orderItems.sellerId})`,
    ne(reviews.orderItemId, orderItems.id),
  );
  return sql`(${eq(orderItems.pricePerUnit, 0)} AND ${hasRow(reviews, isAnother)})`;
}

function selectItem(itemId: string, viewerId: string) {
  const isSide = or(eq(orders.userId, viewerId), eq(orderItems.sellerId, viewerId));
  return build
    .select({
      itemId: orderItems.id,
      ...pick(orderItems, "orderId", "productName", "productImage", "status"),
      endedAt: DEAL_ENDED_AT,
      isFreeAgain: asBoolean(isFreeAgain(viewerId)),
      isBlocked: asBoolean(blockBetween(orders.userId, orderItems.sellerId)),
      buyer: partyJson(sql`${orders.userId}`).mapWith(readParty),
      seller: partyJson(sql`${orderItems.sellerId}`).mapWith(readParty),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(and(eq(orderItems.id, itemId), isSide, ne(orders.userId, orderItems.sellerId)));
}

function selectReviews(itemId: string, viewerId: string) {
  const mayReadReply = sql`${reviews.replyRemovedAt} IS NULL OR ${reviews.subjectId} = ${viewerId}`;
  return build
    .select({
      id: reviews.id,
      authorId: reviews.authorId,
      rating: sql<Stars>`${reviews.rating}`,
      ...pick(reviews, "tags", "text", "photos", "createdAt", "editedAt", "publishAt", "publishedAt", "removedAt"),
      reply: sql<string | null>`CASE WHEN ${mayReadReply} THEN ${reviews.reply} END`,
      repliedAt: reviews.repliedAt,
      replyRemovedAt: reviews.replyRemovedAt,
    })
    .from(reviews)
    .where(eq(reviews.orderItemId, itemId));
}

/** A deal with its reviews, for its buyer or its seller; null for everybody else. One round trip. */
export async function findDealReviews(db: Database, itemId: string, viewerId: string): Promise<DealReviews | null> {
  const {
    item: [item],
    written,
  } = await read(db, { item: selectItem(itemId, viewerId), written: selectReviews(itemId, viewerId) });
  if (!item) return null;
  const { buyer, seller, ...deal } = item;
  const [role, self, other] =
    buyer.id === viewerId ? (["buyer", buyer, seller] as const) : (["seller", seller, buyer] as const);
  const found = written.map((review) => {
    const isOwn = review.authorId === viewerId;
    return {
      ...review,
      warning: isOwn ? null : textWarning(review.text),
      replyWarning: isOwn && review.reply !== null ? textWarning(review.reply) : null,
    };
  });
  return {
    ...deal,
    role,
    self,
    other,
    own: found.find(({ authorId }) => authorId === viewerId) ?? null,
    others: found.find(({ authorId }) => authorId !== viewerId) ?? null,
  };
}
