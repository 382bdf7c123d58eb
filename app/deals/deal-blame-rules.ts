/**
 * Whose record the ending of a deal counts against. A seller's record is public, so only what the seller could have
 * prevented counts. See docs/product-rules.md, "Reliability".
 */
import type { DealEvent } from "#app/db/states/deal.ts";
import type { MissedFacts } from "#app/accounts/trust/missed-meeting-rules.ts";
import { type DealRole } from "./deal-rules.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** What says who has to act next, before an item is shipped. Times in ms since 1970. */
export interface TurnFacts {
  buyerContacted: boolean;
  buyerAgreed: boolean;
  /** It goes to an address that the buyer gave. */
  isDelivery: boolean;
  /** Who wrote the last message between the two since the payment; null when nobody has. */
  lastWriter: DealRole | null;
  lastWroteAt: number | null;
  /** When the buyer agreed to the handover; null when they haven't, or not on record. */
  agreedAt: number | null;
  /** Who blocked the other first; null when nobody is blocked. */
  blockedBy: DealRole | null;
  /** What is known of their meeting. */
  missed: MissedFacts;
}

/** Who has to act next, before an item is shipped. */
export function whoseTurn(facts: TurnFacts): DealRole {
  // Whoever ends the conversation is who keeps the two from agreeing. An agreed delivery needs no more words.
  if (facts.blockedBy === "seller") return "seller";
  if (facts.blockedBy === "buyer") return facts.buyerAgreed && facts.isDelivery ? "seller" : "buyer";
  if (facts.buyerAgreed) return "seller";
  if (facts.lastWriter !== null) return facts.lastWriter === "seller" ? "buyer" : "seller";
  return facts.buyerContacted ? "buyer" : "seller";
}

/** Why an item waits for our team's decision. */
export const REVIEW_CAUSES = [
  "code_held",
  "payout_stopped",
  "report_open",
  "problem_unanswered",
  "no_agreement",
  "problem_contested",
  "review_requested",
  "shipment_overdue",
  "party_gone",
] as const satisfies readonly DealEvent[];
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

export interface BlameFacts extends TurnFacts {
  /** Why our team decides; null when it doesn't. */
  reviewCause: ReviewCause | null;
  now: number;
}

type Against = "seller" | null;

/** The events that give all the money back, and whom each counts against. */
export const ENDINGS_AGAINST = {
  // What a buyer cancels counts for nothing, even when the seller didn't answer in time.
  cancelled_by_buyer: nobody,
  cancel_accepted: nobody,
  cancel_unanswered: nobody,
  cancelled_by_seller: (facts) =>
    facts.blockedBy !== null || hasComeInVain(facts) || hasWaitedForBuyer(facts) ? null : "seller",
  not_shipped: (facts) =>
    facts.blockedBy !== null || hasComeInVain(facts) || mayWaitAtPickup(facts) || whoseTurn(facts) === "buyer"
      ? null
      : "seller",
  // An account or a listing was closed.
  party_gone: nobody,
  refunded_by_seller: () => "seller",
  team_refunded: ({ reviewCause }) => (reviewCause === "party_gone" ? null : "seller"),
} as const satisfies Partial<Record<DealEvent, (facts: BlameFacts) => Against>>;

function nobody(): Against {
  return null;
}

/** Whose record the step `event` counts against; null for nobody's, and for a step that gives nothing back. */
export function against(event: DealEvent, facts: BlameFacts): Against {
  const rules: Partial<Record<DealEvent, (facts: BlameFacts) => Against>> = ENDINGS_AGAINST;
  return rules[event]?.(facts) ?? null;
}

/**
 * The seller says that the buyer didn't come to their meeting, and said it first. It holds whatever the buyer answers:
 * otherwise whoever didn't come could mark the seller by denying it. A seller who only answers the buyer isn't freed:
 * otherwise one who stayed away could end the sale for nothing.
 */
export function hasComeInVain({ missed }: Pick<TurnFacts, "missed">): boolean {
  return missed.saidFirst === "seller";
}

/**
 * The buyer has left the seller's last message unanswered for days, or has been silent as long since agreeing to a
 * pickup.
 */
function hasWaitedForBuyer(facts: BlameFacts): boolean {
  const isTheirs = whoseTurn(facts) === "buyer" || mayWaitAtPickup(facts);
  const since = Math.max(facts.lastWroteAt ?? 0, mayWaitAtPickup(facts) ? (facts.agreedAt ?? 0) : 0);
  return isTheirs && since > 0 && facts.now - since >= DEAL_HOURS.buyerSilence * HOUR_MS;
}

/**
 * The buyer agreed to collect it, and the seller owes them no answer since: for all that anybody knows, it is the buyer
 * who doesn't come.
 */
function mayWaitAtPickup({ buyerAgreed, isDelivery, agreedAt, lastWriter, lastWroteAt }: TurnFacts): boolean {
  if (!buyerAgreed || isDelivery || agreedAt === null) return false;
  return lastWriter !== "buyer" || (lastWroteAt ?? 0) <= agreedAt;
}
