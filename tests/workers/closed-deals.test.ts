/**
 * A payment that arrives after its buyer, seller or listing is gone is refunded. A sale that nobody can deliver raises
 * a discrepancy.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#app/accounts/delete-account.server.ts";
import { recordRefund } from "#app/admin/money-moves.server.ts";
import { discrepancies, outbox, refunds } from "#app/db/schema.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/settlement.server.ts";
import { reportStuckSales } from "#app/payments/stuck-sales.server.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeUser,
  readAttempts,
  readItem,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { makeAdmin } from "#tests/support/visit.ts";

const DAY_MS = 24 * 60 * 60_000;

let deal: Deal;
beforeEach(async () => {
  deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
});

async function attemptId(): Promise<string> {
  const [attempt] = await readAttempts(deal.orderId);
  return attempt?.id ?? "";
}

let receipts = 0;
async function pay(id: string): Promise<void> {
  receipts += 1;
  const receipt = `TGONE${String(receipts).padStart(5, "0")}`;
  await applyAttemptEvent(servicesAt(), id, { event: "paid", receipt, paidAt: null, checkoutRequestId: null });
}

async function cancel(): Promise<void> {
  const declined = { event: "declined", code: "1032", message: "cancelled", reason: "cancelled" } as const;
  await applyAttemptEvent(servicesAt(), await attemptId(), declined);
}

const run = (query: string, id: string) => env.DB.prepare(query).bind(id).run();

async function removeAccount(id: string): Promise<void> {
  await cancel();
  expect(await deleteAccount(servicesAt(), id)).toMatchObject({ ok: true });
}

async function openKinds(subject: string): Promise<string[]> {
  const rows = await db.select().from(discrepancies).where(eq(discrepancies.subject, subject));
  return rows.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind }) => kind);
}

async function mailsOf(template: Mail["template"], address: string): Promise<Mail[]> {
  const rows = await db.select({ payload: outbox.payload }).from(outbox);
  return rows
    .map(({ payload }) => JSON.parse(payload) as Mail)
    .filter((mail) => mail.template === template && mail.to === address);
}

const SUSPEND = "UPDATE credentials SET suspended_at = 1 WHERE id = ?";

test.each<[string, "account_closed" | "listing_removed", () => Promise<unknown>]>([
  ["its seller is suspended", "account_closed", () => run(SUSPEND, deal.sellerId)],
  ["its buyer is suspended", "account_closed", () => run(SUSPEND, deal.buyerId)],
  ["its seller deleted the account", "account_closed", () => removeAccount(deal.sellerId)],
  ["its buyer cancelled and deleted the account", "account_closed", () => removeAccount(deal.buyerId)],
  [
    "its listing is deleted",
    "listing_removed",
    () => run("UPDATE products SET deleted_at = 1 WHERE id = ?", deal.productId),
  ],
  [
    "its listing is taken down",
    "listing_removed",
    () => run("UPDATE products SET suspended_at = 1 WHERE id = ?", deal.productId),
  ],
])("a payment that comes in when %s is owed back, and a person is told until it is sent", async (_case, reason, go) => {
  await go();
  await pay(await attemptId());

  expect(await readOrder(deal.orderId)).toMatchObject({
    paymentStatus: "failed",
    orderStatus: "expired",
    closedReason: reason,
  });
  expect((await readItem(deal.itemId)).status).toBe("expired");
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderId, deal.orderId));
  expect(refund).toMatchObject({ amount: deal.amount, reason, state: "due" });
  expect(await openKinds(await attemptId())).toEqual(["payment_for_closed_deal"]);
  expect(await booksOff()).toEqual({});
  const buyer = `${deal.buyerId}@campus.test`;
  const isDeleted =
    (await db.all<{ n: number }>(`SELECT 1 AS n FROM credentials WHERE email = '${buyer}'`)).length === 0;
  expect(await mailsOf("refund_due", buyer)).toHaveLength(isDeleted ? 0 : 1);
  expect(await mailsOf("refund_due", `deleted-${deal.buyerId}@deleted.invalid`)).toEqual([]);

  const admin = await makeAdmin();
  receipts += 1;
  const sent = await recordRefund(servicesAt(), admin, refund?.id ?? "", `TBACK${String(receipts).padStart(5, "0")}`);
  expect(sent).toEqual({ ok: true });
  expect(await openKinds(await attemptId())).toEqual([]);
  expect(await mailsOf("refund_sent", `deleted-${deal.buyerId}@deleted.invalid`)).toEqual([]);
});

test("a plan that is paid for after its owner was suspended is owed back", async () => {
  const owner = await makeUser();
  const asked = await requestPlanPayment(servicesAt(), {
    userId: owner,
    plan: "weekly_featured",
    phone: uniquePhone("00"),
  });
  if (!asked.ok) throw new Error("not asked");
  await run(SUSPEND, owner);
  await pay(asked.attemptId);
  expect(await db.select().from(refunds).where(eq(refunds.attemptId, asked.attemptId))).toMatchObject([
    { reason: "account_closed", state: "due" },
  ]);
  expect(await openKinds(asked.attemptId)).toEqual(["payment_for_closed_deal"]);
  expect(await booksOff()).toEqual({});
});

test("a paid item is reported once its seller is suspended, or after two weeks, and no more once it is delivered", async () => {
  await pay(await attemptId());
  await reportStuckSales(servicesAt());
  expect(await openKinds(deal.itemId)).toEqual([]);
  await reportStuckSales(servicesAt(15 * DAY_MS));
  expect(await openKinds(deal.itemId)).toEqual(["sale_stuck"]);
  await run("UPDATE order_items SET status = 'delivered' WHERE id = ?", deal.itemId);
  await reportStuckSales(servicesAt(15 * DAY_MS));
  expect(await openKinds(deal.itemId)).toEqual([]);

  deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  await pay(await attemptId());
  await run(SUSPEND, deal.sellerId);
  await reportStuckSales(servicesAt());
  expect(await openKinds(deal.itemId)).toEqual(["sale_stuck"]);
});
