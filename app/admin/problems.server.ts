import { sql, type SQL } from "drizzle-orm";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { maskPhone } from "#app/accounts/phone.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { readThread, selectThread, type TeamMessage, type TeamPage } from "#app/messaging/team-messages.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import type { HistoryLine } from "#app/deals/history-words.ts";
import { type ReportedProblem, readProblem, selectProblem } from "#app/deals/problem-page.server.ts";
import type { ProblemCode } from "#app/deals/problem-rules.ts";
import {
  orderedColumns,
  type OrderedListing,
  type OrderedRow,
  withOrdered,
} from "#app/orders/ordered-listing.server.ts";
import { keptPayment } from "#app/payments/item-money.server.ts";
import type { Proposal } from "./decision-rules.ts";
import {
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";

/** review: our team has to decide. open: the two sides are still talking. */
export type ProblemFilter = "review" | "open";

export interface ProblemSummary {
  id: string;
  productName: string;
  /** KES. */
  subtotal: number;
  status: ItemStatus;
  buyer: string | null;
  seller: string | null;
  /** Null where the buyer reported nothing. */
  problem: ProblemCode | null;
  /** KES; null until the seller offers a part. */
  offeredRefund: number | null;
  lastEvent: DealEvent | null;
  /** When it got this status, ms since 1970. */
  createdAt: number;
}

/** SQL: what happened last to item `i`. */
const LAST_EVENT = sql`(SELECT e.event FROM deal_events e WHERE e.order_item_id = i.id ORDER BY e.created_at DESC, e.id DESC LIMIT 1)`;

/** One page of items with a problem, oldest first. One round trip. */
export async function listProblems(
  db: Database,
  filter: ProblemFilter,
  after: string | null,
): Promise<ListPage<ProblemSummary> & { counts: AdminCounts }> {
  const inReview = stateIs("i.status", ITEM.isInReview);
  const shown = filter === "review" ? inReview : sql`NOT ${inReview}`;
  const [problems, counts] = await runBatch(db, [
    // The first condition is that of the index.
    sql`SELECT i.id, i.product_name AS productName, i.subtotal, i.status, b.full_name AS buyer, s.full_name AS seller, d.problem,
        d.offered_refund AS offeredRefund, ${LAST_EVENT} AS lastEvent, i.updated_at AS createdAt
      FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN profiles b ON b.id = o.user_id LEFT JOIN profiles s ON s.id = i.seller_id
        LEFT JOIN disputes d ON d.order_item_id = i.id
      ${pageClause(sql`${stateIs("i.status", ITEM.isDisputed)} AND ${shown}`, sql`i.updated_at`, sql`i.id`, "oldest", readCursor(after))}`,
    adminCounts(),
  ]);
  return { ...toListPage<ProblemSummary>(problems), counts: readAdminCounts(counts) };
}

/** One side of a sale, as admins see it. Times in ms since 1970. */
export interface ProblemPerson {
  id: string;
  fullName: string | null;
  email: string;
  campusLocation: string | null;
  verifiedLevel: VerifiedLevel | null;
  memberSince: number;
  suspendedAt: number | null;
  deletedAt: number | null;
  /** Of this side's deals as a seller: how many are completed, and in how many a problem was reported. */
  salesCompleted: number;
  problemsAsSeller: number;
  /** Of this side's orders: how many problems they reported. */
  problemsAsBuyer: number;
}

export interface ProblemCase {
  item: {
    id: string;
    orderId: string;
    productId: string;
    name: string;
    quantity: number;
    /** KES. */
    subtotal: number;
    status: ItemStatus;
    shippedAt: number | null;
    deliveredAt: number | null;
    listingStatus: string;
    listingSuspendedAt: number | null;
    listingDeletedAt: number | null;
    orderAmount: number;
    deliveryOption: string | null;
    placedAt: number;
    receipt: string | null;
    /** Masked: the number that paid, and the number of the seller's payouts. */
    payerPhone: string | null;
    sellerPhone: string | null;
    buyerId: string;
    sellerId: string;
    /** The listing as it was ordered; null for orders from before there were copies. */
    ordered: OrderedListing | null;
  };
  buyer: ProblemPerson;
  seller: ProblemPerson;
  problem: ReportedProblem | null;
  history: HistoryLine[];
  /** What was paid, paid out and refunded for the order. */
  payments: { id: string; what: string; state: string; amount: number; receipt: string | null; at: number }[];
  conversation: TeamPage<TeamMessage>;
  /** A decision that a second admin must confirm; null where there is none. */
  proposal: (Proposal & { adminName: string }) | null;
  /** Reports about the order that are open. */
  reports: { id: string; description: string; createdAt: number }[];
  counts: AdminCounts;
}

/** How many of a person's deals are counted, so that a big shop doesn't make the page slow. */
const COUNTED = 1000;
/** How many messages of the conversation a page shows. */
const MESSAGES_SHOWN = 100;

/**
 * Everything that a decision about an item needs; null when there is no such paid item. One round trip.
 * `before` is the cursor of older messages.
 */
export async function findProblemCase(
  db: Database,
  itemId: string,
  before: Cursor | null = null,
): Promise<ProblemCase | null> {
  const of = (column: SQL) =>
    sql`(SELECT ${column} FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.id = ${itemId})`;
  const [orderId, buyerId, sellerId] = [of(sql`i.order_id`), of(sql`o.user_id`), of(sql`i.seller_id`)];
  const sales = (condition: SQL) =>
    sql`(SELECT COUNT(*) FROM (SELECT id, status FROM order_items WHERE seller_id = c.id LIMIT ${COUNTED}) i WHERE ${condition})`;
  const hasProblem = sql`EXISTS (SELECT 1 FROM disputes d WHERE d.order_item_id = i.id)`;
  const thread = threadSql(buyerId, sellerId);
  const ordered = orderedColumns("i", { seesHidden: true });
  const [items, people, problems, photos, history, payments, messages, reports, proposals, counts] = await runBatch(
    db,
    [
      sql`SELECT i.id, i.order_id AS orderId, i.product_id AS productId, i.product_name AS name, i.quantity, i.subtotal, i.status, i.shipped_at AS shippedAt,
        i.delivered_at AS deliveredAt, p.status AS listingStatus, p.suspended_at AS listingSuspendedAt, p.deleted_at AS listingDeletedAt, o.amount AS orderAmount,
        o.delivery_option AS deliveryOption, o.created_at AS placedAt, a.receipt, a.phone AS payerPhone, s.phone AS sellerPhone, o.user_id AS buyerId, i.seller_id AS sellerId,
        ${ordered.copied} AS copied, ${ordered.listed} AS listed
      FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id LEFT JOIN profiles s ON s.id = i.seller_id
        LEFT JOIN payment_attempts a ON a.id = ${keptPayment("i.order_id")}
      WHERE i.id = ${itemId} AND i.paid_at IS NOT NULL`,
      sql`SELECT c.id, p.full_name AS fullName, c.email, p.campus_location AS campusLocation, p.verified_level AS verifiedLevel, c.created_at AS memberSince,
        c.suspended_at AS suspendedAt, p.deleted_at AS deletedAt, ${sales(stateIs("i.status", ITEM.isCompleted))} AS salesCompleted, ${sales(hasProblem)} AS problemsAsSeller,
        (SELECT COUNT(*) FROM (SELECT i.id FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.user_id = c.id LIMIT ${COUNTED}) i WHERE ${hasProblem}) AS problemsAsBuyer
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id IN (${buyerId}, ${sellerId})`,
      ...selectProblem(itemId),
      sql`SELECT * FROM (
        SELECT id, 'payment' AS what, state, amount, receipt, created_at AS at FROM payment_attempts WHERE order_id = ${orderId}
        UNION ALL SELECT y.id, 'payout', y.state, q.amount, y.transaction_id, y.created_at FROM order_items i JOIN payout_items q ON q.order_item_id = i.id
          JOIN payouts y ON y.id = q.payout_id WHERE i.order_id = ${orderId}
        UNION ALL SELECT f.id, 'refund', f.state, f.amount, f.receipt, f.created_at FROM payment_attempts a JOIN refunds f ON f.attempt_id = a.id WHERE a.order_id = ${orderId}
      ) ORDER BY at LIMIT 100`,
      selectThread(thread, { before, limit: MESSAGES_SHOWN }),
      sql`SELECT id, description, created_at AS createdAt FROM issue_reports WHERE order_id = ${orderId} AND status = 'open' ORDER BY created_at LIMIT 20`,
      sql`SELECT r.admin_id AS adminId, COALESCE(NULLIF(p.full_name, ''), c.email) AS adminName, r.input ->> 'decision' AS decision, r.input ->> 'amount' AS amount, r.reasons
      FROM admin_proposals r JOIN credentials c ON c.id = r.admin_id LEFT JOIN profiles p ON p.id = r.admin_id WHERE r.subject = ${`order_item:${itemId}`} AND r.state = 'open'`,
      adminCounts(),
    ],
  );
  const row = rowOf<Omit<ProblemCase["item"], "ordered"> & OrderedRow>(items);
  const item = row && withOrdered(row);
  const personOf = (id: string | undefined) => rowsOf<ProblemPerson>(people).find((person) => person.id === id);
  const [buyer, seller] = [personOf(item?.buyerId), personOf(item?.sellerId)];
  if (!item || !buyer || !seller) return null;
  return {
    item: {
      ...item,
      payerPhone: item.payerPhone && maskPhone(item.payerPhone),
      sellerPhone: item.sellerPhone && maskPhone(item.sellerPhone),
    },
    buyer,
    seller,
    ...readProblem(problems, photos, history, "admin"),
    payments: rowsOf<ProblemCase["payments"][number]>(payments),
    conversation: readThread(rowsOf<TeamMessage>(messages), { before, limit: MESSAGES_SHOWN }),
    reports: rowsOf<ProblemCase["reports"][number]>(reports),
    proposal: rowOf<NonNullable<ProblemCase["proposal"]>>(proposals) ?? null,
    counts: readAdminCounts(counts),
  };
}
