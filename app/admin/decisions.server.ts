import { PreconditionFailed } from "#app/db/batch.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { refusePart } from "#app/orders/deal-rules.ts";
import { type Admin, auditStatements } from "./admin-pages.server.ts";
import { type Decision, DECISIONS } from "./decision-rules.ts";

export type DecisionResult =
  | { ok: true; payoutId: string | null }
  /** stale: it is decided already, or they are no longer an admin. own_money: they are the buyer or the seller. */
  | { ok: false; code: "not_found" | "stale" | "own_money" }
  | { ok: false; code: "amount"; error: string };

/**
 * An admin decides who gets the held money of an item. Both sides read `reasons`, and the audit log keeps them. Nothing
 * is written unless all of it is.
 */
export async function decideDeal(
  services: DealServices,
  admin: Admin,
  { itemId, decision, amount, reasons }: { itemId: string; decision: Decision; amount: number; reasons: string },
): Promise<DecisionResult> {
  const deal = await findDeal(services, itemId);
  if (!deal) return { ok: false, code: "not_found" };
  if (admin.id === deal.buyer.id || admin.id === deal.seller.id) return { ok: false, code: "own_money" };
  const refusal = decision === "split" ? refusePart(amount, deal.subtotal) : null;
  if (refusal) return { ok: false, code: "amount", error: refusal };
  const { event } = DECISIONS[decision];
  const subject = `order_item:${itemId}`;
  try {
    const decided = await applyDealEvent(services, {
      itemId,
      event,
      by: admin.id,
      note: reasons,
      refundAmount: amount,
      together: auditStatements(services, admin, { action: event, subject, detail: reasons }),
    });
    return decided.ok ? { ok: true, payoutId: decided.payoutId } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "stale" };
    throw error;
  }
}
