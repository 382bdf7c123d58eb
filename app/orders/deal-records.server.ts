/** Statements that keep a deal's timers and its history, for the batch of each change. */
import { and, eq, exists, isNotNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { credentials, dealEvents, dealHolds, dealTimers, orderItems, orders, products } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { DealActor, DealEvent, DealTimer } from "#app/db/states/deal.ts";
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
  /** Whose record it counts against; triggers count it. */
  against?: "seller" | null;
}

/** Adds an entry to an item's history. `id` names the entry. */
export function recordDealEvent(id: string, itemId: string, record: DealRecord, now: number): Statement {
  return build.insert(dealEvents).values({ id, orderItemId: itemId, ...record, createdAt: now });
}

/** Replaces the timers of an item. `party_gone` stays until the job claims it, whatever both sides do meanwhile. */
export function setTimers(itemId: string, timers: readonly Timer[]): Statement[] {
  return [
    build.delete(dealTimers).where(and(eq(dealTimers.orderItemId, itemId), ne(dealTimers.kind, "party_gone"))),
    ...timers.map((timer) => build.insert(dealTimers).values({ orderItemId: itemId, ...timer })),
  ];
}

/** Starts the deals of an order that has just been paid, after its items became `processing`. */
export function startDeals(order: { id: string; userId: string }, now: number): Statement[] {
  const timers = timersOf("processing", { now, paidAt: now, disputeOpenedAt: null, inspectionHours: 0 });
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
  ];
}

/** Makes the next run of the job end the open deals of these items, because one side or the listing is gone. */
export function endDeals(items: SQL, now: number): Statement {
  return insertEach(
    dealTimers,
    { orderItemId: orderItems.id, kind: "party_gone", dueAt: now },
    sql`FROM ${orderItems} WHERE ${orderItems.id} IN (${items}) AND ${stateIs(orderItems.status, ITEM.isRunning)}`,
  ).onConflictDoUpdate({ target: [dealTimers.orderItemId, dealTimers.kind], set: { dueAt: sql`excluded.due_at` } });
}

/**
 * Keeps the deals of these items that the job hasn't ended yet, unless a side or the listing is still gone. Write it after
 * the statement that restores an account or a listing.
 */
export function keepDeals(items: SQL): Statement {
  const gone = build
    .select({ id: orderItems.id })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        eq(orderItems.id, dealTimers.orderItemId),
        or(
          exists(
            build
              .select({ id: credentials.id })
              .from(credentials)
              .where(
                and(
                  or(eq(credentials.id, orderItems.sellerId), eq(credentials.id, orders.userId)),
                  isNotNull(credentials.suspendedAt),
                ),
              ),
          ),
          exists(
            build
              .select({ id: products.id })
              .from(products)
              .where(and(eq(products.id, orderItems.productId), isNotNull(products.suspendedAt))),
          ),
        ),
      ),
    );
  return build
    .delete(dealTimers)
    .where(and(eq(dealTimers.kind, "party_gone"), sql`${dealTimers.orderItemId} IN (${items})`, not(exists(gone))));
}

/**
 * Stops the clocks of the running deals among these items until `liftHolds` or `endHeldDeals`: whether they end waits for a
 * second admin.
 */
export function holdDeals(items: SQL, proposalId: string, now: number): Statement {
  return insertEach(
    dealHolds,
    { orderItemId: orderItems.id, proposalId, heldAt: now },
    sql`FROM ${orderItems} WHERE ${orderItems.id} IN (${items}) AND ${stateIs(orderItems.status, ITEM.isRunning)}`,
  );
}

/** SQL: a timer of alias `alias` waits, because its deal is held. What ends a deal for another reason doesn't wait. */
export function isTimerHeld(alias: string): SQL {
  return sql`${sql.raw(alias)}.kind <> ${"party_gone" satisfies DealTimer} AND EXISTS (SELECT 1 FROM deal_holds h WHERE h.order_item_id = ${sql.raw(alias)}.order_item_id)`;
}

/** The deals that these proposals hold end at the next run of the job. `proposals`: SQL of ids. */
export function endHeldDeals(proposals: SQL, now: number): Statement[] {
  return [
    endDeals(sql`SELECT order_item_id FROM deal_holds WHERE proposal_id IN (${proposals})`, now),
    sql`DELETE FROM deal_holds WHERE proposal_id IN (${proposals})`,
  ];
}

/**
 * The deals that these proposals hold go on, with as much time as they had left. `proposals`: SQL of ids. `except`: SQL of items
 * that stay held.
 */
export function liftHolds(proposals: SQL, now: number, except: SQL = sql`SELECT NULL WHERE 0`): Statement[] {
  const isLifted = sql`proposal_id IN (${proposals}) AND order_item_id NOT IN (${except})`;
  const lifted = sql`SELECT order_item_id FROM deal_holds WHERE ${isLifted}`;
  const since = (item: string) =>
    sql`(SELECT MIN(h.held_at) FROM deal_holds h WHERE h.order_item_id = ${sql.raw(item)} AND h.proposal_id IN (${proposals}))`;
  return [
    // Another proposal goes on holding the deal. Its hold then counts from the first one's beginning.
    sql`UPDATE deal_holds SET held_at = MIN(held_at, ${since("deal_holds.order_item_id")})
      WHERE proposal_id NOT IN (${proposals}) AND order_item_id IN (${lifted})`,
    sql`UPDATE deal_timers SET due_at = due_at + ${now} - ${since("deal_timers.order_item_id")}
      WHERE kind <> ${"party_gone" satisfies DealTimer} AND order_item_id IN (${lifted})
        AND NOT EXISTS (SELECT 1 FROM deal_holds h WHERE h.order_item_id = deal_timers.order_item_id AND h.proposal_id NOT IN (${proposals}))`,
    sql`DELETE FROM deal_holds WHERE ${isLifted}`,
  ];
}
