import { sql } from "drizzle-orm";
import { rowOf, rowsOf, runBatch, type Statement } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import type { DealActor } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import {
  orderedColumns,
  type OrderedListing,
  type OrderedRow,
  readOrdered,
} from "#app/orders/ordered-listing.server.ts";
import { type DealFacts, type DealRole, EVENT_ACTORS } from "#app/orders/deal-rules.ts";
import { textWarning } from "#app/platform/contact-warning-rules.ts";
import { openReport } from "#app/orders/open-report.server.ts";
import { dealHeld, sellerGone } from "./deal-facts.server.ts";
import { type HistoryEntry, type HistoryLine, type HistoryReader, historyWords } from "./history-words.ts";
import type { ProblemCode } from "./problem-rules.ts";

/** What the buyer reported, and what came of it. Amounts in KES, times in ms since 1970. */
export interface ReportedProblem {
  problem: ProblemCode;
  description: string;
  openedAt: number;
  /** Null until the seller offers a part. */
  offeredRefund: number | null;
  /** What went back to the buyer; null until it is settled. */
  refunded: number | null;
  photos: ProductImage[];
  /** What the seller should be careful about in the description. */
  warning: string | null;
}

/** Who reads the note of one side as the other's. */
const OTHER_SIDE: Partial<Record<DealActor, HistoryReader>> = { buyer: "seller", seller: "buyer" };

interface ItemRow extends OrderedRow {
  id: string;
  orderId: string;
  productName: string;
  image: string | null;
  status: ItemStatus;
  /** KES. */
  subtotal: number;
  shippedAt: number | null;
  buyerAgreed: number;
  wrongCodes: number;
  hasOpenReport: number;
  isSellerGone: number;
  isHeld: number;
  isRefundParked: number;
  buyerId: string;
  buyerName: string | null;
  sellerName: string | null;
}

export interface ProblemPage {
  item: DealFacts & {
    id: string;
    orderId: string;
    name: string;
    image: ProductImage | null;
    buyerName: string;
    sellerName: string;
    /** As in `DealView`. */
    isHeld: boolean;
    /** What goes back to the buyer can't be sent until our team has fixed something. */
    isRefundParked: boolean;
    /** The listing as it was ordered; null for orders from before there were copies. */
    ordered: OrderedListing | null;
  };
  /** Which side the reader is. */
  role: DealRole;
  problem: ReportedProblem | null;
  history: HistoryLine[];
  /** When the status ends by itself, ms since 1970; null when nothing is due. */
  until: number | null;
}

/** How many entries of a history are shown. A deal has far fewer. */
const HISTORY_SHOWN = 100;

/** Statements that read a reported problem with its photos and the history of the deal. For `readProblem`. */
export function selectProblem(itemId: string): [Statement, Statement, Statement] {
  return [
    sql`SELECT problem, description, opened_at AS openedAt, offered_refund AS offeredRefund, refunded FROM disputes WHERE order_item_id = ${itemId}`,
    sql`SELECT u.image FROM disputes d, json_each(d.photos) p JOIN uploads u ON u.key = p.value WHERE d.order_item_id = ${itemId} ORDER BY p.key`,
    sql`SELECT * FROM (SELECT id, event, reason, note, amount, created_at AS createdAt FROM deal_events WHERE order_item_id = ${itemId}
      ORDER BY created_at DESC, id DESC LIMIT ${HISTORY_SHOWN}) ORDER BY createdAt, id`,
  ];
}

export function readProblem(
  problems: unknown,
  photos: unknown,
  history: unknown,
  reader: HistoryReader,
): { problem: ReportedProblem | null; history: HistoryLine[] } {
  const problem = rowOf<Omit<ReportedProblem, "photos" | "warning">>(problems);
  const images = rowsOf<{ image: string }>(photos).map(({ image }) => JSON.parse(image) as ProductImage);
  return {
    problem: problem
      ? { ...problem, photos: images, warning: reader === "seller" ? textWarning(problem.description) : null }
      : null,
    history: rowsOf<HistoryEntry>(history).map((entry) => ({
      ...entry,
      words: historyWords(entry, reader),
      warning: entry.note !== null && reader === OTHER_SIDE[EVENT_ACTORS[entry.event]] ? textWarning(entry.note) : null,
    })),
  };
}

/** An item with its reported problem, for its buyer or its seller; null for everybody else. One round trip. */
export async function findProblem(db: Database, itemId: string, viewerId: string): Promise<ProblemPage | null> {
  const { copied, listed } = orderedColumns("i");
  const [items, problems, photos, history, timers] = await runBatch(db, [
    sql`SELECT i.id, i.order_id AS orderId, i.product_name AS productName, i.product_image AS image, i.status, i.subtotal, i.shipped_at AS shippedAt,
        i.buyer_agreed AS buyerAgreed, i.wrong_codes AS wrongCodes, ${openReport} AS hasOpenReport, ${sellerGone} AS isSellerGone, ${dealHeld} AS isHeld,
        EXISTS (SELECT 1 FROM refunds r WHERE r.order_item_id = i.id AND ${stateIs("r.state", TRANSFER.isParked)}) AS isRefundParked,
        o.user_id AS buyerId, b.full_name AS buyerName, s.full_name AS sellerName, ${copied} AS copied, ${listed} AS listed
      FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN profiles b ON b.id = o.user_id LEFT JOIN profiles s ON s.id = i.seller_id
      WHERE i.id = ${itemId} AND ${viewerId} IN (o.user_id, i.seller_id)`,
    ...selectProblem(itemId),
    // The first of them: a silent seller's time ends before the time to agree.
    sql`SELECT due_at AS until FROM deal_timers WHERE order_item_id = ${itemId} AND kind IN ('problem_unanswered', 'no_agreement')
      ORDER BY due_at LIMIT 1`,
  ]);
  const item = rowOf<ItemRow>(items);
  if (!item) return null;
  const role = item.buyerId === viewerId ? "buyer" : "seller";
  return {
    item: {
      id: item.id,
      orderId: item.orderId,
      name: item.productName,
      image: item.image === null ? null : (JSON.parse(item.image) as ProductImage),
      status: item.status,
      subtotal: item.subtotal,
      shippedAt: item.shippedAt,
      buyerAgreed: item.buyerAgreed === 1,
      wrongCodes: item.wrongCodes,
      hasOpenReport: item.hasOpenReport === 1,
      isSellerGone: item.isSellerGone === 1,
      isHeld: item.isHeld === 1,
      isRefundParked: item.isRefundParked === 1,
      buyerName: item.buyerName || "the buyer",
      sellerName: item.sellerName || "the seller",
      ordered: readOrdered(item),
    },
    role,
    ...readProblem(problems, photos, history, role),
    until: rowOf<{ until: number | null }>(timers)?.until ?? null,
  };
}
