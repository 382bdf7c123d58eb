/** How a second admin does what was proposed at a desk: by the desk's own use case and its guards. */
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import type { DeskActs, ProposalInput } from "#app/moderation/second-admin/proposals.server.ts";
import { decideMoney } from "#app/admin/money/money-decisions.server.ts";
import type { MoneyOutcome } from "#app/admin/money/money-texts.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import { closeIssue } from "#app/admin/problems/issues.server.ts";

/** A key of the messages of the admin pages, or of those about money. */
type DeskOutcome = MoneyOutcome | "confirmed";

type Act = DeskActs<DeskOutcome>[keyof DeskActs<DeskOutcome>];

const decideItem: Act = async (services, admin, { id, input, reasons }) => {
  const { decision, amount = 0 } = input;
  if (!decision) return "stale";
  const decided = await decideDeal(services, admin, { itemId: id, decision, amount, reasons });
  if (!decided.ok) return decided.code === "own_money" ? "own_money" : "stale";
  if (!decided.isDecided) return "proposed";
  if (decided.payoutId) services.defer(startPayout(services, decided.payoutId, id));
  return "confirmed";
};

type MoneyForm = Parameters<typeof decideMoney>[2];

function decideForm(form: (id: string, input: ProposalInput, reasons: string) => MoneyForm): Act {
  return (services, admin, { id, input, reasons }) => decideMoney(services, admin, form(id, input, reasons));
}

export const DESK_ACTS: DeskActs<DeskOutcome> = {
  team_refunded: decideItem,
  team_split: decideItem,
  team_released: decideItem,
  issue_closed: async (services, admin, { id, reasons }) => {
    const closed = await closeIssue(services, admin, id, reasons);
    return closed.ok ? "confirmed" : closed.code;
  },
  payout_retried: decideForm((id, { reserved = false }) => ({ intent: "retry", kind: "payout", id, reserved })),
  payout_recorded: decideForm((id, { receipt = "" }) => ({ intent: "record", kind: "payout", id, receipt })),
  refund_retried: decideForm((id, { reserved = false }) => ({ intent: "retry", kind: "refund", id, reserved })),
  refund_recorded: decideForm((id, { receipt = "" }) => ({ intent: "record", kind: "refund", id, receipt })),
  payment_accepted: decideForm((id, { receipt = "" }) => ({ intent: "accept", id, receipt })),
  payment_dismissed: decideForm((id, _input, reason) => ({ intent: "dismiss", id, reason })),
};
