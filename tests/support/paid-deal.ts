/** Deals for tests of what happens after the payment. */
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { write } from "#app/db/batch.ts";
import { dealEvents, orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentCallbacks } from "#app/payments/tables.server.ts";
import { agreeOnItem, contactBuyer } from "#app/deals/agreement.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { type AttemptReport, applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { eventually } from "./eventually.ts";
import {
  type Deal,
  db,
  makeDeal,
  quietServices,
  readAttempts,
  runSandbox,
  servicesAt,
  uniquePhone,
} from "./fixtures.ts";

let receipts = 0;

/** A receipt number that no other payment in this file has. */
export function newReceipt(): string {
  receipts += 1;
  return `TEST${String(receipts).padStart(6, "0")}`;
}

/** M-Pesa's report that an attempt was paid. */
export function paidReport(): Extract<AttemptReport, { event: "paid" }> {
  return { event: "paid", receipt: newReceipt(), paidAt: null, checkoutRequestId: null };
}

/** M-Pesa reports that the last attempt of an order was paid. */
export async function paymentArrives(orderId: string, offsetMs = 0): Promise<void> {
  const attempt = (await readAttempts(orderId)).at(-1);
  const report = { ...paidReport(), checkoutRequestId: attempt?.checkoutRequestId ?? null };
  await applyAttemptEvent(servicesAt(offsetMs), attempt?.id ?? "", report);
}

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
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paidReport());
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
}

/** Pays an order through the sandbox, and confirms the payment. Returns the attempt's id. */
export async function payInSandbox({ orderId, buyerId }: Deal, phone: string): Promise<string> {
  await requestOrderPayment(servicesAt(), { orderId, userId: buyerId, phone });
  await runSandbox();
  const attemptId = await eventually(async () => {
    const [attempt] = await readAttempts(orderId);
    expect(attempt).toMatchObject({ state: "succeeded" });
    return attempt?.id ?? "";
  });
  await applyAttemptEvent(servicesAt(), attemptId, { event: "confirmed" });
  return attemptId;
}

/** The sandbox takes its next steps, and what it reported of payments is applied. */
export async function letTimePass(): Promise<void> {
  await runSandbox();
  await eventually(async () => {
    const open = await db.select().from(paymentCallbacks).where(eq(paymentCallbacks.kind, "push"));
    expect(open.filter((callback) => callback.appliedAt === null)).toEqual([]);
  });
}

/** The seller contacts the buyer, and the buyer agrees. */
export async function agreeOn({ itemId, buyerId, sellerId }: Deal): Promise<void> {
  const now = servicesAt().now();
  await write(db, [...contactBuyer(itemId, sellerId, now), ...agreeOnItem(itemId, buyerId, now)]);
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
