import type { PaymentServices } from "#app/payments/payment-services.ts";
import { recordDiscrepancy } from "./discrepancies.server.ts";
import { booksBalance, readBooks } from "./ledger.server.ts";

/** Compares the ledger with orders, attempts, payouts and refunds. Any difference raises a discrepancy. */
export async function checkBooks(services: PaymentServices): Promise<boolean> {
  const books = await readBooks(services.db);
  if (booksBalance(books)) return true;
  await recordDiscrepancy(services, "books", "ledger", JSON.stringify(books));
  return false;
}
