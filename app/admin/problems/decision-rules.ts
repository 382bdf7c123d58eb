/** Decisions of our team about the money of an item: pure rules. */
import type { DealEvent, Decision } from "#app/db/states/deal.ts";
import type { MoneyEffect } from "#app/deals/deal-rules.ts";

/** What each decision does, and its words for the admin. */
export const DECISIONS = {
  refund: { event: "team_refunded", effect: "refund", label: "Refund the buyer" },
  split: { event: "team_split", effect: "split", label: "Refund a part" },
  release: { event: "team_released", effect: "release", label: "Pay the seller" },
} as const satisfies Record<Decision, { event: DealEvent; effect: Exclude<MoneyEffect, "hold">; label: string }>;
