import { checkBooks, reconcilePayments } from "#app/payments/reconciliation.server.ts";
import type { PaymentServices } from "#app/payments/services.ts";

/** Every minute: everything about payments that is open is brought forward, and the books are held against the facts. */
export async function runPaymentsJob(services: PaymentServices): Promise<void> {
  const report = await reconcilePayments(services);
  const balanced = await checkBooks(services);
  if (Object.values(report).some((count) => count > 0) || !balanced) services.log({ event: "reconciled", ...report, balanced });
}
