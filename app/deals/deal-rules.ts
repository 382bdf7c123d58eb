/**
 * A deal: one paid order item, from its payment until the seller has earned the money or the buyer has it back. This
 * file says what can happen, who can do it, what moves the money, and who is told. `orders/deal-timer-rules.ts` says
 * what the clock does when nobody acts. See docs/states.md, "Deals".
 */
import {
  type DealEvent,
  type DealHoldStep,
  type DealReminder,
  EVENT_ACTORS,
  isRecordedOnly,
} from "#app/db/states/deal.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/**
 * From each status, the events that can happen there and the status that follows. Of `RECORDED_EVENTS`, which change no
 * status, those stand here on which later steps depend.
 */
export const DEAL_TRANSITIONS: Record<ItemStatus, Partial<Record<DealEvent, ItemStatus>>> = {
  pending_payment: { buyer_contacted: "pending_payment", paid: "processing" },
  expired: { buyer_contacted: "expired", paid: "processing" },
  processing: {
    buyer_contacted: "processing",
    buyer_agreed: "processing",
    shipped: "shipped",
    code_entered: "completed",
    code_held: "in_review",
    cancelled_by_buyer: "cancelled",
    cancel_requested: "cancel_requested",
    cancelled_by_seller: "cancelled",
    not_shipped: "cancelled",
    party_gone: "cancelled",
  },
  cancel_requested: {
    code_entered: "completed",
    code_held: "in_review",
    cancel_accepted: "cancelled",
    cancel_declined: "processing",
    cancel_withdrawn: "processing",
    cancel_unanswered: "cancelled",
    cancelled_by_seller: "cancelled",
    party_gone: "cancelled",
  },
  shipped: {
    delivered: "delivered",
    delivered_without_inspection: "completed",
    code_entered: "completed",
    code_held: "in_review",
    accepted: "completed",
    problem_reported: "problem_reported",
    shipment_overdue: "in_review",
    party_gone: "in_review",
  },
  delivered: {
    code_entered: "completed",
    code_held: "in_review",
    accepted: "completed",
    inspection_ended: "completed",
    report_open: "in_review",
    problem_reported: "problem_reported",
    party_gone: "in_review",
  },
  problem_reported: {
    refunded_by_seller: "refunded",
    part_offered: "offered",
    problem_contested: "in_review",
    problem_withdrawn: "completed",
    review_requested: "in_review",
    problem_unanswered: "in_review",
    no_agreement: "in_review",
    party_gone: "in_review",
  },
  offered: {
    refunded_by_seller: "refunded",
    part_accepted: "completed",
    problem_withdrawn: "completed",
    review_requested: "in_review",
    no_agreement: "in_review",
    party_gone: "in_review",
  },
  in_review: {
    problem_withdrawn: "completed",
    team_refunded: "refunded",
    team_split: "completed",
    team_released: "completed",
  },
  completed: { payout_stopped: "in_review" },
  cancelled: {},
  refunded: {},
};

/** The status after `event`; null when it can't happen in this status. */
export function nextItemStatus(status: ItemStatus, event: DealEvent): ItemStatus | null {
  return DEAL_TRANSITIONS[status][event] ?? null;
}

// ------------------------------------------------------------------ guards

/** How many wrong handover codes close the code for an item. */
export const WRONG_CODES_MAX = 5;

/** What the guards must know about an item. Times in ms since 1970. */
export interface DealFacts {
  handover: Handover;
  status: ItemStatus;
  buyerAgreed: boolean;
  shippedAt: number | null;
  /** How often a wrong handover code was entered. */
  wrongCodes: number;
  /** KES. */
  subtotal: number;
  /** The buyer has reported it, its order or its seller to our team, who haven't decided yet (`openReport`). */
  hasOpenReport: boolean;
  /** The seller is suspended, or the listing was taken down: only our team decides what is in review. */
  isSellerGone: boolean;
}

/** Why an event can't happen. */
export type DealRefusal =
  /** Not in this status. */
  | "wrong_state"
  /** The buyer hasn't agreed to the handover yet. */
  | "not_agreed"
  /** The buyer has agreed, so the seller must accept the cancellation. */
  | "already_agreed"
  /** It was shipped so lately that it may still arrive (`problemFrom`). */
  | "too_early"
  /** Too many wrong codes were entered. */
  | "code_closed"
  /** The buyer has reported something. The money is released once they take it back, or our team decides. */
  | "reported"
  /** The seller is suspended, or the listing was taken down, so only our team decides. */
  | "team_only";

/**
 * Why `event` can't happen to this item at `now`; null when it can. What is recorded with something else is no step of
 * its own: `agreement.server.ts`, `enter-code.server.ts` and `lift-report.server.ts` decide about it in the same batch.
 */
export function refuseDealEvent(event: DealEvent, item: DealFacts, now: number): DealRefusal | null {
  const next = nextItemStatus(item.status, event);
  if (next === null || isRecordedOnly(event)) return "wrong_state";
  if (item.hasOpenReport && item.subtotal > 0 && isStoppedByReport(event, next)) return "reported";
  switch (event) {
    case "shipped":
      return item.buyerAgreed ? null : "not_agreed";
    case "cancelled_by_buyer":
      return item.buyerAgreed ? "already_agreed" : null;
    case "cancel_requested":
      return item.buyerAgreed ? null : "not_agreed";
    case "problem_reported":
      return item.status === "shipped" && now < problemFrom(item) ? "too_early" : null;
    case "code_entered":
    case "code_held":
      if (event === "code_held" && (!item.hasOpenReport || item.subtotal === 0)) return "wrong_state";
      return item.wrongCodes >= WRONG_CODES_MAX ? "code_closed" : null;
    case "problem_withdrawn":
      return ITEM.isInReview(item.status) && item.isSellerGone ? "team_only" : null;
    case "payout_stopped":
      return item.hasOpenReport ? null : "wrong_state";
    default:
      return null;
  }
}

/**
 * An open report stops this event: it pays the seller, and neither our team decided nor did the buyer take everything
 * back that they had reported.
 */
function isStoppedByReport(event: DealEvent, next: ItemStatus): boolean {
  const effect = moneyEffect(event, next);
  return (
    (effect === "release" || effect === "split") && EVENT_ACTORS[event] !== "admin" && event !== "problem_withdrawn"
  );
}

/** In these statuses the buyer can take a report back, and the deal goes on. */
export function canLiftReport({ status, hasOpenReport }: Pick<DealFacts, "status" | "hasOpenReport">): boolean {
  return (
    hasOpenReport &&
    (nextItemStatus(status, "code_entered") !== null || ITEM.hasOpenProblem(status)) &&
    !ITEM.isInReview(status)
  );
}

/** From when a buyer can report a problem with a shipped item, ms since 1970. */
export function problemFrom({ shippedAt, handover }: Pick<DealFacts, "shippedAt" | "handover">): number {
  return (shippedAt ?? 0) + HANDOVER_TERMS[handover].arrival * HOUR_MS;
}

// -------------------------------------------------------------------- money

/** What an event does with the held money. */
export type MoneyEffect =
  /** It stays held. */
  | "hold"
  /** It was released, and is held again. */
  | "reclaim"
  /** The seller has earned all of it. */
  | "release"
  /** The buyer gets all of it back. */
  | "refund"
  /** The buyer gets a part back, and the seller has earned the rest. */
  | "split";

const SPLITS: readonly DealEvent[] = ["part_accepted", "team_split"];

/** What `event` does with the money of an item whose status becomes `next`. */
export function moneyEffect(event: DealEvent, next: ItemStatus): MoneyEffect {
  if (event === "payout_stopped") return "reclaim";
  if (next === "cancelled" || next === "refunded") return "refund";
  if (next !== "completed") return "hold";
  return SPLITS.includes(event) ? "split" : "release";
}

/** The step can end a deal, or hand it to our team. It decides about both sides' money. */
export function isOutcome(step: DealEvent | DealReminder | DealHoldStep): boolean {
  return Object.values(DEAL_TRANSITIONS).some((events: Partial<Record<string, ItemStatus>>) => {
    const next = events[step];
    return next !== undefined && (ITEM.isOver(next) || ITEM.isInReview(next));
  });
}

/**
 * The step may be made against its reader: a seller says that they delivered, or somebody tries codes. Each minute
 * counts, so it is emailed at once.
 */
export function isWarning(step: DealEvent | DealReminder | DealHoldStep): boolean {
  return step === "delivered" || step === "code_closed";
}

/** KES of `subtotal` that go back to the buyer. `part`: what goes back in a split. */
export function returnedBy(effect: Exclude<MoneyEffect, "hold" | "reclaim">, subtotal: number, part: number): number {
  return effect === "refund" ? subtotal : effect === "release" ? 0 : part;
}

/** Whether a price (KES) is high enough to give a part of it back. */
export function canSplit(subtotal: number): boolean {
  return subtotal >= 2 * PAYOUT_LIMITS.min;
}

/** For a part that isn't a number of shillings. */
export const PART_NOT_WHOLE = "Enter a whole number of shillings, at least 1";

/** Why `amount` (KES) can't be the refunded part of `subtotal`; null when it can. */
export function refusePart(amount: number, subtotal: number): string | null {
  if (!Number.isInteger(amount) || amount < 1) return PART_NOT_WHOLE;
  if (amount >= subtotal)
    return "A part must be less than the whole price. To give all of it back, choose a full refund.";
  const { min } = PAYOUT_LIMITS;
  if (amount < min || subtotal - amount < min)
    return `M-Pesa sends KES ${min} or more, so each side must get at least that much`;
  return null;
}

// -------------------------------------------------------------- who is told

export type DealRole = "buyer" | "seller";

/** Who is told of a step. A person who caused it isn't. */
export const DEAL_READERS: Partial<Record<DealEvent | DealReminder | DealHoldStep, readonly DealRole[]>> = {
  // Of these two, whoever has to act next gets it (`whoseTurn`).
  ship_reminder_1: ["seller", "buyer"],
  ship_reminder_2: ["seller", "buyer"],
  ship_reminder_3: ["seller", "buyer"],
  inspection_reminder: ["buyer"],
  buyer_missed: ["buyer"],
  seller_missed: ["seller"],
  shipped: ["buyer"],
  delivered: ["buyer"],
  delivered_without_inspection: ["buyer"],
  code_entered: ["buyer"],
  code_held: ["buyer"],
  code_closed: ["buyer", "seller"],
  cancelled_by_buyer: ["seller"],
  cancel_requested: ["seller"],
  cancel_accepted: ["buyer"],
  cancel_declined: ["buyer"],
  cancel_withdrawn: ["seller"],
  cancel_unanswered: ["buyer", "seller"],
  cancelled_by_seller: ["buyer"],
  not_shipped: ["buyer", "seller"],
  held: ["buyer", "seller"],
  resumed: ["buyer", "seller"],
  party_gone: ["buyer", "seller"],
  problem_reported: ["seller"],
  refunded_by_seller: ["buyer"],
  part_offered: ["buyer"],
  problem_contested: ["buyer"],
  part_accepted: ["seller"],
  problem_withdrawn: ["seller"],
  review_requested: ["seller"],
  report_lifted: ["seller"],
  payout_stopped: ["buyer", "seller"],
  report_open: ["buyer", "seller"],
  problem_unanswered: ["buyer", "seller"],
  no_agreement: ["buyer", "seller"],
  shipment_overdue: ["buyer", "seller"],
  team_refunded: ["buyer", "seller"],
  team_split: ["buyer", "seller"],
  team_released: ["buyer", "seller"],
};
