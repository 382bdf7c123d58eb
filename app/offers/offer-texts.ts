/** What people read about offers. */
import { OFFER, type OfferEndReason, type OfferState } from "#app/db/states/offer.ts";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";
import type { OfferRefusal } from "./make-offer.server.ts";
import { agreedAmount, OFFER_MIN, OFFER_NOTE_MAX, type OfferStep, OPEN_OFFERS_MAX } from "./offer-rules.ts";
import type { StepRefusal } from "./offer-steps.server.ts";

/** The message of an offer, with what the buyer added. */
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
  note_too_long: `Please use at most ${OFFER_NOTE_MAX} characters`,
  too_low: "That's less than the seller can accept. You can try a higher amount.",
  too_many: "You've made as many offers as you can today. You can make another one tomorrow.",
  listing_changed: "The seller changed this listing. Please read it again before you make an offer.",
  active: "You already have an offer for this. You can see it in your messages.",
  open_max: `You have ${OPEN_OFFERS_MAX} offers waiting for an answer. Withdraw one or wait for an answer before you make another.`,
  not_offered: "The seller isn't taking offers for this",
  away: "The seller is on holiday. You can make an offer when they are back.",
  blocked_by_me: "You blocked this seller. Unblock them in your messages to make an offer.",
  blocked: "You can't buy from this seller. Others may have something like it.",
  own: "You can't make an offer for your own listing",
  reserved: "All that is left is reserved for other buyers right now. Please try again later.",
  paying: "A payment for this offer is under way. Wait until it ends.",
  on_holiday: "You're on holiday, so the buyer couldn't pay. End your holiday in My Shop first, or decline the offer.",
  seller_away: "The seller is on holiday, so you can't buy this now. You can make another offer when they are back.",
  changed: "This offer has changed in the meantime. Please check it again.",
  over: "This offer can't be paid any more",
  price_changed: "The price has changed. Please check it before you pay.",
  failed: "That didn't work. Please try again.",
  sent: "Offer sent. The seller has 48 hours to answer.",
} as const;

/** What an offer waits for, in a list of one side's next steps. Null where it waits for nobody. */
export function offerTodo(state: OfferState): string | null {
  if (OFFER.awaitsSeller(state)) return "Answer the offer";
  if (OFFER.awaitsBuyer(state)) return "Answer the seller's price";
  return OFFER.isAccepted(state) ? "Pay the agreed price" : null;
}

/** What the person who pressed the button reads. */
export const STEP_DONE: Record<OfferStep, string> = {
  seller_accepted: "Accepted. The buyer has 24 hours to pay.",
  countered: "Counter-offer sent. The buyer has 48 hours to answer.",
  seller_declined: "Offer declined",
  buyer_accepted: "Accepted. Pay within 24 hours.",
  buyer_declined: "Counter-offer declined",
  withdrawn: "Offer withdrawn",
};

/** The status and the place in the form of each refusal. */
export function refusalAnswer(code: Exclude<OfferRefusal, "not_found">): {
  status: number;
  errors: Partial<Record<"amount" | "note" | "form", string>>;
} {
  switch (code) {
    case "not_whole":
    case "below_minimum":
    case "not_below_price":
    case "too_low":
      return { status: 400, errors: { amount: OFFER_TEXTS[code] } };
    case "note_too_long":
      return { status: 400, errors: { note: OFFER_TEXTS[code] } };
    case "own":
    case "not_offered":
    case "away":
    case "active":
    case "open_max":
    case "listing_changed":
    case "blocked_by_me":
    case "blocked":
      return { status: 409, errors: { form: OFFER_TEXTS[code] } };
    // The limits of offers, and those of messages.
    case "too_many":
      return { status: 429, errors: { form: OFFER_TEXTS.too_many } };
    case "own_code":
      return { status: 400, errors: { note: MESSAGE_TEXTS.own_code } };
    default:
      return { status: 403, errors: { form: MESSAGE_TEXTS[code] } };
  }
}

/** Why a step wasn't taken. `isAmount`: it is about the price that was typed. */
export function stepRefusalText(code: StepRefusal): { status: number; message: string; isAmount: boolean } {
  switch (code) {
    case "not_whole":
    case "below_minimum":
    case "not_below_price":
    case "not_above_offer":
      return { status: 400, message: COUNTER_TEXTS[code], isAmount: true };
    case "changed":
    case "reserved":
    case "paying":
    case "on_holiday":
    case "seller_away":
      return { status: 409, message: OFFER_TEXTS[code], isAmount: false };
    default:
      return { status: 403, message: MESSAGE_TEXTS[code], isAmount: false };
  }
}

/** What is wrong with the price of a counter-offer. */
const COUNTER_TEXTS = {
  not_whole: OFFER_TEXTS.not_whole,
  below_minimum: `Ask for at least ${formatKes(OFFER_MIN)}: M-Pesa can't pay you less`,
  not_below_price: "Ask for less than the price of your listing",
  not_above_offer: "Ask for more than the buyer offers, or accept the offer",
} as const;

interface OfferStatus {
  label: string;
  tone: Tone;
  /** What happens next, or why it is over; null when the label says it. */
  sentence: string | null;
}

/** What one side reads about an offer. */
export function offerStatus(
  { state, endReason }: { state: OfferState; endReason: OfferEndReason | null },
  role: "buyer" | "seller",
): OfferStatus {
  const isBuyer = role === "buyer";
  switch (state) {
    case "open":
      return isBuyer
        ? {
            label: "Offer sent",
            tone: "orange",
            sentence: "The seller can accept it, decline it or name another price.",
          }
        : { label: "New offer", tone: "orange", sentence: "Accept it, decline it, or name another price." };
    case "countered":
      return isBuyer
        ? { label: "Counter-offer", tone: "orange", sentence: "This is the seller's price. Accept or decline it." }
        : { label: "Counter-offer sent", tone: "orange", sentence: "The buyer can accept or decline your price." };
    case "accepted":
      return {
        label: "Accepted",
        tone: "green",
        sentence: isBuyer
          ? "Yours at this price until the time is up."
          : "We keep one for the buyer, who can pay until the time is up.",
      };
    case "paid":
      return {
        // Still true when the money has gone back.
        label: "Ordered",
        tone: "gray",
        sentence: isBuyer
          ? "Your order is in your profile, under My Orders."
          : "The order is in My Shop, under Orders.",
      };
    case "declined":
      return { label: "Declined", tone: "gray", sentence: null };
    case "withdrawn":
      return { label: "Withdrawn", tone: "gray", sentence: null };
    case "expired":
      return { label: "Expired", tone: "gray", sentence: null };
    case "ended":
      return { label: "Ended", tone: "gray", sentence: endSentence(endReason) };
  }
}

/** Why an offer ended. It never tells who blocked whom. */
function endSentence(reason: OfferEndReason | null): string {
  switch (reason) {
    case "price_changed":
      return "The price of the listing has changed.";
    case "listing_changed":
      return "The seller changed the listing.";
    case "sold_out":
      return "The listing is sold out.";
    case "listing_removed":
      return "The listing was removed.";
    default:
      return "This offer is no longer possible.";
  }
}
