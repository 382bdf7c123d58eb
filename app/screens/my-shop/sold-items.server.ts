import { itemRow } from "#app/orders/table-rows.server.ts";
import { and, asc, desc, eq, gte, inArray, lt, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Cursor } from "#app/catalogue/catalogue-rules.ts";
import { build } from "#app/db/build.ts";
import { meetings, orderItems, orders, sellerOrderRank } from "#app/orders/tables.server.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM, ITEM_STATUSES, type ItemStatus } from "#app/db/states/item.ts";
import type { ListedStep } from "#app/deals/words/next-step-texts.ts";
import { readStep, stepColumns } from "#app/screens/listed-steps.server.ts";
import { daysElapsed, shippingStep, type ShippingStep } from "#app/orders/order-rules.ts";
import type { OrderGroup, OrderPlace } from "./sales-rules.ts";

/** An order item as its seller's list shows it. */
export interface SoldItem {
  id: string;
  orderId: string;
  name: string;
  image: ProductImage | null;
  quantity: number;
  /** KES. */
  subtotal: number;
  handover: Handover;
  status: ItemStatus;
  buyerContacted: boolean;
  buyerAgreed: boolean;
  /** Ms since 1970. */
  createdAt: number;
  buyerName: string | null;
  /** Whole days since it was ordered. */
  days: number;
  /** The seller's. */
  step: ListedStep;
}

function selectItems() {
  return build
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.productName,
      image: orderItems.productImage,
      quantity: orderItems.quantity,
      ...stepColumns(orderItems.sellerId),
      createdAt: orderItems.createdAt,
      buyerName: profiles.fullName,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(meetings, eq(meetings.orderItemId, orderItems.id))
    .leftJoin(profiles, eq(profiles.id, orders.userId));
}

// An item is chosen by an index for each rank or status before its row is read. The builder can't name an index.
const chosen = alias(orderItems, "chosen");

/** The groups of items that are handed over or cancelled. */
export type DoneGroup = "delivered" | "cancelled";

/**
 * The ranks (see `sellerOrderRank`) of each group of open items. "New" means that nobody has messaged the buyer yet.
 */
export const OPEN_GROUPS: Record<Exclude<OrderGroup, DoneGroup> | "all", number[]> = {
  new: [2],
  processing: [0, 1, 3, 6],
  shipped: [4, 5],
  all: [0, 1, 2, 3, 4, 5, 6],
};

/**
 * The query for a seller's open items: ready to ship first, then those that need contact, then the oldest, then those
 * on their way. What the buyer is checking is among the delivered items. `group` narrows the list and `place` is where
 * it starts. Each rank is one index seek of at most `limit` rows. Send it in a batch and read the result with
 * `readSoldItems`.
 */
export function openItems(sellerId: string, group: keyof typeof OPEN_GROUPS, place: OrderPlace | null, limit: number) {
  const ranks = OPEN_GROUPS[group].filter((rank) => rank >= (place?.rank ?? 0));
  const after = place
    ? sql`AND (${itemRow.createdAt}, ${itemRow.id})
        > (iif(rank.value = ${place.rank}, ${place.at}, -1), iif(rank.value = ${place.rank}, ${place.id}, ''))`
    : sql``;
  // The index knows the rank, but not the status, so only the rows of one rank are read for it.
  const notDelivered = sql`AND (rank.value <> ${STATUS_RANKS.delivered}
    OR NOT ${stateIs(itemRow.status, ITEM.isDelivered)})`;
  const isOpen = sql`${orderItems}.rowid IN (
      SELECT chosen.rowid FROM json_each(${JSON.stringify(ranks)}) rank
      CROSS JOIN ${orderItems} chosen ON chosen.rowid IN (
        SELECT item_row.rowid FROM ${orderItems} item_row INDEXED BY order_items_desk
        WHERE ${itemRow.sellerId} = ${sellerId} AND ${sellerOrderRank} = rank.value
          AND ${stateIs(itemRow.status, ITEM.isHeld)}
          ${notDelivered} ${after}
        ORDER BY ${itemRow.createdAt}, ${itemRow.id} LIMIT ${limit})
      ORDER BY rank.value, ${chosen.createdAt}, ${chosen.id} LIMIT ${limit})`;
  return selectItems().where(isOpen).orderBy(sellerOrderRank, asc(orderItems.createdAt), asc(orderItems.id));
}

/** The position after `item`; null for an item that isn't open. */
export function orderPlaceOf(item: SoldItem): OrderPlace {
  const rank = STATUS_RANKS[item.status] ?? STEP_RANKS[shippingStep(item)];
  return { rank, at: item.createdAt, id: item.id };
}

/** The ranks of what the head of My Shop counts as pending: paid, and not shipped. */
export const PENDING_RANKS: readonly number[] = [1, 2, 3];

/** The ranks of what waits for the seller. */
export const TODO_RANKS = { answer: 0, contact: 2, hand_over: 1 } as const;

/** The ranks at which a meeting that the buyer suggests is what waits for the seller. */
export const MEETING_RANKS: readonly number[] = [2, 3];

/** The ranks of `sellerOrderRank`. */
const STEP_RANKS: Record<ShippingStep, number> = { ready_to_ship: 1, need_contact: 2, waiting_response: 3 };
const STATUS_RANKS: Record<string, number | undefined> = {
  problem_reported: 0,
  cancel_requested: 0,
  shipped: 4,
  delivered: 5,
  offered: 5,
  in_review: 6,
};

const DELIVERED = ITEM_STATUSES.filter(ITEM.isDelivered);
const RETURNED = ITEM_STATUSES.filter(ITEM.isReturned);
const DONE_STATUSES: Record<DoneGroup | "over", readonly ItemStatus[]> = {
  delivered: DELIVERED,
  cancelled: RETURNED,
  over: [...DELIVERED, ...RETURNED],
};

/**
 * The query for what a seller has delivered, for what was cancelled or refunded, or for both: newest first, after
 * `cursor`. Each status is one index seek of at most `limit` rows. Send it in a batch.
 */
export function doneItems(group: keyof typeof DONE_STATUSES, sellerId: string, cursor: Cursor | null, limit: number) {
  const older = cursor ? sql`AND (${itemRow.createdAt}, ${itemRow.id}) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  const isDone = sql`${orderItems}.rowid IN (
      SELECT chosen.rowid FROM json_each(${JSON.stringify(DONE_STATUSES[group])}) status
      CROSS JOIN ${orderItems} chosen ON chosen.rowid IN (
        SELECT item_row.rowid FROM ${orderItems} item_row INDEXED BY order_items_seller
        WHERE ${itemRow.sellerId} = ${sellerId} AND ${itemRow.status} = status.value ${older}
        ORDER BY ${itemRow.createdAt} DESC, ${itemRow.id} DESC LIMIT ${limit}))`;
  return selectItems().where(isDone).orderBy(desc(orderItems.createdAt), desc(orderItems.id)).limit(limit);
}

/**
 * The query for a seller's paid items whose own id, or whose order's id, begins with `number` (see `readOrderNumber`).
 * Send it in a batch.
 */
export function itemsOfNumber(sellerId: string, number: string, limit: number) {
  const end = `${number}g`;
  const beginsWithIt = (id: typeof orderItems.id | typeof orderItems.orderId) =>
    build
      .select({ id: orderItems.id })
      .from(orderItems)
      .where(and(gte(id, number), lt(id, end)));
  const isFound = inArray(orderItems.id, beginsWithIt(orderItems.id).union(beginsWithIt(orderItems.orderId)));
  return selectItems()
    .where(and(isFound, eq(orderItems.sellerId, sellerId), not(stateIs(orderItems.status, ITEM.isUnpaid))))
    .orderBy(desc(orderItems.createdAt))
    .limit(limit);
}

/** Reads the result of these queries. `now` is in ms. */
export function readSoldItems(rows: Awaited<ReturnType<typeof selectItems>>, now: number): SoldItem[] {
  return rows.map(({ meeting, deliveryOption, dueAt, isOnHold, ...row }) => ({
    ...row,
    days: daysElapsed(row.createdAt, now),
    step: readStep("seller", { ...row, meeting, deliveryOption, dueAt, isOnHold }, now),
  }));
}
