import { itemRow } from "#app/orders/table-rows.server.ts";
import { and, type Column, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { notifyEach } from "#app/notifications/notify.server.ts";
import type { Cursor } from "#app/catalogue/catalogue-rules.ts";
import { type Statement, expectOneChange, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, oneRow, pick } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { readThread, selectThread } from "#app/messaging/conversations/team-messages.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { orderedColumns, withOrdered } from "#app/orders/ordered-listing.server.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import { freedJson, issueFrees, issueMoves } from "#app/moderation/second-admin/act-moves.server.ts";
import { orderPayments } from "#app/admin/money/order-payments.server.ts";
import { PERSON } from "#app/team/person-columns.server.ts";
import { performOrPropose } from "#app/moderation/second-admin/propose-act.server.ts";
import { selectHistory } from "#app/team/audit-log.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

/** How many messages of the conversation a page shows. */
const MESSAGES_SHOWN = 100;

/**
 * A report with the people, the listing, the order and its payments, and the conversation; null when there is none. One
 * round trip. `before` is the cursor of older messages.
 */
export async function findIssue(db: Database, id: string, before: Cursor | null = null) {
  const of = (value: Column | SQL) =>
    build
      .select({ value: sql`${value}` })
      .from(issueReports)
      .where(eq(issueReports.id, id));
  const about = {
    reporter: of(issueReports.userId),
    reported: of(issueReports.sellerId),
    product: of(issueReports.productId),
    order: of(issueReports.orderId),
    thread: of(threadSql(issueReports.userId, issueReports.sellerId)),
  };
  const ordered = orderedColumns("item_row", { seesHidden: true });
  const {
    issue: [issue],
    people,
    listing: [listing = null],
    order: [order = null],
    items,
    payments,
    messages,
    history,
  } = await read(db, {
    issue: build
      .select({
        id: issueReports.id,
        status: issueReports.status,
        text: issueReports.description,
        ...pick(issueReports, "createdAt", "closedAt", "outcome"),
        reporterId: issueReports.userId,
        reportedId: issueReports.sellerId,
      })
      .from(issueReports)
      .where(eq(issueReports.id, id)),
    people: build
      .select(PERSON)
      .from(credentials)
      .leftJoin(profiles, eq(profiles.id, credentials.id))
      .where(inArray(credentials.id, sql`(${about.reporter}, ${about.reported})`)),
    listing: build
      .select(pick(products, "id", "name", "price", "status", "suspendedAt", "heldFor", "deletedAt"))
      .from(products)
      .where(eq(products.id, about.product)),
    order: build
      .select(pick(orders, "id", "amount", "paymentStatus", "orderStatus", "receipt", "createdAt"))
      .from(orders)
      .where(eq(orders.id, about.order)),
    items: build
      .select({
        ...pick(itemRow, "id", "productName", "handover", "quantity", "subtotal", "status"),
        copied: ordered.copied.as("copied"),
        listed: ordered.listed.as("listed"),
      })
      .from(itemRow)
      .where(eq(itemRow.orderId, about.order))
      .orderBy(itemRow.createdAt, itemRow.id)
      .limit(100),
    payments: orderPayments(about.order),
    messages: selectThread(about.thread, { before, limit: MESSAGES_SHOWN }),
    history: selectHistory(
      sql`${`issue:${id}`}, 'user:' || ${about.reporter}, 'user:' || ${about.reported},
          'product:' || ${about.product}`,
    ),
  });
  if (!issue) return null;
  return {
    issue,
    people: people.toSorted((one) => (one.id === issue.reporterId ? -1 : 1)),
    listing,
    order,
    items: items.map(withOrdered),
    payments: payments.results,
    conversation: readThread(messages, { before, limit: MESSAGES_SHOWN }),
    history,
  };
}

/** Amounts in KES, times in ms since 1970. */
export type IssuePage = NonNullable<Awaited<ReturnType<typeof findIssue>>>;
export type Person = IssuePage["people"][number];
export type ReportedListing = NonNullable<IssuePage["listing"]>;

/** Adds a note to a report, which only admins can read. Returns false if there is no such report. */
export function addIssueNote(store: Store, admin: Admin, id: string, note: string): Promise<boolean> {
  const { notes } = issueReports;
  return performAdminAction(store, admin, { action: "issue_noted", subject: `issue:${id}`, detail: note }, [
    build
      .update(issueReports)
      .set({ notes: sql`CASE WHEN ${notes} IS NULL THEN ${note} ELSE ${notes} || char(10) || ${note} END` })
      .where(eq(issueReports.id, id)),
    expectOneChange(),
  ]);
}

/**
 * own_money: the report is about the admin, or about an order in which they buy or sell. proposed: a second admin must
 * confirm it. stale: it isn't open.
 */
export type CloseResult = { ok: true } | { ok: false; code: "own_money" | "proposed" | "stale" };

/**
 * Closes an open report, and tells the outcome to the person who sent it. An open report keeps the money of its order's
 * items from being released by time (`deals/deal-rules.ts`), so nobody closes one about their own order.
 */
export async function closeIssue(store: Store, admin: Admin, id: string, outcome: string): Promise<CloseResult> {
  const now = store.now();
  const { userId, sellerId, orderId } = issueReports;
  const isOwn = or(
    eq(sellerId, admin.id),
    hasRow(orders, and(eq(orders.id, orderId), eq(orders.userId, admin.id))),
    hasRow(orderItems, and(eq(orderItems.orderId, orderId), eq(orderItems.sellerId, admin.id))),
  );
  const [reporter] = await store.db
    .select({ id: userId, isOwn: asBoolean(sql`${isOwn} IS TRUE`) })
    .from(issueReports)
    .where(eq(issueReports.id, id));
  if (!reporter) return { ok: false, code: "stale" };
  if (reporter.isOwn) return { ok: false, code: "own_money" };
  const closed = await performOrPropose(
    store,
    admin,
    { act: "issue_closed", subject: `issue:${id}`, moves: issueMoves(id), input: { outcome } },
    outcome,
    closeAndTell(id, reporter.id, outcome, now),
  );
  return closed === "done" ? { ok: true } : { ok: false, code: closed };
}

/** Closes the report, and then tells its reporter the outcome, and which money that lets go. */
function closeAndTell(id: string, reporterId: string, outcome: string, now: number): Statement[] {
  const freed = freedJson(issueFrees(id, now), sql`${reporterId}`);
  const told = oneRow({
    userId: sql`${reporterId}`,
    key: sql`${`issue_closed:${id}`}`,
    data: sql`json_set(${JSON.stringify({ outcome })}, '$.freed', json(${freed}))`,
  });
  return [
    build
      .update(issueReports)
      .set({ status: "closed", outcome, closedAt: now })
      .where(and(eq(issueReports.id, id), eq(issueReports.status, "open"))),
    expectOneChange(),
    ...notifyEach("issue_closed", told.getSQL(), now),
  ];
}
