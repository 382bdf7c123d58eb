import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, time, userId } from "#app/db/columns.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { REVIEW_ROLES, type ReviewTag } from "#app/db/states/review.ts";
import { orderItemId } from "#app/orders/tables.server.ts";

/**
 * What the buyer and the seller of a finished order item say about each other. Nobody sees a review before it is
 * published: when both have written, or after `publishAt`.
 */
export const reviews = sqliteTable(
  "reviews",
  {
    id: id(),
    orderItemId: orderItemId().notNull(),
    authorId: userId().notNull(),
    subjectId: userId().notNull(),
    /** What the reviewed person was in the deal. */
    subjectRole: text({ enum: REVIEW_ROLES }).notNull(),
    /** 1 to 5 stars. */
    rating: integer().notNull(),
    tags: text({ mode: "json" }).$type<ReviewTag[]>().notNull().default([]),
    /** Empty when they wrote nothing. */
    text: text().notNull().default(""),
    /** Only buyers add photos. */
    photos: text({ mode: "json" }).$type<ProductImage[]>().notNull().default([]),
    createdAt: time().notNull(),
    editedAt: time(),
    /** From when it is published alone. */
    publishAt: time().notNull(),
    publishedAt: time(),
    /** Removed by an admin. */
    removedAt: time(),
    /** The one answer of the reviewed person. */
    reply: text(),
    repliedAt: time(),
    /** The reply was removed by an admin. The review stays. */
    replyRemovedAt: time(),
  },
  (t) => [
    uniqueIndex("reviews_author").on(t.orderItemId, t.authorId),
    index("reviews_due")
      .on(t.publishAt)
      .where(sql`published_at IS NULL`),
    index("reviews_subject")
      .on(t.subjectId, t.subjectRole, t.publishedAt, t.id)
      .where(sql`published_at IS NOT NULL AND removed_at IS NULL`),
    index("reviews_written").on(t.authorId, t.createdAt),
    index("reviews_photos")
      .on(t.authorId)
      .where(sql`photos <> '[]'`),
  ],
);
