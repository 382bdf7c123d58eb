/** Statements that keep a deal's timers and its history, for the batch of each change. */
import { and, type Column, eq, exists, isNotNull, ne, not, or, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { dealEvents, dealTimers, orderItems, orders } from "#app/orders/tables.server.ts";
import { isTakenDown } from "#app/catalogue/listing-columns.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealActor, DealEvent } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { type Timer } from "#app/orders/deal-timer-rules.ts";

/** An entry of a deal's history. */
export interface DealRecord {
  event: DealEvent;
  actor: DealActor;
  /** Null for the clock. */
  actorId: string | null;
  /** A code that explains the event. */
  reason?: string | null | undefined;
  /** What the actor wrote. Both sides can read it. */
  note?: string | null | undefined;
  /** KES. */
  amount?: number | null | undefined;
  /** Whose record it counts against. */
  against?: "seller" | null;
}

/** Adds an entry to an item's history. `id` names the entry. */
export function recordDealEvent(id: string, itemId: string, record: DealRecord, now: number): Statement {
  const { event, actor, actorId, reason, note, amount, against } = record;
  return build
    .insert(dealEvents)
    .values({ id, orderItemId: itemId, event, actor, actorId, reason, note, amount, against, createdAt: now });
}

/** Replaces the timers of an item. `party_gone` stays until the job claims it, whatever both sides do meanwhile. */
export function setTimers(itemId: string, timers: readonly Timer[]): Statement[] {
  return [
    build.delete(dealTimers).where(and(eq(dealTimers.orderItemId, itemId), ne(dealTimers.kind, "party_gone"))),
    ...timers.map((timer) => build.insert(dealTimers).values({ orderItemId: itemId, ...timer })),
  ];
}

/** Makes the next run of the job end the open deals of these items, because one side or the listing is gone. */
export function scheduleEnd(items: SQLWrapper, now: number): Statement {
  return insertEach(
    dealTimers,
    { orderItemId: orderItems.id, kind: "party_gone", dueAt: now },
    sql`FROM ${orderItems} WHERE ${isRunning(items)}`,
  ).onConflictDoUpdate({ target: [dealTimers.orderItemId, dealTimers.kind], set: { dueAt: sql`excluded.due_at` } });
}

/** The items whose deals are running, of those with these ids. */
export function isRunning(ids: SQLWrapper): SQL {
  return sql`${isIn(orderItems.id, ids)} AND ${stateIs(orderItems.status, ITEM.isRunning)}`;
}

/** `ids`: a query, or SQL without parentheses. */
export function isIn(column: Column, ids: SQLWrapper): SQL {
  return sql`${column} IN (${ids.getSQL()})`;
}

/**
 * Keeps the deals of these items that the job hasn't ended yet, unless a side or the listing is still gone, as
 * `sellerGone` has it. Write it after the statement that restores an account or a listing.
 */
export function unscheduleEnd(items: SQLWrapper): Statement {
  const isParty = or(eq(credentials.id, orderItems.sellerId), eq(credentials.id, orders.userId));
  const isGone = or(
    hasRow(credentials, and(isParty, isNotNull(credentials.suspendedAt))),
    isTakenDown(orderItems.productId),
  );
  const gone = build
    .select({ id: orderItems.id })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(and(eq(orderItems.id, dealTimers.orderItemId), isGone));
  return build
    .delete(dealTimers)
    .where(and(eq(dealTimers.kind, "party_gone"), isIn(dealTimers.orderItemId, items), not(exists(gone))));
}
