import { and, eq, inArray } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { orderItems, orders } from "./tables.server.ts";

/**
 * Removes what was ordered from the cart, in the batch that settles the payment. It doesn't matter from where it was
 * ordered.
 */
export function clearOrderedCart(orderId: string): Statement {
  const buyer = build.select({ id: orders.userId }).from(orders).where(eq(orders.id, orderId));
  const ordered = build.select({ id: orderItems.productId }).from(orderItems).where(eq(orderItems.orderId, orderId));
  return build.delete(cartItems).where(and(eq(cartItems.userId, buyer), inArray(cartItems.productId, ordered)));
}
