import { type SQL, sql } from "drizzle-orm";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { expectOneChange, rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { readThread, selectThread, type TeamMessage, type TeamPage } from "#app/messaging/team-messages.server.ts";
import { queueEffects } from "#app/db/outbox.ts";
import {
  orderedColumns,
  type OrderedListing,
  type OrderedRow,
  withOrdered,
} from "#app/orders/ordered-listing.server.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import { freedJson, issueFrees, issueMoves } from "./act-moves.server.ts";
import { performOrPropose } from "./propose-act.server.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";

export interface IssueSummary {
  id: string;
  status: "open" | "closed";
  text: string;
  /** Ms since 1970. */
  createdAt: number;
  reporter: string | null;
  reported: string | null;
  orderId: string | null;
  outcome: string | null;
}

/** One page of reports about orders: open ones oldest first, closed ones newest first. One round trip. */
export async function listIssues(
  db: Database,
  filter: IssueSummary["status"],
  after: string | null,
): Promise<ListPage<IssueSummary> & { counts: AdminCounts }> {
  const order = filter === "open" ? "oldest" : "newest";
  const [issues, counts] = await runBatch(db, [
    sql`SELECT r.id, r.status, r.description AS text, r.created_at AS createdAt, a.full_name AS reporter, b.full_name AS reported, r.order_id AS orderId, r.outcome
      FROM issue_reports r LEFT JOIN profiles a ON a.id = r.user_id LEFT JOIN profiles b ON b.id = r.seller_id
      ${pageClause(sql`r.status = ${filter}`, sql`r.created_at`, sql`r.id`, order, readCursor(after))}`,
    adminCounts(),
  ]);
  return { ...toListPage<IssueSummary>(issues), counts: readAdminCounts(counts) };
}

export interface Person {
  id: string;
  fullName: string | null;
  email: string;
  campusLocation: string | null;
  isSeller: number;
  isAdmin: number;
  verifiedLevel: VerifiedLevel | null;
  /** Ms since 1970. */
  memberSince: number;
  suspendedAt: number | null;
  deletedAt: number | null;
}

export interface Issue {
  id: string;
  status: "open" | "closed";
  text: string;
  createdAt: number;
  closedAt: number | null;
  outcome: string | null;
  reporterId: string;
  reportedId: string | null;
}

export interface ReportedListing {
  id: string;
  name: string;
  /** KES. */
  price: number;
  status: string;
  suspendedAt: number | null;
  /** Our team looks at it before it is published (`products.held_for`); null for any other listing. */
  heldFor: string | null;
  deletedAt: number | null;
}

export interface ReportedOrder {
  id: string;
  /** KES. */
  amount: number;
  paymentStatus: string;
  orderStatus: string;
  mpesaReceipt: string | null;
  createdAt: number;
}

export interface IssuePage {
  issue: Issue;
  people: Person[];
  listing: ReportedListing | null;
  order: ReportedOrder | null;
  items: {
    id: string;
    productName: string;
    quantity: number;
    subtotal: number;
    status: string;
    /** The listing as it was ordered; null for orders from before there were copies. */
    ordered: OrderedListing | null;
  }[];
  payments: {
    id: string;
    what: "payment" | "payout" | "refund";
    state: string;
    amount: number;
    receipt: string | null;
    at: number;
  }[];
  conversation: TeamPage<TeamMessage>;
  history: { id: string; actor: string | null; action: string; detail: string | null; createdAt: number }[];
  counts: AdminCounts;
}

/** How many messages of the conversation a page shows. */
const MESSAGES_SHOWN = 100;

/**
 * A report with the people, the listing, the order and its payments, and the conversation; null when there is none. One
 * round trip. `before` is the cursor of older messages.
 */
export async function findIssue(db: Database, id: string, before: Cursor | null = null): Promise<IssuePage | null> {
  const of = (column: SQL) => sql`(SELECT ${column} FROM issue_reports WHERE id = ${id})`;
  const about = {
    reporter: of(sql`user_id`),
    reported: of(sql`seller_id`),
    product: of(sql`product_id`),
    order: of(sql`order_id`),
    thread: of(threadSql(sql`user_id`, sql`seller_id`)),
  };
  const ordered = orderedColumns("i", { seesHidden: true });
  const [issue, people, listing, order, items, payments, messages, history, counts] = await runBatch(db, [
    sql`SELECT id, status, description AS text, created_at AS createdAt, closed_at AS closedAt, outcome, user_id AS reporterId, seller_id AS reportedId
      FROM issue_reports WHERE id = ${id}`,
    sql`SELECT c.id, p.full_name AS fullName, c.email, p.campus_location AS campusLocation, COALESCE(p.is_seller, 0) AS isSeller, COALESCE(p.is_admin, 0) AS isAdmin,
        p.verified_level AS verifiedLevel, c.created_at AS memberSince, c.suspended_at AS suspendedAt, p.deleted_at AS deletedAt
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id IN (${about.reporter}, ${about.reported})`,
    sql`SELECT id, name, price, status, suspended_at AS suspendedAt, held_for AS heldFor, deleted_at AS deletedAt FROM products WHERE id = ${about.product}`,
    sql`SELECT id, amount, payment_status AS paymentStatus, order_status AS orderStatus, mpesa_receipt AS mpesaReceipt, created_at AS createdAt FROM orders WHERE id = ${about.order}`,
    sql`SELECT i.id, i.product_name AS productName, i.quantity, i.subtotal, i.status, ${ordered.copied} AS copied, ${ordered.listed} AS listed
      FROM order_items i WHERE i.order_id = ${about.order} ORDER BY i.created_at, i.id LIMIT 100`,
    sql`SELECT * FROM (
        SELECT id, 'payment' AS what, state, amount, receipt, created_at AS at FROM payment_attempts WHERE order_id = ${about.order}
        UNION ALL SELECT y.id, 'payout', y.state, SUM(s.amount), y.transaction_id, y.created_at FROM order_items i JOIN payout_items s ON s.order_item_id = i.id JOIN payouts y ON y.id = s.payout_id
          WHERE i.order_id = ${about.order} GROUP BY y.id
        UNION ALL SELECT f.id, 'refund', f.state, f.amount, f.receipt, f.created_at FROM payment_attempts a JOIN refunds f ON f.attempt_id = a.id WHERE a.order_id = ${about.order}
      ) ORDER BY at LIMIT 100`,
    selectThread(about.thread, { before, limit: MESSAGES_SHOWN }),
    sql`SELECT l.id, (SELECT full_name FROM profiles WHERE id = l.actor_id) AS actor, l.action, l.detail, l.created_at AS createdAt FROM audit_log l
      WHERE l.subject IN (${`issue:${id}`}, 'user:' || ${about.reporter}, 'user:' || ${about.reported}, 'product:' || ${about.product}) ORDER BY l.created_at DESC, l.id DESC LIMIT 50`,
    adminCounts(),
  ]);
  const found = rowOf<Issue>(issue);
  if (!found) return null;
  return {
    issue: found,
    people: rowsOf<Person>(people).toSorted((one) => (one.id === found.reporterId ? -1 : 1)),
    listing: rowOf<ReportedListing>(listing) ?? null,
    order: rowOf<ReportedOrder>(order) ?? null,
    items: rowsOf<Omit<IssuePage["items"][number], "ordered"> & OrderedRow>(items).map(withOrdered),
    payments: rowsOf<IssuePage["payments"][number]>(payments),
    conversation: readThread(rowsOf<TeamMessage>(messages), { before, limit: MESSAGES_SHOWN }),
    history: rowsOf<IssuePage["history"][number]>(history),
    counts: readAdminCounts(counts),
  };
}

/** Adds a note to a report, which only admins can read. Returns false if there is no such report. */
export function addIssueNote(store: Store, admin: Admin, id: string, note: string): Promise<boolean> {
  return performAdminAction(store, admin, { action: "issue_noted", subject: `issue:${id}`, detail: note }, [
    sql`UPDATE issue_reports SET notes = CASE WHEN notes IS NULL THEN ${note} ELSE notes || char(10) || ${note} END WHERE id = ${id}`,
    expectOneChange(),
  ]);
}

/**
 * own_money: the report is about the admin, or about an order in which they buy or sell. proposed: a second admin must confirm
 * it. stale: it isn't open.
 */
export type CloseResult = { ok: true } | { ok: false; code: "own_money" | "proposed" | "stale" };

/**
 * Closes an open report, and emails the outcome to the person who sent it. An open report keeps the money of its order's
 * items from being released by time (`orders/deal-rules.ts`), so nobody closes one about their own order.
 */
export async function closeIssue(store: Store, admin: Admin, id: string, outcome: string): Promise<CloseResult> {
  const now = store.now();
  const [reporter] = await store.db.all<{ email: string; name: string | null; own: number }>(
    sql`SELECT c.email, p.full_name AS name,
        (r.seller_id = ${admin.id} OR EXISTS (SELECT 1 FROM orders o WHERE o.id = r.order_id AND o.user_id = ${admin.id})
          OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = r.order_id AND i.seller_id = ${admin.id})) IS TRUE AS own
      FROM issue_reports r JOIN credentials c ON c.id = r.user_id LEFT JOIN profiles p ON p.id = c.id WHERE r.id = ${id}`,
  );
  if (!reporter) return { ok: false, code: "stale" };
  if (reporter.own === 1) return { ok: false, code: "own_money" };
  const mail: Mail = { to: reporter.email, template: "report_closed", data: { name: reporter.name ?? "", outcome } };
  const closed = await performOrPropose(
    store,
    admin,
    { act: "issue_closed", subject: `issue:${id}`, moves: issueMoves(id), input: { outcome } },
    outcome,
    [
      sql`UPDATE issue_reports SET status = 'closed', outcome = ${outcome}, closed_at = ${now} WHERE id = ${id} AND status = 'open'`,
      expectOneChange(),
      queueEffects(
        "mail",
        sql`SELECT ${`report_closed:${id}`} AS dedupeKey,
          json_set(${JSON.stringify(mail)}, '$.data.freed', json(${freedJson(issueFrees(id, now), sql`(SELECT user_id FROM issue_reports WHERE id = ${id})`)})) AS payload`,
        now,
      ),
    ],
  );
  return closed === "done" ? { ok: true } : { ok: false, code: closed };
}
