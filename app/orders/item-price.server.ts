/** The money of an item in SQL, as `item-price-rules.ts` has it for one that was read. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

import { orderItems } from "./tables.server.ts";

type PriceColumns = Record<"subtotal" | "buyerFee" | "sellerFee", SQLWrapper>;

/** SQL: KES that the buyer pays for an item, which is what we hold. */
export function paidForSql({ subtotal, buyerFee }: Pick<PriceColumns, "subtotal" | "buyerFee">): SQL<number> {
  return sql<number>`(${subtotal} + ${buyerFee})`;
}

/** SQL: KES that the seller gets for an item that is kept as a whole. */
export function earnedForSql({ subtotal, sellerFee }: Pick<PriceColumns, "subtotal" | "sellerFee">): SQL<number> {
  return sql<number>`(${subtotal} - ${sellerFee})`;
}

/** SQL on an item of which something went back to its buyer: KES of their fee that went back with it. */
export function buyerFeeBack(): SQL<number> {
  const { buyerFee, feeTaken } = orderItems;
  return sql<number>`IIF(${buyerFee} > 0, ${buyerFee} - ${feeTaken}, 0)`;
}
