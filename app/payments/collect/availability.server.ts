/** The pieces of an order: whether they are there, and taking them out of stock in the batch that pays it. */
import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { and, eq, exists, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { countReserved } from "#app/catalogue/stock/stock-effects.server.ts";
import { FIRST_RELEASE, isAcceptedFor } from "#app/catalogue/stock/reservations.server.ts";
import type { Database } from "#app/db/client.ts";
import { asBoolean, build, hasRow } from "#app/db/build.ts";
import { type Statement, read } from "#app/db/batch.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER } from "#app/db/states/offer.ts";
import type { Shortage } from "#app/orders/shortage-rules.ts";

/** SQL on `itemRow`: the payment of its order reserves pieces. */
const isReserving = and(eq(paymentAttempts.orderId, itemRow.orderId), eq(paymentAttempts.reservesStock, true));

/** SQL on `itemRow`: how many pieces are reserved for it already, by a payment of its order or by its offer. */
const OWN_RESERVED = sql`(CASE WHEN ${itemRow.offerId} IS NULL
  THEN ${itemRow.quantity} * ${build.$count(paymentAttempts, isReserving)}
  ELSE ${hasRow(offers, and(eq(offers.id, itemRow.offerId), stateIs(offers.state, OFFER.isAccepted)))} END)`;

/**
 * SQL on `itemRow` and `productRow`: fewer pieces are available than were ordered. Never true for a product
 * without a limit.
 */
const IS_SHORT =
  sql`${productRow.stock} - ${productRow.reserved} + ${OWN_RESERVED} < ${itemRow.quantity}`.inlineParams();

/** The query for the `Shortage` of an order: one row, or none. Products of which the seller has too few come first. */
export function shortageOf(orderId: string) {
  const reserved = sql<number>`${itemRow.quantity} <= ${productRow.stock}`;
  return build
    .select({
      productId: itemRow.productId,
      name: itemRow.productName,
      stock: sql<number>`${productRow.stock}`,
      reserved,
      reservedUntil: sql<number | null>`${FIRST_RELEASE}`,
      lines: build.$count(orderItems, eq(orderItems.orderId, itemRow.orderId)),
      hasOffer: asBoolean(
        hasRow(
          offers,
          isAcceptedFor(
            sql`(SELECT ${orderRow.userId} FROM ${orders} order_row WHERE ${orderRow.id} = ${itemRow.orderId})`,
          ),
        ),
      ),
    })
    .from(itemRow)
    .innerJoin(productRow, eq(productRow.id, itemRow.productId))
    .where(and(eq(itemRow.orderId, orderId), IS_SHORT))
    .orderBy(reserved, itemRow.productName)
    .limit(1);
}

/** What others have reserved of an order: the first product, and when the first of their reservations may end (ms). */
export type ReservedItem = Pick<Shortage, "name" | "reservedUntil"> & { productId: string };

/** Null when others have reserved nothing that the order needs, or its buyer's own offer has. */
export async function findReservedItem(db: Database, orderId: string): Promise<ReservedItem | null> {
  const [shortage] = await read(db, shortageOf(orderId));
  return shortage?.reserved === 1 && !shortage.hasOffer ? shortage : null;
}

/** SQL: 1 if an order can't get all its pieces any more. `orderId` as a value or as a column. */
export function isShort(orderId: string | SQL): SQL {
  return exists(
    build
      .select({ id: itemRow.id })
      .from(itemRow)
      .innerJoin(productRow, eq(productRow.id, itemRow.productId))
      .where(and(eq(itemRow.orderId, orderId), IS_SHORT)),
  );
}

/**
 * SQL: why an order can't be delivered or received any more: the refund's reason, or NULL. Deleted accounts count as
 * suspended. `orderId` as a value or as a column.
 */
export function undeliverable(orderId: string | SQL): SQL<"account_closed" | "listing_removed" | null> {
  const unpaidRow = alias(orders, "unpaid_row");
  const sellers = build.select({ id: itemRow.sellerId }).from(itemRow).where(eq(itemRow.orderId, unpaidRow.id));
  const isParty = or(eq(credentials.id, unpaidRow.userId), inArray(credentials.id, sellers));
  const isClosed = hasRow(credentials, and(isNotNull(credentials.suspendedAt), isParty));
  const removed = build
    .select({ id: itemRow.id })
    .from(itemRow)
    .innerJoin(productRow, eq(productRow.id, itemRow.productId))
    .where(
      and(eq(itemRow.orderId, unpaidRow.id), or(isNotNull(productRow.deletedAt), isNotNull(productRow.suspendedAt))),
    );
  return sql`${build
    .select({
      reason: sql`CASE WHEN ${isClosed} THEN 'account_closed' WHEN ${exists(removed)} THEN 'listing_removed' END`,
    })
    .from(unpaidRow)
    .where(eq(unpaidRow.id, orderId))}`;
}

/**
 * Takes the pieces of an order out of stock, in the batch that pays it, after its offer is paid. What another payment
 * of the same order still reserves is released first. Aborts the batch (PreconditionFailed) if fewer are available.
 */
export function takeStock(orderId: string, now: number): Statement[] {
  const isOrdered = and(eq(orderItems.orderId, orderId), eq(orderItems.productId, products.id));
  return [
    build
      .update(paymentAttempts)
      .set({ reservesStock: false })
      .where(and(eq(paymentAttempts.orderId, orderId), eq(paymentAttempts.reservesStock, true))),
    countReserved(orderedListings(orderId)),
    updateListingsFrom(
      { stock: sql`${products.stock} - ${orderItems.quantity}`, updatedAt: now },
      orderItems,
      and(isOrdered, isNotNull(products.stock)),
    ),
    ...afterListingsChanged(orderedListings(orderId), now),
  ];
}

/** SQL: the ids of the listings in an order. */
export function orderedListings(orderId: string) {
  return build.select({ id: orderItems.productId }).from(orderItems).where(eq(orderItems.orderId, orderId));
}

/**
 * Marks the offer of an order as paid, in the batch that pays the order, before the order takes its pieces. The listing
 * may have become cheaper than agreed, so the offer says from then on what was paid.
 */
export function payOffers(orderId: string, now: number): Statement {
  const paid = build.select({ id: orderItems.offerId }).from(orderItems).where(eq(orderItems.orderId, orderId));
  const price = build
    .select({ price: orderItems.pricePerUnit })
    .from(orderItems)
    .where(and(eq(orderItems.orderId, orderId), eq(orderItems.offerId, offers.id)));
  return build
    .update(offers)
    .set({
      state: "paid",
      endReason: null,
      counterAmount: sql`NULLIF(${price}, ${offers.amount})`,
      noticeDue: true,
      updatedAt: now,
    })
    .where(inArray(offers.id, paid));
}
