/**
 * Texts that the forms about a problem and their answers use. What depends on a problem is in
 * problem-summary.server.ts.
 */
import { divideMoney, type ItemPrice } from "#app/orders/item-price-rules.ts";
import type { ProblemForm } from "./problem-forms.ts";
import { PART_NOT_WHOLE } from "#app/deals/deal-rules.ts";
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
} as const;

const TEAM_DECIDES = "Our team will decide and email you both";

/** What was done by the form of each intent, and what the money does then. */
const DONE = {
  report: ["We've told the seller.", "Your money stays with us."],
  refund: ["You agreed with the buyer.", "The money goes back to them."],
  offer: ["We've sent your offer to the buyer"],
  contest: [TEAM_DECIDES],
  accept: ["You accepted the offer.", "We are sending your money."],
  withdraw: ["We're glad it's solved!", "We now pay the seller."],
  review: [TEAM_DECIDES],
} as const satisfies Record<ProblemForm["intent"], readonly [string, string?]>;

/** The message after a form. `subtotal` in KES: of a free item no money moves. */
export function doneText(intent: ProblemForm["intent"], subtotal: number): string {
  const [done, money] = DONE[intent] as readonly [string, string?];
  return money && subtotal > 0 ? `${done} ${money}` : done;
}

/** How an offer divides the price, for the seller who makes it. KES. */
export function offerShares(amount: number, price: ItemPrice): string {
  const { buyer, seller } = divideMoney(price, amount);
  return `The buyer gets ${formatKes(buyer)} back, and you get ${formatKes(seller)}.`;
}
