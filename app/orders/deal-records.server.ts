/** Statements that keep a deal's timers and its history, for the batch of each change. */
import {
  and,
  type Column,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  min,
  ne,
  not,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { blockBetween } from "#app/accounts/blocks.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import {
  credentials,
  dealEvents,
  dealHolds,
  dealTimers,
  meetings,
  orderItems,
  orders,
  products,
} from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealActor, DealEvent } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { type Timer, timersOf } from "./deal-rules.ts";

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

/**
 * Starts the deals of an order that has just been paid, after its items became `processing`. The meeting that its buyer
 * suggested at checkout becomes a suggestion to the seller of each item, unless its time has passed by then, or one has blocked the
 * other.
 */
export function startDeals(order: { id: string; userId: string }, now: number): Statement[] {
  const timers = timersOf("processing", { now, paidAt: now, problemOpenedAt: null, inspectionHours: 0 });
  const items = sql`FROM ${orderItems} WHERE ${orderItems.orderId} = ${order.id} AND ${stateIs(orderItems.status, ITEM.isToShip)}`;
  return [
    ...timers.map((timer) =>
      insertEach(dealTimers, { orderItemId: orderItems.id, ...timer }, items).onConflictDoNothing(),
    ),
    insertEach(
      dealEvents,
      {
        id: sql`lower(hex(randomblob(16)))`,
        orderItemId: orderItems.id,
        event: "paid",
        actor: "buyer",
        actorId: order.userId,
        createdAt: now,
      },
      items,
    ),
    insertEach(
      meetings,
      {
        orderItemId: orderItems.id,
        pointId: orders.meetingPointId,
        place: sql`${orders.meetingPlace}`,
        startsAt: sql`${orders.meetAt}`,
        proposedBy: order.userId,
        createdAt: now,
        updatedAt: now,
      },
      sql`FROM ${orderItems} JOIN ${orders} ON ${orders.id} = ${orderItems.orderId} WHERE ${and(
        eq(orders.id, order.id),
        stateIs(orderItems.status, ITEM.isToShip),
        isNotNull(orders.meetingPlace),
        gt(orders.meetAt, now),
        not(blockBetween(sql`${orders.userId}`, sql`${orderItems.sellerId}`)),
      )}`,
    ).onConflictDoNothing(),
  ];
}

/** Makes the next run of the job end the open deals of these items, because one side or the listing is gone. */
export function endDeals(items: SQLWrapper, now: number): Statement {
  return insertEach(
    dealTimers,
    { orderItemId: orderItems.id, kind: "party_gone", dueAt: now },
    sql`FROM ${orderItems} WHERE ${isRunning(items)}`,
  ).onConflictDoUpdate({ target: [dealTimers.orderItemId, dealTimers.kind], set: { dueAt: sql`excluded.due_at` } });
}

/** The items whose deals are running, of those with these ids. */
function isRunning(ids: SQLWrapper): SQL {
  return sql`${isIn(orderItems.id, ids)} AND ${stateIs(orderItems.status, ITEM.isRunning)}`;
}

/** `ids`: a query, or SQL without parentheses. */
function isIn(column: Column, ids: SQLWrapper): SQL {
  return sql`${column} IN (${ids.getSQL()})`;
}

/**
 * Keeps the deals of these items that the job hasn't ended yet, unless a side or the listing is still gone. Write it after
 * the statement that restores an account or a listing.
 */
export function keepDeals(items: SQLWrapper): Statement {
  const isParty = or(eq(credentials.id, orderItems.sellerId), eq(credentials.id, orders.userId));
  const isGone = or(
    hasRow(credentials, and(isParty, isNotNull(credentials.suspendedAt))),
    hasRow(products, and(eq(products.id, orderItems.productId), isNotNull(products.suspendedAt))),
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

/**
 * Stops the clocks of the running deals among these items until `liftHolds` or `endHeldDeals`: whether they end waits for a
 * second admin.
 */
export function holdDeals(items: SQLWrapper, proposalId: string, now: number): Statement {
  return insertEach(
    dealHolds,
    { orderItemId: orderItems.id, proposalId, heldAt: now },
    sql`FROM ${orderItems} WHERE ${isRunning(items)}`,
  );
}

/** SQL on an item: the end of its deal waits for a second admin, and its clock stands still. */
export function isDealOnHold(itemId: Column): SQL {
  return hasRow(dealHolds, eq(dealHolds.orderItemId, itemId));
}

/** SQL: a timer waits, because its deal is held. What ends a deal for another reason doesn't wait. */
export const isTimerHeld: SQL = sql`${and(ne(dealTimers.kind, "party_gone"), isDealOnHold(dealTimers.orderItemId))}`;

/** The deals that these proposals hold end at the next run of the job. `proposals`: SQL of ids. */
export function endHeldDeals(proposals: SQLWrapper, now: number): Statement[] {
  const isHeld = isIn(dealHolds.proposalId, proposals);
  const held = build.select({ id: dealHolds.orderItemId }).from(dealHolds).where(isHeld);
  return [endDeals(held, now), build.delete(dealHolds).where(isHeld)];
}

/**
 * The deals that these proposals hold go on, with as much time as they had left. `proposals`: SQL of ids. `except`: SQL of items
 * that stay held.
 */
export function liftHolds(proposals: SQLWrapper, now: number, except?: SQLWrapper): Statement[] {
  const h = alias(dealHolds, "h");
  const isLifted = and(isIn(dealHolds.proposalId, proposals), except && not(isIn(dealHolds.orderItemId, except)));
  const lifted = build.select({ id: dealHolds.orderItemId }).from(dealHolds).where(isLifted);
  const since = (item: Column) =>
    sql`${build
      .select({ since: min(h.heldAt) })
      .from(h)
      .where(and(eq(h.orderItemId, item), isIn(h.proposalId, proposals)))}`;
  const isHeldByOthers = hasRow(h, and(eq(h.orderItemId, dealTimers.orderItemId), not(isIn(h.proposalId, proposals))));
  return [
    // Another proposal goes on holding the deal. Its hold then counts from the first one's beginning.
    build
      .update(dealHolds)
      .set({ heldAt: sql`MIN(${dealHolds.heldAt}, ${since(dealHolds.orderItemId)})` })
      .where(and(not(isIn(dealHolds.proposalId, proposals)), inArray(dealHolds.orderItemId, lifted))),
    build
      .update(dealTimers)
      .set({ dueAt: sql`${dealTimers.dueAt} + ${now} - ${since(dealTimers.orderItemId)}` })
      .where(and(ne(dealTimers.kind, "party_gone"), inArray(dealTimers.orderItemId, lifted), not(isHeldByOthers))),
    build.delete(dealHolds).where(isLifted),
  ];
}
