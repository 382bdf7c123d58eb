import { blockBetween } from "#app/accounts/blocks.server.ts";
import { and, desc, eq, getTableColumns, lt, or, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Database } from "#app/db/client.ts";
import { credentials, orderItems, orders, products, profiles } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { REFUND } from "#app/db/states/refund.ts";
import type { Refund } from "./order-payment-rules.ts";
import { orderedColumns, withOrdered } from "./ordered-listing.server.ts";
import { IS_RESTOCKABLE } from "./restock.server.ts";

/** What goes back to the buyer of the order; null when nothing does. */
const refund =
  sql`(SELECT json_object('open', SUM(CASE WHEN ${stateIs("r.state", REFUND.isOpen)} THEN r.amount ELSE 0 END), 'parkedAmount', SUM(CASE WHEN ${stateIs("r.state", REFUND.isParked)} THEN r.amount ELSE 0 END), 'sentBack', SUM(CASE WHEN ${stateIs("r.state", REFUND.isDone)} THEN r.amount ELSE 0 END),
    'receipt', GROUP_CONCAT(r.receipt, ', '), 'sentAt', MAX(r.done_at))
  FROM payment_attempts a JOIN refunds r ON r.attempt_id = a.id WHERE a.order_id = orders.id HAVING COUNT(*) > 0)`.mapWith(
    (text: string): Refund | null => JSON.parse(text) as Refund,
  );

/** Where counting ends. */
const COUNT_MAX = 100;

const orderColumns = { ...getTableColumns(orders), refund };
type OrderRow = typeof orders.$inferSelect & { refund: Refund | null };

/** Whether a seller's shop offers delivery now. */
export function delivers(sellerId: SQLWrapper): SQL<boolean> {
  return sql`EXISTS (SELECT 1 FROM shops s WHERE s.id = ${sellerId} AND s.offers_delivery = 1)`.mapWith(Boolean);
}

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
  /** 1 if the product's page is gone. */
  removed: sql<number>`products.deleted_at IS NOT NULL OR products.suspended_at IS NOT NULL`,
  sellerName: profiles.fullName,
  sellerCampus: profiles.campusLocation,
  sellerDelivers: delivers(orderItems.sellerId),
  ...orderedColumns("order_items"),
};

/** The two queries for an order as its buyer sees it. Send them in one batch and read the results with `readOrder`. */
export function orderForBuyer(db: Database, orderId: string, userId: string) {
  return [
    db
      .select(orderColumns)
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.userId, userId))),
    db
      .select(itemColumns)
      .from(orderItems)
      .innerJoin(products, eq(products.id, orderItems.productId))
      .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
      .where(eq(orderItems.orderId, orderId))
      .orderBy(orderItems.createdAt, orderItems.id),
  ] as const;
}

/** Reads the results of `orderForBuyer`; null when the order isn't theirs. */
export function readOrder(found: OrderRow[], items: OrderItemRow[]) {
  const order = found[0];
  return order ? { order: publicOrder(order), items: items.map(withOrdered) } : null;
}

/** An order with its items as its buyer sees it; null when it isn't theirs. One round trip. */
export async function findOrderForBuyer(db: Database, orderId: string, userId: string) {
  const [found, items] = await db.batch(orderForBuyer(db, orderId, userId));
  return readOrder(found, items);
}

export type BuyerOrder = NonNullable<Awaited<ReturnType<typeof findOrderForBuyer>>>;
type OrderItemRow = Awaited<ReturnType<typeof orderForBuyer>[1]>[number];

function publicOrder(order: OrderRow) {
  const { idempotencyKey: _key, ...rest } = order;
  return rest;
}

/**
 * The query for a buyer's orders, newest first, `limit` at a time, older than `before`. Await it, or send it in a
 * batch.
 */
export function listOrdersOfBuyer(
  db: Database,
  userId: string,
  limit: number,
  before?: { createdAt: number; id: string },
) {
  const older =
    before &&
    or(lt(orders.createdAt, before.createdAt), and(eq(orders.createdAt, before.createdAt), lt(orders.id, before.id)));
  return db
    .select({
      id: orders.id,
      amount: orders.amount,
      paymentStatus: orders.paymentStatus,
      paymentReview: orders.paymentReview,
      paymentFailure: orders.paymentFailure,
      closedReason: orders.closedReason,
      orderStatus: orders.orderStatus,
      replacedBy: orders.replacedBy,
      refund,
      createdAt: orders.createdAt,
      itemStatuses:
        sql`(SELECT json_group_array(status) FROM (SELECT status FROM order_items WHERE order_items.order_id = orders.id ORDER BY created_at, id))`.mapWith(
          (text: string) => JSON.parse(text) as string[],
        ),
      firstName: sql<
        string | null
      >`(SELECT product_name FROM order_items WHERE order_items.order_id = orders.id ORDER BY created_at, id LIMIT 1)`,
      firstImage: sql<
        string | null
      >`(SELECT product_image FROM order_items WHERE order_items.order_id = orders.id ORDER BY created_at, id LIMIT 1)`,
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), older))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

/** The first item of an order that this seller sold; null when there is none. */
export async function findItemSoldInOrder(db: Database, orderId: string, sellerId: string): Promise<string | null> {
  const [item] = await db
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(and(eq(orderItems.orderId, orderId), eq(orderItems.sellerId, sellerId)))
    .orderBy(orderItems.createdAt, orderItems.id)
    .limit(1);
  return item?.id ?? null;
}

/**
 * The query for an item with its order and buyer as its seller sees it. No row when it isn't theirs. Send it in a
 * batch.
 */
export function itemForSeller(db: Database, itemId: string, sellerId: string) {
  return db
    .select({
      ...itemColumns,
      ...orderedColumns("order_items", { seesHidden: true }),
      // Not orders.id, because D1 returns rows of a batch by column name, and two columns of the same name would become
      // one.
      orderId: orderItems.orderId,
      orderCreatedAt: orders.createdAt,
      orderAmount: orders.amount,
      // The last piece of its listing is sold. The seller may have another one.
      listingSold: sql<number>`products.stock = 0 AND products.deleted_at IS NULL`,
      restockable: sql<number>`${IS_RESTOCKABLE}`,
      // How many pieces of the same listing are paid and not handed over.
      owed: sql<number>`CASE WHEN products.stock = 0 OR ${IS_RESTOCKABLE} THEN (SELECT COALESCE(SUM(quantity), 0) FROM (SELECT h.quantity FROM order_items h
        WHERE h.product_id = products.id AND ${stateIs("h.status", ITEM.isHeld)} AND NOT ${stateIs("h.status", ITEM.isDelivered)} LIMIT ${COUNT_MAX})) ELSE 0 END`,
      paymentStatus: orders.paymentStatus,
      paymentDate: orders.paymentDate,
      deliveryOption: orders.deliveryOption,
      deliveryAddress: orders.deliveryAddress,
      deliveryInstructions: orders.deliveryInstructions,
      buyerId: orders.userId,
      // The phone in the profile, because the number that paid may be a parent's or a friend's.
      buyerPhone: sql<string | null>`(SELECT phone FROM profiles b WHERE b.id = orders.user_id)`,
      buyerEmail: credentials.email,
      blocked: blockBetween(sql`orders.user_id`, sellerId),
      buyerName: sql<string | null>`(SELECT full_name FROM profiles b WHERE b.id = orders.user_id)`,
      buyerCampus: sql<string | null>`(SELECT campus_location FROM profiles b WHERE b.id = orders.user_id)`,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .innerJoin(credentials, eq(credentials.id, orders.userId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(and(eq(orderItems.id, itemId), eq(orderItems.sellerId, sellerId)));
}
