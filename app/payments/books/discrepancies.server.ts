import { and, eq, inArray, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import { isAway } from "#app/db/patience.ts";
import { isWritten, type Statement, write } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { discrepancies } from "#app/payments/tables.server.ts";
import type { TransferKind, TransferMethod } from "#app/db/states/transfer.ts";
import { withoutValues } from "#app/db/without-values.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

type Recorder = Pick<PaymentServices, "db" | "now" | "log">;

/** What a person may have to check. Each kind and subject has at most one open row. */
export type DiscrepancyKind =
  /** An attempt was paid with a different amount, or with a receipt that was used before. */
  | "payment_mismatch"
  /** It is unknown whether an attempt was paid, and M-Pesa's answers haven't told. */
  | "payment_in_doubt"
  /** An attempt counts as paid, but no query has confirmed it. Its payouts wait. */
  | "payment_unconfirmed"
  | "declined_after_success"
  /** A payment arrived after its buyer, seller or listing was gone. It must be refunded. */
  | "payment_for_closed_deal"
  /** A setting of M-Pesa is missing or can't work. Nothing is sent. */
  | "gateway_configuration"
  | "push_configuration"
  /** Our paybill or till has reached its limit. Nobody can pay until it is emptied. */
  | "push_limit"
  | "callback_foreign_id"
  | "callback_failed"
  /** `amount`: M-Pesa sent another amount. */
  | `${TransferKind}_${"parked" | "in_doubt" | "amount" | "paid_twice" | "receipt_reused"}`
  /** M-Pesa says that the payment was reversed before we first asked: somebody did it by hand. */
  | "refund_already_reversed"
  | "payouts_stopped"
  | "reversals_stopped"
  /** M-Pesa's own list of payments hasn't come for hours, can't be read in part, or leaves out a time. */
  | "mpesa_list"
  /** The job failed at one step and continued with the next. */
  | "job_failed"
  | "books";

/**
 * Statements that raise a discrepancy, for the batch of its cause. Each kind and subject is listed once until it is
 * resolved. `detail` may be the text of an error: admins read no values of a failed query. Run the batch with
 * `runRaising`, which logs new ones.
 */
export function raiseDiscrepancy(kind: DiscrepancyKind, subject: string, detail: string, now: number): Statement[] {
  const words = withoutValues(detail).slice(0, 1000);
  return [
    build
      .update(discrepancies)
      .set({ detail: words })
      .where(isOpen([kind], subject)),
    // Returns a row only if it wasn't open before.
    build
      .insert(discrepancies)
      .values({ id: crypto.randomUUID(), kind, subject, detail: words, createdAt: now })
      .onConflictDoUpdate({
        target: [discrepancies.kind, discrepancies.subject],
        set: { detail: words, createdAt: now, resolvedAt: null },
        setWhere: isNotNull(discrepancies.resolvedAt),
      })
      .returning({ raised: discrepancies.kind, subject: discrepancies.subject, detail: discrepancies.detail }),
  ];
}

function isOpen(kinds: DiscrepancyKind[], subject: string): SQL | undefined {
  return and(eq(discrepancies.subject, subject), inArray(discrepancies.kind, kinds), isNull(discrepancies.resolvedAt));
}

/** SQL: an open discrepancy of this kind. */
export function hasOpen(kind: DiscrepancyKind): SQL {
  return hasRow(discrepancies, and(eq(discrepancies.kind, kind), isNull(discrepancies.resolvedAt)));
}

/**
 * `write` for what may raise discrepancies. Each one that wasn't open before is logged as an error after it is written,
 * unless that answer was lost: then the money page alone has it.
 */
export async function runRaising(services: Recorder, statements: Statement[]): Promise<void> {
  const answers = await write(services.db, { statements });
  for (const row of takeAnswers(answers).flat()) {
    if (isRaised(row))
      services.log({
        event: "discrepancy",
        level: "error",
        kind: row.raised,
        subject: row.subject,
        detail: row.detail,
      });
  }
}

/** Like `runRaising`. Whether it was written: false, and nothing is, where a guard refuses. */
export function tryRaising(services: Recorder, statements: Statement[]): Promise<boolean> {
  return isWritten(runRaising(services, statements));
}

function takeAnswers(answers: { statements: unknown[] }): unknown[] {
  try {
    return answers.statements;
  } catch (error) {
    if (isAway(error)) return [];
    throw error;
  }
}

function isRaised(row: unknown): row is { raised: string; subject: string; detail: string } {
  return typeof row === "object" && row !== null && "raised" in row;
}

/** The statement that resolves discrepancies when the answer has arrived. `by`: the admin whose doing it is. */
export function resolveDiscrepancies(
  kinds: DiscrepancyKind[],
  subject: string,
  resolution: string,
  now: number,
  by: string | null = null,
): Statement {
  return build.update(discrepancies).set({ resolvedAt: now, resolution, resolvedBy: by }).where(isOpen(kinds, subject));
}

/** What keeps all money from moving one way, and what its next success shows to be over. */
const STOPS = {
  payment: ["gateway_configuration", "push_configuration", "push_limit"],
  b2c: ["gateway_configuration", "payouts_stopped"],
  reversal: ["gateway_configuration", "reversals_stopped"],
} as const satisfies Record<"payment" | TransferMethod, DiscrepancyKind[]>;

/**
 * The statement for the batch of a success: money moves this way again. A request from before a stop, whose success
 * comes late, says nothing about it.
 */
export function resolveStops(way: keyof typeof STOPS, requestedAt: number, now: number): Statement {
  const isOver = and(inArray(discrepancies.kind, [...STOPS[way]]), lt(discrepancies.createdAt, requestedAt));
  return build
    .update(discrepancies)
    .set({ resolvedAt: now, resolution: "money moves again", resolvedBy: null })
    .where(and(isOver, isNull(discrepancies.resolvedAt)));
}

/** Raises a discrepancy that belongs to no batch. If it can't be written, at least it is logged. */
export async function recordDiscrepancy(
  services: Recorder,
  kind: DiscrepancyKind,
  subject: string,
  detail: string,
): Promise<void> {
  try {
    await runRaising(services, raiseDiscrepancy(kind, subject, detail, services.now()));
  } catch (error) {
    services.log({ event: "discrepancy", level: "error", kind, subject, detail });
    throw error;
  }
}
