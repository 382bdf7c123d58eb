import type { CallbackOutcome } from "#app/db/states/callback.ts";
import type { PayoutReport } from "#app/payments/gateway.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyTransferReport } from "#app/payments/transfers/transfer-results.server.ts";
import { findTransfer, type TransferId } from "#app/payments/transfers/transfers.server.ts";

export function asPayout(id: string): TransferId {
  return { kind: "payout", id };
}

export function asRefund(id: string): TransferId {
  return { kind: "refund", id };
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
