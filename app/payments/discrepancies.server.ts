import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#app/db/batch.ts";
import type { PaymentServices } from "./services.ts";

type Recorder = Pick<PaymentServices, "db" | "now" | "log">;

/** What may need a person. One open row a kind and subject. */
export type DiscrepancyKind =
  /** An attempt was paid with another amount, or with a receipt seen before. */
  | "payment_mismatch"
  /** Nobody knows whether an attempt was paid, and asking has brought no answer. */
  | "payment_in_doubt"
  /** An attempt counts as paid, and no query has confirmed it: its payouts wait. */
  | "payment_unconfirmed"
  | "declined_after_success"
  /** Money came in whose buyer, seller or listing is gone. It is owed back. */
  | "payment_for_closed_deal"
  /** A paid item waits whose buyer or seller is suspended, or that was not delivered for two weeks. */
  | "sale_stuck"
  | "push_configuration"
  /** Our paybill or till is full: nobody can pay until it is emptied. */
  | "push_limit"
  | "callback_foreign_id"
  | "callback_failed"
  | "payout_parked"
  | "payout_in_doubt"
  | "payout_amount"
  | "payout_paid_twice"
  | "payout_receipt_reused"
  | "payouts_stopped"
  /** The job came upon an error at one thing and went on with the next. */
  | "job_failed"
  | "books";

/**
 * Puts something before a person, as statements for the batch of its cause: listed once a kind and subject until resolved. The batch
 * is to be run by `runRaising`, which logs what is new.
 */
export function raiseDiscrepancy(kind: DiscrepancyKind, subject: string, detail: string, now: number): Statement[] {
  const words = detail.slice(0, 1000);
  return [
    sql`UPDATE discrepancies SET detail = ${words} WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL`,
    // Answers a row only where it was not open before.
    sql`INSERT INTO discrepancies (id, kind, subject, detail, created_at) VALUES (${crypto.randomUUID()}, ${kind}, ${subject}, ${words}, ${now})
      ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail, resolved_at = NULL WHERE discrepancies.resolved_at IS NOT NULL
      RETURNING kind AS raised, subject, detail`,
  ];
}

/** `runBatch`, for a batch that may raise discrepancies: each that was not open before is logged as an error once it is written. */
export async function runRaising(services: Recorder, statements: Statement[]): Promise<void> {
  const results = await runBatch(services.db, statements);
  for (const row of results.flatMap((result) => result.results)) {
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

function isRaised(row: unknown): row is { raised: string; subject: string; detail: string } {
  return typeof row === "object" && row !== null && "raised" in row;
}

/** What was in doubt has answered itself. */
export function resolveDiscrepancies(
  kinds: DiscrepancyKind[],
  subject: string,
  resolution: string,
  now: number,
): Statement {
  const names = sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
  return sql`UPDATE discrepancies SET resolved_at = ${now}, resolution = ${resolution} WHERE subject = ${subject} AND kind IN (${names}) AND resolved_at IS NULL`;
}

/** Puts something before a person that has no batch to go with; where it cannot be written it stands in the log at least. */
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
