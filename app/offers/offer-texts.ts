/** What people read about offers. */
import { formatKes } from "#app/ui/money.ts";
import { agreedAmount, OFFER_MIN, OFFER_NOTE_MAX, type OfferStep, OPEN_OFFERS_MAX } from "./offer-rules.ts";

/** The message of an offer, with the buyer's sentence. */
export function offerMessage(amount: number, note: string): string {
  return [`I'd like to offer ${formatKes(amount)}.`, note].filter(Boolean).join("\n");
}

/** The message of each other step. */
export function stepMessage(step: OfferStep, offer: { amount: number; counterAmount: number | null }): string {
  const agreed = formatKes(agreedAmount(offer));
  switch (step) {
    case "seller_accepted":
      return `I accept your offer of ${agreed}.`;
    case "countered":
      return `I can let it go for ${agreed}.`;
    case "seller_declined":
      return `Sorry, ${agreed} is too low for me.`;
    case "buyer_accepted":
      return `I accept ${agreed}.`;
    case "buyer_declined":
      return `Thanks, but ${agreed} is too much for me.`;
    case "withdrawn":
      return "I've withdrawn my offer.";
  }
}

/** Why an offer wasn't made, or a counter-offer. */
export const OFFER_TEXTS = {
  not_whole: "Enter a whole number of shillings",
  below_minimum: `Offer at least ${formatKes(OFFER_MIN)}: M-Pesa can't pay sellers less`,
  not_below_price: "Offer less than the price, or buy it now",
  not_above_offer: "Your price must be above the buyer's offer. To agree to the offer, accept it.",
  note_too_long: `Please use at most ${OFFER_NOTE_MAX} characters`,
  too_low: "The seller can't accept that much off. You can try a higher amount.",
  too_many: "You've made several offers for this today. You can make another one tomorrow.",
  active: "You already have an offer for this. You can see it in your messages.",
  open_max: `You have ${OPEN_OFFERS_MAX} offers waiting for an answer. Withdraw one, or wait for an answer, before you make another.`,
  not_offered: "The seller doesn't take offers for this any more",
  own: "You can't make an offer for your own listing",
  reserved: "Somebody is paying for this right now. Try again in a few minutes.",
  paying: "A payment for this offer is under way. Wait until it ends.",
  changed: "This offer has changed in the meantime. Please check it again.",
  over: "This offer can't be paid any more",
  failed: "That didn't work. Please try again.",
  sent: "Offer sent. The seller has 48 hours to answer.",
} as const;

/** What the person who pressed the button reads. */
export const STEP_DONE: Record<OfferStep, string> = {
  seller_accepted: "Accepted. The buyer has 24 hours to pay.",
  countered: "Counter-offer sent. The buyer has 48 hours to answer.",
  seller_declined: "Offer declined",
  buyer_accepted: "Accepted. Pay within 24 hours.",
  buyer_declined: "Counter-offer declined",
  withdrawn: "Offer withdrawn",
};
