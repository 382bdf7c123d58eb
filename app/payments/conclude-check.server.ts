import { and, eq, isNull, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, repeatBatch, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { receiptChecks, transferChecks } from "#app/db/schema.ts";
import { runRaising } from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { RECEIPT_WAIT_MS } from "#app/payments/receipt-rules.ts";

type Check = Pick<typeof receiptChecks.$inferSelect, "id" | "state" | "detail" | "createdAt">;

/** The answer to a check came after `RECEIPT_WAIT_MS`. */
export function isLate({ state, createdAt }: Pick<Check, "state" | "createdAt">, now: number): boolean {
  return state === "asked" && createdAt <= now - RECEIPT_WAIT_MS;
}

/**
 * Ends a check that M-Pesa won't answer, so that its receipt can be entered for something else, and an answer that comes all
 * the same doesn't count. The admin reads `why` after the receipt. Does nothing where no check has this token.
 */
export async function endCheck(
  services: Pick<PaymentServices, "db" | "now">,
  token: string,
  why: string,
): Promise<void> {
  const end = (table: typeof receiptChecks | typeof transferChecks) =>
    build
      .update(table)
      .set({ state: "rejected", detail: sql`${table.receipt} || ${`: ${why}`}`, answeredAt: services.now() })
      .where(and(eq(table.token, token), eq(table.state, "asked"), isNull(table.answeredAt)));
  await repeatBatch(services.db, [end(receiptChecks), end(transferChecks)]);
}

/**
 * Writes M-Pesa's answer to a check once, with the statements that follow from it. An answer that came too late is looked at
 * again.
 */
export async function concludeCheck(
  services: PaymentServices,
  table: typeof receiptChecks | typeof transferChecks,
  check: Pick<Check, "id" | "state">,
  { state, detail }: Pick<Check, "state" | "detail">,
  together: readonly Statement[],
): Promise<void> {
  try {
    await runRaising(services, [
      build
        .update(table)
        .set({ state, detail, answeredAt: services.now() })
        .where(and(eq(table.id, check.id), eq(table.state, check.state), isNull(table.answeredAt))),
      expectOneChange(),
      ...together,
    ]);
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [now] = await services.db.select({ answeredAt: table.answeredAt }).from(table).where(eq(table.id, check.id));
    // The same answer came twice. Otherwise something has changed, and the callback is applied again.
    if (now?.answeredAt === null) throw error;
  }
}
