import { type SQL, sql } from "drizzle-orm";
import { maskPhone, readPhone } from "#app/accounts/phone.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import {
  type EscrowDay,
  escrowOfDay,
  itemsInReview,
  openRefunds,
  type OpenRefunds,
  readEscrowDay,
  readTotal,
  refundsOfDay,
} from "#app/payments/escrow-day.server.ts";
import { hasReportedItem } from "#app/payments/item-money.server.ts";
import { type Books, booksBalance, countBooks, readBooks } from "#app/payments/ledger.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT, type AttemptState } from "#app/db/states/attempt.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import { TRANSFER, type TransferMethod, type TransferState, type WaitReason } from "#app/db/states/transfer.ts";
import {
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";
import { type MoneySearch, readMoneySearch, withoutPhones } from "./admin-rules.ts";

/** How many characters of a callback's body are shown. */
const BODY_SHOWN = 4_000;

/** Something a person must look at. */
export interface DiscrepancyRow {
  id: string;
  kind: string;
  subject: string;
  /** The order of the payment, payout or refund that it is about. */
  orderId: string | null;
  detail: string;
  /** Ms since 1970. */
  createdAt: number;
  resolvedAt: number | null;
  resolution: string | null;
  resolver: string | null;
}

export interface AttemptRow {
  id: string;
  state: AttemptState;
  orderId: string | null;
  /** Masked. */
  phone: string;
  /** KES. */
  amount: number;
  receipt: string | null;
  checkoutRequestId: string | null;
  /** The last receipt that M-Pesa was asked about, and the result so far. */
  receiptCheck: string | null;
  resultCode: string | null;
  resultDesc: string | null;
  queryCount: number;
  buyer: string | null;
  /** A query or an admin has confirmed that it was paid. */
  confirmed: number;
  createdAt: number;
  settledAt: number | null;
}

export interface CallbackRow {
  id: string;
  kind: string;
  /** The body as it came, with phones masked. */
  body: string;
  outcome: CallbackOutcome | null;
  requestId: string | null;
  sourceAddress: string | null;
  createdAt: number;
  appliedAt: number | null;
}

export interface PayoutRow {
  id: string;
  state: TransferState;
  /** At most as many as one payout can have. */
  items: PaidItem[];
  seller: string | null;
  /** Masked. */
  phone: string | null;
  amount: number;
  receipt: string | null;
  resultCode: string | null;
  resultDesc: string | null;
  waitReason: WaitReason | null;
  waitDetail: string | null;
  /** The admin who last began to send it by hand. */
  reservedBy: string | null;
  /** The last receipt of sending by hand that M-Pesa was asked about, and the result so far. */
  receiptCheck: string | null;
  /** A report stops it. */
  isReported: number;
  sendCount: number;
  lookupCount: number;
  createdAt: number;
  doneAt: number | null;
}

/** An item that a payout pays for. */
export interface PaidItem {
  orderItemId: string;
  orderId: string;
  name: string;
  /** KES. */
  share: number;
}

export interface RefundRow {
  id: string;
  state: TransferState;
  method: TransferMethod | null;
  orderId: string | null;
  /** The item whose money goes back; null when it is the whole payment. */
  productName: string | null;
  buyer: string | null;
  /** The masked phone that the money came from. */
  phone: string;
  paidReceipt: string | null;
  amount: number;
  reason: RefundReason;
  /** The order that was paid instead of the refunded one. */
  paidInstead: string | null;
  receipt: string | null;
  waitReason: WaitReason | null;
  waitDetail: string | null;
  /** The admin who last began to send it by hand. */
  reservedBy: string | null;
  /** The last receipt of sending by hand that M-Pesa was asked about, and the result so far. */
  receiptCheck: string | null;
  resultCode: string | null;
  resultDesc: string | null;
  sendCount: number;
  lookupCount: number;
  doneBy: string | null;
  createdAt: number;
  doneAt: number | null;
}

/** The lists of the money page, each with its rows. */
interface Lists {
  discrepancies: DiscrepancyRow;
  attempts: AttemptRow;
  callbacks: CallbackRow;
  payouts: PayoutRow;
  refunds: RefundRow;
}

export type MoneyList = keyof Lists;
export const MONEY_LISTS = [
  "discrepancies",
  "refunds",
  "payouts",
  "attempts",
  "callbacks",
] as const satisfies MoneyList[];

/** Which rows of a list to show: all, or only the open ones. */
export type MoneyFilter = "open" | "all";

type ListPages = { [List in MoneyList]: { list: List } & ListPage<Lists[List]> };

export type MoneyPage = ListPages[MoneyList] & { counts: AdminCounts & MoneyCounts };

/** How many rows need a person, by list. */
export interface MoneyCounts {
  discrepancies: number;
  /** Parked. */
  refunds: number;
  /** Payouts. */
  parked: number;
}

interface MoneyPageInput {
  list: MoneyList;
  filter: MoneyFilter;
  /** The search text as typed: a receipt, a phone or an order. */
  search: string;
  after: string | null;
}

/** One page of one list, newest first, with the open counts. One round trip. */
export async function openMoneyPage(services: Store, input: MoneyPageInput): Promise<MoneyPage> {
  const { list, filter, search, after } = input;
  const wanted = readMoneySearch(search, readPhone);
  const query = QUERIES[list];
  const where = sql`${filter === "open" && !wanted ? query.open : sql`1`} AND ${wanted ? query.matches(wanted) : sql`1`}`;
  const [rows, counts, money] = await runBatch(services.db, [
    sql`${query.select} ${pageClause(where, query.at, query.id, "newest", readCursor(after))}`,
    adminCounts(),
    sql`SELECT (SELECT COUNT(*) FROM discrepancies WHERE resolved_at IS NULL) AS discrepancies, (SELECT COUNT(*) FROM refunds WHERE ${stateIs("state", TRANSFER.isParked)}) AS refunds,
      (SELECT COUNT(*) FROM payouts WHERE ${stateIs("state", TRANSFER.isParked)}) AS parked`,
  ]);
  const waiting = rowOf<MoneyCounts>(money) ?? { discrepancies: 0, refunds: 0, parked: 0 };
  const page = PAGES[list](rows);
  return { ...page, counts: { ...readAdminCounts(counts), ...waiting } };
}

/** The query masks phone numbers. */
const PAGES: { [List in MoneyList]: (answer: unknown) => ListPages[List] } = {
  discrepancies: (answer) => ({
    list: "discrepancies",
    ...each<DiscrepancyRow>(answer, (row) => ({ ...row, detail: withoutPhones(row.detail) })),
  }),
  attempts: (answer) => ({
    list: "attempts",
    ...each<AttemptRow>(answer, (row) => ({
      ...row,
      phone: maskPhone(row.phone),
      checkoutRequestId: row.checkoutRequestId && withoutPhones(row.checkoutRequestId),
    })),
  }),
  callbacks: (answer) => ({
    list: "callbacks",
    ...each<CallbackRow>(answer, (row) => ({ ...row, body: withoutPhones(row.body) })),
  }),
  payouts: (answer) => ({
    list: "payouts",
    ...each<Omit<PayoutRow, "items"> & { items: string }, PayoutRow>(answer, ({ items, ...row }) => ({
      ...row,
      items: JSON.parse(items) as PaidItem[], // our own query made it
      phone: row.phone && maskPhone(row.phone),
    })),
  }),
  refunds: (answer) => ({
    list: "refunds",
    ...each<RefundRow>(answer, (row) => ({ ...row, phone: maskPhone(row.phone) })),
  }),
};

function each<Row extends { createdAt: number; id: string }, Shown = Row>(
  answer: unknown,
  change: (row: Row) => Shown,
): ListPage<Shown> {
  const page = toListPage(rowsOf<Row>(answer));
  return { ...page, rows: page.rows.map(change) };
}

interface Query {
  select: SQL;
  /** SQL: open rows. */
  open: SQL;
  matches(search: MoneySearch): SQL;
  at: SQL;
  id: SQL;
}

/** SQL: rows that match any of these. */
function anyOf(...conditions: (SQL | "" | null)[]): SQL {
  const asked = conditions.filter((condition): condition is SQL => Boolean(condition));
  return asked.length === 0 ? sql`0` : sql`(${sql.join(asked, sql` OR `)})`;
}

/** SQL that uses an index: the column's value begins with the search text. */
function begins(column: SQL, typed: string): SQL {
  return sql`(${column} >= ${typed} AND ${column} < ${`${typed}~`})`;
}

function attemptsMatching({ receipt, phone, order }: MoneySearch, prefix: SQL): SQL {
  return anyOf(
    receipt && sql`${prefix}receipt = ${receipt}`,
    phone && sql`${prefix}phone = ${phone}`,
    order && begins(sql`${prefix}order_id`, order),
  );
}

/** SQL: the name of the admin who last reserved this payout or refund, to send it by hand. */
function reservedBy(what: "payout" | "refund", id: SQL): SQL {
  return sql`(SELECT p.full_name FROM audit_log l JOIN profiles p ON p.id = l.actor_id
    WHERE l.subject = ${`${what}:`} || ${id} AND l.action = ${`${what}_reserved`} ORDER BY l.created_at DESC LIMIT 1)`;
}

/** SQL: the last receipt that M-Pesa was asked about for this payout or refund, with the result so far. */
function transferCheck(column: "payout_id" | "refund_id", id: SQL): SQL {
  return sql`(SELECT t.receipt || CASE t.state WHEN 'asked' THEN ': being checked with M-Pesa' WHEN 'confirmed' THEN ': confirmed' WHEN 'dismissed' THEN ': taken back' ELSE ': not confirmed' END
    FROM transfer_checks t WHERE t.${sql.raw(column)} = ${id} ORDER BY t.created_at DESC LIMIT 1)`;
}

function payoutsMatching({ receipt, phone, order }: MoneySearch, prefix: SQL): SQL {
  return anyOf(
    receipt && sql`${prefix}receipt = ${receipt}`,
    phone && sql`${prefix}phone = ${phone}`,
    order &&
      sql`${prefix}id IN (SELECT payout_id FROM payout_items WHERE ${begins(sql`order_item_id`, order)}
        OR order_item_id IN (SELECT id FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE ${begins(sql`id`, order)})))`,
  );
}

/** `f` is the refund, and `a` its payment. */
function refundsMatching(search: MoneySearch): SQL {
  return anyOf(attemptsMatching(search, sql`a.`), search.receipt && sql`f.receipt = ${search.receipt}`);
}

/** SQL: `column` of the refunds that match. */
function refundsFound(column: SQL, search: MoneySearch): SQL {
  return sql`SELECT ${column} FROM refunds f JOIN payment_attempts a ON a.id = f.attempt_id WHERE ${refundsMatching(search)}`;
}

const QUERIES: Record<MoneyList, Query> = {
  discrepancies: {
    select: sql`SELECT d.id, d.kind, d.subject, d.detail,
      COALESCE((SELECT order_id FROM payment_attempts WHERE id = d.subject), (SELECT i.order_id FROM payouts y JOIN order_items i ON i.id = y.order_item_id WHERE y.id = d.subject), (SELECT order_id FROM refunds WHERE id = d.subject), (SELECT order_id FROM order_items WHERE id = d.subject)) AS orderId, d.created_at AS createdAt, d.resolved_at AS resolvedAt, d.resolution,
      (SELECT full_name FROM profiles WHERE id = d.resolved_by) AS resolver FROM discrepancies d`,
    open: sql`d.resolved_at IS NULL`,
    matches: (search) =>
      sql`d.subject IN (SELECT a.id FROM payment_attempts a WHERE ${attemptsMatching(search, sql`a.`)} UNION ALL SELECT y.id FROM payouts y WHERE ${payoutsMatching(search, sql`y.`)} UNION ALL ${refundsFound(sql`f.id`, search)})`,
    at: sql`d.created_at`,
    id: sql`d.id`,
  },
  attempts: {
    select: sql`SELECT a.id, a.state, a.order_id AS orderId, a.phone, a.amount, a.receipt, a.checkout_request_id AS checkoutRequestId,
      (SELECT c.receipt || CASE c.state WHEN 'asked' THEN ': waiting for M-Pesa' WHEN 'confirmed' THEN ': confirmed' WHEN 'dismissed' THEN ': payment dismissed' ELSE ': not confirmed' END
        FROM receipt_checks c WHERE c.attempt_id = a.id ORDER BY c.created_at DESC LIMIT 1) AS receiptCheck, a.result_code AS resultCode,
      a.result_desc AS resultDesc, a.query_count AS queryCount, a.confirmed_at IS NOT NULL AS confirmed, (SELECT full_name FROM profiles WHERE id = a.user_id) AS buyer, a.created_at AS createdAt, a.settled_at AS settledAt
      FROM payment_attempts a`,
    open: stateIs("a.state", ATTEMPT.isUnderWay),
    matches: (search) => attemptsMatching(search, sql`a.`),
    at: sql`a.created_at`,
    id: sql`a.id`,
  },
  callbacks: {
    select: sql`SELECT c.id, c.kind, substr(c.body, 1, ${BODY_SHOWN}) AS body, c.outcome, c.request_id AS requestId, c.source_address AS sourceAddress, c.received_at AS createdAt,
      c.applied_at AS appliedAt FROM payment_callbacks c`,
    open: sql`c.applied_at IS NULL`,
    matches: (search) =>
      sql`c.token IN (SELECT a.callback_token FROM payment_attempts a WHERE ${attemptsMatching(search, sql`a.`)} UNION ALL SELECT y.callback_token FROM payouts y WHERE ${payoutsMatching(search, sql`y.`)} UNION ALL ${refundsFound(sql`f.callback_token`, search)})`,
    at: sql`c.received_at`,
    id: sql`c.id`,
  },
  payouts: {
    select: sql`SELECT y.id, y.state,
      (SELECT json_group_array(json_object('orderItemId', i.id, 'orderId', i.order_id, 'name', i.product_name, 'share', s.amount))
        FROM payout_items s JOIN order_items i ON i.id = s.order_item_id WHERE s.payout_id = y.id) AS items, (SELECT full_name FROM profiles WHERE id = y.seller_id) AS seller,
      y.phone, y.amount, y.receipt, y.result_code AS resultCode, y.result_desc AS resultDesc, y.wait_reason AS waitReason, y.wait_detail AS waitDetail, ${reservedBy("payout", sql`y.id`)} AS reservedBy, ${transferCheck("payout_id", sql`y.id`)} AS receiptCheck, (${stateIs("y.state", TRANSFER.isUnsent)} AND ${hasReportedItem("y.id")}) AS isReported, y.send_count AS sendCount,
      y.lookup_count AS lookupCount, y.created_at AS createdAt, y.done_at AS doneAt FROM payouts y`,
    open: stateIs("y.state", TRANSFER.isOpen),
    matches: (search) => payoutsMatching(search, sql`y.`),
    at: sql`y.created_at`,
    id: sql`y.id`,
  },
  refunds: {
    select: sql`SELECT f.id, f.state, f.method, f.order_id AS orderId, (SELECT product_name FROM order_items WHERE id = f.order_item_id) AS productName, (SELECT full_name FROM profiles WHERE id = a.user_id) AS buyer, a.phone, a.receipt AS paidReceipt, f.amount, f.reason, (SELECT replaced_by FROM orders WHERE id = f.order_id) AS paidInstead, f.receipt,
      f.wait_reason AS waitReason, f.wait_detail AS waitDetail, ${reservedBy("refund", sql`f.id`)} AS reservedBy, ${transferCheck("refund_id", sql`f.id`)} AS receiptCheck, f.result_code AS resultCode, f.result_desc AS resultDesc, f.send_count AS sendCount, f.lookup_count AS lookupCount,
      (SELECT full_name FROM profiles WHERE id = f.done_by) AS doneBy, f.created_at AS createdAt, f.done_at AS doneAt FROM refunds f JOIN payment_attempts a ON a.id = f.attempt_id`,
    open: stateIs("f.state", TRANSFER.isOpen),
    matches: refundsMatching,
    at: sql`f.created_at`,
    id: sql`f.id`,
  },
};

export interface Ledger {
  books: Books;
  balanced: boolean;
  /** Every entry was added up again. */
  counted: boolean;
  /** False when that came to other balances than those that triggers keep. */
  isCountRight: boolean;
  today: EscrowDay;
  /** The open refunds by state, and those that were done today. */
  refunds: OpenRefunds[];
  /** Items whose money our team has to decide about. */
  inReview: number;
}

/** The state of the books, of held money today and of the refunds. `all`: adds up every entry of the ledger again. */
export async function openLedger({ db, now }: Store, { all }: { all: boolean }): Promise<Ledger> {
  const today = dayName(now());
  const [{ books, isSame }, [escrow, open, done, inReview]] = await Promise.all([
    all ? countBooks(db) : readBooks(db).then((kept) => ({ books: kept, isSame: true })),
    runBatch(db, [escrowOfDay(today), openRefunds(), refundsOfDay(today), itemsInReview()]),
  ]);
  return {
    books,
    balanced: isSame && booksBalance(books),
    counted: all,
    isCountRight: isSame,
    today: readEscrowDay(escrow),
    refunds: [...rowsOf<OpenRefunds>(open), { state: "done", ...readTotal(done) }],
    inReview: rowOf<{ n: number }>(inReview)?.n ?? 0,
  };
}
