import { rowsOf } from "#app/db/batch.ts";
import { type SQL, sql } from "drizzle-orm";
import type { Cursor } from "#app/catalogue/catalogue-rules.ts";
import { sellerOrderRank, type ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM, ITEM_STATUSES, type ItemStatus } from "#app/db/states/item.ts";
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
  status: ItemStatus;
  buyerContacted: boolean;
  buyerAgreed: boolean;
  /** Ms since 1970. */
  createdAt: number;
  buyerName: string | null;
  /** Whole days since it was ordered. */
  days: number;
}

type SoldRow = Omit<SoldItem, "image" | "buyerContacted" | "buyerAgreed" | "days"> & {
  image: string | null;
  buyerContacted: number;
  buyerAgreed: number;
};

const COLUMNS = `SELECT i.id, i.order_id AS orderId, i.product_name AS name, i.product_image AS image, i.quantity, i.subtotal, i.status,
    i.buyer_contacted AS buyerContacted, i.buyer_agreed AS buyerAgreed, i.created_at AS createdAt, b.full_name AS buyerName`;
const BUYER = "JOIN orders o ON o.id = i.order_id LEFT JOIN profiles b ON b.id = o.user_id";
const SELECT = sql.raw(`${COLUMNS} FROM order_items i ${BUYER}`);
const SELECT_OPEN = sql.raw(`${COLUMNS} FROM open CROSS JOIN order_items i ON i.rowid = open.row ${BUYER}`);

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
export function openItems(
  sellerId: string,
  group: keyof typeof OPEN_GROUPS,
  place: OrderPlace | null,
  limit: number,
): SQL {
  const ranks = OPEN_GROUPS[group].filter((rank) => rank >= (place?.rank ?? 0));
  const after = place
    ? sql`AND (q.created_at, q.id) > (iif(r.value = ${place.rank}, ${place.at}, -1), iif(r.value = ${place.rank}, ${place.id}, ''))`
    : sql``;
  // The index knows the rank, but not the status, so only the rows of one rank are read for it.
  const notDelivered = sql`AND (r.value <> ${STATUS_RANKS.delivered} OR NOT ${stateIs("status", ITEM.isDelivered)})`;
  return sql`WITH open(row, rank) AS (SELECT p.rowid, r.value FROM json_each(${JSON.stringify(ranks)}) r CROSS JOIN order_items p ON p.rowid IN (
        SELECT q.rowid FROM order_items q INDEXED BY order_items_desk
        WHERE q.seller_id = ${sellerId} AND ${sellerOrderRank} = r.value AND ${stateIs("status", ITEM.isHeld)} ${notDelivered} ${after}
        ORDER BY q.created_at, q.id LIMIT ${limit})
      ORDER BY r.value, p.created_at, p.id LIMIT ${limit})
    ${SELECT_OPEN} ORDER BY open.rank, i.created_at, i.id`;
}

/** The position after `item`; null for an item that isn't open. */
export function orderPlaceOf(item: SoldItem): OrderPlace {
  const rank = STATUS_RANKS[item.status] ?? STEP_RANKS[shippingStep(item)];
  return { rank, at: item.createdAt, id: item.id };
}

/** The ranks of `sellerOrderRank`. */
const STEP_RANKS: Record<ShippingStep, number> = { ready_to_ship: 1, need_contact: 2, waiting_response: 3 };
const STATUS_RANKS: Record<string, number | undefined> = {
  disputed: 0,
  cancel_requested: 0,
  shipped: 4,
  delivered: 5,
  offered: 5,
  in_review: 6,
};

const DONE_STATUSES: Record<DoneGroup, readonly ItemStatus[]> = {
  delivered: ITEM_STATUSES.filter(ITEM.isDelivered),
  cancelled: ITEM_STATUSES.filter(ITEM.isReturned),
};

/**
 * The query for what a seller has delivered, or for what was cancelled or refunded: newest first, after `cursor`. Each
 * status is one index seek of at most `limit` rows. Send it in a batch.
 */
export function doneItems(group: DoneGroup, sellerId: string, cursor: Cursor | null, limit: number): SQL {
  const older = cursor ? sql`AND (q.created_at, q.id) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  return sql`${SELECT} WHERE i.rowid IN (SELECT p.rowid FROM json_each(${JSON.stringify(DONE_STATUSES[group])}) s CROSS JOIN order_items p ON p.rowid IN (
      SELECT q.rowid FROM order_items q INDEXED BY order_items_seller WHERE q.seller_id = ${sellerId} AND q.status = s.value ${older}
      ORDER BY q.created_at DESC, q.id DESC LIMIT ${limit}))
    ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`;
}

/**
 * The query for a seller's paid items whose own id, or whose order's id, begins with `number` (see `readOrderNumber`).
 * Send it in a batch.
 */
export function itemsOfNumber(sellerId: string, number: string, limit: number): SQL {
  const end = `${number}g`;
  return sql`${SELECT} WHERE i.id IN (
      SELECT id FROM order_items WHERE id >= ${number} AND id < ${end}
      UNION SELECT id FROM order_items WHERE order_id >= ${number} AND order_id < ${end})
    AND i.seller_id = ${sellerId} AND NOT ${stateIs("i.status", ITEM.isUnpaid)}
    ORDER BY i.created_at DESC LIMIT ${limit}`;
}

/** Reads the result of these queries. `now` is in ms. */
export function readSoldItems(answer: unknown, now: number): SoldItem[] {
  return rowsOf<SoldRow>(answer).map(({ image, buyerContacted, buyerAgreed, ...row }) => ({
    ...row,
    image: image ? (JSON.parse(image) as ProductImage | null) : null,
    buyerContacted: buyerContacted === 1,
    buyerAgreed: buyerAgreed === 1,
    days: daysElapsed(row.createdAt, now),
  }));
}
