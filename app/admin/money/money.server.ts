import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { maskPhone } from "#app/accounts/profile/phone.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { read } from "#app/db/batch.ts";
import { asBoolean, asJson, build, named, oneRow, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { auditLog } from "#app/team/tables.server.ts";
import {
  discrepancies,
  paymentAttempts,
  paymentCallbacks,
  payoutItems,
  payouts,
  receiptChecks,
  refunds,
} from "#app/payments/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import {
  type EscrowDay,
  escrowOfDay,
  itemsInReview,
  openRefunds,
  type OpenRefunds,
  readEscrowDay,
  readTotal,
  refundsOfDay,
} from "#app/payments/books/escrow-day.server.ts";
import { hasReportedItem } from "#app/payments/transfers/item-money.server.ts";
import { type Books, booksBalance, readBooks } from "#app/payments/books/ledger.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { TRANSFER, type TransferState, type WaitReason } from "#app/db/states/transfer.ts";
import { RECEIPT_WAIT_MS } from "#app/payments/receipt-rules.ts";
import { isReserved, SENDING_BY_HAND } from "#app/payments/transfers/transfer-rules.ts";
import {
  adminCounts,
  type ListPage,
  PAGE_SIZE,
  type Order,
  pageOf,
  readAdminCounts,
  toListPage,
} from "#app/team/admin-pages.server.ts";
import { waitingTexts } from "#app/admin/operations/overview-rules.ts";
import { oldestTransfer } from "#app/payments/transfers/waiting-transfers.server.ts";
import { type MoneySearch, readMoneySearch, withoutPhones } from "./money-rules.ts";

const admins = alias(profiles, "admins");
const doers = alias(profiles, "doers");

/** How many characters of a callback's body are shown. */
const BODY_SHOWN = 4_000;

export const MONEY_LISTS = ["discrepancies", "refunds", "payouts", "attempts", "callbacks"] as const;
export type MoneyList = (typeof MONEY_LISTS)[number];

/** Which rows of a list to show: all, or only the open ones. */
export type MoneyFilter = "open" | "all";

interface MoneyPageInput {
  list: MoneyList;
  filter: MoneyFilter;
  /** The search text as typed: a receipt, a phone or an order. */
  search: string;
  after: string | null;
  /** Who looks at it. */
  adminId: string;
}

/**
 * One page of one list with the open counts: what waits, the longest first, and other rows, the newest first.
 */
export async function openMoneyPage(services: Store, { list, filter, search, after, adminId }: MoneyPageInput) {
  const wanted = readMoneySearch(search);
  const now = services.now();
  const rows = LISTS[list](services.db, {
    filtered: (open, matches) => (wanted ? matches(wanted) : filter === "open" ? open : undefined),
    after: readCursor(after),
    order: filter === "open" && !wanted ? "oldest" : "newest",
    adminId,
    now,
  });
  const [
    page,
    {
      counts,
      oldest: [oldest],
    },
  ] = await Promise.all([
    rows,
    read(services.db, {
      counts: adminCounts(),
      oldest: oneRow({ refunds: oldestTransfer(refunds), payouts: oldestTransfer(payouts) }),
    }),
  ]);
  const waiting = waitingTexts(readAdminCounts(counts), oldest ?? { refunds: null, payouts: null }, now);
  return { ...page, counts: readAdminCounts(counts), waiting, now };
}

/** The list that the money page opens on: the first one in which something waits. */
export async function chooseMoneyList({ db }: Pick<Store, "db">): Promise<MoneyList> {
  const counts = readAdminCounts(await read(db, adminCounts()));
  return (["discrepancies", "refunds", "payouts"] as const).find((list) => counts[list] > 0) ?? "discrepancies";
}

export type MoneyPage = Awaited<ReturnType<typeof openMoneyPage>>;
type RowOf<List extends MoneyList> = Extract<MoneyPage, { list: List }>["rows"][number];

/** Amounts in KES, times in ms since 1970, phone numbers masked, except `sendTo`. */
export type DiscrepancyRow = RowOf<"discrepancies">;
export type AttemptRow = RowOf<"attempts">;
export type CallbackRow = RowOf<"callbacks">;
export type PayoutRow = RowOf<"payouts">;
export type RefundRow = RowOf<"refunds">;

/** An item that a payout pays for. */
export interface PaidItem {
  orderItemId: string;
  orderId: string;
  name: string;
  /** KES. */
  share: number;
}

interface Wanted {
  /** Which rows of a list are asked for. `open`: those that are. */
  filtered(open: SQL, matches: (search: MoneySearch) => SQL): SQL | undefined;
  after: Cursor | null;
  order: Order;
  adminId: string;
  now: number;
}

function each<Row extends Cursor, Shown>(found: readonly Row[], change: (row: Row) => Shown): ListPage<Shown> {
  const page = toListPage(found);
  return { ...page, rows: page.rows.map(change) };
}

/** SQL that uses an index: the column's value begins with the search text. */
function begins(column: SQLiteColumn, typed: string): SQL {
  return sql`(${column} >= ${typed} AND ${column} < ${`${typed}~`})`;
}

function attemptsMatching({ receipt, phone, order }: MoneySearch): SQL {
  return (
    or(
      receipt ? eq(paymentAttempts.receipt, receipt) : undefined,
      phone ? eq(paymentAttempts.phone, phone) : undefined,
      order ? begins(paymentAttempts.orderId, order) : undefined,
    ) ?? sql`0`
  );
}

function payoutsMatching({ receipt, phone, order }: MoneySearch): SQL {
  return (
    or(
      receipt ? eq(payouts.receipt, receipt) : undefined,
      phone ? eq(payouts.phone, phone) : undefined,
      order ? inArray(payouts.id, payoutsOf(order)) : undefined,
    ) ?? sql`0`
  );
}

/** The payouts of orders, or of items, whose id begins so. */
function payoutsOf(order: string) {
  const found = build.select({ id: orders.id }).from(orders).where(begins(orders.id, order));
  const items = build.select({ id: orderItems.id }).from(orderItems).where(inArray(orderItems.orderId, found));
  const { payoutId, orderItemId } = payoutItems;
  return build
    .select({ payoutId })
    .from(payoutItems)
    .where(or(begins(orderItemId, order), inArray(orderItemId, items)));
}

/** Refunds with their payments. */
function refundsMatching(search: MoneySearch): SQL {
  const { receipt } = search;
  return or(attemptsMatching(search), receipt ? eq(refunds.receipt, receipt) : undefined) ?? sql`0`;
}

/** A value of each payment, payout and refund that matches. */
function valuesMatching(
  search: MoneySearch,
  [ofAttempt, ofPayout, ofRefund]: readonly [SQLiteColumn, SQLiteColumn, SQLiteColumn],
) {
  const value = (column: SQLiteColumn) => ({ value: sql<string>`${column}`.as("value") });
  return build
    .select(value(ofAttempt))
    .from(paymentAttempts)
    .where(attemptsMatching(search))
    .unionAll(build.select(value(ofPayout)).from(payouts).where(payoutsMatching(search)))
    .unionAll(
      build
        .select(value(ofRefund))
        .from(refunds)
        .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
        .where(refundsMatching(search)),
    );
}

/** The admin who last began to send this payout or refund by hand. */
function reservedBy(what: "payout" | "refund", id: SQLiteColumn) {
  const last = build
    .select({ by: sql`json_object('id', ${auditLog.actorId}, 'name', ${admins.fullName})` })
    .from(auditLog)
    .innerJoin(admins, eq(admins.id, auditLog.actorId))
    .where(and(sql`${auditLog.subject} = ${`${what}:`} || ${id}`, eq(auditLog.action, `${what}_reserved`)))
    .orderBy(desc(auditLog.createdAt))
    .limit(1);
  return asJson<Reserver | null>(sql`${last}`).as("reserved_by");
}

interface Reserver {
  id: string;
  name: string | null;
}

interface ByHand {
  state: TransferState;
  waitReason: WaitReason | null;
  phone: string | null;
  reservedBy: Reserver | null;
}

/** Who sends it by hand, and the number in full, which only they read (SECURITY.md); null when we know none. */
function shownByHand<Row extends ByHand>(row: Row, adminId: string) {
  const { phone, reservedBy: by, ...others } = row;
  const isSender = isReserved(row) && by?.id === adminId;
  return {
    ...others,
    phone: phone ? maskPhone(phone) : null,
    reservedBy: by?.name ?? null,
    isSender,
    sendTo: isSender && phone !== "" ? phone : null,
  };
}

/**
 * The last receipt that M-Pesa was asked about, with the result so far. `dismissed`: what is said of one that no longer
 * counts.
 */
function lastCheck(where: SQL, dismissed: "payment dismissed" | "taken back", now: number): SQL.Aliased<string | null> {
  const { receipt, state, detail, createdAt } = receiptChecks;
  const last = build
    .select({
      words: sql`CASE
        WHEN ${state} = 'rejected' AND ${detail} IS NOT NULL THEN ${detail}
        ELSE ${receipt} || ': ' || CASE ${state}
          WHEN 'asked' THEN IIF(${createdAt} > ${now - RECEIPT_WAIT_MS}, 'being checked with M-Pesa',
            'M-Pesa gave no answer, so enter it again')
          WHEN 'confirmed' THEN 'confirmed' WHEN 'dismissed' THEN ${dismissed} ELSE 'not confirmed' END
        END`,
    })
    .from(receiptChecks)
    .where(where)
    .orderBy(desc(createdAt))
    .limit(1);
  return sql<string | null>`${last}`.as("receipt_check");
}

async function listDiscrepancies(db: Database, { filtered, after, order }: Wanted) {
  const { id, kind, subject, detail, createdAt, resolvedAt, resolution } = discrepancies;
  const { beyond, sorted } = pageOf(createdAt, id, order, after);
  const orderOf = (table: typeof paymentAttempts | typeof refunds | typeof orderItems) =>
    sql`(SELECT ${table.orderId} FROM ${table} WHERE ${table.id} = ${subject})`;
  const paidOut = build
    .select({ orderId: orderItems.orderId })
    .from(payouts)
    .innerJoin(orderItems, eq(orderItems.id, payouts.orderItemId))
    .where(eq(payouts.id, subject));
  const orderId = sql<
    string | null
  >`COALESCE(${orderOf(paymentAttempts)}, ${paidOut}, ${orderOf(refunds)}, ${orderOf(orderItems)})`;
  const matches = (search: MoneySearch) =>
    inArray(subject, valuesMatching(search, [paymentAttempts.id, payouts.id, refunds.id]));
  const found = await read(
    db,
    build
      .select({ id, kind, subject, detail, orderId, createdAt, resolvedAt, resolution, resolver: profiles.fullName })
      .from(discrepancies)
      .leftJoin(profiles, eq(profiles.id, discrepancies.resolvedBy))
      .where(and(filtered(isNull(resolvedAt), matches), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
  );
  return {
    list: "discrepancies" as const,
    ...each(found, (row) => ({ ...row, detail: withoutPhones(row.detail) })),
  };
}

async function listAttempts(db: Database, { filtered, after, order, now }: Wanted) {
  const { beyond, sorted } = pageOf(paymentAttempts.createdAt, paymentAttempts.id, order, after);
  const found = await read(
    db,
    build
      .select({
        ...pick(paymentAttempts, "id", "state", "orderId", "phone", "amount", "receipt", "checkoutRequestId"),
        receiptCheck: lastCheck(eq(receiptChecks.attemptId, paymentAttempts.id), "payment dismissed", now),
        ...pick(paymentAttempts, "resultCode", "resultDesc", "queryCount"),
        buyer: profiles.fullName,
        /** A query or an admin has confirmed that it was paid. */
        confirmed: asBoolean(isNotNull(paymentAttempts.confirmedAt)),
        createdAt: paymentAttempts.createdAt,
        settledAt: paymentAttempts.settledAt,
      })
      .from(paymentAttempts)
      .leftJoin(profiles, eq(profiles.id, paymentAttempts.userId))
      .where(and(filtered(stateIs(paymentAttempts.state, ATTEMPT.isUnderWay), attemptsMatching), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
  );
  return {
    list: "attempts" as const,
    ...each(found, (row) => ({
      ...row,
      phone: maskPhone(row.phone),
      checkoutRequestId: row.checkoutRequestId && withoutPhones(row.checkoutRequestId),
    })),
  };
}

async function listCallbacks(db: Database, { filtered, after, order }: Wanted) {
  const { id, kind, body, token, outcome, requestId, sourceAddress, receivedAt, appliedAt } = paymentCallbacks;
  const { beyond, sorted } = pageOf(receivedAt, id, order, after);
  const matches = (search: MoneySearch) =>
    inArray(
      token,
      valuesMatching(search, [paymentAttempts.callbackToken, payouts.callbackToken, refunds.callbackToken]),
    );
  const found = await read(
    db,
    build
      .select({
        id,
        kind,
        body: sql<string>`substr(${body}, 1, ${BODY_SHOWN})`,
        outcome,
        requestId,
        sourceAddress,
        createdAt: receivedAt,
        appliedAt,
      })
      .from(paymentCallbacks)
      .where(and(filtered(isNull(appliedAt), matches), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
  );
  return {
    list: "callbacks" as const,
    ...each(found, (row) => ({ ...row, body: withoutPhones(row.body) })),
  };
}

async function listPayouts(db: Database, { filtered, after, order, adminId, now }: Wanted) {
  const { beyond, sorted } = pageOf(payouts.createdAt, payouts.id, order, after);
  const items = build
    .select({
      items: sql`json_group_array(json_object('orderItemId', ${orderItems.id}, 'orderId', ${orderItems.orderId},
        'name', ${orderItems.productName}, 'share', ${payoutItems.amount}))`,
    })
    .from(payoutItems)
    .innerJoin(orderItems, eq(orderItems.id, payoutItems.orderItemId))
    .where(eq(payoutItems.payoutId, payouts.id));
  const isReported = sql`(${stateIs(payouts.state, TRANSFER.isUnsent)} AND ${hasReportedItem(sql`${payouts.id}`)})`;
  const found = await read(
    db,
    build
      .select({
        id: payouts.id,
        state: payouts.state,
        items: asJson<PaidItem[]>(sql`${items}`),
        seller: profiles.fullName,
        // It was sent to it, or will be. What is sent by hand goes to the number that was stored then, and to no other.
        phone: sql<string | null>`CASE WHEN ${payouts.waitReason} IS ${SENDING_BY_HAND} THEN ${payouts.phone}
          ELSE COALESCE(${payouts.phone}, ${profiles.phone}) END`.as("phone"),
        ...pick(payouts, "amount", "receipt", "resultCode", "resultDesc", "waitReason", "waitDetail"),
        reservedBy: reservedBy("payout", payouts.id),
        receiptCheck: lastCheck(eq(receiptChecks.payoutId, payouts.id), "taken back", now),
        /** A report stops it. */
        isReported: asBoolean(isReported),
        ...pick(payouts, "sendCount", "lookupCount", "nextActionAt", "createdAt", "doneAt"),
      })
      .from(payouts)
      .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
      .where(and(filtered(stateIs(payouts.state, TRANSFER.isOpen), payoutsMatching), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
  );
  return {
    list: "payouts" as const,
    ...each(found, (row) => shownByHand(row, adminId)),
  };
}

async function listRefunds(db: Database, { filtered, after, order, adminId, now }: Wanted) {
  const { beyond, sorted } = pageOf(refunds.createdAt, refunds.id, order, after);
  const found = await read(
    db,
    build
      .select({
        ...pick(refunds, "id", "state", "method", "orderId"),
        place: refundPlace().as("place"),
        /** The item whose money goes back; null when it is the whole payment. */
        productName: orderItems.productName,
        buyer: profiles.fullName,
        phone: paymentAttempts.phone,
        ...named({ paidReceipt: paymentAttempts.receipt }),
        amount: refunds.amount,
        reason: refunds.reason,
        /** The order that was paid instead of the refunded one. */
        paidInstead: orders.replacedBy,
        ...pick(refunds, "receipt", "waitReason", "waitDetail"),
        reservedBy: reservedBy("refund", refunds.id),
        receiptCheck: lastCheck(eq(receiptChecks.refundId, refunds.id), "taken back", now),
        ...pick(refunds, "resultCode", "resultDesc", "sendCount", "lookupCount", "nextActionAt"),
        doneBy: sql<string | null>`${doers.fullName}`.as("doer"),
        createdAt: refunds.createdAt,
        doneAt: refunds.doneAt,
      })
      .from(refunds)
      .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
      .leftJoin(profiles, eq(profiles.id, paymentAttempts.userId))
      .leftJoin(orderItems, eq(orderItems.id, refunds.orderItemId))
      .leftJoin(orders, eq(orders.id, refunds.orderId))
      .leftJoin(doers, eq(doers.id, refunds.doneBy))
      .where(and(filtered(stateIs(refunds.state, TRANSFER.isOpen), refundsMatching), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
  );
  return { list: "refunds" as const, ...each(found, (row) => shownByHand(row, adminId)) };
}

const LISTS = {
  discrepancies: listDiscrepancies,
  attempts: listAttempts,
  callbacks: listCallbacks,
  payouts: listPayouts,
  refunds: listRefunds,
} satisfies Record<MoneyList, unknown>;

export interface Ledger {
  books: Books;
  balanced: boolean;
  today: EscrowDay;
  /** The open refunds by state, and those that were done today. */
  refunds: OpenRefunds[];
  /** Items whose money our team has to decide about. */
  inReview: number;
}

/** The state of the books, of held money today and of the refunds. */
export async function openLedger({ db, now }: Store): Promise<Ledger> {
  const today = dayName(now());
  const [
    books,
    {
      escrow,
      open,
      done,
      review: [review],
    },
  ] = await Promise.all([
    readBooks(db),
    read(db, { escrow: escrowOfDay(today), open: openRefunds(), done: refundsOfDay(today), review: itemsInReview() }),
  ]);
  return {
    books,
    balanced: booksBalance(books),
    today: readEscrowDay(escrow),
    refunds: [...open, { state: "done", ...readTotal(done) }],
    inReview: review?.n ?? 0,
  };
}
