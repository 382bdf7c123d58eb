/** Who came to the meeting of an item: the statements for the batch of what decides it. */
import { and, eq, gt, sql } from "drizzle-orm";
import { attendanceOf, type HandoverFacts, type MissedFacts } from "#app/accounts/trust/missed-meeting-rules.ts";
import { attendance } from "#app/accounts/tables.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { holdsFor, isMissed } from "./deal-facts.server.ts";
import type { Deal } from "./find-deal.server.ts";

/**
 * What follows for both sides' records once it is known how their meeting went, or known no more. Free items count for
 * nobody, nor does who bought from themselves. Write it after the item.
 */
export function noteAttendance(
  deal: Deal,
  handover: HandoverFacts,
  missed: MissedFacts = deal.turn.missed,
): Statement[] {
  const known = attendanceOf(handover, missed);
  const counts = and(eq(orderItems.id, deal.id), gt(orderItems.subtotal, 0), eq(orderItems.paidBySeller, false));
  const row = { orderItemId: orderItems.id, sellerId: orderItems.sellerId, buyerId: sql`${deal.buyer.id}` };
  return [
    // What one of the two has just said or agreed to decides it, too.
    expectThat(holdsFor(deal.id, isMissed(deal.turn.missed))),
    build.delete(attendance).where(eq(attendance.orderItemId, deal.id)),
    ...(known
      ? [insertEach(attendance, { ...row, missedBy: sql`${known.missedBy}` }, sql`FROM ${orderItems} WHERE ${counts}`)]
      : []),
  ];
}
