/** Why an unpaid order can't be paid: what its buyer is told, and what keeps the batch that pays it from happening. */
import { and, eq, gt, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { orderAwayText, type SellerAway } from "#app/accounts/profile/holiday.ts";
import { sellerName } from "#app/accounts/profile/holiday.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { type BlockedSale, orderBlockedText } from "#app/accounts/trust/block-rules.ts";
import { blockBetween, blockOf } from "#app/accounts/trust/blocks.server.ts";
import { OFFER_PRICE } from "#app/catalogue/offer-price.server.ts";
import { reservedTooOftenText, UNPAID_RESERVATIONS_MAX } from "#app/catalogue/stock/stock-rules.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import { read } from "#app/db/batch.ts";
import { build, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { type ClosedReason, ORDER } from "#app/db/states/order.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-limit-rules.ts";
import {
  closedText,
  offerCheaperText,
  offerOverText,
  PAID_ELSEWHERE_TEXT,
  unavailableText,
} from "#app/orders/order-rules.ts";
import { paidReplacement } from "#app/orders/replaced-orders.server.ts";
import { refuseShortage } from "#app/orders/shortage-rules.ts";
import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import { orderItems, type orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";
import { shortageOf } from "./availability.server.ts";

type Order = Pick<typeof orders.$inferSelect, "id" | "userId" | "amount">;

/** `error` is a sentence for the buyer. `retryAfterMs`: how long to wait; null when waiting doesn't help. */
export interface OrderRefusal {
  ok: false;
  code: "closed" | "in_progress" | "too_often";
  error: string;
  retryAfterMs: number | null;
}

/** Something that stops an order. */
interface Obstacle {
  /** SQL: what it is about, as text or JSON; no row where it isn't there. `now` in ms. */
  found: (order: Order, now: number) => SQL<string | null>;
  /** What the buyer is told. */
  text: (found: string) => string;
}

/** What no waiting helps against, the first to be told first. */
const OBSTACLES = Object.entries({
  paid: { found: (order) => paidReplacement(order), text: () => PAID_ELSEWHERE_TEXT },
  ended: { found: ({ id }) => endedOrder(id), text: (found) => closedText({ closedReason: found as ClosedReason }) },
  gone: { found: ({ id }) => unavailableItem(id), text: unavailableText },
  blocked: {
    found: ({ id }) => blockedSeller(id),
    text: (found) => orderBlockedText(JSON.parse(found) as BlockedSale),
  },
  offer: { found: ({ id }, now) => offerOver(id, now), text: offerOverText },
  cheaper: {
    found: ({ id }) => cheaperOffer(id),
    text: (found) => offerCheaperText(JSON.parse(found) as { name: string; price: number }),
  },
  away: {
    found: ({ id }, now) => awaySeller(id, now),
    text: (found) => orderAwayText(JSON.parse(found) as SellerAway),
  },
} satisfies Record<string, Obstacle>) as [string, Obstacle][];

/** Why an unpaid order can't be paid, now or ever; null when it can. */
export async function findOrderObstacle({ db, now: clock }: Store, order: Order): Promise<OrderRefusal | null> {
  const now = clock();
  const {
    row: [row],
    shortage: [shortage],
  } = await read(db, {
    row: oneRow(
      Object.fromEntries([
        ...OBSTACLES.map(([name, { found }]) => [name, found(order, now)] as const),
        ["askedTooOften", reservedTooOften(order, now - DAY_MS)],
      ]),
    ),
    shortage: shortageOf(order.id),
  });
  for (const [name, { text }] of OBSTACLES) {
    const found = row?.[name];
    if (found) return { ok: false, code: "closed", error: text(found), retryAfterMs: null };
  }
  const refusal = shortage && refuseShortage(shortage, now);
  if (refusal?.code === "closed") return { ok: false, ...refusal };
  if (row?.askedTooOften)
    return { ok: false, code: "too_often", error: reservedTooOftenText(row.askedTooOften), retryAfterMs: null };
  return refusal ? { ok: false, ...refusal } : null;
}

/**
 * SQL: nothing stops this order. It belongs in the batch that pays the order or asks for its payment, because something
 * may have changed since `findOrderObstacle`. The pieces have a guard of their own there.
 */
export function isPayable(order: Order, now: number): SQL {
  const found = [...OBSTACLES.map(([, obstacle]) => obstacle.found(order, now)), reservedTooOften(order, now - DAY_MS)];
  return sql.join(
    found.map((row) => sql`NOT EXISTS ${row}`),
    sql` AND `,
  );
}

/** SQL: why the order was closed, where it was. */
function endedOrder(orderId: string): SQL<string | null> {
  return sql`${build
    .select({ reason: sql`COALESCE(${orderRow.closedReason}, ${"expired_unpaid" satisfies ClosedReason})` })
    .from(orderRow)
    .where(and(eq(orderRow.id, orderId), stateIs(orderRow.orderStatus, ORDER.isClosed)))}`;
}

/** SQL: the name of a product in an order that was sold, deleted or taken down since. */
function unavailableItem(orderId: string): SQL<string | null> {
  const isGone = or(
    ne(productRow.status, "active"),
    isNotNull(productRow.deletedAt),
    isNotNull(productRow.suspendedAt),
  );
  return sql`${build
    .select({ name: itemRow.productName })
    .from(itemRow)
    .innerJoin(productRow, eq(productRow.id, itemRow.productId))
    .where(and(eq(itemRow.orderId, orderId), isGone))
    .limit(1)}`;
}

/** SQL: the first product in an order whose seller is on holiday, as the JSON of a `SellerAway`. `now` in ms. */
function awaySeller(orderId: string, now: number): SQL<string | null> {
  const seller = sellerName(sql`${itemRow.sellerId}`);
  return sql`${build
    .select({
      away: sql`json_object('name', ${itemRow.productName}, 'seller', ${seller}, 'until', ${shops.awayUntil})`,
    })
    .from(itemRow)
    .innerJoin(shops, eq(shops.id, itemRow.sellerId))
    .where(and(eq(itemRow.orderId, orderId), gt(shops.awayUntil, now)))
    .limit(1)}`;
}

/**
 * SQL: the first product in an order whose buyer and seller have a block between them, as the JSON of a `BlockedSale`.
 */
function blockedSeller(orderId: string): SQL<string | null> {
  const sale = sql`json_object('name', ${itemRow.productName}, 'seller', ${sellerName(sql`${itemRow.sellerId}`)},
    'block', ${blockOf(orderRow.userId, itemRow.sellerId)})`;
  return sql`${build
    .select({ sale })
    .from(itemRow)
    .innerJoin(orderRow, eq(orderRow.id, itemRow.orderId))
    .where(and(eq(itemRow.orderId, orderId), blockBetween(orderRow.userId, itemRow.sellerId)))
    .limit(1)}`;
}

/** SQL: the name of a product in an order whose accepted offer is over. `now` in ms. */
function offerOver(orderId: string, now: number): SQL<string | null> {
  const isLive = and(stateIs(offers.state, OFFER.isAccepted), gt(offers.expiresAt, now));
  return sql`${build
    .select({ name: itemRow.productName })
    .from(itemRow)
    .innerJoin(offers, eq(offers.id, itemRow.offerId))
    .where(and(eq(itemRow.orderId, orderId), sql`NOT ${isLive}`))
    .limit(1)}`;
}

/**
 * SQL: a product in an order that costs less by its accepted offer than it was ordered for, as JSON: its name and its
 * price in KES.
 */
function cheaperOffer(orderId: string): SQL<string | null> {
  return sql`${build
    .select({ now: sql`json_object('name', ${itemRow.productName}, 'price', ${OFFER_PRICE})` })
    .from(itemRow)
    .innerJoin(offers, eq(offers.id, itemRow.offerId))
    .innerJoin(productRow, eq(productRow.id, itemRow.productId))
    .where(and(eq(itemRow.orderId, orderId), sql`${OFFER_PRICE} < ${itemRow.pricePerUnit}`))
    .limit(1)}`;
}

/**
 * SQL: the name of a product in an order that its buyer has asked to pay for too often since `since` (ms) without
 * paying. Others couldn't buy it in the meantime. The search starts with the buyer's recent orders. An older one, which
 * our team let its buyer pay again, doesn't count, and a free order reserves nothing.
 */
function reservedTooOften(order: Order, since: number): SQL<string | null> {
  const asked = alias(orderItems, "asked");
  return sql`${build
    .select({ name: itemRow.productName })
    .from(orderRow)
    .crossJoin(paymentAttempts)
    .innerJoin(asked, eq(asked.orderId, orderRow.id))
    .innerJoin(itemRow, and(eq(itemRow.productId, asked.productId), eq(itemRow.orderId, order.id)))
    .innerJoin(productRow, and(eq(productRow.id, itemRow.productId), isNotNull(productRow.stock)))
    .where(
      and(
        eq(orderRow.userId, order.userId),
        gt(orderRow.createdAt, since - UNPAID_ORDER_LIFE_MS),
        eq(paymentAttempts.orderId, orderRow.id),
        gt(paymentAttempts.createdAt, since),
        stateIs(paymentAttempts.state, ATTEMPT.endedUnpaid),
        order.amount === 0 ? sql`0` : undefined,
      ),
    )
    .groupBy(itemRow.productId)
    .having(sql`COUNT(*) >= ${UNPAID_RESERVATIONS_MAX}`)
    .limit(1)}`;
}
