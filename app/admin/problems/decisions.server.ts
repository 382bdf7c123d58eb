import { PreconditionFailed } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { Decision } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { refusePart } from "#app/deals/deal-rules.ts";
import { itemMoves } from "#app/moderation/second-admin/act-moves.server.ts";
import { weighAct, type WeighedAct } from "#app/moderation/second-admin/weigh-act.server.ts";
import { type Admin, guardAndAuditMoney } from "#app/team/perform-act.server.ts";
import { DECISIONS } from "./decision-rules.ts";
import { proposeAct } from "#app/moderation/second-admin/propose-act.server.ts";

interface DecisionInput {
  itemId: string;
  decision: Decision;
  /** KES that goes back to the buyer; 0 where it isn't a part. */
  amount: number;
  reasons: string;
}

export type DecisionResult =
  | { ok: true; isDecided: true; payoutId: string | null }
  /** A second admin must confirm it. No money has moved. */
  | { ok: true; isDecided: false }
  /** stale: it is decided already, or they are no longer an admin. own_money: they are the buyer or the seller. */
  | { ok: false; code: "not_found" | "stale" | "own_money" }
  | { ok: false; code: "amount"; error: string };

/**
 * An admin decides who gets the held money of an item. Both sides read `reasons`, and the audit log keeps them. A large
 * amount moves when a second admin decides the same; until then the decision is a proposal. Nothing is written unless
 * all of it is.
 */
export async function decideDeal(services: DealServices, admin: Admin, input: DecisionInput): Promise<DecisionResult> {
  const { itemId, decision, amount, reasons } = input;
  const deal = await findDeal(services, itemId);
  if (!deal) return { ok: false, code: "not_found" };
  if (admin.id === deal.buyer.id || admin.id === deal.seller.id) return { ok: false, code: "own_money" };
  const refusal = decision === "split" ? refusePart(amount, deal.subtotal) : null;
  if (refusal) return { ok: false, code: "amount", error: refusal };
  const { event } = DECISIONS[decision];
  const act = actOf({ itemId, decision, amount });
  const weighed = await weighAct(services, admin.id, act);
  if (weighed.step === "propose")
    return (await proposeAct(services, admin, act, reasons)) ? { ok: true, isDecided: false } : STALE;
  try {
    const decided = await applyDealEvent(services, {
      itemId,
      event,
      by: admin.id,
      note: reasons,
      refundAmount: amount,
      together: guardAndAuditMoney(services, admin, { action: event, subject: act.subject, detail: reasons }, weighed),
    });
    return decided.ok ? { ok: true, isDecided: true, payoutId: decided.payoutId } : STALE;
  } catch (error) {
    if (error instanceof PreconditionFailed) return STALE;
    throw error;
  }
}

/** Whether a second admin must confirm what this admin decides about an item. */
export async function needsSecondAdmin(store: Store, adminId: string, itemId: string): Promise<boolean> {
  const weighed = await weighAct(store, adminId, actOf({ itemId, decision: "release", amount: 0 }));
  return weighed.step !== "alone";
}

const STALE = { ok: false, code: "stale" } as const;

function actOf({ itemId, decision, amount }: Pick<DecisionInput, "itemId" | "decision" | "amount">) {
  return {
    act: DECISIONS[decision].event,
    subject: `order_item:${itemId}`,
    moves: itemMoves(itemId),
    input: { decision, amount },
  } as const satisfies WeighedAct;
}
