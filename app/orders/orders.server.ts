import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { credentials, orderItems, orders, products, profiles } from "#app/db/schema.ts";

type OrderRow = typeof orders.$inferSelect;

const itemColumns = {
  id: orderItems.id,
  productId: orderItems.productId,
  sellerId: orderItems.sellerId,
  name: orderItems.productName,
  image: orderItems.productImage,
  quantity: orderItems.quantity,
  price: orderItems.pricePerUnit,
  subtotal: orderItems.subtotal,
  status: orderItems.status,
  buyerContacted: orderItems.buyerContacted,
  buyerAgreed: orderItems.buyerAgreed,
  shippedAt: orderItems.shippedAt,
  deliveredAt: orderItems.deliveredAt,
  location: products.location,
  sellerName: profiles.fullName,
  sellerCampus: profiles.campusLocation,
};

/** An order with its items as its buyer sees it, or null where it is not theirs. One round trip. */
export async function findOrderForBuyer(db: Database, orderId: string, userId: string) {
  const [found, items] = await db.batch([
    db
      .select()
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.userId, userId))),
    db
      .select(itemColumns)
      .from(orderItems)
      .innerJoin(products, eq(products.id, orderItems.productId))
      .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
      .where(eq(orderItems.orderId, orderId))
      .orderBy(orderItems.createdAt, orderItems.id),
  ]);
  const order = found[0];
  return order ? { order: publicOrder(order), items } : null;
}

export type BuyerOrder = NonNullable<Awaited<ReturnType<typeof findOrderForBuyer>>>;

function publicOrder(order: OrderRow) {
  const { idempotencyKey: _key, ...rest } = order;
  return rest;
}

/** A buyer's orders, newest first, `limit` at a time, older than `before`. */
export async function listOrdersOfBuyer(db: Database, userId: string, limit: number, before?: { createdAt: number; id: string }) {
  const older = before && or(lt(orders.createdAt, before.createdAt), and(eq(orders.createdAt, before.createdAt), lt(orders.id, before.id)));
  return db
    .select({
      id: orders.id,
      amount: orders.amount,
      paymentStatus: orders.paymentStatus,
      orderStatus: orders.orderStatus,
      createdAt: orders.createdAt,
      itemCount: sql<number>`(SELECT COUNT(*) FROM order_items WHERE order_items.order_id = orders.id)`,
      firstName: sql<string | null>`(SELECT product_name FROM order_items WHERE order_items.order_id = orders.id ORDER BY created_at, id LIMIT 1)`,
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), older))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** An item with its order and buyer as its seller sees it, or null where it is not theirs. */
export async function findItemForSeller(db: Database, itemId: string, sellerId: string) {
  const [found] = await db
    .select({
      ...itemColumns,
      orderId: orders.id,
      orderCreatedAt: orders.createdAt,
      orderAmount: orders.amount,
      paymentStatus: orders.paymentStatus,
      paymentDate: orders.paymentDate,
      deliveryOption: orders.deliveryOption,
      deliveryAddress: orders.deliveryAddress,
      deliveryInstructions: orders.deliveryInstructions,
      buyerId: orders.userId,
      buyerPhone: orders.phoneNumber,
      buyerEmail: credentials.email,
      buyerName: sql<string | null>`(SELECT full_name FROM profiles b WHERE b.id = orders.user_id)`,
      buyerCampus: sql<string | null>`(SELECT campus_location FROM profiles b WHERE b.id = orders.user_id)`,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .innerJoin(credentials, eq(credentials.id, orders.userId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(and(eq(orderItems.id, itemId), eq(orderItems.sellerId, sellerId)));
  return found ?? null;
}

export type SellerItem = NonNullable<Awaited<ReturnType<typeof findItemForSeller>>>;

/**
 * What a seller has to see to: paid items, ready to ship first, then those needing contact, then oldest first (commerce
 * spec §2). Finished ones follow, newest first.
 */
export async function listItemsOfSeller(db: Database, sellerId: string, limit: number) {
  return db
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.productName,
      image: orderItems.productImage,
      quantity: orderItems.quantity,
      subtotal: orderItems.subtotal,
      status: orderItems.status,
      buyerContacted: orderItems.buyerContacted,
      buyerAgreed: orderItems.buyerAgreed,
      createdAt: orderItems.createdAt,
      buyerName: sql<string | null>`(SELECT full_name FROM profiles b WHERE b.id = ${orders.userId})`,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(and(eq(orderItems.sellerId, sellerId), sql`${orderItems.status} IN ('processing', 'shipped', 'delivered')`))
    .orderBy(
      sql`CASE ${orderItems.status} WHEN 'processing' THEN 0 WHEN 'shipped' THEN 1 ELSE 2 END`,
      sql`CASE WHEN ${orderItems.status} <> 'processing' THEN 0 WHEN ${orderItems.buyerAgreed} = 1 THEN 0 WHEN ${orderItems.buyerContacted} = 0 THEN 1 ELSE 2 END`,
      sql`CASE WHEN ${orderItems.status} = 'delivered' THEN -${orderItems.createdAt} ELSE ${orderItems.createdAt} END`,
    )
    .limit(limit);
}
