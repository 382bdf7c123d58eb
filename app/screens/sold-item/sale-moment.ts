import { ITEM } from "#app/db/states/item.ts";
import type { PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { useBecame, useHeld } from "#app/ui/feedback/use-held.ts";
import type { SoldItem } from "./sold-item.server.ts";

export type Sale = Pick<SoldItem, "item" | "summary">;
export type SaleMomentKind = "sold" | "code";

interface SaleMomentFacts extends Sale {
  isNews: boolean;
  /** The code was the last thing that happened. */
  isByCode: boolean;
  /** The seller has just entered it. */
  isCodeRight: boolean;
}

/** What the page celebrates: that it is sold, until the seller has acted, or that the code was right. */
export function useSaleMoment({
  item,
  summary: { step },
  isNews,
  isByCode,
  isCodeRight,
}: SaleMomentFacts): SaleMomentKind | null {
  const held = useHeld(isNews ? item.id : null);
  const became = useBecame([item], () => isByCode);
  if (isCodeRight || became.length > 0) return "code";
  return held === item.id && (step.code === "contact" || step.code === "answer_meeting") ? "sold" : null;
}

/** The payout is done, or on its way and nothing holds it up. */
export function isPayoutFine({ status }: SoldItem["item"], payout: PayoutSummary | null): boolean {
  return ITEM.isCompleted(status) && payout !== null && payout.state !== "parked" && payout.reason === null;
}
