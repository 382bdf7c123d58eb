import { eq, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import { decisionProposals } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { Decision } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { refusePart } from "#app/orders/deal-rules.ts";
import { type Admin, auditStatements } from "./admin-pages.server.ts";
import { DECISIONS, decisionStep } from "./decision-rules.ts";

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
  const [proposal] = await services.db
    .select()
    .from(decisionProposals)
    .where(eq(decisionProposals.orderItemId, itemId));
  const step = decisionStep(deal.subtotal, proposal ?? null, { adminId: admin.id, decision, amount });
  const { event } = DECISIONS[decision];
  try {
    if (step === "propose") {
      await runBatch(services.db, proposeStatements(services, admin, input));
      return { ok: true, isDecided: false };
    }
    const decided = await applyDealEvent(services, {
      itemId,
      event,
      by: admin.id,
      note: reasons,
      refundAmount: amount,
      together: [
        ...auditStatements(services, admin, { action: event, subject: subjectOf(itemId), detail: reasons }),
        ...(step === "confirm" ? takeProposal(admin, input) : []),
      ],
    });
    return decided.ok ? { ok: true, isDecided: true, payoutId: decided.payoutId } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "stale" };
    throw error;
  }
}

/** The item in the audit log. */
function subjectOf(itemId: string): string {
  return `order_item:${itemId}`;
}

/** Writes the proposal in place of an earlier one. Aborts its batch when the item no longer waits for our team. */
function proposeStatements(services: DealServices, admin: Admin, input: DecisionInput): Statement[] {
  const { itemId, decision, amount, reasons } = input;
  return [
    ...auditStatements(services, admin, {
      action: "decision_proposed",
      subject: subjectOf(itemId),
      detail: `${decision} ${amount}: ${reasons}`,
    }),
    sql`INSERT INTO decision_proposals (order_item_id, admin_id, decision, amount, reasons, created_at)
      SELECT id, ${admin.id}, ${decision}, ${amount}, ${reasons}, ${services.now()} FROM order_items
        WHERE id = ${itemId} AND ${stateIs("status", ITEM.isInReview)}
      ON CONFLICT (order_item_id) DO UPDATE SET admin_id = excluded.admin_id, decision = excluded.decision, amount = excluded.amount,
        reasons = excluded.reasons, created_at = excluded.created_at`,
    expectOneChange(),
  ];
}

/** Uses up another admin's proposal. Aborts the batch if it was changed meanwhile. */
function takeProposal(admin: Admin, { itemId, decision, amount }: DecisionInput): Statement[] {
  return [
    sql`DELETE FROM decision_proposals WHERE order_item_id = ${itemId} AND admin_id <> ${admin.id} AND decision = ${decision} AND amount = ${amount}`,
    expectOneChange(),
  ];
}
