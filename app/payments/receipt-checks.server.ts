/** A receipt that an admin entered counts only after M-Pesa has confirmed it (docs/operating.md). */
import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectOneChange, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { receiptChecks } from "./tables.server.ts";
import { runRaising } from "#app/payments/books/discrepancies.server.ts";
import type { ReceiptLookupRequest } from "#app/payments/gateway.ts";
import { openGateway } from "#app/payments/open-gateway.server.ts";
import { newCallbackToken, type PaymentServices } from "#app/payments/payment-services.ts";
import { RECEIPT_WAIT_MS } from "#app/payments/receipt-rules.ts";

export type ReceiptCheck = typeof receiptChecks.$inferSelect;

/** What a receipt was entered for, and the column with its id. */
const SUBJECTS = { payment: "attemptId", payout: "payoutId", refund: "refundId" } as const;

interface Subject {
  kind: keyof typeof SUBJECTS;
  id: string;
}

interface NewCheck {
  receipt: string;
  /** 254XXXXXXXXX: who must have got the money that left us. */
  phone?: SQL;
  /** The admin who asks. */
  askedBy: string;
}

/** Opens a check. Write `statement` in the batch of the admin's action, then call `askAboutReceipt` with `token`. */
export function openCheck(
  { kind, id }: Subject,
  check: NewCheck,
  now: number,
): { token: string; statement: Statement } {
  const token = newCallbackToken();
  return {
    token,
    statement: build
      .insert(receiptChecks)
      .values({ id: crypto.randomUUID(), [SUBJECTS[kind]]: id, ...check, token, createdAt: now }),
  };
}

/** Ends the open checks, except those of a receipt, so that a late answer changes nothing. */
export function dismissChecks({ kind, id }: Subject, exceptReceipt = ""): Statement {
  return build
    .update(receiptChecks)
    .set({ state: "dismissed" })
    .where(
      and(
        eq(receiptChecks[SUBJECTS[kind]], id),
        eq(receiptChecks.state, "asked"),
        ne(receiptChecks.receipt, exceptReceipt),
      ),
    );
}

/**
 * Sends the request. M-Pesa answers at the callback. Returns false if M-Pesa didn't accept it: that ends the check, and
 * the admin may ask again.
 */
export async function askAboutReceipt(
  services: PaymentServices,
  { receipt, token, account }: { receipt: string; token: string; account: ReceiptLookupRequest["account"] },
): Promise<boolean> {
  const gateway = await openGateway(services);
  const answer = await gateway?.lookUpReceipt({ receipt, callbackToken: token, account });
  services.log({ event: "receipt_looked_up", answer: answer?.kind ?? "unsent" });
  if (answer && answer.kind !== "refused") return true;
  const why = answer ? `M-Pesa didn't take our question (${answer.code}: ${answer.message})` : "we couldn't ask M-Pesa";
  await endCheck(services, token, why);
  return false;
}

/** The answer to a check came after `RECEIPT_WAIT_MS`. */
export function isLate({ state, createdAt }: Pick<ReceiptCheck, "state" | "createdAt">, now: number): boolean {
  return state === "asked" && createdAt <= now - RECEIPT_WAIT_MS;
}

/**
 * Ends a check that M-Pesa won't answer, so that its receipt can be entered for something else, and an answer that
 * comes all the same doesn't count. The admin reads `why` after the receipt. Does nothing where no check has this
 * token.
 */
export async function endCheck(
  { db, now }: Pick<PaymentServices, "db" | "now">,
  token: string,
  why: string,
): Promise<void> {
  const { receipt, state, answeredAt } = receiptChecks;
  await write(db, [
    build
      .update(receiptChecks)
      .set({ state: "rejected", detail: sql`${receipt} || ${`: ${why}`}`, answeredAt: now() })
      .where(and(eq(receiptChecks.token, token), eq(state, "asked"), isNull(answeredAt))),
  ]);
}

/**
 * Writes M-Pesa's answer to a check once, with the statements that follow from it. An answer that came too late is
 * looked at again.
 */
export async function concludeCheck(
  services: PaymentServices,
  check: Pick<ReceiptCheck, "id" | "state">,
  { state, detail }: Pick<ReceiptCheck, "state" | "detail">,
  together: readonly Statement[],
): Promise<void> {
  const { id, answeredAt } = receiptChecks;
  try {
    await runRaising(services, [
      build
        .update(receiptChecks)
        .set({ state, detail, answeredAt: services.now() })
        .where(and(eq(id, check.id), eq(receiptChecks.state, check.state), isNull(answeredAt))),
      expectOneChange(),
      ...together,
    ]);
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [now] = await services.db.select({ answeredAt }).from(receiptChecks).where(eq(id, check.id));
    // The same answer came twice. Otherwise something has changed, and the callback is applied again.
    if (now?.answeredAt === null) throw error;
  }
}
