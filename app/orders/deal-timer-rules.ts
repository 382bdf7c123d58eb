/** The clock of a deal: what happens when nobody acts, and when. */
import type { DealReminder, DealTimer } from "#app/db/states/deal.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** All periods of a deal, in hours, but for those that depend on the thing (`HANDOVER_TERMS`). */
export const DEAL_HOURS = {
  /** When the seller is first reminded to ship, after the payment. The last reminder comes a day before the end. */
  shipReminders: [24, 72],
  /**
   * How long a buyer leaves the seller's message unanswered before the seller can cancel without a trace in their
   * record.
   */
  buyerSilence: 72,
  /** How long the seller has to answer a request to cancel. Then it counts as accepted. */
  answerCancel: 72,
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
  handover: Handover;
  /** KES. */
  subtotal: number;
  /** Buyers with whom a paid sale was completed, counted up to `NEW_SELLER_BUYERS`. */
  soldTo: number;
  isVerified: boolean;
  /** The seller's M-Pesa number changed lately, so their payouts wait. */
  numberChanged: boolean;
}

/** The hour at which a check until the morning ends, and the least number of hours until then. */
const MORNING = { at: 9, ahead: 12 };

/**
 * Above this price, in KES, everything is checked for as long as a thing: what type something is of is the seller's own
 * word.
 */
export const SHORT_CHECK_MOST = 5_000;

/**
 * The hours of an item's inspection that begins `now` (ms since 1970); 0 when there is none. `base`: the hours that the
 * operator set. `agreedFor`: when both agreed to meet, ms; null where they agreed on no time. A seller who says before
 * it that the buyer has the item shortens nothing.
 */
export function inspectionHours(
  base: number,
  seller: InspectionFacts,
  { now, agreedFor }: { now: number; agreedFor: number | null },
): number {
  if (seller.subtotal === 0 || base === 0) return 0;
  const begins = Math.max(now, agreedFor ?? now);
  const isRisky =
    seller.soldTo < NEW_SELLER_BUYERS ||
    (!seller.isVerified && seller.subtotal > UNVERIFIED_LIMIT) ||
    seller.numberChanged;
  const own = HANDOVER_TERMS[seller.handover].check;
  const isShort = seller.subtotal <= SHORT_CHECK_MOST && (own !== "morning" || agreedFor !== null);
  const check = isShort ? own : 1;
  const waits = (begins - now) / HOUR_MS;
  if (check === "morning") return waits + hoursToMorning(begins) + (isRisky ? 24 : 0);
  return Math.ceil(waits) + Math.ceil(base * check) * (isRisky ? 2 : 1);
}

function hoursToMorning(now: number): number {
  const soonest = now + MORNING.ahead * HOUR_MS;
  const morning = dayStart(dayOf(soonest)) + MORNING.at * HOUR_MS;
  return ((morning < soonest ? morning + 24 * HOUR_MS : morning) - now) / HOUR_MS;
}

/** When the seller is reminded to hand it over, in hours after the payment. */
export function shipReminders(handover: Handover): [number, number, number] {
  const [first, second] = DEAL_HOURS.shipReminders;
  return [first, second, HANDOVER_TERMS[handover].within - 24];
}

/** A timer of a deal. */
export interface Timer {
  kind: DealTimer;
  /** Ms since 1970. */
  dueAt: number;
}

/** What the timers of a status depend on. Times in ms since 1970. */
export interface TimerFacts {
  handover: Handover;
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
      const hours = shipReminders(facts.handover);
      const reminders = SHIP_REMINDERS.map((kind, n) => ({ kind, dueAt: paidAt + (hours[n] ?? 0) * HOUR_MS }));
      // After a request to cancel was declined, the seller has at least a day.
      const end = Math.max(paidAt + HANDOVER_TERMS[facts.handover].within * HOUR_MS, now + 24 * HOUR_MS);
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
