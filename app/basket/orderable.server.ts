/** What of a product one buyer can order. */
import { and, eq, isNull, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { WHOLESALE_QUANTITY_MAX } from "#app/catalogue/selling/price-step-rules.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "./basket-rules.ts";

/**
 * SQL on products `p`: the largest quantity one buyer can order, as `maxQuantity` in quantity-rules.ts. What others
 * have reserved counts too, because they may not pay.
 */
export const MAX_QUANTITY =
  sql<number>`MAX(1, MIN(CASE WHEN ${p.wholesale} = 1 THEN ${WHOLESALE_QUANTITY_MAX} ELSE ${QUANTITY_MAX} END,
    COALESCE(${p.stock}, ${WHOLESALE_QUANTITY_MAX})))`.inlineParams();

/** SQL on products `p`: the smallest quantity one buyer can order, as `smallestOrder` in quantity-rules.ts. */
export const SMALLEST_ORDER = sql<number>`MIN(${p.minQuantity}, ${MAX_QUANTITY})`;

/** SQL on products `p`: its page still exists. */
export const IS_LISTED = and(isNull(p.deletedAt), isNull(p.suspendedAt)) as SQL;

/** SQL on products `p`: this person can buy it, from somebody with whom they deal. */
export function isAvailableTo(userId: string | SQLWrapper): SQL {
  return and(eq(p.status, "active"), IS_LISTED, ne(p.sellerId, userId), not(blockBetween(userId, p.sellerId))) as SQL;
}

export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= QUANTITY_MIN && quantity <= WHOLESALE_QUANTITY_MAX;
}
