/** Statements that keep a deal's timers and its history, for the batch of each change. */
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
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
  return sql`INSERT INTO deal_events (id, order_item_id, event, actor, actor_id, reason, note, amount, against, created_at)
    VALUES (${id}, ${itemId}, ${record.event}, ${record.actor}, ${record.actorId}, ${record.reason ?? null}, ${record.note ?? null}, ${record.amount ?? null}, ${record.against ?? null}, ${now})`;
}

/** Replaces the timers of an item. `party_gone` stays until the job claims it, whatever both sides do meanwhile. */
export function setTimers(itemId: string, timers: readonly Timer[]): Statement[] {
  return [
    sql`DELETE FROM deal_timers WHERE order_item_id = ${itemId} AND kind <> ${"party_gone" satisfies DealTimer}`,
    ...timers.map(
      ({ kind, dueAt }) =>
        sql`INSERT INTO deal_timers (order_item_id, kind, due_at) VALUES (${itemId}, ${kind}, ${dueAt})`,
    ),
  ];
}

/** Starts the deals of an order that has just been paid, after its items became `processing`. */
export function startDeals(order: { id: string; userId: string }, now: number): Statement[] {
  const timers = timersOf("processing", { now, paidAt: now, disputeOpenedAt: null, inspectionHours: 0 });
  const items = sql`FROM order_items WHERE order_id = ${order.id} AND ${stateIs("status", ITEM.isToShip)}`;
  return [
    ...timers.map(
      ({ kind, dueAt }) =>
        sql`INSERT INTO deal_timers (order_item_id, kind, due_at) SELECT id, ${kind}, ${dueAt} ${items} ON CONFLICT DO NOTHING`,
    ),
    sql`INSERT INTO deal_events (id, order_item_id, event, actor, actor_id, created_at)
      SELECT lower(hex(randomblob(16))), id, ${"paid" satisfies DealEvent}, ${"buyer" satisfies DealActor}, ${order.userId}, ${now} ${items}`,
  ];
}

/** Makes the next run of the job end the open deals of these items, because one side or the listing is gone. */
export function endDeals(items: SQL, now: number): Statement {
  return sql`INSERT INTO deal_timers (order_item_id, kind, due_at)
    SELECT i.id, ${"party_gone" satisfies DealTimer}, ${now} FROM order_items i WHERE i.id IN (${items}) AND ${stateIs("i.status", ITEM.isRunning)}
    ON CONFLICT (order_item_id, kind) DO UPDATE SET due_at = excluded.due_at`;
}

/**
 * Keeps the deals of these items that the job hasn't ended yet, unless a side or the listing is still gone. Write it after
 * the statement that restores an account or a listing.
 */
export function keepDeals(items: SQL): Statement {
  return sql`DELETE FROM deal_timers WHERE kind = ${"party_gone" satisfies DealTimer} AND order_item_id IN (${items})
    AND NOT EXISTS (SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id
      WHERE i.id = deal_timers.order_item_id AND (
        EXISTS (SELECT 1 FROM credentials c WHERE c.id IN (i.seller_id, o.user_id) AND c.suspended_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM products q WHERE q.id = i.product_id AND q.suspended_at IS NOT NULL)))`;
}

/**
 * Stops the clocks of the running deals among these items until `liftHolds` or `endHeldDeals`: whether they end waits for a
 * second admin.
 */
export function holdDeals(items: SQL, proposalId: string, now: number): Statement {
  return sql`INSERT INTO deal_holds (order_item_id, proposal_id, held_at)
    SELECT i.id, ${proposalId}, ${now} FROM order_items i WHERE i.id IN (${items}) AND ${stateIs("i.status", ITEM.isRunning)}`;
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
