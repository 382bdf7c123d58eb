import { delivers } from "#app/accounts/profile/points-only.server.ts";
import { earnedForSql, paidForSql } from "./item-price.server.ts";
import { meetingRecord, readMeetingRecord } from "#app/accounts/trust/reliability.server.ts";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { and, desc, eq, getTableColumns, inArray, lt, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { campusOf } from "#app/catalogue/listing-columns.server.ts";
import { asBoolean, asJson, build, pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "./tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- orders say what goes back to the buyer
import { paymentAttempts, refunds } from "#app/payments/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- lists and pages of orders say what goes back to the buyer
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { type Handover, HANDOVERS } from "#app/db/states/handover.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import type { Refund } from "./order-payment-rules.ts";
import { orderedColumns, withOrdered } from "./ordered-listing.server.ts";
import { IS_RESTOCKABLE } from "./restock.server.ts";
import { type AnswersTo, prepareOnce, read } from "#app/db/batch.ts";

/** What goes back to the buyer of the order; null when nothing does. */
const refund = asJson<Refund | null>(
  sql`${build
    .select({
      refund: sql`json_object('open', ${refunded(stateIs(refunds.state, TRANSFER.isOpen))},
          'delayedAmount', ${refundedAt("delayed")}, 'inQuestion', ${refundedAt("in_question")},
          'sentBack', ${refundedAt("done")},
          'receipt', GROUP_CONCAT(${refunds.receipt}, ', '), 'sentAt', MAX(${refunds.doneAt}))`,
    })
    .from(paymentAttempts)
    .innerJoin(refunds, eq(refunds.attemptId, paymentAttempts.id))
    .where(eq(paymentAttempts.orderId, orders.id))
    .having(sql`COUNT(*) > 0`)}`.inlineParams(),
);

/** KES of the refunds that are there. */
function refundedAt(place: RefundPlace): SQL {
  return refunded(eq(refundPlace(), place));
}

function refunded(condition: SQL | undefined): SQL {
  return sql`SUM(CASE WHEN ${condition} THEN ${refunds.amount} ELSE 0 END)`;
}

/** Where counting ends. */
const COUNT_MAX = 100;

const orderColumns = { ...getTableColumns(orders), refund };
type OrderRow = typeof orders.$inferSelect & { refund: Refund | null };

const BROUGHT = HANDOVERS.filter((handover) => HANDOVER_TERMS[handover].isBrought);

/** SQL on an item: its seller brings it where its buyer wants. Nobody brings a room. */
export const isBrought = sql`(${and(
  delivers(orderItems.sellerId, orderItems.createdAt),
  inArray(orderItems.handover, BROUGHT),
)})`;

const itemColumns = {
  ...pick(orderItems, "id", "productId", "sellerId"),
  name: orderItems.productName,
  image: orderItems.productImage,
  quantity: orderItems.quantity,
  price: orderItems.pricePerUnit,
  ...pick(orderItems, "subtotal", "handover", "status", "buyerContacted", "buyerAgreed", "shippedAt", "deliveredAt"),
  paid: paidForSql(orderItems).inlineParams(),
  earned: earnedForSql(orderItems).inlineParams(),
  location: campusOf(products.location),
  /** 1 if the product's page is gone. */
  removed: sql<number>`${products.deletedAt} IS NOT NULL OR ${products.suspendedAt} IS NOT NULL`,
  sellerName: profiles.fullName,
  sellerCampus: profiles.campusLocation,
  sellerPhotoUrl: profiles.photoUrl,
  sellerDelivers: asBoolean(sql`${isBrought}`.inlineParams()),
  ...orderedColumns("order_items"),
};

const orderOfBuyer = prepareOnce(
  build
    .select(orderColumns)
    .from(orders)
    .where(and(eq(orders.id, sql.placeholder("orderId")), eq(orders.userId, sql.placeholder("userId")))),
);
const itemsOfOrder = prepareOnce(
  build
    .select(itemColumns)
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(eq(orderItems.orderId, sql.placeholder("orderId")))
    .orderBy(orderItems.createdAt, orderItems.id),
);

/** The two queries for an order as its buyer sees it. Ask them at once, and read the answers with `readOrder`. */
export function orderForBuyer(orderId: string, userId: string) {
  return { found: orderOfBuyer({ orderId, userId }), items: itemsOfOrder({ orderId }) };
}

/** Reads the results of `orderForBuyer`; null when the order isn't theirs. */
export function readOrder({ found: [order], items }: AnswersTo<ReturnType<typeof orderForBuyer>>) {
  if (!order) return null;
  const prices = items.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return {
    /** `fee`: KES that the buyer pays on top of the prices. */
    order: { ...publicOrder(order), fee: order.amount - prices },
    items: items.map((item) => onReceipt(withOrdered(item))),
  };
}

/** With what a checkout, a receipt and the progress say of it. */
function onReceipt<Item extends { handover: Handover }>(item: Item) {
  const { receipt, paper, promise, ended, name, has } = HANDOVER_WORDS[item.handover];
  const lead = `We've told the seller, who will message you about ${name}. Your order page has the code to give them when ${has("you", "the item")}.`;
  return {
    ...item,
    called: { receipt, paper, promise, ended, lead, isParcel: HANDOVER_TERMS[item.handover].isParcel },
  };
}

/** An order with its items as its buyer sees it; null when it isn't theirs. One round trip. */
export async function findOrderForBuyer(db: Database, orderId: string, userId: string) {
  return readOrder(await read(db, orderForBuyer(orderId, userId)));
}

export type BuyerOrder = NonNullable<Awaited<ReturnType<typeof findOrderForBuyer>>>;

function publicOrder(order: OrderRow) {
  const { idempotencyKey: _key, ...rest } = order;
  return rest;
}

const items = build
  .select({ status: orderItems.status, name: orderItems.productName, image: orderItems.productImage })
  .from(orderItems)
  .where(eq(orderItems.orderId, orders.id))
  .orderBy(orderItems.createdAt, orderItems.id)
  .as("items");

/** What a list of orders shows of their items. */
const shownItems = {
  itemStatuses: asJson<ItemStatus[]>(
    sql`${build.select({ statuses: sql`json_group_array(${items.status})` }).from(items)}`.inlineParams(),
  ),
  firstName: sql<string | null>`${build.select({ name: items.name }).from(items).limit(1)}`.inlineParams(),
  firstImage: sql<string | null>`${build.select({ image: items.image }).from(items).limit(1)}`.inlineParams(),
};

/** The place in a buyer's list of orders after which a page begins. */
export type OrdersBefore = { createdAt: number; id: string } | undefined;

/** What a page of a buyer's orders holds: newest first, `limit` at a time, older than `before`. */
export function pageOfOrders(userId: string, limit: number, before: OrdersBefore) {
  return build
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), isOlder(before)))
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit);
}

function isOlder(before: OrdersBefore): SQL | undefined {
  return (
    before &&
    or(lt(orders.createdAt, before.createdAt), and(eq(orders.createdAt, before.createdAt), lt(orders.id, before.id)))
  );
}

/**
 * The query for a buyer's orders, newest first, `limit` at a time, older than `before`. Await it, or send it in a
 * batch.
 */
export function listOrdersOfBuyer(db: Database, userId: string, limit: number, before?: OrdersBefore) {
  return db
    .select({
      ...pick(orders, "id", "amount", "paymentStatus", "paymentReview"),
      ...pick(orders, "paymentFailure", "closedReason", "orderStatus", "replacedBy"),
      refund,
      createdAt: orders.createdAt,
      ...shownItems,
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), isOlder(before)))
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
  const buyer = alias(profiles, "buyer");
  const otherItemRow = alias(orderItems, "other_item_row");
  const owed = build
    .select({ quantity: otherItemRow.quantity })
    .from(otherItemRow)
    .where(
      and(
        eq(otherItemRow.productId, products.id),
        stateIs(otherItemRow.status, ITEM.isHeld),
        not(stateIs(otherItemRow.status, ITEM.isDelivered)),
      ),
    )
    .limit(COUNT_MAX)
    .as("owed");
  return db
    .select({
      ...itemColumns,
      ...orderedColumns("order_items", { seesHidden: true }),
      // Not orders.id, because D1 returns rows of a batch by column name, and two columns of the same name would become
      // one.
      orderId: orderItems.orderId,
      orderCreatedAt: orders.createdAt,
      // The last piece of its listing is sold. The seller may have another one.
      listingSold: sql<number>`${products.stock} = 0 AND ${products.deletedAt} IS NULL`,
      restockable: sql<number>`${IS_RESTOCKABLE}`,
      // How many pieces of the same listing are paid and not handed over.
      owed: sql<number>`CASE WHEN ${products.stock} = 0 OR ${IS_RESTOCKABLE}
        THEN ${build.select({ pieces: sql`COALESCE(SUM(${owed.quantity}), 0)` }).from(owed)} ELSE 0 END`,
      ...pick(orders, "paymentStatus", "paymentDate", "deliveryOption", "deliveryAddress", "deliveryInstructions"),
      buyerId: orders.userId,
      // The phone in the profile, because the number that paid may be a parent's or a friend's.
      buyerPhone: buyer.phone,
      buyerEmail: credentials.email,
      blocked: blockBetween(sql`${orders.userId}`, sellerId),
      buyerName: sql<string | null>`${buyer.fullName}`.as("buyerName"),
      buyerCampus: sql<string | null>`${buyer.campusLocation}`.as("buyerCampus"),
      buyerPhotoUrl: sql<string | null>`${buyer.photoUrl}`.as("buyerPhotoUrl"),
      // To how many of their meetings they didn't come, in words; null with too few.
      buyerMeetings: meetingRecord(sql`${orders.userId}`)
        .mapWith(readMeetingRecord)
        .as("buyerMeetings"),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .innerJoin(credentials, eq(credentials.id, orders.userId))
    .leftJoin(buyer, eq(buyer.id, orders.userId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(and(eq(orderItems.id, itemId), eq(orderItems.sellerId, sellerId)));
}
