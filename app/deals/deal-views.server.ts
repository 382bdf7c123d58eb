import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#app/db/client.ts";
import { disputes, orderItems, orders } from "#app/db/schema.ts";
import { DEAL_REMINDERS, RECORDED_EVENTS } from "#app/db/states/deal.ts";
import type { TurnFacts } from "#app/orders/deal-blame-rules.ts";
import type { DealView } from "./deal-summary.server.ts";
import { openIssue, openReport } from "#app/orders/open-report.server.ts";
import { dealHeld, readTurn, sellerGone, turnJson } from "./deal-facts.server.ts";
import { shippedEmailWaits } from "./shipped-email.server.ts";

// The names that `openReport` expects.
const i = alias(orderItems, "i");
const o = alias(orders, "o");

const recordedOnly = sql.join(
  RECORDED_EVENTS.map((event) => sql`${event}`),
  sql`, `,
);
const reminders = sql.join(
  DEAL_REMINDERS.map((kind) => sql`${kind}`),
  sql`, `,
);

/** The columns of a `DealView`. Each row costs one seek in each table. */
const columns = {
  id: i.id,
  status: i.status,
  buyerContacted: i.buyerContacted,
  buyerAgreed: i.buyerAgreed,
  shippedAt: i.shippedAt,
  wrongCodes: i.wrongCodes,
  subtotal: i.subtotal,
  dueAt: sql<
    number | null
  >`(SELECT MIN(t.due_at) FROM deal_timers t WHERE t.order_item_id = i.id AND t.kind NOT IN (${reminders}))`,
  hasOpenReport: openReport.mapWith(Boolean) as SQL<boolean>,
  hasOpenIssue: openIssue.mapWith(Boolean) as SQL<boolean>,
  isSellerGone: sellerGone.mapWith(Boolean) as SQL<boolean>,
  isHeld: dealHeld.mapWith(Boolean) as SQL<boolean>,
  turn: turnJson.mapWith(readTurn) as SQL<TurnFacts>,
  offeredRefund: disputes.offeredRefund,
  latest:
    sql`(SELECT json_object('event', e.event, 'reason', e.reason, 'note', e.note, 'amount', e.amount) FROM deal_events e
    WHERE e.order_item_id = i.id AND e.event NOT IN (${recordedOnly}) ORDER BY e.created_at DESC, e.rowid DESC LIMIT 1)`.mapWith(
      (text: string) => JSON.parse(text) as DealView["latest"],
    ),
  refund:
    sql`(SELECT json_object('amount', r.amount, 'state', r.state, 'receipt', r.receipt, 'doneAt', r.done_at) FROM refunds r WHERE r.order_item_id = i.id)`.mapWith(
      (text: string) => JSON.parse(text) as DealView["refund"],
    ),
};

/**
 * The query for the deals of an order's items, and whether an email about each waits for the buyer to read it here; no row
 * when it isn't this buyer's. Send it in a batch.
 */
export function dealsOfOrder(db: Database, orderId: string, buyerId: string) {
  return db
    .select({ ...columns, shippedEmailWaits })
    .from(i)
    .innerJoin(o, eq(o.id, i.orderId))
    .leftJoin(disputes, eq(disputes.orderItemId, i.id))
    .where(and(eq(i.orderId, orderId), eq(o.userId, buyerId)));
}

/** The query for the deal of one item; no row when it isn't this seller's. Send it in a batch. */
export function dealOfItem(db: Database, itemId: string, sellerId: string) {
  return db
    .select(columns)
    .from(i)
    .innerJoin(o, eq(o.id, i.orderId))
    .leftJoin(disputes, eq(disputes.orderItemId, i.id))
    .where(and(eq(i.id, itemId), eq(i.sellerId, sellerId)));
}
