/** M-Pesa's answers about receipts of transfers that an admin sent by hand (`receipt-checks.server.ts`). */
import { eq, type SQL, sql } from "drizzle-orm";
import { readPhone } from "#app/accounts/profile/phone.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { paymentAttempts, payouts, refunds } from "#app/payments/tables.server.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import { raiseDiscrepancy } from "#app/payments/books/discrepancies.server.ts";
import { doneChanges, doneStatements } from "./end-transfer.server.ts";
import type { ReceiptReport } from "#app/payments/gateway.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import {
  concludeCheck,
  dismissChecks,
  isLate,
  openCheck,
  type ReceiptCheck,
} from "#app/payments/receipt-checks.server.ts";
import {
  ANSWERED_LATE,
  comparePhone,
  doubt,
  type ReceiptFault,
  reportFault,
  UNREADABLE,
  wrongReceipt,
} from "#app/payments/receipt-rules.ts";
import { isReserved, nextTransferState } from "./transfer-rules.ts";
import { changeTransfer, findTransfer, type Transfer, type TransferId } from "./transfers.server.ts";

/** The number that must have got the money: the one that was stored when an admin began to send it by hand. */
function phoneOf({ kind, id }: TransferId) {
  return kind === "payout"
    ? build.select({ phone: payouts.phone }).from(payouts).where(eq(payouts.id, id))
    : build
        .select({ phone: sql<string | null>`COALESCE(${refunds.phone}, ${paymentAttempts.phone})`.as("phone") })
        .from(refunds)
        .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
        .where(eq(refunds.id, id));
}

/**
 * The number that an admin sends a transfer to by hand: the seller's present one, because M-Pesa may have refused an
 * earlier one. What may have left went to the number that we sent it to. Null: we know none.
 * @returns number_changed: payouts to the seller's number wait (docs/product-rules.md, "Payouts")
 */
export async function numberByHand(
  { db, now }: Pick<PaymentServices, "db" | "now">,
  transfer: Transfer,
): Promise<{ phone: string | null } | "number_changed"> {
  if (transfer.kind === "refund") return { phone: (transfer.phone ?? transfer.payment.phone) || null };
  if (transfer.state === "unknown" || transfer.waitReason === "no_record") return { phone: transfer.phone };
  const [seller] = await db
    .select({ phone: profiles.phone, heldUntil: profiles.payoutsHeldUntil, takenBackAt: credentials.takenBackAt })
    .from(profiles)
    .innerJoin(credentials, eq(credentials.id, profiles.id))
    .where(eq(profiles.id, transfer.sellerId));
  if ((seller?.heldUntil ?? 0) > now() || (seller?.takenBackAt ?? null) !== null) return "number_changed";
  const read = readPhone(seller?.phone ?? "");
  return { phone: read.ok ? read.phone : null };
}

/**
 * SQL: we know no number that should get the money, because the account is deleted. So M-Pesa's answer can't prove who
 * got it.
 */
export function hasNoPhone(transfer: TransferId): SQL {
  return sql`COALESCE((${phoneOf(transfer)}), '') = ''`;
}

/**
 * Opens a check in place of one of another receipt that M-Pesa hasn't answered. Write the statements in the batch of
 * the admin's action, then call `askAboutReceipt`.
 */
export function openTransferCheck(
  { transfer, receipt, askedBy }: { transfer: TransferId; receipt: string; askedBy: string },
  now: number,
): { token: string; statements: Statement[] } {
  const { token, statement } = openCheck(transfer, { receipt, phone: sql`(${phoneOf(transfer)})`, askedBy }, now);
  return { token, statements: [dismissChecks(transfer, receipt), statement] };
}

/**
 * Applies M-Pesa's answer about the receipt of a transfer: it is booked and its owner told, or admins read what doesn't
 * match. They also read it where it was taken back, or sent by M-Pesa, before the answer.
 */
export async function applyTransferCheck(
  services: PaymentServices,
  check: ReceiptCheck,
  body: string,
): Promise<CallbackOutcome> {
  const report = services.gateway.readReceiptLookup(body);
  const transfer = await findChecked(services, check);
  const { kind, id, amount } = transfer;
  const now = services.now();
  const fault = isLate(check, now)
    ? ANSWERED_LATE
    : await transferFault(report, { receipt: check.receipt, amount, phone: check.phone });
  if (fault !== null) {
    const detail = `M-Pesa does not confirm receipt ${check.receipt}: ${fault.words}`;
    const isOpen = check.state === "asked";
    const raised = isOpen && fault.raises ? raiseDiscrepancy(`${kind}_in_doubt`, id, detail, now) : [];
    await concludeCheck(services, check, { state: isOpen ? "rejected" : "dismissed", detail }, raised);
    return report ? "receipt_rejected" : "unreadable";
  }
  // An earlier answer about this receipt has booked it.
  if (transfer.receipt === check.receipt) {
    await concludeCheck(services, check, { state: "confirmed", detail: null }, []);
    return "unchanged";
  }
  const state = nextTransferState(transfer, "done");
  if (!isReserved(transfer) || state === null || check.state === "dismissed") {
    const twice = `M-Pesa confirms that it was sent by hand as ${check.receipt}, but it is not waiting for that receipt any more`;
    const raised = raiseDiscrepancy(`${kind}_paid_twice`, id, twice, now);
    await concludeCheck(services, check, { state: "dismissed", detail: twice }, raised);
    return "receipt_rejected";
  }
  // It left the payout account, as M-Pesa has confirmed, also where we had asked for a reversal.
  const sent = transfer.kind === "refund" ? { ...transfer, method: "b2c" as const } : transfer;
  const done = { ...doneChanges(sent, check.receipt, now), state, doneBy: check.askedBy };
  await concludeCheck(services, check, { state: "confirmed", detail: null }, [
    ...changeTransfer(transfer, done, now),
    ...(await doneStatements(services, sent, check.receipt)),
  ]);
  return "receipt_confirmed";
}

async function findChecked(services: PaymentServices, { payoutId, refundId }: ReceiptCheck): Promise<Transfer> {
  const id: TransferId = payoutId ? { kind: "payout", id: payoutId } : { kind: "refund", id: refundId ?? "" };
  const transfer = await findTransfer(services, id);
  if (!transfer) throw new Error(`${id.kind} ${id.id} is gone`);
  return transfer;
}

/** Why a report doesn't prove that we sent `amount` (KES) to `phone` under `receipt`; null when it does. */
async function transferFault(
  report: ReceiptReport | null,
  { receipt, amount, phone }: { receipt: string; amount: number; phone: string | null },
): Promise<ReceiptFault | null> {
  if (report === null) return UNREADABLE;
  const fault = reportFault(report, { receipt, amount, direction: "from_us" });
  if (fault !== null) return fault;
  // The account is deleted, and two admins have looked (`hasNoPhone`).
  if (phone === null || phone === "") return null;
  const compared = await comparePhone(report.receiver, phone);
  if (compared === "other") return wrongReceipt("it went to another number");
  return compared === "same" ? null : doubt("M-Pesa does not show the number that got it");
}
