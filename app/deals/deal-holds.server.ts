/** Deals whose end waits for a second admin: their clocks stand still. */
import { and, type Column, eq, inArray, min, ne, not, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { dealHolds, dealTimers, orderItems } from "#app/orders/tables.server.ts";
import { scheduleEnd, isIn, isRunning } from "./deal-records.server.ts";

/**
 * Stops the clocks of the running deals among these items until `liftHolds` or `endHeldDeals`: whether they end waits
 * for a second admin.
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
  return [scheduleEnd(held, now), build.delete(dealHolds).where(isHeld)];
}

/**
 * The deals that these proposals hold go on, with as much time as they had left. `proposals`: SQL of ids. `except`: SQL
 * of items that stay held.
 */
export function liftHolds(proposals: SQLWrapper, now: number, except?: SQLWrapper): Statement[] {
  const holdRow = alias(dealHolds, "hold_row");
  const isLifted = and(isIn(dealHolds.proposalId, proposals), except && not(isIn(dealHolds.orderItemId, except)));
  const lifted = build.select({ id: dealHolds.orderItemId }).from(dealHolds).where(isLifted);
  const since = (item: Column) =>
    sql`${build
      .select({ since: min(holdRow.heldAt) })
      .from(holdRow)
      .where(and(eq(holdRow.orderItemId, item), isIn(holdRow.proposalId, proposals)))}`;
  const isHeldByOthers = hasRow(
    holdRow,
    and(eq(holdRow.orderItemId, dealTimers.orderItemId), not(isIn(holdRow.proposalId, proposals))),
  );
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
