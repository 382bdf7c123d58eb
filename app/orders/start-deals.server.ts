import { and, eq, gt, isNotNull, not, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { RANDOM_ID, insertEach } from "#app/db/build.ts";
import { type Handover, HANDOVERS } from "#app/db/states/handover.ts";
import { dealEvents, dealTimers, meetings, orderItems, orders } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { timersOf } from "./deal-timer-rules.ts";

/**
 * Starts the deals of an order that has just been paid, after its items became `processing`. The meeting that its buyer
 * suggested at checkout becomes a suggestion to the seller of each item, unless its time has passed by then, or one has
 * blocked the other.
 */
export function startDeals(order: { id: string; userId: string }, now: number): Statement[] {
  const timersFor = (handover: Handover) =>
    timersOf("processing", { handover, now, paidAt: now, problemOpenedAt: null, inspectionHours: 0 });
  const timers = timersFor("thing").map(({ kind }) => {
    const cases = HANDOVERS.map((handover) => {
      const due = timersFor(handover).find((timer) => timer.kind === kind);
      return sql`WHEN ${handover} THEN ${due?.dueAt ?? now}`;
    });
    return { kind, dueAt: sql`CASE ${orderItems.handover} ${sql.join(cases, sql` `)} END` };
  });
  const items = sql`FROM ${orderItems} WHERE ${orderItems.orderId} = ${order.id}
    AND ${stateIs(orderItems.status, ITEM.isToShip)}`;
  return [
    ...timers.map((timer) =>
      insertEach(dealTimers, { orderItemId: orderItems.id, ...timer }, items).onConflictDoNothing(),
    ),
    insertEach(
      dealEvents,
      {
        id: RANDOM_ID,
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
