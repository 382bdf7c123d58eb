/** The next step of an item in a list: what it depends on as columns, and what is read of them. */
import { type SQLWrapper, sql } from "drizzle-orm";
import { asBoolean, asJson, pick } from "#app/db/build.ts";
import { meetings, orderItems, orders } from "#app/db/schema.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import { listedStep, type ListedStep } from "#app/deals/next-step-texts.ts";
import { dueAtOf } from "#app/deals/deal-views.server.ts";
import { isDealOnHold } from "#app/orders/deal-records.server.ts";
import type { DealRole } from "#app/orders/deal-rules.ts";

/** Columns of items that are joined with their orders and, from the left, with their meetings. */
export function stepColumns(viewerId: SQLWrapper | string) {
  return {
    ...pick(orderItems, "status", "buyerContacted", "buyerAgreed"),
    deliveryOption: orders.deliveryOption,
    dueAt: dueAtOf(orderItems.id),
    isOnHold: asBoolean(isDealOnHold(orderItems.id)),
    meeting: asJson<{ state: MeetingState; startsAt: number; isOwn: number } | null>(
      sql`iif(${meetings.state} IS NULL, NULL, json_object('state', ${meetings.state}, 'startsAt', ${meetings.startsAt}, 'isOwn', ${meetings.proposedBy} = ${viewerId}))`,
    ),
  };
}

interface StepRow {
  status: ItemStatus;
  buyerContacted: boolean;
  buyerAgreed: boolean;
  deliveryOption: "pickup" | "delivery" | null;
  meeting: { state: MeetingState; startsAt: number; isOwn: number } | null;
  dueAt: number | null;
  isOnHold: boolean;
}

export function readStep(side: DealRole, { meeting, ...row }: StepRow, now: number): ListedStep {
  return listedStep(side, { ...row, meeting: meeting && { ...meeting, isOwn: meeting.isOwn === 1 } }, now);
}
