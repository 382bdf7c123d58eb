import { ITEM } from "#app/db/states/item.ts";
import type { PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { useHeld } from "#app/ui/feedback/use-held.ts";
import type { SoldItem } from "./sold-item.server.ts";

export type Sale = Pick<SoldItem, "item" | "summary">;
export type SaleMomentKind = "sold" | "code";

/** What the page celebrates: that it is sold, until the seller has acted, or that the code was right. */
export function useSaleMoment({
  item,
  summary: { step },
  isNews,
  isCodeRight,
}: Sale & { isNews: boolean; isCodeRight: boolean }): SaleMomentKind | null {
  const held = useHeld(isNews ? item.id : null);
  if (isCodeRight) return "code";
  return held === item.id && (step.code === "contact" || step.code === "answer_meeting") ? "sold" : null;
}

/** The payout is done, or on its way and nothing holds it up. */
export function isPayoutFine({ status }: SoldItem["item"], payout: PayoutSummary | null): boolean {
  return ITEM.isCompleted(status) && payout !== null && payout.state !== "parked" && payout.reason === null;
}
