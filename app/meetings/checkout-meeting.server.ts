import { and, eq, gte, sql } from "drizzle-orm";
import { read, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { selectAskingCampus, selectPoints } from "./meeting-points.server.ts";
import { MEETING_MIN_AHEAD_MS, meetingPlaces, type MeetingPlaces, type Suggestion } from "./meeting-rules.ts";

/** What the checkout's form of a meeting needs. */
export interface CheckoutMeeting extends MeetingPlaces {
  /** What the buyer has suggested before; null for nothing, and when its time is too close or over. */
  suggestion: Suggestion | null;
}

/** Where a buyer's own order can be handed over, and what they have suggested. One round trip. */
export async function findCheckoutMeeting(
  { db, now }: Store,
  orderId: string,
  userId: string,
): Promise<CheckoutMeeting> {
  const isInTime = gte(orders.meetAt, now() + MEETING_MIN_AHEAD_MS);
  const isOfOrder = eq(orderItems.orderId, orderId);
  const {
    points,
    asking: [asking],
    suggestion: [suggestion],
  } = await read(db, {
    points: selectPoints(isOfOrder),
    asking: selectAskingCampus(isOfOrder),
    suggestion: build
      .select({
        pointId: orders.meetingPointId,
        place: sql<string>`${orders.meetingPlace}`.as("place"),
        startsAt: sql<number>`${orders.meetAt}`.as("startsAt"),
      })
      .from(orders)
      .where(and(eq(orders.id, orderId), eq(orders.userId, userId), isInTime)),
  });
  return { ...meetingPlaces(points, asking), suggestion: suggestion ?? null };
}

/**
 * Saves the meeting that a buyer suggests at checkout; null for none. Only for their own unpaid order, and not while a
 * payment is under way. `startDeals` makes it a suggestion to each seller once the order is paid, however it is paid,
 * unless its time has passed by then.
 */
export async function saveCheckoutMeeting(
  { db, now }: Store,
  { orderId, userId, suggestion }: { orderId: string; userId: string; suggestion: Suggestion | null },
): Promise<void> {
  await write(db, [
    build
      .update(orders)
      .set({
        meetingPointId: suggestion?.pointId ?? null,
        meetingPlace: suggestion?.place ?? null,
        meetAt: suggestion?.startsAt ?? null,
        updatedAt: now(),
      })
      .where(
        and(
          eq(orders.id, orderId),
          eq(orders.userId, userId),
          stateIs(orders.paymentStatus, PAYMENT.isPayable),
          stateIs(orders.orderStatus, ORDER.isNotClosed),
        ),
      ),
  ]);
}
