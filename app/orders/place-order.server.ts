import { LISTING_COPY } from "#app/catalogue/listing-copy.server.ts";
import { HANDOVER } from "#app/catalogue/types/handover.server.ts";
import { feesOf } from "#app/catalogue/fees/fee-rules.ts";
import { buyerFeeSql, sellerFeeSql } from "#app/catalogue/fees/fees.server.ts";
import { PRICE_GROUP } from "#app/catalogue/price-group.server.ts";
import { OFFER_PRICE } from "#app/catalogue/offer-price.server.ts";
import { SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { and, between, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { BlockedSale } from "#app/accounts/trust/block-rules.ts";
import { blockOf } from "#app/accounts/trust/blocks.server.ts";
import type { SellerAway } from "#app/accounts/profile/holiday.ts";
import { awayUntil, sellerName } from "#app/accounts/profile/holiday.server.ts";
import {
  PreconditionFailed,
  UniqueViolation,
  expectOneChange,
  expectThat,
  retryOnConflict,
  write,
} from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { copyOf, newestCopy } from "#app/db/copies.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { orderItems, orders } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { type CartLine } from "#app/basket/cart.server.ts";
import { isAvailableTo, isQuantity, MAX_QUANTITY, SMALLEST_ORDER } from "#app/basket/orderable.server.ts";
import { isOrdered } from "#app/basket/list-rules.ts";
import { unitPriceOf } from "#app/catalogue/selling/wholesale.server.ts";
import { isAcceptedFor } from "#app/catalogue/stock/reservations.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PAYMENT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { ITEM } from "#app/db/states/item.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { FREE_PIECES_A_DAY, LAST_PIECES_MAX } from "./order-limit-rules.ts";
import { findPaymentUnderWay, type PaymentUnderWay, replaceEarlierOrders } from "./replaced-orders.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

interface PlaceOrderInput {
  userId: string;
  /** Chosen by the client. The same key never places a second order, however often it is retried. */
  idempotencyKey: string;
  /**
   * What the things cost together as the buyer saw it, in KES, without a fee. If the database has another sum, nothing
   * is ordered. The fee is fixed by the order, and shown at checkout.
   */
  expectedAmount: number;
  from: { cart: true } | SeenLine | OfferedLine;
}

/** A product as its page showed it. */
interface SeenLine {
  productId: string;
  quantity: number;
  /** `products.revision`. */
  revision: number;
}

/** One piece at the price of an accepted offer of this buyer. */
interface OfferedLine {
  productId: string;
  quantity: 1;
  offerId: string;
}

export type PlaceOrderResult =
  | { ok: true; orderId: string }
  | { ok: false; code: "empty" | "bad_quantity" | "too_many" }
  /** More of a product than `max`: 99 pieces, or what its seller has. */
  | { ok: false; code: "over_limit"; name: string; max: number }
  /** Fewer of a product than its smallest order, `min` pieces. */
  | { ok: false; code: "below_minimum"; name: string; min: number }
  /** More KES, with fees, than M-Pesa takes in one payment. */
  | { ok: false; code: "too_large"; amount: number }
  /** The last pieces of more than `LAST_PIECES_MAX` products. */
  | { ok: false; code: "too_many_last" }
  /** More than `FREE_PIECES_A_DAY`, with what they took before. */
  | { ok: false; code: "too_many_free" }
  /** Names of products that can't be bought any more. */
  | { ok: false; code: "unavailable"; names: string[] }
  /** The seller of a product is on holiday. */
  | ({ ok: false; code: "away" } & SellerAway)
  /** The buyer or the seller of a product has blocked the other. */
  | ({ ok: false; code: "blocked" } & BlockedSale)
  /** The offer isn't accepted, or its time is over. */
  | { ok: false; code: "offer_over" }
  /** The total in the database without fees, in KES. */
  | { ok: false; code: "price_changed"; amount: number }
  /** Names of listings that say something else than what the buyer saw. */
  | { ok: false; code: "listing_changed"; names: string[] }
  /** Another order of the buyer contains some of the same products and is being paid right now. */
  | ({ ok: false; code: "paying" } & PaymentUnderWay);

/**
 * Places one order with prices from the database. The order and its items are one atomic batch, or nothing is written.
 * Each item keeps a copy of its listing, which is what its seller promised. A product can be ordered while it is
 * active, not taken down and not the buyer's own, and while its seller isn't on holiday. The batch also closes the
 * buyer's earlier unpaid orders of the same products, so that an old tab can't pay for them, too.
 */
export function placeOrder(store: Store, input: PlaceOrderInput): Promise<PlaceOrderResult> {
  return retryOnConflict(MAX_TRIES, () => place(store, input));
}

/** How often to try when the data changed between a refusal and the search for its reason. */
const MAX_TRIES = 4;

async function place(store: Store, input: PlaceOrderInput): Promise<PlaceOrderResult> {
  if (!("cart" in input.from) && !isQuantity(input.from.quantity)) return { ok: false, code: "bad_quantity" };
  const orderId = crypto.randomUUID();
  try {
    await write(store.db, orderStatements(store, orderId, input));
    return { ok: true, orderId };
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes("idempotency_key")) return replay(store, input);
    if (!(error instanceof PreconditionFailed)) throw error;
    const refusal = await explain(store, input);
    if (refusal) return refusal;
    throw error;
  }
}

/** How many orders one buyer may place in a day. Each is kept forever. */
const ORDERS_A_DAY = 100;

/** SQL: how many orders the buyer placed within the last day, counted up to one more than they may. */
function ordersLately(userId: string, now: number): SQL<number> {
  const placed = build
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), gt(orders.createdAt, now - DAY_MS)))
    .limit(ORDERS_A_DAY + 1);
  return sql`${build.$count(placed)}`;
}

/** SQL: how many pieces that cost nothing the buyer has ordered within the last day and can still get, or has got. */
function freePiecesLately(userId: string, now: number): SQL<number> {
  const isCounted = or(stateIs(orderItems.status, ITEM.awaitsPayment), stateIs(orderItems.status, ITEM.isSold));
  return sql`${build
    .select({ pieces: sql`COALESCE(SUM(${orderItems.quantity}), 0)` })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(and(eq(orders.userId, userId), gt(orders.createdAt, now - DAY_MS), eq(orderItems.subtotal, 0), isCounted))}`;
}

/** The columns of the lines to order (`lines`). */
const orderLine = {
  productId: sql<string>`order_line.product_id`,
  quantity: sql<number>`order_line.quantity`,
  revision: sql<number | null>`order_line.revision`,
  offerId: sql<string | null>`order_line.offer_id`,
  offerPrice: sql<number | null>`order_line.offer_price`,
};

/**
 * SQL: the lines to order as a table `order_line`, from the cart, from Buy Now or from an accepted offer. A cart counts
 * as its page shows it: what can be bought now, without what has an accepted offer. Only an offer's line has a price of
 * its own. `revision` is that of the listing as the buyer saw it. An offer ends when it changes. It is SQL because Buy
 * Now reads no table.
 */
function lines(input: PlaceOrderInput, now: number): SQL {
  if ("cart" in input.from)
    return sql`(SELECT ${cartItems.productId} AS product_id, MIN(${cartItems.quantity}, ${MAX_QUANTITY}) AS quantity,
        ${cartItems.revisionWhenAdded} AS revision, NULL AS offer_id, NULL AS offer_price
      FROM ${cartItems} LEFT JOIN ${products} product_row ON ${productRow.id} = ${cartItems.productId}
        WHERE ${cartItems.userId} = ${input.userId}
        AND ${isAvailableTo(input.userId)} AND ${awayUntil(sql`${productRow.sellerId}`, now)} IS NULL
        AND NOT ${hasRow(offers, isAcceptedFor(input.userId))}) order_line`;
  const { productId } = input.from;
  if ("offerId" in input.from)
    return sql`(SELECT ${offers.productId} AS product_id, 1 AS quantity, NULL AS revision, ${offers.id} AS offer_id,
        ${OFFER_PRICE} AS offer_price FROM ${offers}
          JOIN ${products} product_row ON ${productRow.id} = ${offers.productId}
      WHERE ${offers.id} = ${input.from.offerId} AND ${offers.buyerId} = ${input.userId}
        AND ${offers.productId} = ${productId}
        AND ${stateIs(offers.state, OFFER.isAccepted)} AND ${offers.expiresAt} > ${now}) order_line`;
  return sql`(SELECT ${productId} AS product_id, CAST(${input.from.quantity} AS INTEGER) AS quantity,
    CAST(${input.from.revision} AS INTEGER) AS revision,
    NULL AS offer_id, NULL AS offer_price) order_line`;
}

/** SQL: the ids of the products in the lines. */
function orderedProducts(input: PlaceOrderInput, now: number): SQL {
  return sql`SELECT ${orderLine.productId} FROM ${lines(input, now)}`;
}

/** SQL on a line and its `productRow`: the price of one piece, in KES. */
const UNIT_PRICE = sql`COALESCE(${orderLine.offerPrice}, ${unitPriceOf(orderLine.quantity)})`.inlineParams();

/** SQL on a line and its `productRow`: the smallest quantity. An accepted offer keeps its one piece. */
const LEAST_QUANTITY =
  sql<number>`CASE WHEN ${orderLine.offerId} IS NULL THEN ${SMALLEST_ORDER} ELSE 1 END`.inlineParams();

/** SQL on a line and its `productRow`: the listing is as the buyer saw it. */
const AS_SEEN = sql`COALESCE(${orderLine.revision} = ${productRow.revision}, 1)`.inlineParams();

/** SQL on a line and its `productRow`: the line takes the last piece. */
const TAKES_LAST = sql`COALESCE(${productRow.stock} <= ${orderLine.quantity}, 0)`.inlineParams();

/** SQL on a line and its `productRow`: KES for all its pieces. */
const SUBTOTAL = sql`${UNIT_PRICE} * ${orderLine.quantity}`.inlineParams();

const newUuid = sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-' || substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;

function orderStatements(store: Store, orderId: string, input: PlaceOrderInput) {
  const now = store.now();
  const isFine = and(
    isAvailableTo(input.userId),
    isNull(awayUntil(sql`${productRow.sellerId}`, now)),
    AS_SEEN,
    between(orderLine.quantity, LEAST_QUANTITY, MAX_QUANTITY),
  );
  const sums = sql`(SELECT CAST(SUM(${SUBTOTAL}) AS INTEGER) AS total, SUM(${buyerFeeSql(SUBTOTAL, now)}) AS fees,
    SUM(CASE WHEN ${isFine} THEN 0 ELSE 1 END) AS refused, SUM(${TAKES_LAST}) AS lasts
    FROM ${lines(input, now)} LEFT JOIN ${products} product_row ON ${productRow.id} = ${orderLine.productId})`;
  const hasFree = hasRow(orderItems, and(eq(orderItems.orderId, orderId), eq(orderItems.subtotal, 0)));
  return [
    insertEach(
      orders,
      {
        id: orderId,
        userId: input.userId,
        amount: sql`total + fees`,
        paymentStatus: "pending",
        orderStatus: "pending_payment",
        idempotencyKey: input.idempotencyKey,
        source: "cart" in input.from ? "cart" : "buy_now",
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM ${sums} WHERE refused = 0 AND lasts <= ${LAST_PIECES_MAX} AND total + fees <= ${PAYMENT_LIMITS.max}
        AND total = ${input.expectedAmount}`,
    ),
    expectOneChange(),
    expectThat(sql`${ordersLately(input.userId, now)} <= ${ORDERS_A_DAY}`),
    copyOf(LISTING_COPY, sql`(${orderedProducts(input, now)})`, now),
    insertEach(
      orderItems,
      {
        id: newUuid,
        orderId,
        productId: productRow.id,
        sellerId: productRow.sellerId,
        productName: productRow.name,
        productImage: sql`json_extract(${productRow.images}, '$[0]')`,
        copyId: newestCopy("listing", sql`${productRow.id}`),
        quantity: orderLine.quantity,
        pricePerUnit: UNIT_PRICE,
        subtotal: SUBTOTAL,
        buyerFee: buyerFeeSql(SUBTOTAL, now),
        sellerFee: sellerFeeSql(SUBTOTAL, now),
        priceGroup: PRICE_GROUP,
        handover: HANDOVER,
        offerId: orderLine.offerId,
        status: "pending_payment",
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM ${lines(input, now)} JOIN ${products} product_row ON ${productRow.id} = ${orderLine.productId}`,
    ),
    ...replaceEarlierOrders({ id: orderId, userId: input.userId }, now),
    // After the earlier orders of the same things, which no longer count.
    expectThat(sql`NOT ${hasFree} OR ${freePiecesLately(input.userId, now)} <= ${FREE_PIECES_A_DAY}`),
  ];
}

/** The key was used before. Returns the order that it placed, unless that one was closed unpaid. */
async function replay(store: Store, input: PlaceOrderInput): Promise<PlaceOrderResult> {
  const [earlier] = await store.db
    .select({ id: orders.id, orderStatus: orders.orderStatus, createdAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.userId, input.userId), eq(orders.idempotencyKey, input.idempotencyKey)));
  if (!earlier) throw new Error("an idempotency key was refused but names no order");
  if (earlier.orderStatus !== "expired") return { ok: true, orderId: earlier.id };
  return placeOrder(store, { ...input, idempotencyKey: `${input.idempotencyKey}~${earlier.createdAt}` });
}

/** Why nothing was ordered; null if the reason has disappeared in the meantime. */
async function explain(store: Store, input: PlaceOrderInput): Promise<PlaceOrderResult | null> {
  const now = store.now();
  const paying = await findPaymentUnderWay(store, input.userId, orderedProducts(input, now));
  if (paying) return { ok: false, code: "paying", ...paying };
  const found = await store.db
    .select({
      name: sql<string | null>`${SHOWN_NAME}`,
      amount: sql<number | null>`${SUBTOTAL}`,
      fee: buyerFeeSql(SUBTOTAL, now),
      quantity: orderLine.quantity,
      max: sql<number>`${MAX_QUANTITY}`,
      min: LEAST_QUANTITY,
      takesLast: sql<number>`${TAKES_LAST}`,
      asSeen: sql<number>`${AS_SEEN}`,
      seller: sellerName(sql`${productRow.sellerId}`),
      awayUntil: awayUntil(sql`${productRow.sellerId}`, now),
      block: blockOf(input.userId, productRow.sellerId),
      good: sql<number>`COALESCE(${isAvailableTo(input.userId)}, 0)`,
      placed: ordersLately(input.userId, now),
      free: freePiecesLately(input.userId, now),
    })
    .from(lines(input, now))
    .leftJoin(productRow, eq(productRow.id, orderLine.productId));
  const [first] = found;
  if (!first) return { ok: false, code: "offerId" in input.from ? "offer_over" : "empty" };
  const blocked = found.find((line) => line.block !== null);
  if (blocked?.block)
    return { ok: false, code: "blocked", name: blocked.name ?? "this", seller: blocked.seller, block: blocked.block };
  const gone = found.filter((line) => line.good === 0);
  if (gone.length > 0)
    return { ok: false, code: "unavailable", names: gone.map((line) => line.name ?? "This product") };
  const away = found.find((line) => line.awayUntil !== null);
  if (away?.awayUntil)
    return { ok: false, code: "away", name: away.name ?? "this", seller: away.seller, until: away.awayUntil };
  const changed = found.filter((line) => line.asSeen === 0);
  if (changed.length > 0)
    return { ok: false, code: "listing_changed", names: changed.map((line) => line.name ?? "this") };
  const over = found.find((line) => line.quantity > line.max);
  if (over) return { ok: false, code: "over_limit", name: over.name ?? "this", max: over.max };
  const below = found.find((line) => line.quantity < line.min);
  if (below) return { ok: false, code: "below_minimum", name: below.name ?? "this", min: below.min };
  if (found.filter((line) => line.takesLast === 1).length > LAST_PIECES_MAX)
    return { ok: false, code: "too_many_last" };
  const amount = found.reduce((sum, line) => sum + (line.amount ?? 0), 0);
  if (amount !== input.expectedAmount) return { ok: false, code: "price_changed", amount };
  const due = amount + found.reduce((sum, line) => sum + line.fee, 0);
  if (due > PAYMENT_LIMITS.max) return { ok: false, code: "too_large", amount: due };
  if (first.placed >= ORDERS_A_DAY) return { ok: false, code: "too_many" };
  const free = found.reduce((sum, line) => sum + (line.amount === 0 ? line.quantity : 0), 0);
  return free > 0 && free + first.free > FREE_PIECES_A_DAY ? { ok: false, code: "too_many_free" } : null;
}

type KeyedLine = Pick<
  CartLine,
  "id" | "quantity" | "price" | "revision" | "available" | "awayUntil" | "offer" | "feeRule"
>;

/**
 * The key of an order from the cart, computed from its lines and their fees. So a double click, a second tab or a retry
 * after a lost answer place the same order, and a changed cart or another fee a new one.
 */
export async function cartOrderKey(cart: KeyedLine[]): Promise<string> {
  const text = cart
    .filter(isOrdered)
    .map(({ id, quantity, price, revision, feeRule }) =>
      [id, quantity, price, revision, feesOf(feeRule, price * quantity).buyerFee].join(":"),
    )
    .toSorted()
    .join("|");
  return `cart-${(await sha256Hex(text)).slice(0, 32)}`;
}
