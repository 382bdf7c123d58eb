import { and, eq } from "drizzle-orm";
import { payoutItems, payouts } from "#app/payments/tables.server.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import type { PayoutReport } from "#app/payments/gateway.ts";
import { retryPayout } from "#app/payments/transfers/start-payout.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyTransferReport } from "#app/payments/transfers/transfer-results.server.ts";
import { findTransfer, toPayout, type TransferId } from "#app/payments/transfers/transfers.server.ts";

export function asPayout(id: string): TransferId {
  return { kind: "payout", id };
}

export function asRefund(id: string): TransferId {
  return { kind: "refund", id };
}

/** The seller tries a parked payout again, without the sending that follows. */
export async function retryBySeller(
  services: PaymentServices,
  { orderItemId, sellerId }: { orderItemId: string; sellerId: string },
): Promise<boolean> {
  const [found] = await services.db
    .select({ payout: payouts })
    .from(payoutItems)
    .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .where(and(eq(payoutItems.orderItemId, orderItemId), eq(payouts.sellerId, sellerId)));
  if (!found) throw new Error("no payout");
  return found.payout.state === "parked" && retryPayout(services, toPayout(found.payout));
}

/** M-Pesa reports how a transfer ended. */
export async function reportTransfer(
  services: PaymentServices,
  id: TransferId,
  report: PayoutReport,
): Promise<CallbackOutcome> {
  const transfer = await findTransfer(services, id);
  if (!transfer) throw new Error(`no ${id.kind} ${id.id}`);
  return applyTransferReport(services, transfer, report);
}
