import { takeLease } from "#app/db/leases.ts";
import { writeDailySummary } from "#app/payments/daily-summary.server.ts";
import { checkBooks, reconcilePayments } from "#app/payments/reconciliation.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { reportStuckSales } from "#app/payments/stuck-sales.server.ts";

/** How often the books are checked, ms. A check reads the whole ledger, so not every minute. */
const BOOKS_EVERY_MS = 10 * 60_000;

/**
 * Every minute: takes the next step of every open payment. Every ten minutes: compares the books with the facts and
 * looks for paid items that nobody delivers. Once a day is
 * over: writes its summary.
 */
export async function runPaymentsJob(services: PaymentServices): Promise<void> {
  const report = await reconcilePayments(services);
  if (Object.values(report).some((count) => count > 0)) services.log({ event: "reconciled", ...report });
  if (!(await takeLease(services, "books", BOOKS_EVERY_MS))) return;
  await checkBooks(services);
  await reportStuckSales(services);
  await writeDailySummary(services);
}
