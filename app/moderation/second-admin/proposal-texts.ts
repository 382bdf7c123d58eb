import type { ProposedAct } from "./second-admin-rules.ts";

/** What an act does, as the second admin reads it. */
export const ACT_TITLES: Record<ProposedAct, string> = {
  team_refunded: "Refund the buyer",
  team_split: "Refund a part",
  team_released: "Pay the seller",
  deals_ended: "End the deals of a suspended account or listing",
  case_dismissed: "Find nothing wrong in a case, so that the money can go to the seller",
  case_removed: "Remove what was reported and close its case, so that the money can go to the seller",
  case_warned: "Warn a person and close the case, so that the money can go to the seller",
  issue_closed: "Close an issue report, so that the money can go to the seller",
  payout_retried: "Send a payout again",
  payout_recorded: "Record a payout that was sent by hand",
  refund_retried: "Send a refund again",
  refund_recorded: "Record a refund that was sent by hand",
  payment_accepted: "Accept a payment by its receipt",
  payment_dismissed: "Dismiss a payment",
};

/** The page with the facts, by the kind of the subject. */
const PAGES: Record<string, (id: string) => string> = {
  order_item: (id) => `/admin/problems/${id}`,
  case: (id) => `/admin/moderation/${id}`,
  issue: (id) => `/admin/problems/${id}`,
  payout: () => "/admin/money?show=payouts",
  refund: () => "/admin/money?show=refunds",
  attempt: () => "/admin/money?show=attempts",
};

/** Where the second admin reads everything about `subject` ("kind:id"). */
export function subjectPage(subject: string): string {
  const [kind = "", id = ""] = subject.split(":");
  return PAGES[kind]?.(id) ?? "/admin/proposals";
}
