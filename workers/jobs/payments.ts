import { takeLease } from "#app/db/leases.ts";
import { writeDailySummary } from "#app/payments/daily-summary.server.ts";
import { checkBooks, reconcilePayments } from "#app/payments/reconciliation.server.ts";
import type { PaymentServices } from "#app/payments/services.ts";

/** The books are read from their first entry on, so not every minute, ms. */
const BOOKS_EVERY_MS = 10 * 60_000;

/**
 * Every minute: everything about payments that is open is brought forward. Now and then the books are held against the facts, and
 * once a day is over its summary is written.
 */
export async function runPaymentsJob(services: PaymentServices): Promise<void> {
  const report = await reconcilePayments(services);
  if (Object.values(report).some((count) => count > 0)) services.log({ event: "reconciled", ...report });
  if (!(await takeLease(services, "books", BOOKS_EVERY_MS))) return;
  await checkBooks(services);
  await writeDailySummary(services);
}
