/** M-Pesa's answers about receipts of what admins sent by hand. */
import { env } from "cloudflare:workers";
import { desc, eq } from "drizzle-orm";
import { paymentAttempts, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { receiveCallback } from "./callbacks.ts";
import { db, servicesAt } from "./fixtures.ts";

/** What M-Pesa says that differs from what we sent. */
interface Said {
  amount?: number;
  status?: string;
  code?: number;
  payer?: string;
  receiver?: string;
  receipt?: string;
}

/**
 * M-Pesa answers about the last transfer with this receipt: it is as we expect, except for `said`. Returns the outcome.
 */
export async function mpesaConfirms(receipt: string, said: Said = {}, services = servicesAt()): Promise<string> {
  const [check] = await db
    .select()
    .from(receiptChecks)
    .where(eq(receiptChecks.receipt, receipt))
    .orderBy(desc(receiptChecks.createdAt));
  if (!check) throw new Error(`nobody asked about ${receipt}`);
  const [sent] = check.payoutId
    ? await db
        .select({ amount: payouts.amount, phone: payouts.phone, own: profiles.phone })
        .from(payouts)
        .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
        .where(eq(payouts.id, check.payoutId))
    : await db
        .select({ amount: refunds.amount, phone: refunds.phone, own: paymentAttempts.phone })
        .from(refunds)
        .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
        .where(eq(refunds.id, check.refundId ?? ""));
  const parameters = [
    { Key: "DebitPartyName", Value: said.payer ?? `${env.DARAJA_PAYOUT_SHORTCODE} - Chuoni` },
    { Key: "DebitPartyName", Value: said.receiver ?? `${sent?.phone ?? sent?.own} - A Student` },
    { Key: "TransactionStatus", Value: said.status ?? "Completed" },
    { Key: "Amount", Value: said.amount ?? sent?.amount },
    { Key: "ReceiptNo", Value: said.receipt ?? receipt },
  ];
  const body = JSON.stringify({
    Result: { ResultCode: said.code ?? 0, ResultParameters: { ResultParameter: parameters } },
  });
  return receiveCallback(services, { kind: "receipt", token: check.token, body });
}
