import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#app/db/batch.ts";
import type { PaymentServices } from "./services.ts";

/** What may need a person. One open row a kind and subject. */
export type DiscrepancyKind =
  /** An attempt was paid with another amount, or with a receipt seen before. */
  | "payment_mismatch"
  /** Nobody knows whether an attempt was paid, and asking has brought no answer. */
  | "payment_in_doubt"
  /** An attempt counts as paid, and no query has confirmed it: its payouts wait. */
  | "payment_unconfirmed"
  | "declined_after_success"
  | "push_configuration"
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

/** Puts something before a person, as a statement for the batch of its cause: listed once a kind and subject until resolved. */
export function raiseDiscrepancy(kind: DiscrepancyKind, subject: string, detail: string, now: number): Statement {
  return sql`INSERT INTO discrepancies (id, kind, subject, detail, created_at) VALUES (${crypto.randomUUID()}, ${kind}, ${subject}, ${detail.slice(0, 1000)}, ${now})
    ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail, resolved_at = NULL`;
}

/** What was in doubt has answered itself. */
export function resolveDiscrepancies(kinds: DiscrepancyKind[], subject: string, resolution: string, now: number): Statement {
  const names = sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
  return sql`UPDATE discrepancies SET resolved_at = ${now}, resolution = ${resolution} WHERE subject = ${subject} AND kind IN (${names}) AND resolved_at IS NULL`;
}

/** Puts something before a person that has no batch to go with, and logs it. */
export async function recordDiscrepancy(services: Pick<PaymentServices, "db" | "now" | "log">, kind: DiscrepancyKind, subject: string, detail: string): Promise<void> {
  services.log({ event: "discrepancy", level: "error", kind, subject, detail });
  await runBatch(services.db, [raiseDiscrepancy(kind, subject, detail, services.now())]);
}
