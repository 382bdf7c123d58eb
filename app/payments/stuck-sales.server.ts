import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PAYMENT } from "#app/db/states/order.ts";
import { sql } from "drizzle-orm";
import { type DiscrepancyKind, raiseDiscrepancy, runRaising } from "./discrepancies.server.ts";
import type { PaymentServices } from "./payment-services.ts";

/** How long a paid item may wait for its delivery before a person is told, in ms. */
const DELIVERY_PATIENCE_MS = 14 * 24 * 60 * 60_000;
/** How many sales one run reports at most. */
const AT_ONCE = 50;

const KIND = "sale_stuck" satisfies DiscrepancyKind;

/**
 * Raises a discrepancy for paid items that may never be delivered: the buyer or the seller is suspended, or two weeks
 * have passed. Each item is reported once, and resolved once it is delivered.
 */
export async function reportStuckSales(services: PaymentServices): Promise<void> {
  const now = services.now();
  const stuck = await services.db.all<{ id: string; suspended: number }>(
    sql`SELECT i.id, EXISTS (SELECT 1 FROM credentials c WHERE c.id IN (i.seller_id, o.user_id) AND c.suspended_at IS NOT NULL) AS suspended
      FROM order_items i JOIN orders o ON o.id = i.order_id
      WHERE ${stateIs("i.status", ITEM.isOpen)} AND i.subtotal > 0 AND ${stateIs("o.payment_status", PAYMENT.isPaid)}
        AND (suspended OR COALESCE(o.payment_date, o.updated_at) < ${now - DELIVERY_PATIENCE_MS})
        AND NOT EXISTS (SELECT 1 FROM discrepancies d WHERE d.kind = ${KIND} AND d.subject = i.id)
      LIMIT ${AT_ONCE}`,
  );
  await runRaising(services, [
    sql`UPDATE discrepancies SET resolved_at = ${now}, resolution = ${"delivered"} WHERE kind = ${KIND} AND resolved_at IS NULL
      AND subject IN (SELECT id FROM order_items WHERE ${stateIs("status", ITEM.isDelivered)})`,
    ...stuck.flatMap(({ id, suspended }) =>
      raiseDiscrepancy(
        KIND,
        id,
        suspended === 1 ? "paid, but its buyer or seller is suspended" : "paid two weeks ago, and not delivered",
        now,
      ),
    ),
  ]);
}
