import { sql } from "drizzle-orm";
import type { PaymentServices } from "./services.ts";

/** Puts something before a person: logged, and listed once a kind and subject until resolved. */
export async function recordDiscrepancy(services: Pick<PaymentServices, "db" | "now" | "log">, kind: string, subject: string, detail: string): Promise<void> {
  services.log({ event: "discrepancy", kind, subject, detail });
  await services.db.run(
    sql`INSERT INTO discrepancies (id, kind, subject, detail, created_at) VALUES (${crypto.randomUUID()}, ${kind}, ${subject}, ${detail.slice(0, 1000)}, ${services.now()})
      ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail, resolved_at = NULL`,
  );
}
