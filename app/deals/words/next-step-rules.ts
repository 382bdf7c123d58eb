/**
 * The next step of a deal, for each side: what they do, or whom they wait for. One table for each thing that it depends
 * on: the status, before the handover also the meeting and who has to write. Pure. `next-step-texts.ts` has the words.
 */
import { MEETING_LASTS_MS } from "#app/accounts/trust/missed-meeting-rules.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { type DealFacts, type DealRole, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import type { PickupItem } from "#app/orders/order-rules.ts";
import type { ProblemKind } from "#app/deals/problems/problem-rules.ts";
import { type TurnFacts, whoseTurn } from "#app/deals/deal-blame-rules.ts";

/** The main button of each step. A null is somebody else's turn, or nothing to press. */
export const STEP_ACTIONS = {
  // Before the payment.
  pay: null,
  await_payment: null,
  closed: null,
  // Before the handover: the buyer.
  await_contact: "suggest_meeting",
  await_bringing: null,
  agree: "agree",
  await_reply: null,
  collect: null,
  await_delivery: null,
  reported: null,
  // The seller.
  contact: "write",
  reply: "write",
  await_agreement: null,
  hand_over: "enter_code",
  send: "enter_code",
  // Both.
  arrange_again: "suggest_meeting",
  blocked: null,
  answer_meeting: "accept_meeting",
  await_meeting: null,
  meet: "enter_code",
  missed_meeting: "enter_code",
  answer_cancellation: "accept_cancellation",
  await_cancellation: null,
  // On its way, and checked.
  await_parcel: null,
  await_arrival: "enter_code",
  check: "accept",
  await_check: null,
  // A problem.
  answer_problem: "see_problem",
  await_answer: null,
  answer_offer: "see_problem",
  await_offer: null,
  team_decides: null,
  on_hold: null,
  // The end.
  completed: null,
  cancelled: null,
  refunded: null,
} as const satisfies Record<string, string | null>;

export type StepCode = keyof typeof STEP_ACTIONS;
export type StepAction = NonNullable<(typeof STEP_ACTIONS)[StepCode]> | "ship" | "deliver";

export interface NextStep {
  code: StepCode;
  /** What the main button does; null for none. */
  action: StepAction | null;
  /** When something happens by itself, ms since 1970; null when nothing will. */
  until: number | null;
}

/** What the step depends on. Times in ms since 1970. */
export interface StepFacts extends Pick<
  DealFacts,
  "status" | "buyerAgreed" | "wrongCodes" | "hasOpenReport" | "subtotal"
> {
  buyerContacted: boolean;
  /** Its end waits for a second admin, and its clock stands still. */
  isOnHold: boolean;
  turn: TurnFacts;
  dueAt: number | null;
}

export interface StepMeeting {
  state: MeetingState;
  /** Ms since 1970. */
  startsAt: number;
  /** This side made the latest suggestion. */
  isOwn: boolean;
}

const MEETING_STEPS: readonly StepCode[] = [
  "answer_meeting",
  "await_meeting",
  "meet",
  "missed_meeting",
  "arrange_again",
];

/** The step is about a meeting, which stands beside it. */
export function isMeetingStep(code: StepCode): boolean {
  return MEETING_STEPS.includes(code);
}

/** What a meeting asks of one side. */
type MeetingStage = "none" | "to_answer" | "waiting" | "agreed" | "missed";

/** A suggestion whose time has passed can't be answered any more. */
function meetingStage(meeting: StepMeeting | null, now: number): MeetingStage {
  switch (meeting?.state) {
    case "proposed":
      if (meeting.startsAt <= now) return "none";
      return meeting.isOwn ? "waiting" : "to_answer";
    case "accepted":
      return now < meeting.startsAt + MEETING_LASTS_MS ? "agreed" : "missed";
    default:
      return "none";
  }
}

/** How far the two have come with words. */
type ContactStage = "not_contacted" | "seller_writes" | "buyer_answers" | "agreed";

function contactStage({ buyerContacted, buyerAgreed, turn }: StepFacts): ContactStage {
  if (buyerAgreed) return "agreed";
  if (!buyerContacted) return "not_contacted";
  return whoseTurn(turn) === "buyer" ? "buyer_answers" : "seller_writes";
}

type Sides = Record<DealRole, StepCode>;

const BY_STATUS: Record<Exclude<ItemStatus, "processing">, Sides> = {
  pending_payment: { buyer: "pay", seller: "await_payment" },
  expired: { buyer: "closed", seller: "closed" },
  cancel_requested: { buyer: "await_cancellation", seller: "answer_cancellation" },
  shipped: { buyer: "await_parcel", seller: "await_arrival" },
  delivered: { buyer: "check", seller: "await_check" },
  problem_reported: { buyer: "await_answer", seller: "answer_problem" },
  offered: { buyer: "answer_offer", seller: "await_offer" },
  in_review: { buyer: "team_decides", seller: "team_decides" },
  completed: { buyer: "completed", seller: "completed" },
  cancelled: { buyer: "cancelled", seller: "cancelled" },
  refunded: { buyer: "refunded", seller: "refunded" },
};

/** A meeting that is arranged, or may be, leads while the item isn't handed over. */
const BY_MEETING: Record<Exclude<MeetingStage, "none">, StepCode> = {
  to_answer: "answer_meeting",
  waiting: "await_meeting",
  agreed: "meet",
  missed: "missed_meeting",
};

/** Without a meeting: what the two have written. `delivery`: it goes to an address that the buyer gave. */
const BY_CONTACT: Record<ContactStage, Record<"pickup" | "delivery", Sides>> = {
  not_contacted: {
    pickup: { buyer: "await_contact", seller: "contact" },
    delivery: { buyer: "await_bringing", seller: "contact" },
  },
  seller_writes: {
    pickup: { buyer: "await_reply", seller: "reply" },
    delivery: { buyer: "await_reply", seller: "reply" },
  },
  buyer_answers: {
    pickup: { buyer: "agree", seller: "await_agreement" },
    delivery: { buyer: "agree", seller: "await_agreement" },
  },
  agreed: {
    pickup: { buyer: "collect", seller: "hand_over" },
    delivery: { buyer: "await_delivery", seller: "send" },
  },
};

/** The one next step of `side`. */
export function nextStep(side: DealRole, deal: StepFacts, meeting: StepMeeting | null, now: number): NextStep {
  const code = stepCode(side, deal, meeting, now);
  const isStill = deal.isOnHold || !ITEM.isRunning(deal.status);
  return { code, action: mainAction(side, code, deal), until: isStill ? null : deal.dueAt };
}

function stepCode(side: DealRole, deal: StepFacts, meeting: StepMeeting | null, now: number): StepCode {
  const { status, turn } = deal;
  if (deal.isOnHold && ITEM.isRunning(status)) return "on_hold";
  const stage = ITEM.isMeetable(status) ? meetingStage(meeting, now) : "none";
  // The code doesn't work meanwhile, so nothing leads to a handover.
  const hasReported = side === "buyer" && isReported(deal);
  if (status !== "processing") {
    // What was suggested matters no more once it is on its way, but a meeting that was agreed does.
    return stage === "agreed" && !hasReported ? "meet" : BY_STATUS[status][side];
  }
  if (hasReported) return "reported";
  if (isBlocked(side, deal)) return "blocked";
  if (stage !== "none") return BY_MEETING[stage];
  if (isPlanOff(deal, meeting)) return "arrange_again";
  return BY_CONTACT[contactStage(deal)][turn.isDelivery ? "delivery" : "pickup"][side];
}

/** The buyer's report stops the money, and with it the handover code. */
export function isReported({ hasOpenReport, subtotal }: Pick<DealFacts, "hasOpenReport" | "subtotal">): boolean {
  return hasOpenReport && subtotal > 0;
}

/** The two had agreed to a handover in person, and one of them has cancelled the meeting. */
function isPlanOff({ buyerAgreed, turn }: StepFacts, meeting: StepMeeting | null): boolean {
  return buyerAgreed && !turn.isDelivery && meeting?.state === "cancelled";
}

/** What the progress of an item that is collected depends on besides its step. */
export interface ReceivedFacts extends StepFacts {
  /** What the buyer says is wrong; null without a problem. */
  problemKind: ProblemKind | null;
  /** When it was handed over, as the seller says or the code proves, ms since 1970. */
  deliveredAt: number | null;
  latest: { event: DealEvent } | null;
  isPaidOut: boolean;
}

/** How far an item that is collected has come (`PICKUP_STEPS`), as the buyer's step and reports say it. */
export function pickupProgress(deal: ReceivedFacts, meeting: StepMeeting | null): PickupItem {
  const { status, buyerAgreed, isPaidOut } = deal;
  return {
    status,
    isPaidOut,
    isPlanned: (buyerAgreed || ITEM.isShipped(status)) && !(ITEM.isMeetable(status) && isPlanOff(deal, meeting)),
    isHandedOver: isHandedOver(deal),
  };
}

/** The buyer has it: the code proves it, or the seller says so and the buyer doesn't deny it. */
function isHandedOver({ status, problemKind, deliveredAt, latest, ...deal }: ReceivedFacts): boolean {
  if (ITEM.isCompleted(status) || latest?.event === "code_held") return true;
  if (problemKind !== null) return problemKind !== "not_received";
  return deliveredAt !== null && !isReported(deal);
}

/** Nobody can write, and who blocked the other knows it. A seller who is blocked is told, so that they don't wait. */
function isBlocked(side: DealRole, { turn, buyerAgreed }: StepFacts): boolean {
  if (turn.blockedBy === "buyer") return whoseTurn(turn) === "buyer";
  return turn.blockedBy === "seller" && side === "seller" && !buyerAgreed;
}

function mainAction(side: DealRole, code: StepCode, { status, wrongCodes, buyerAgreed }: StepFacts): StepAction | null {
  const action = STEP_ACTIONS[code];
  if (action !== "enter_code") return action;
  // The code is the seller's to enter and the buyer's to show.
  if (side === "buyer") return null;
  if (wrongCodes < WRONG_CODES_MAX) return action;
  if (ITEM.isShipped(status)) return "deliver";
  return buyerAgreed ? "ship" : null;
}
