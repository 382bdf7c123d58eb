/** What queries say of listings again and again: SQL on products `p`. */
import { and, desc, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { asJson } from "#app/db/build.ts";
import { type ProductImage } from "#app/db/schema.ts";
import { PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import { p } from "./product-alias.server.ts";
import { type Cursor, UNKNOWN_CAMPUS } from "./catalogue-rules.ts";

/** SQL on products `p`: neither deleted nor taken down. */
export const LIVE = and(isNull(p.deletedAt), isNull(p.suspendedAt));

/** SQL on products `p`: can be bought now. Written like the condition of the indexes `products_for_sale…`. */
export const FOR_SALE = sql`${p.status} = 'active' AND ${p.deletedAt} IS NULL AND ${p.suspendedAt} IS NULL`;

/**
 * SQL on products `p`: its seller takes offers. Listings with a smallest order, and the cheapest ones, can't have any.
 */
export const TAKES_OFFERS = sql`(${p.takesOffers} = 1 AND ${p.price} > ${sql.raw(String(PAYOUT_LIMITS.min))} AND ${p.minQuantity} = 1)`;

/** SQL on products `p`: the photo on its card. */
export const COVER = asJson<ProductImage | null>(sql`json_extract(${p.images}, '$[0]')`);

/** SQL: a listing's campus from its `location`; null where nobody knows it. */
export function campusOf(location: SQLWrapper): SQL<string | null> {
  return sql<string | null>`NULLIF(${location}, ${UNKNOWN_CAMPUS})`.inlineParams();
}

export const NEWEST_FIRST = [desc(p.createdAt), desc(p.id)];

/** SQL on products `p`, newest first: those of the page that begins at the cursor. */
export function isAfter(cursor: Cursor | null): SQL | undefined {
  return cursor ? sql`(${p.createdAt}, ${p.id}) < (${cursor.createdAt}, ${cursor.id})` : undefined;
}
