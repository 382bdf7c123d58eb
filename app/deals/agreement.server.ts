/**
 * The seller contacts the buyer, and the buyer agrees to the handover: the steps before shipping. Messages and meetings
 * make them, so these are statements for their batches. Each counts once, whoever does it twice or at the same time.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow, insertEach } from "#app/db/build.ts";
import { dealEvents, orderItems } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { RECORDED_EVENTS } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { EVENT_ACTORS } from "#app/db/states/deal.ts";

/** The seller has written to the buyer about this item. */
export function contactBuyer(itemId: string, sellerId: string, now: number): Statement[] {
  const isFirst = and(eq(orderItems.buyerContacted, false), stateIs(orderItems.status, ITEM.takesContact));
  return [
    recordWhere(and(eq(orderItems.id, itemId), isFirst), { event: "buyer_contacted", actorId: sellerId, now }),
    build
      .update(orderItems)
      .set({ buyerContacted: true, updatedAt: now })
      .where(and(eq(orderItems.id, itemId), isFirst)),
  ];
}

/** The buyer agrees to the handover of this item, if it awaits that. */
export function agreeOnItem(itemId: string, buyerId: string, now: number): Statement[] {
  return [
    recordWhere(isAwaiting(itemId), { event: "buyer_agreed", actorId: buyerId, now }),
    build.update(orderItems).set({ buyerAgreed: true, updatedAt: now }).where(isAwaiting(itemId)),
  ];
}

/** SQL: the item is paid, its seller has written, and its buyer hasn't agreed yet. */
export function awaitsAgreement(itemId: string): SQL {
  return hasRow(orderItems, isAwaiting(itemId));
}

function isAwaiting(itemId: string): SQL | undefined {
  const { id, buyerContacted, buyerAgreed, status } = orderItems;
  return and(eq(id, itemId), eq(buyerContacted, true), eq(buyerAgreed, false), stateIs(status, ITEM.isToShip));
}

/** A line of the history of the items for which `where` holds. */
function recordWhere(
  where: SQL | undefined,
  { event, actorId, now }: { event: (typeof RECORDED_EVENTS)[number]; actorId: string; now: number },
): Statement {
  return insertEach(
    dealEvents,
    { id: crypto.randomUUID(), orderItemId: orderItems.id, event, actor: EVENT_ACTORS[event], actorId, createdAt: now },
    sql`FROM ${orderItems} WHERE ${where}`,
  );
}
