/** A seller's statements say what the ledger says, whatever happened to their sales. */
import { openDatabase } from "#app/db/client.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { monthBeside } from "#app/payments/books/seller-statement-lines.ts";
import { openBuyerReceipts } from "#app/payments/books/buyer-receipts.server.ts";
import { monthBounds, monthName } from "#app/platform/east-africa-time.ts";
import type { Campus } from "./invocation.ts";

/**
 * Compares every month of every seller, and what every person paid, with the ledger. Returns what is wrong, in words.
 */
export async function auditStatements({ d1, stage, sellers, buyers }: Campus): Promise<string[]> {
  const store = { db: openDatabase(d1) };
  const wrong: string[] = [];
  const { results: entries } = await d1
    .prepare(
      // Nothing of a fee that a buyer pays is the seller's.
      `SELECT i.seller_id AS sellerId, e.created_at AS at, e.amount + CASE
          WHEN e.account <> 'escrow' OR i.buyer_fee = 0 THEN 0
          WHEN e.kind = 'charge' THEN i.buyer_fee
          WHEN e.kind = 'fee' THEN -e.amount
          WHEN e.kind = 'refund_due' THEN i.fee_taken - i.buyer_fee
          ELSE 0 END AS amount FROM ledger_entries e
        JOIN order_items i ON i.id = e.order_item_id
        WHERE e.account IN ('escrow', 'seller_payable')`,
    )
    .all<{ sellerId: string; amount: number; at: number }>();
  const last = monthBeside(monthName(stage.now), 1);
  for (const { id } of sellers) {
    const booked = (before: number) =>
      -entries
        .filter(({ sellerId, at }) => sellerId === id && at < before)
        .reduce((sum, { amount }) => sum + amount, 0) + 0;
    for (let month = "2026-11"; month <= last; month = monthBeside(month, 1)) {
      const { from, until } = monthBounds(month);
      const { statement } = await openSellerStatement(store, { sellerId: id, month });
      if (statement.opening !== booked(from) || statement.closing !== booked(until))
        wrong.push(
          `the statement of ${id.slice(0, 8)} for ${month} goes from ${statement.opening} to ${statement.closing}, the ledger from ${booked(from)} to ${booked(until)}`,
        );
    }
  }

  // All that people paid and got back is what the ledger has of our two M-Pesa accounts, apart from payouts.
  const everybody = [...buyers, ...sellers].map(({ id }) => id);
  let [paid, returned] = [0, 0];
  for (const userId of everybody)
    for (const year of [2026, 2027]) {
      const receipts = await openBuyerReceipts(store, { userId, year });
      paid += receipts.paid;
      returned += receipts.returned;
    }
  const of = async (kinds: string) =>
    (
      await d1
        .prepare(
          `SELECT COALESCE(SUM(ABS(amount)), 0) AS total FROM ledger_entries
            WHERE account LIKE 'mpesa_%' AND kind IN (${kinds})`,
        )
        .first<{ total: number }>()
    )?.total ?? 0;
  const [charged, refunded] = [await of("'charge', 'refund_due'"), await of("'refund'")];
  if (paid !== charged || returned !== refunded)
    wrong.push(`receipts say ${paid} paid and ${returned} returned, the ledger ${charged} and ${refunded}`);
  return wrong;
}
