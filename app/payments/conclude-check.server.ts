import { and, eq, isNull } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { receiptChecks, transferChecks } from "#app/db/schema.ts";
import { runRaising } from "#app/payments/books/discrepancies.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

type Check = Pick<typeof receiptChecks.$inferSelect, "id" | "state" | "detail">;

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
