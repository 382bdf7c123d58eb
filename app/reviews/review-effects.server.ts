/**
 * What follows when reviews are published, removed, restored or deleted. It looks at the reviews as they are: done
 * twice, it leaves what it leaves when done once. The property in tests/workers/reviews.test.ts counts the same another
 * way.
 */
import { eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { scoreOfShop } from "#app/accounts/trust/ratings.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { reviews } from "./tables.server.ts";
import { sellerBuyers, shops, userRatings } from "#app/accounts/tables.server.ts";

const review = alias(reviews, "review");
const item = alias(orderItems, "item");

/**
 * The statements for the batch that changes reviews, after those that write them: counts the stars of these people
 * anew, and scores their shops. Kept, because each card of a list shows them. A person with 10,000 reviews takes 25 ms
 * of CPU.
 * @param people SQL: the ids of those whom the reviews are about, such as `idList` or a query
 */
export function afterReviewsChanged(people: SQLWrapper): Statement[] {
  const stars = (wanted: number) => sql`SUM(counted.rating = ${wanted})`;
  return [
    build.delete(userRatings).where(inArray(userRatings.userId, people)),
    insertEach(
      userRatings,
      {
        userId: sql`counted.subject_id`,
        role: sql`counted.subject_role`,
        stars1: stars(1),
        stars2: stars(2),
        stars3: stars(3),
        stars4: stars(4),
        stars5: stars(5),
      },
      sql`FROM (${countedReviews(people)}) counted WHERE counted.place = 1
        GROUP BY counted.subject_id, counted.subject_role`,
    ),
    build
      .update(shops)
      .set({ ratingScore: scoreOfShop(shops.id) })
      .where(inArray(shops.id, people)),
  ];
}

/** The people whom these reviews are about. */
export function reviewedIn(where: SQLWrapper): SQLWrapper {
  return build
    .selectDistinct({ id: reviews.subjectId })
    .from(reviews)
    .where(sql`${where}`);
}

/**
 * The published reviews that may count: `place` 1 is the latest of its author, which does. A seller's rating needs a
 * buyer of their own number. What was free costs two friends nothing.
 */
function countedReviews(people: SQLWrapper) {
  const isOfBuyer = hasRow(
    sellerBuyers,
    sql`${eq(sellerBuyers.sellerId, review.subjectId)} AND ${eq(sellerBuyers.buyerId, review.authorId)}`,
  );
  return sql`SELECT ${review.subjectId} AS subject_id, ${review.subjectRole} AS subject_role,
    ${review.rating} AS rating,
      ROW_NUMBER() OVER (PARTITION BY ${review.subjectId}, ${review.subjectRole}, ${review.authorId}
        ORDER BY ${review.publishedAt} DESC, ${review.id} DESC) AS place
    FROM ${reviews} review JOIN ${orderItems} item ON ${eq(item.id, review.orderItemId)}
    WHERE ${inArray(review.subjectId, people)} AND ${review.publishedAt} IS NOT NULL AND ${review.removedAt} IS NULL
      AND ${item.subtotal} > 0 AND ${item.paidBySeller} = 0
      AND (${eq(review.subjectRole, "buyer")} OR ${isOfBuyer})`;
}
