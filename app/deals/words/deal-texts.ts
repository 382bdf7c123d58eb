/** Texts about deals that forms and their answers use. What depends on a deal is in deal-summary.server.ts. */
import type { SellerCancelReason } from "#app/db/states/deal.ts";

/** The reasons that a seller chooses from, as the seller and the buyer read them. */
export const CANCEL_REASONS: Record<SellerCancelReason, string> = {
  sold_elsewhere: "It was sold to somebody else",
  broken_or_lost: "It's broken or lost",
  cannot_meet: "We couldn't agree on a time or place",
  wrong_price: "The price was wrong",
  other: "Something else",
};

/** The answers to forms about a deal. */
export const DEAL_TEXTS = {
  /** Something else happened first. The page then shows what. */
  changed: "This changed while your page was open. Here is the latest.",
  failed: "Failed to update order status",
  accepted: "Thank you! The order is completed.",
  cancelled: "The order is cancelled.",
  lifted: "You took your report back. The seller can go on.",
  settled: "Thank you! We now pay the seller.",
  requested: "We asked the seller to cancel.",
  withdrawn: "Your request to cancel is withdrawn. We told the seller.",
  sale_cancelled: "The sale is cancelled.",
  declined: "We told the buyer that you don't want to cancel.",
  too_many: "You've entered too many wrong codes today. Please try again tomorrow.",
} as const;

/** The longest note that one side writes to the other, in characters. */
export const NOTE_MAX_LENGTH = 500;
