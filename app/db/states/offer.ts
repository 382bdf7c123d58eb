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
  /** The listing changed or went off sale, or an account was closed or blocked. */
  "ended",
] as const;
export type OfferState = (typeof OFFER_STATES)[number];

export const OFFER = predicates(OFFER_STATES, {
  /** Somebody must still do something. */
  isActive: ["open", "countered", "accepted"],
  awaitsSeller: ["open"],
  awaitsBuyer: ["countered"],
  /** No price is agreed yet. */
  isNegotiated: ["open", "countered"],
  isAccepted: ["accepted"],
});

/** `offers.end_reason`. */
export const OFFER_END_REASONS = [
  "price_changed",
  /** Its name, condition, description or photos. */
  "listing_changed",
  "sold_out",
  "listing_removed",
  "account_closed",
  /** One of the two blocked the other. */
  "blocked",
] as const;
export type OfferEndReason = (typeof OFFER_END_REASONS)[number];

/** What can happen to an offer. The transitions are in `offers/offer-rules.ts`. */
export const OFFER_EVENTS = [
  // The seller.
  "seller_accepted",
  "countered",
  "seller_declined",
  // The buyer.
  "buyer_accepted",
  "buyer_declined",
  "withdrawn",
  "paid",
  /** Nobody answered or paid in time. */
  "expired",
  /** The listing changed or went off sale, or an account was closed or blocked. */
  "ended",
] as const;
export type OfferEvent = (typeof OFFER_EVENTS)[number];
