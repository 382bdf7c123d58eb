/** The clock of a deal: what happens when nobody acts, and when. */
import type { DealReminder, DealTimer } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";

export const HOUR_MS = 60 * 60_000;

/** All periods of a deal, in hours. */
export const DEAL_HOURS = {
  /** When the seller is reminded to ship, after the payment. */
  shipReminders: [24, 72, 144],
  /** How long the seller has to ship, after the payment. Then the buyer gets the money back. */
  ship: 168,
  /**
   * How long a buyer leaves the seller's message unanswered before the seller can cancel without a trace in their
   * record.
   */
  buyerSilence: 72,
  /** How long the seller has to answer a request to cancel. Then it counts as accepted. */
  answerCancel: 72,
  /** How long after shipping the buyer can say that it hasn't arrived. */
  problemAfterShipping: 168,
  /** How long after shipping our team looks at an item that is neither delivered nor reported. */
  shipment: 336,
  /** How long the buyer can report a problem after delivery. `ESCROW_INSPECTION_HOURS` replaces it. */
  inspection: 48,
  /** How long the seller has to answer a reported problem. Then our team decides. */
  answerProblem: 48,
  /** How long both sides have to agree on a reported problem. Then our team decides. */
  agree: 120,
} as const;

/**
 * A seller who has completed sales to fewer buyers than this gets the longer inspection: one friend could make three.
 */
export const NEW_SELLER_BUYERS = 3;
/** A seller who isn't verified gets the longer inspection above this price, in KES. */
export const UNVERIFIED_LIMIT = 20_000;

/** What decides how long the inspection takes. */
export interface InspectionFacts {
  /** KES. */
  subtotal: number;
  /** Buyers with whom a paid sale was completed, counted up to `NEW_SELLER_BUYERS`. */
  soldTo: number;
  isVerified: boolean;
  /** The seller's M-Pesa number changed lately, so their payouts wait. */
  numberChanged: boolean;
}

/** The hours of an item's inspection; 0 when there is none. `base`: the hours that the operator set. */
export function inspectionHours(base: number, seller: InspectionFacts): number {
  if (seller.subtotal === 0) return 0;
  const isRisky =
    seller.soldTo < NEW_SELLER_BUYERS ||
    (!seller.isVerified && seller.subtotal > UNVERIFIED_LIMIT) ||
    seller.numberChanged;
  return isRisky ? base * 2 : base;
}

/** A timer of a deal. */
export interface Timer {
  kind: DealTimer;
  /** Ms since 1970. */
  dueAt: number;
}

/** What the timers of a status depend on. Times in ms since 1970. */
export interface TimerFacts {
  now: number;
  paidAt: number;
  /** Null where no problem was reported. */
  problemOpenedAt: number | null;
  inspectionHours: number;
}

const SHIP_REMINDERS: readonly DealReminder[] = ["ship_reminder_1", "ship_reminder_2", "ship_reminder_3"];

/** The timers of an item that has just got `status`. They replace all earlier ones. */
export function timersOf(status: ItemStatus, facts: TimerFacts): Timer[] {
  const { now, paidAt } = facts;
  const openedAt = facts.problemOpenedAt ?? now;
  switch (status) {
    case "processing": {
      const reminders = SHIP_REMINDERS.map((kind, n) => ({
        kind,
        dueAt: paidAt + (DEAL_HOURS.shipReminders[n] ?? 0) * HOUR_MS,
      }));
      // After a request to cancel was declined, the seller has at least a day.
      const end = Math.max(paidAt + DEAL_HOURS.ship * HOUR_MS, now + 24 * HOUR_MS);
      return [...reminders.filter(({ dueAt }) => dueAt > now), { kind: "not_shipped", dueAt: end }];
    }
    case "cancel_requested":
      return [{ kind: "cancel_unanswered", dueAt: now + DEAL_HOURS.answerCancel * HOUR_MS }];
    case "shipped":
      return [{ kind: "shipment_overdue", dueAt: now + DEAL_HOURS.shipment * HOUR_MS }];
    case "delivered":
      return [
        { kind: "inspection_reminder", dueAt: now + (facts.inspectionHours / 2) * HOUR_MS },
        { kind: "inspection_ended", dueAt: now + facts.inspectionHours * HOUR_MS },
      ];
    case "problem_reported":
      return [
        { kind: "problem_unanswered", dueAt: now + DEAL_HOURS.answerProblem * HOUR_MS },
        { kind: "no_agreement", dueAt: openedAt + DEAL_HOURS.agree * HOUR_MS },
      ];
    case "offered":
      return [{ kind: "no_agreement", dueAt: openedAt + DEAL_HOURS.agree * HOUR_MS }];
    case "pending_payment":
    case "expired":
    case "in_review":
    case "completed":
    case "cancelled":
    case "refunded":
      return [];
  }
}
