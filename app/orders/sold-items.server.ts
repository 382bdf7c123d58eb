import { type SQL, sql } from "drizzle-orm";
import type { Cursor } from "#app/catalogue/rules.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { daysElapsed, type ItemStatus } from "./rules.ts";
import type { DeskGroup } from "./sales-rules.ts";

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

type SoldRow = Omit<SoldItem, "image" | "buyerContacted" | "buyerAgreed" | "days"> & { image: string | null; buyerContacted: number; buyerAgreed: number };

const SELECT = sql.raw(`SELECT i.id, i.order_id AS orderId, i.product_name AS name, i.product_image AS image, i.quantity, i.subtotal, i.status,
    i.buyer_contacted AS buyerContacted, i.buyer_agreed AS buyerAgreed, i.created_at AS createdAt, b.full_name AS buyerName
  FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN profiles b ON b.id = o.user_id`);

/** What each group of open items holds; a new one is an order whose buyer nobody has written to yet. */
const OPEN_GROUPS: Record<Exclude<DeskGroup, "delivered">, SQL> = {
  new: sql.raw("i.status = 'processing' AND i.buyer_contacted = 0"),
  processing: sql.raw("i.status = 'processing' AND i.buyer_contacted = 1"),
  shipped: sql.raw("i.status = 'shipped'"),
};

/**
 * What a seller has to see to: paid items, ready to ship first, then those needing contact, then oldest first (commerce
 * spec §2); those on their way follow. `group` narrows them. To be sent in a batch; `readSoldItems` reads the answer.
 */
export function openItems(sellerId: string, group: keyof typeof OPEN_GROUPS | null, limit: number): SQL {
  const which = group === null ? sql.raw("i.status IN ('processing', 'shipped')") : OPEN_GROUPS[group];
  return sql`${SELECT} WHERE i.seller_id = ${sellerId} AND ${which}
    ORDER BY i.status = 'shipped', CASE WHEN i.status = 'shipped' THEN 0 WHEN i.buyer_agreed = 1 THEN 0 WHEN i.buyer_contacted = 0 THEN 1 ELSE 2 END, i.created_at
    LIMIT ${limit}`;
}

/** What a seller has delivered, newest first, after `cursor`. To be sent in a batch. */
export function deliveredItems(sellerId: string, cursor: Cursor | null, limit: number): SQL {
  const older = cursor ? sql`AND (i.created_at, i.id) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  return sql`${SELECT} WHERE i.seller_id = ${sellerId} AND i.status = 'delivered' ${older} ORDER BY i.created_at DESC, i.id DESC LIMIT ${limit}`;
}

/** A seller's paid items that begin with `number` (see `readOrderNumber`), or whose order does. To be sent in a batch. */
export function itemsOfNumber(sellerId: string, number: string, limit: number): SQL {
  const end = `${number}g`;
  return sql`${SELECT} WHERE i.id IN (
      SELECT id FROM order_items WHERE id >= ${number} AND id < ${end}
      UNION SELECT id FROM order_items WHERE order_id >= ${number} AND order_id < ${end})
    AND i.seller_id = ${sellerId} AND i.status IN ('processing', 'shipped', 'delivered')
    ORDER BY i.created_at DESC LIMIT ${limit}`;
}

/** The answers of such queries, sent in a batch; `now` in ms. */
export function readSoldItems(answers: readonly D1Result[], now: number): SoldItem[] {
  return answers
    .flatMap(({ results }) => results as unknown as SoldRow[])
    .map(({ image, buyerContacted, buyerAgreed, ...row }) => ({
      ...row,
      image: image ? (JSON.parse(image) as ProductImage | null) : null,
      buyerContacted: buyerContacted === 1,
      buyerAgreed: buyerAgreed === 1,
      days: daysElapsed(row.createdAt, now),
    }));
}
