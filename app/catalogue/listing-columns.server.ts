/** What queries say of listings again and again: SQL on `productRow`. */
import { and, desc, eq, inArray, isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asJson, build, hasRow } from "#app/db/build.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { productRow } from "./table-rows.server.ts";
import { products } from "./tables.server.ts";
import { PAYOUT_LIMITS } from "./m-pesa-rules.ts";
import { type Cursor, UNKNOWN_CAMPUS } from "./catalogue-rules.ts";

/** SQL on `productRow`: neither deleted nor taken down. */
export const LIVE = and(isNull(productRow.deletedAt), isNull(productRow.suspendedAt));

/** SQL on `productRow`: can be bought now. Written like the condition of the indexes `products_for_sale…`. */
export const FOR_SALE = sql`${productRow.status} = 'active' AND ${productRow.deletedAt} IS NULL
  AND ${productRow.suspendedAt} IS NULL`;

/** SQL: our team took this listing down. One that is held for a look keeps its deals, so it isn't. */
export function isTakenDown(productId: SQLWrapper): SQL {
  return hasRow(products, and(eq(products.id, productId), isNotNull(products.suspendedAt), isNull(products.heldFor)));
}

/** SQL: who of these people has something for sale. `userIds`: SQL. */
export function whoSells(userIds: SQLWrapper) {
  return build
    .select({ id: productRow.sellerId })
    .from(productRow)
    .where(and(inArray(productRow.sellerId, userIds), FOR_SALE));
}

/**
 * SQL on `productRow`: its seller takes offers. Listings with a smallest order, and the cheapest ones, can't have any.
 */
export const TAKES_OFFERS = sql`(${productRow.takesOffers} = 1
  AND ${productRow.price} > ${sql.raw(String(PAYOUT_LIMITS.min))} AND ${productRow.minQuantity} = 1)`;

/** SQL on `productRow`: the photo on its card. */
export const COVER = asJson<ProductImage | null>(sql`json_extract(${productRow.images}, '$[0]')`);

/** SQL: a listing's campus from its `location`; null where nobody knows it. */
export function campusOf(location: SQLWrapper): SQL<string | null> {
  return sql<string | null>`NULLIF(${location}, ${UNKNOWN_CAMPUS})`.inlineParams();
}

export const NEWEST_FIRST = [desc(productRow.createdAt), desc(productRow.id)];

/** SQL on `productRow`, newest first: those of the page that begins at the cursor. */
export function isAfter(cursor: Cursor | null): SQL | undefined {
  return cursor ? sql`(${productRow.createdAt}, ${productRow.id}) < (${cursor.createdAt}, ${cursor.id})` : undefined;
}
