/** Texts that the forms about a problem and their answers use. What depends on a problem is in problem-summary.server.ts. */
import { PART_NOT_WHOLE } from "#app/orders/deal-rules.ts";
import { formatKes } from "#app/ui/money.ts";

export const PROBLEM_TEXTS = {
  choose: "Please choose what is wrong",
  describe: "Please describe the problem",
  say_why: "Please say why you don't agree",
  photos: "A photo is no longer available. Please add it again.",
  failed: "We couldn't send your report. Please try again.",
  answer_failed: "We couldn't do this. Please try again.",
  /** Something has changed since the page was loaded. */
  stale: "Something changed while you were looking at this page. Here is the latest.",
  amount: PART_NOT_WHOLE,
  reported: "We've told the seller. Your money stays with us.",
  refunded: "Refunded. The money goes back to the buyer.",
  offered: "We've sent your offer to the buyer",
  accepted: "You accepted the offer. We are sending your money.",
  withdrawn: "We're glad it's solved! We now pay the seller.",
  review: "Our team will decide and email you both",
} as const;

/** How an offer divides the price, for the seller who makes it. KES. */
export function offerShares(amount: number, subtotal: number): string {
  return `The buyer gets ${formatKes(amount)} back, and you get ${formatKes(subtotal - amount)}.`;
}
