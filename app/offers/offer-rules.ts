/**
 * An offer: a buyer's price for one piece of a listing. This file says what can happen to it, who can do it, how long
 * each answer may take, and which amounts are allowed. See docs/states.md, "Offers".
 */
import { OFFER, type OfferEvent, type OfferState } from "#app/db/states/offer.ts";
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/**
 * From each state, the events that can happen there and the state that follows. M-Pesa may report a payment after the
 * offer is over. If the piece is still there, the buyer gets it.
 */
export const OFFER_TRANSITIONS: Record<OfferState, Partial<Record<OfferEvent, OfferState>>> = {
  open: {
    seller_accepted: "accepted",
    countered: "countered",
    seller_declined: "declined",
    withdrawn: "withdrawn",
    expired: "expired",
    ended: "ended",
  },
  countered: {
    buyer_accepted: "accepted",
    buyer_declined: "declined",
    expired: "expired",
    ended: "ended",
  },
  accepted: { paid: "paid", withdrawn: "withdrawn", expired: "expired", ended: "ended" },
  paid: {},
  declined: {},
  withdrawn: { paid: "paid" },
  expired: { paid: "paid" },
  ended: { paid: "paid" },
};

/** The state after `event`; null when it can't happen in this state. */
export function nextOfferState(state: OfferState, event: OfferEvent): OfferState | null {
  return OFFER_TRANSITIONS[state][event] ?? null;
}

export type OfferActor = "buyer" | "seller" | "clock";

/** Who causes each event. What happens to the listing or its people causes `ended`
 * (`catalogue/end-offers.server.ts`); it counts as the clock's. */
export const OFFER_ACTORS: Record<OfferEvent, OfferActor> = {
  seller_accepted: "seller",
  countered: "seller",
  seller_declined: "seller",
  buyer_accepted: "buyer",
  buyer_declined: "buyer",
  withdrawn: "buyer",
  paid: "buyer",
  expired: "clock",
  ended: "clock",
};

/** What the buttons of a card can cause. */
export const OFFER_STEPS = [
  "seller_accepted",
  "countered",
  "seller_declined",
  "buyer_accepted",
  "buyer_declined",
  "withdrawn",
] as const satisfies readonly OfferEvent[];
export type OfferStep = (typeof OFFER_STEPS)[number];

/** How long each state may last, in hours. Then the offer expires. */
export const OFFER_HOURS = {
  /** The seller answers. */
  open: 48,
  /** The buyer answers. */
  countered: 48,
  /** The buyer pays. One piece is kept until then. */
  accepted: 24,
} as const;

/** When an offer that has just got `state` expires, in ms; null when nobody has to do anything. */
export function offerExpiry(state: OfferState, now: number): number | null {
  const hours = (OFFER_HOURS as Partial<Record<OfferState, number>>)[state];
  return hours === undefined ? null : now + hours * HOUR_MS;
}

/** How many offers a buyer can have that wait for an answer. */
export const OPEN_OFFERS_MAX = 3;
/** How many offers a buyer can make for one listing in a day. They include those that were too low. */
export const OFFERS_A_DAY = 5;
/** How many offers a buyer can make in a day for all listings together. The seller gets an email about each. */
export const ALL_OFFERS_A_DAY = 30;
/** Characters of the buyer's message. */
export const OFFER_NOTE_MAX = 200;
/** KES. M-Pesa can't pay a seller less. */
export const OFFER_MIN = PAYOUT_LIMITS.min;

/** Why an amount can't be offered. */
export type AmountRefusal = "not_whole" | "below_minimum" | "not_below_price";

/** Why `amount` can't be offered for a listing at `price`, both in KES; null when it can. */
export function refuseOfferAmount(amount: number, price: number): AmountRefusal | null {
  if (!Number.isSafeInteger(amount)) return "not_whole";
  if (amount < OFFER_MIN) return "below_minimum";
  return amount < price ? null : "not_below_price";
}

/**
 * Why a seller can't answer an offer with `amount`, in KES; null when they can. A counter-offer is above the offer, and
 * below the price.
 */
export function refuseCounter(
  amount: number,
  offer: { amount: number; price: number },
): AmountRefusal | "not_above_offer" | null {
  return refuseOfferAmount(amount, offer.price) ?? (amount > offer.amount ? null : "not_above_offer");
}

const DISCOUNTS = [5, 10, 15] as const;

/**
 * Amounts to choose from: 5, 10 and 15 % below the price, in whole shillings. Empty when the price is too low for them.
 * `tooLow`: what the seller's lowest price has just refused.
 */
export function quickAmounts(price: number, tooLow = 0): { percent: number; amount: number }[] {
  const choices = DISCOUNTS.map((percent) => ({ percent, amount: Math.floor((price * (100 - percent)) / 100) }));
  return choices.filter(({ amount }) => amount > tooLow && refuseOfferAmount(amount, price) === null);
}

interface OfferedAmounts {
  amount: number;
  counterAmount: number | null;
}

/** The price that was named last, in KES: the seller's counter-offer where there is one. */
export function agreedAmount({ amount, counterAmount }: OfferedAmounts): number {
  return counterAmount ?? amount;
}

/**
 * What the buyer pays, in KES: the agreed price, or what the listing costs now (`price`) if that is less. So
 * nobody who presses Pay pays more because they have made an offer.
 */
export function amountDue(offer: OfferedAmounts & { state: OfferState; price: number }): number {
  const agreed = agreedAmount(offer);
  return OFFER.isAccepted(offer.state) ? Math.min(agreed, offer.price) : agreed;
}

/** The time that is left, rounded down to minutes: "1 d 23 h", "5 h 12 min", "3 min", "less than a minute". */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(" ");
}

/** Who is told of a new offer, and of each step. A person who caused it isn't. */
export const OFFER_READERS: Record<"offered" | Exclude<OfferEvent, "paid">, readonly ("buyer" | "seller")[]> = {
  offered: ["seller"],
  seller_accepted: ["buyer"],
  countered: ["buyer"],
  seller_declined: ["buyer"],
  buyer_accepted: ["seller"],
  buyer_declined: ["seller"],
  withdrawn: ["seller"],
  expired: ["buyer", "seller"],
  ended: ["buyer"],
};
