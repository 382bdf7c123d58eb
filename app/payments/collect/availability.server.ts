/** Stops buyers from paying for what they can't get: it may be sold, taken down, or reserved for somebody else. */
import { and, eq, exists, gt, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { blockBetween, blockOf } from "#app/accounts/blocks.server.ts";
import { sellerName } from "#app/accounts/holiday.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { updateListingsFrom } from "#app/catalogue/write-listings.server.ts";
import { OFFER_PRICE } from "#app/catalogue/offer-price.server.ts";
import { UNPAID_RESERVATIONS_MAX } from "#app/catalogue/stock/stock-rules.ts";
import { countReserved } from "#app/catalogue/stock/stock-effects.server.ts";
import { FIRST_RELEASE, isAcceptedFor } from "#app/catalogue/stock/reservations.server.ts";
import type { Database } from "#app/db/client.ts";
import { asBoolean, build, fixed, hasRow } from "#app/db/build.ts";
import { runBatch, type Statement } from "#app/db/batch.ts";
import { credentials, offers, orderItems, orders, paymentAttempts, products, shops } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-limit-rules.ts";
import type { Shortage } from "#app/orders/shortage-rules.ts";

const i = alias(orderItems, "i");
const o = alias(orders, "o");
const p = alias(products, "p");

/** SQL: the name of a product in an order that was sold, deleted or taken down since. */
export function unavailableItem(orderId: string): SQL<string | null> {
  const isGone = or(ne(p.status, "active"), isNotNull(p.deletedAt), isNotNull(p.suspendedAt));
  return sql`${build
    .select({ name: i.productName })
    .from(i)
    .innerJoin(p, eq(p.id, i.productId))
    .where(and(eq(i.orderId, orderId), isGone))
    .limit(1)}`;
}

/** SQL: the first product in an order whose seller is on holiday, as the JSON of a `SellerAway`. `now` in ms. */
export function awaySeller(orderId: string, now: number): SQL<string | null> {
  const seller = sellerName(sql`${i.sellerId}`);
  return sql`${build
    .select({
      away: sql`json_object('name', ${i.productName}, 'seller', ${seller}, 'until', ${shops.awayUntil})`,
    })
    .from(i)
    .innerJoin(shops, eq(shops.id, i.sellerId))
    .where(and(eq(i.orderId, orderId), gt(shops.awayUntil, now)))
    .limit(1)}`;
}

/** SQL: the first product in an order whose buyer and seller have a block between them, as the JSON of a `BlockedSale`. */
export function blockedSeller(orderId: string): SQL<string | null> {
  const sale = sql`json_object('name', ${i.productName}, 'seller', ${sellerName(sql`${i.sellerId}`)},
    'block', ${blockOf(o.userId, i.sellerId)})`;
  return sql`${build
    .select({ sale })
    .from(i)
    .innerJoin(o, eq(o.id, i.orderId))
    .where(and(eq(i.orderId, orderId), blockBetween(o.userId, i.sellerId)))
    .limit(1)}`;
}

/** SQL on order items `i`: how many pieces are reserved for it already, by a payment of its order or by its offer. */
const KEPT = sql`(CASE WHEN ${i.offerId} IS NULL
  THEN ${i.quantity} * ${build.$count(paymentAttempts, and(eq(paymentAttempts.orderId, i.orderId), eq(paymentAttempts.reservesStock, true)))}
  ELSE ${hasRow(offers, and(eq(offers.id, i.offerId), stateIs(offers.state, OFFER.isAccepted)))} END)`;

/**
 * SQL on order items `i` and products `p`: fewer pieces are available than were ordered. Never true for a product
 * without a limit.
 */
const IS_SHORT = fixed(sql`${p.stock} - ${p.reserved} + ${KEPT} < ${i.quantity}`);

/** The query for the `Shortage` of an order: one row, or none. Products of which the seller has too few come first. */
export function shortageOf(orderId: string) {
  const reserved = sql<number>`${i.quantity} <= ${p.stock}`;
  return build
    .select({
      productId: i.productId,
      name: i.productName,
      stock: sql<number>`${p.stock}`,
      reserved,
      reservedUntil: sql<number | null>`${FIRST_RELEASE}`,
      lines: build.$count(orderItems, eq(orderItems.orderId, i.orderId)),
      hasOffer: asBoolean(
        hasRow(offers, isAcceptedFor(sql`(SELECT ${o.userId} FROM ${orders} o WHERE ${o.id} = ${i.orderId})`)),
      ),
    })
    .from(i)
    .innerJoin(p, eq(p.id, i.productId))
    .where(and(eq(i.orderId, orderId), IS_SHORT))
    .orderBy(reserved, i.productName)
    .limit(1);
}

/** What others have reserved of an order: the first product, and when the first of their reservations may end (ms). */
export type ReservedItem = Pick<Shortage, "name" | "reservedUntil"> & { productId: string };

/** Null when others have reserved nothing that the order needs, or its buyer's own offer has. */
export async function findReservedItem(db: Database, orderId: string): Promise<ReservedItem | null> {
  const [[shortage]] = await runBatch(db, [shortageOf(orderId)]);
  return shortage?.reserved === 1 && !shortage.hasOffer ? shortage : null;
}

/** SQL: 1 if an order can't get all its pieces any more. `orderId` as a value or as a column. */
export function isShort(orderId: string | SQL): SQL {
  return exists(
    build
      .select({ id: i.id })
      .from(i)
      .innerJoin(p, eq(p.id, i.productId))
      .where(and(eq(i.orderId, orderId), IS_SHORT)),
  );
}

/**
 * SQL: the name of a product in an order that its buyer has asked to pay for too often since `since` (ms) without paying.
 * Others couldn't buy it in the meantime. The search starts with the buyer's recent orders. An older one, which our team let its
 * buyer pay again, doesn't count.
 */
export function reservedTooOften(order: { id: string; userId: string }, since: number): SQL<string | null> {
  const asked = alias(orderItems, "n");
  return sql`${build
    .select({ name: i.productName })
    .from(o)
    .crossJoin(paymentAttempts)
    .innerJoin(asked, eq(asked.orderId, o.id))
    .innerJoin(i, and(eq(i.productId, asked.productId), eq(i.orderId, order.id)))
    .innerJoin(p, and(eq(p.id, i.productId), isNotNull(p.stock)))
    .where(
      and(
        eq(o.userId, order.userId),
        gt(o.createdAt, since - UNPAID_ORDER_LIFE_MS),
        eq(paymentAttempts.orderId, o.id),
        gt(paymentAttempts.createdAt, since),
        stateIs(paymentAttempts.state, ATTEMPT.endedUnpaid),
      ),
    )
    .groupBy(i.productId)
    .having(sql`COUNT(*) >= ${UNPAID_RESERVATIONS_MAX}`)
    .limit(1)}`;
}

/**
 * SQL: why an order can't be delivered or received any more: the refund's reason, or NULL. Deleted accounts count as
 * suspended. `orderId` as a value or as a column.
 */
export function undeliverable(orderId: string | SQL): SQL<"account_closed" | "listing_removed" | null> {
  const u = alias(orders, "u");
  const sellers = build.select({ id: i.sellerId }).from(i).where(eq(i.orderId, u.id));
  const isParty = or(eq(credentials.id, u.userId), inArray(credentials.id, sellers));
  const isClosed = hasRow(credentials, and(isNotNull(credentials.suspendedAt), isParty));
  const removed = build
    .select({ id: i.id })
    .from(i)
    .innerJoin(p, eq(p.id, i.productId))
    .where(and(eq(i.orderId, u.id), or(isNotNull(p.deletedAt), isNotNull(p.suspendedAt))));
  return sql`${build
    .select({
      reason: sql`CASE WHEN ${isClosed} THEN 'account_closed' WHEN ${exists(removed)} THEN 'listing_removed' END`,
    })
    .from(u)
    .where(eq(u.id, orderId))}`;
}

/**
 * Takes the pieces of an order out of stock, in the batch that pays it, after its offer is paid. What another payment of
 * the same order still reserves is released first. Aborts the batch (PreconditionFailed) if fewer are available.
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

/** SQL: a product in an order that costs less by its accepted offer than it was ordered for, as JSON: its name and its price in KES. */
export function cheaperOffer(orderId: string): SQL<string | null> {
  return sql`${build
    .select({ now: sql`json_object('name', ${i.productName}, 'price', ${OFFER_PRICE})` })
    .from(i)
    .innerJoin(offers, eq(offers.id, i.offerId))
    .innerJoin(p, eq(p.id, i.productId))
    .where(and(eq(i.orderId, orderId), sql`${OFFER_PRICE} < ${i.pricePerUnit}`))
    .limit(1)}`;
}

/** SQL: the name of a product in an order whose accepted offer is over. `now` in ms. */
export function offerOver(orderId: string, now: number): SQL<string | null> {
  const isLive = and(stateIs(offers.state, OFFER.isAccepted), gt(offers.expiresAt, now));
  return sql`${build
    .select({ name: i.productName })
    .from(i)
    .innerJoin(offers, eq(offers.id, i.offerId))
    .where(and(eq(i.orderId, orderId), sql`NOT ${isLive}`))
    .limit(1)}`;
}

/**
 * Marks the offer of an order as paid, in the batch that pays the order, before the order takes its pieces. The listing may
 * have become cheaper than agreed, so the offer says from then on what was paid.
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
