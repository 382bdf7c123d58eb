/** What admins read about the money of an item that our team decides about. Pure. */
import type { DealEvent, Decision } from "#app/db/states/deal.ts";
import { returnedBy } from "#app/deals/deal-rules.ts";
import { divideMoney, type ItemPrice } from "#app/orders/item-price-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { DECISIONS } from "./decision-rules.ts";

/** Why an item waits for our decision. */
const REVIEW_REASONS: Partial<Record<DealEvent, string>> = {
  problem_unanswered: "The seller didn't answer",
  no_agreement: "No agreement in time",
  problem_contested: "The seller doesn't agree",
  review_requested: "The buyer asked us to decide",
  shipment_overdue: "Shipped long ago, not confirmed",
  report_open: "A report was open when the time ended",
  code_held: "Handed over while a report was open",
  payout_stopped: "A report before the payout was sent",
  party_gone: "An account or the listing was closed",
};

/** Why an item waits for our decision. `event`: what happened to it last. */
export function reviewReason(event: DealEvent | null): string {
  return (event && REVIEW_REASONS[event]) ?? "Waiting for a decision";
}

/** The two sides, with the end of their M-Pesa numbers. */
interface Sides {
  buyer: { name: string; phone: string | null };
  seller: { name: string; phone: string | null };
}

/** What a decision does with the money, one sentence for each side. `part` in KES, for a split. */
export function decisionEffects(
  decision: Decision,
  { price, part, buyer, seller }: Sides & { price: ItemPrice; part: number },
): string[] {
  if (price.subtotal === 0) return ["This item is free, so no money moves."];
  const shares = divideMoney(price, returnedBy(DECISIONS[decision].effect, price.subtotal, part));
  const payer = buyer.phone ? `the number that paid (${buyer.phone})` : "the number that paid";
  const payee = seller.phone ? `their number (${seller.phone})` : "their number, once they add one to their profile";
  return [
    shares.buyer === 0
      ? `${buyer.name} gets nothing back.`
      : `${formatKes(shares.buyer)} goes back to ${buyer.name} by M-Pesa, to ${payer}.`,
    shares.seller === 0
      ? `${seller.name} gets nothing.`
      : `${formatKes(shares.seller)} goes to ${seller.name} by M-Pesa, to ${payee}.`,
    ...(shares.fee === 0 ? [] : [`We keep a service fee of ${formatKes(shares.fee)}.`]),
  ];
}
