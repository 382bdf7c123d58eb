import { predicates } from "./predicates.ts";

/** `offers.state`. */
export const OFFER_STATES = [
  /** The seller must answer. */
  "open",
  /** The seller named another price. The buyer must answer. */
  "countered",
  /** The buyer can pay the agreed price. One piece is kept for them. */
  "accepted",
  "paid",
  "declined",
  "withdrawn",
  "expired",
  /** The listing or one of the two people stopped it. */
  "ended",
] as const;

export const OFFER = predicates(OFFER_STATES, {
  /** Somebody must still do something. */
  isActive: ["open", "countered", "accepted"],
  awaitsSeller: ["open"],
  awaitsBuyer: ["countered"],
  /** No price is agreed yet. */
  isNegotiated: ["open", "countered"],
  isAccepted: ["accepted"],
  isPaid: ["paid"],
});

/** `offers.end_reason`. */
export const OFFER_END_REASONS = [
  /** Below the seller's lowest price, and declined at once. */
  "too_low",
  "price_changed",
  "sold_out",
  "listing_removed",
  "account_closed",
] as const;
