/** What of a product one buyer can order. */
import { and, eq, isNull, ne, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { WHOLESALE_QUANTITY_MAX } from "#app/catalogue/selling/price-step-rules.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "./basket-rules.ts";

/**
 * SQL on `productRow`: the largest quantity one buyer can order, as `maxQuantity` in quantity-rules.ts. What others
 * have reserved counts too, because they may not pay.
 */
export const MAX_QUANTITY =
  sql<number>`MAX(1, MIN(CASE WHEN ${productRow.wholesale} = 1 THEN ${WHOLESALE_QUANTITY_MAX} ELSE ${QUANTITY_MAX} END,
    COALESCE(${productRow.stock}, ${WHOLESALE_QUANTITY_MAX})))`.inlineParams();

/** SQL on `productRow`: the smallest quantity one buyer can order, as `smallestOrder` in quantity-rules.ts. */
export const SMALLEST_ORDER = sql<number>`MIN(${productRow.minQuantity}, ${MAX_QUANTITY})`;

/** SQL on `productRow`: its page still exists. */
export const IS_LISTED = and(isNull(productRow.deletedAt), isNull(productRow.suspendedAt)) as SQL;

/** SQL on `productRow`: this person can buy it, from somebody with whom they deal. */
export function isAvailableTo(userId: string | SQLWrapper): SQL {
  return and(
    eq(productRow.status, "active"),
    IS_LISTED,
    ne(productRow.sellerId, userId),
    not(blockBetween(userId, productRow.sellerId)),
  ) as SQL;
}

export function isQuantity(quantity: number): boolean {
  return Number.isInteger(quantity) && quantity >= QUANTITY_MIN && quantity <= WHOLESALE_QUANTITY_MAX;
}
