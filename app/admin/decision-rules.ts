/** Decisions of our team about the money of an item: pure rules. */
import type { DealEvent, Decision } from "#app/db/states/deal.ts";
import type { MoneyEffect } from "#app/orders/deal-rules.ts";

/** KES. A decision about more than this needs two admins, so that no single account can move it. */
export const SECOND_ADMIN_ABOVE = 50_000;

/** A decision that a second admin hasn't confirmed yet. */
export interface Proposal {
  adminId: string;
  decision: Decision;
  /** KES; 0 where it isn't a part. */
  amount: number;
  reasons: string;
}

/** What follows when an admin decides about `subtotal` KES: the money moves, or a second admin must confirm. */
export function decisionStep(
  subtotal: number,
  proposal: Proposal | null,
  { adminId, decision, amount }: Omit<Proposal, "reasons">,
): "decide" | "confirm" | "propose" {
  if (subtotal <= SECOND_ADMIN_ABOVE) return "decide";
  const isSame = proposal?.decision === decision && proposal.amount === amount;
  return isSame && proposal.adminId !== adminId ? "confirm" : "propose";
}

/** What each decision does, and its words for the admin. */
export const DECISIONS = {
  refund: { event: "team_refunded", effect: "refund", label: "Refund the buyer" },
  split: { event: "team_split", effect: "split", label: "Refund a part" },
  release: { event: "team_released", effect: "release", label: "Pay the seller" },
} as const satisfies Record<Decision, { event: DealEvent; effect: Exclude<MoneyEffect, "hold">; label: string }>;
