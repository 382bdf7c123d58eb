/** The next step of an item in a list: what it depends on as columns, and what is read of them. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { asBoolean, asJson, pick } from "#app/db/build.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import { type ListedDeal, listedStep, type ListedStep } from "#app/deals/words/next-step-texts.ts";
import { holdsFor } from "#app/deals/deal-facts.server.ts";
import { dueAtOf } from "#app/deals/words/deal-views.server.ts";
import { isDealOnHold } from "#app/deals/deal-holds.server.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";
import { openReport } from "#app/payments/reports-stop-money.server.ts";

/** Columns of items that are joined with their orders and, from the left, with their meetings. */
export function stepColumns(viewerId: SQLWrapper | string) {
  return {
    ...pick(orderItems, "handover", "status", "buyerContacted", "buyerAgreed", "subtotal"),
    deliveryOption: orders.deliveryOption,
    dueAt: dueAtOf(orderItems.id),
    isOnHold: asBoolean(isDealOnHold(orderItems.id)),
    meeting: asJson<{ state: MeetingState; startsAt: number; place: string; isOwn: number } | null>(
      sql`iif(${meetings.state} IS NULL, NULL,
        json_object('state', ${meetings.state}, 'startsAt', ${meetings.startsAt}, 'place', ${meetings.place},
          'isOwn', ${meetings.proposedBy} = ${viewerId}))`,
    ),
  };
}

/** The same for their buyer, whose step also depends on what they have reported. */
export function buyerStepColumns(buyerId: string) {
  return { ...stepColumns(buyerId), hasOpenReport: asBoolean(holdsFor(orderItems.id, openReport)) };
}

type StepRow = Omit<ListedDeal, "meeting" | "hasOpenReport"> & {
  hasOpenReport?: boolean;
  meeting: { state: MeetingState; startsAt: number; isOwn: number } | null;
};

export function readStep(side: DealRole, { meeting, hasOpenReport = false, ...row }: StepRow, now: number): ListedStep {
  const own = meeting && { ...meeting, isOwn: meeting.isOwn === 1 };
  return listedStep(side, { ...row, hasOpenReport, meeting: own }, now);
}
