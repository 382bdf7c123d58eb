/** What can happen to an order item: `deal_events.event`. The transitions are in `deals/deal-rules.ts`. */
export const DEAL_EVENTS = [
  /** The buyer's payment arrived, or a free order was confirmed. */
  "paid",
  /** The seller's first message about it, also before the payment. The status stays. */
  "buyer_contacted",
  /** The buyer agreed to the handover. The status stays. */
  "buyer_agreed",
  // The seller.
  "shipped",
  "delivered",
  /** The same where the operator has turned the inspection off, and for what is free. */
  "delivered_without_inspection",
  /** The seller entered the buyer's handover code. */
  "code_entered",
  /** The same while the buyer has an open report: our team decides. */
  "code_held",
  "cancelled_by_seller",
  "cancel_accepted",
  "cancel_declined",
  "refunded_by_seller",
  "part_offered",
  /** The seller doesn't agree with the problem, and says why: our team decides. */
  "problem_contested",
  // The buyer.
  "cancelled_by_buyer",
  "cancel_requested",
  "cancel_withdrawn",
  /** "Everything is OK". */
  "accepted",
  "problem_reported",
  "part_accepted",
  "problem_withdrawn",
  "review_requested",
  /** The buyer took back what they had reported to our team. The status stays. */
  "report_lifted",
  // The clock.
  "not_shipped",
  "cancel_unanswered",
  "inspection_ended",
  /** The time to report a problem is over, but a report is still open. */
  "report_open",
  "problem_unanswered",
  "no_agreement",
  "shipment_overdue",
  /** The buyer or the seller was suspended, or the listing was taken down. */
  "party_gone",
  /** The seller made a link for somebody else who hands it over, for a day (its reason). The status stays. */
  "helper_asked",
  /** The seller ended that link. The status stays. */
  "helper_stopped",
  /** The seller says that the buyer didn't come to their meeting. The status stays, as with the next. */
  "buyer_missed",
  /** The buyer says it of the seller. */
  "seller_missed",
  /** The last allowed wrong code was entered. The status stays. */
  "code_closed",
  /** The buyer reported something after the deal was over, and the seller's money hadn't been sent yet. */
  "payout_stopped",
  // Our team.
  "team_refunded",
  "team_split",
  "team_released",
] as const;
export type DealEvent = (typeof DEAL_EVENTS)[number];

/** These are recorded with something else, such as a message. They change no status. */
export const RECORDED_EVENTS = [
  "buyer_contacted",
  "buyer_agreed",
  "helper_asked",
  "helper_stopped",
  "buyer_missed",
  "seller_missed",
  "code_closed",
  "report_lifted",
] as const satisfies readonly DealEvent[];

/** What a buyer took back with `report_lifted`, its reason: an issue report, or only reports in cases. */
export type LiftedReport = "issue" | "case";

/** The seller enters the buyer's code: it ends the deal, or our team decides about the money. */
export const CODE_EVENTS: readonly DealEvent[] = ["code_entered", "code_held"];

export function isRecordedOnly(event: DealEvent): boolean {
  return (RECORDED_EVENTS as readonly DealEvent[]).includes(event);
}

/** Emails that a deal's timer sends. They change nothing. */
export const DEAL_REMINDERS = ["ship_reminder_1", "ship_reminder_2", "ship_reminder_3", "inspection_reminder"] as const;
export type DealReminder = (typeof DEAL_REMINDERS)[number];

/**
 * Emails about a deal whose end waits for a second admin, and that goes on after all (`deal_holds`). Its status stays.
 */
export const DEAL_HOLD_STEPS = ["held", "resumed"] as const;
export type DealHoldStep = (typeof DEAL_HOLD_STEPS)[number];

/** `deal_timers.kind`: what a timer starts. */
export const DEAL_TIMERS = [
  ...DEAL_REMINDERS,
  "not_shipped",
  "cancel_unanswered",
  "inspection_ended",
  "problem_unanswered",
  "no_agreement",
  "shipment_overdue",
  "party_gone",
] as const;
export type DealTimer = (typeof DEAL_TIMERS)[number];

export const DEAL_ACTORS = ["buyer", "seller", "clock", "admin"] as const;
export type DealActor = (typeof DEAL_ACTORS)[number];

/** Who causes each event. */
export const EVENT_ACTORS: Record<DealEvent, DealActor> = {
  paid: "buyer",
  buyer_contacted: "seller",
  buyer_agreed: "buyer",
  helper_asked: "seller",
  helper_stopped: "seller",
  buyer_missed: "seller",
  seller_missed: "buyer",
  shipped: "seller",
  delivered: "seller",
  delivered_without_inspection: "seller",
  code_entered: "seller",
  code_held: "seller",
  code_closed: "seller",
  cancelled_by_seller: "seller",
  cancel_accepted: "seller",
  cancel_declined: "seller",
  refunded_by_seller: "seller",
  part_offered: "seller",
  problem_contested: "seller",
  cancelled_by_buyer: "buyer",
  cancel_requested: "buyer",
  cancel_withdrawn: "buyer",
  accepted: "buyer",
  problem_reported: "buyer",
  part_accepted: "buyer",
  problem_withdrawn: "buyer",
  review_requested: "buyer",
  report_lifted: "buyer",
  not_shipped: "clock",
  cancel_unanswered: "clock",
  inspection_ended: "clock",
  report_open: "clock",
  problem_unanswered: "clock",
  no_agreement: "clock",
  shipment_overdue: "clock",
  party_gone: "clock",
  payout_stopped: "clock",
  team_refunded: "admin",
  team_split: "admin",
  team_released: "admin",
};

/** What is wrong, as the buyer chooses it. */
export const PROBLEM_KINDS = ["not_received", "not_as_described", "damaged", "other"] as const;

/** Why a seller cancels: `deal_events.reason` of `cancelled_by_seller`. */
export const SELLER_CANCEL_REASONS = [
  "sold_elsewhere",
  "broken_or_lost",
  "cannot_meet",
  "wrong_price",
  "other",
] as const;
export type SellerCancelReason = (typeof SELLER_CANCEL_REASONS)[number];

/** What our team can decide about the money of an item. */
export const DECISION_CODES = ["refund", "split", "release"] as const;
export type Decision = (typeof DECISION_CODES)[number];

/** `campus_locations.protected_period`: the semester that runs, or the last 365 days. */
export const PROTECTED_PERIODS = ["semester", "year"] as const;
export type ProtectedPeriod = (typeof PROTECTED_PERIODS)[number];
