import { agreedFeeText } from "#app/catalogue/fees/fee-rules.ts";
import type { KindData, OfferMailStep } from "#app/notifications/kinds.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";

type Data = KindData["offer_step"];

interface MailWords {
  subject: string;
  /** Where the subject has an amount. */
  heading?: string;
  paragraphs: string[];
}

/** The time limit: "by 3 May 2026, 14:00". */
function by({ until }: Data): string {
  return until === null ? "soon" : `by ${formatDateTime(until)}`;
}

/** What the fee means for the reader, where they pay one. */
function fee({ role, amount, buyerFee = 0, sellerFee = 0 }: Data): string[] {
  return [agreedFeeText(role, amount, { buyerFee, sellerFee })].filter((text) => text !== null);
}

function thing({ productName }: Data): string {
  return productName ?? "a removed listing";
}

/** The email of each step. Emails never quote the other side, so that nobody can send messages or links in our name. */
const MAILS: Record<OfferMailStep, (data: Data) => MailWords> = {
  offered: (data) => ({
    subject: `Offer for ${thing(data)}: ${formatKes(data.amount)}`,
    heading: `Offer for ${thing(data)}`,
    paragraphs: [
      `A buyer offers you ${formatKes(data.amount)} for ${thing(data)}.`,
      ...fee(data),
      `Accept it, decline it, or name another price ${by(data)}. After that the offer expires.`,
    ],
  }),
  countered: (data) => ({
    subject: `Counter-offer for ${thing(data)}: ${formatKes(data.amount)}`,
    heading: `Counter-offer for ${thing(data)}`,
    paragraphs: [
      `The seller's price for ${thing(data)} is ${formatKes(data.amount)}.`,
      ...fee(data),
      `Accept or decline it ${by(data)}. After that the offer expires.`,
    ],
  }),
  seller_accepted: (data) => ({
    subject: `Your offer was accepted: ${thing(data)}`,
    paragraphs: [
      `The seller accepted your offer of ${formatKes(data.amount)} for ${thing(data)}.`,
      ...fee(data),
      `We keep one for you. Pay ${by(data)} to get it at this price.`,
    ],
  }),
  buyer_accepted: (data) => ({
    subject: `Counter-offer accepted: ${thing(data)}`,
    paragraphs: [
      `The buyer accepted ${formatKes(data.amount)} for ${thing(data)} and can pay ${by(data)}. We keep one for them until then.`,
      ...fee(data),
      "We'll email you when the payment arrives.",
    ],
  }),
  seller_declined: (data) => ({
    subject: `Your offer was declined: ${thing(data)}`,
    paragraphs: [
      `The seller declined your offer of ${formatKes(data.amount)} for ${thing(data)}. You can make another offer, or pay the full price.`,
    ],
  }),
  buyer_declined: (data) => ({
    subject: `Counter-offer declined: ${thing(data)}`,
    paragraphs: [
      `The buyer declined your counter-offer of ${formatKes(data.amount)} for ${thing(data)}. Your listing stays as it is.`,
    ],
  }),
  withdrawn: (data) => ({
    subject: `Offer withdrawn: ${thing(data)}`,
    paragraphs: [
      `The buyer withdrew the offer of ${formatKes(data.amount)} for ${thing(data)}. Your listing stays as it is.`,
    ],
  }),
  expired: (data) => ({
    subject: `Offer expired: ${thing(data)}`,
    paragraphs: [
      `The offer of ${formatKes(data.amount)} for ${thing(data)} has expired.`,
      data.role === "buyer"
        ? "If you still want it, you can make another offer, or pay the full price."
        : "Your listing stays as it is. The buyer can make another offer.",
    ],
  }),
  ended: (data) => ({
    // Without the name, its amount says which of their offers it is.
    subject: `Offer ended: ${data.productName ?? `${formatKes(data.amount)} for ${thing(data)}`}`,
    heading: `Offer ended: ${thing(data)}`,
    paragraphs: [
      `Your offer of ${formatKes(data.amount)} for ${thing(data)} has ended, because the listing has changed or is no longer available. You haven't been charged.`,
    ],
  }),
};

/** The email of a step of an offer. It leads to the conversation, where the offer stands. */
export function offerMail(data: Data): MailWords & { heading: string; action: { label: string; path: string } } {
  const mail = MAILS[data.step](data);
  return {
    ...mail,
    heading: mail.heading ?? mail.subject,
    action: { label: "Open the offer", path: `/profile?tab=messages&with=${data.otherId}` },
  };
}
