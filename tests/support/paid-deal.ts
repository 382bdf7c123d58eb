/** Deals for tests of what happens after the payment. */
import { eq, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import { dealEvents, orderItems, orders } from "#app/db/schema.ts";
import { agreeOnItem, contactBuyer } from "#app/deals/agreement.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { type Deal, db, makeDeal, quietServices, readAttempts, servicesAt, uniquePhone } from "./fixtures.ts";

let receipts = 0;

/** One item, paid by its buyer, with the payment confirmed. */
export async function payDeal(input: Parameters<typeof makeDeal>[0] = {}): Promise<Deal> {
  const deal = await makeDeal(input);
  await pay(deal);
  return deal;
}

/** Pays an order. `late`: its payment arrives after the order was closed. */
export async function pay(deal: Deal, { late = false } = {}): Promise<void> {
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  if (late) {
    await db
      .update(orders)
      .set({ orderStatus: "expired", closedReason: "expired_unpaid" })
      .where(eq(orders.id, deal.orderId));
    await db.update(orderItems).set({ status: "expired" }).where(eq(orderItems.orderId, deal.orderId));
  }
  receipts += 1;
  const receipt = `TPAID${String(receipts).padStart(5, "0")}`;
  const paid = { event: "paid", receipt, paidAt: null, checkoutRequestId: null } as const;
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paid);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
}

/** The seller contacts the buyer, and the buyer agrees. */
export async function agreeOn({ itemId, buyerId, sellerId }: Deal): Promise<void> {
  const now = servicesAt().now();
  await runBatch(db, [...contactBuyer(itemId, sellerId, now), ...agreeOnItem(itemId, buyerId, now)]);
}

/** What happened to an item, in its order: "seller: shipped". */
export async function historyOf({ itemId }: Pick<Deal, "itemId">): Promise<string[]> {
  const rows = await db
    .select({ event: dealEvents.event, actor: dealEvents.actor })
    .from(dealEvents)
    .where(eq(dealEvents.orderItemId, itemId))
    .orderBy(sql`rowid`);
  return rows.map(({ event, actor }) => `${actor}: ${event}`);
}
