/**
 * A payment that arrives after its buyer, seller or listing is gone is refunded. A deal whose side is suspended ends.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
} from "#app/moderation/suspensions/suspensions.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { shipItem } from "#app/deals/fulfilment.server.ts";
import { discrepancies, refunds } from "#app/payments/tables.server.ts";
import { requestOrderPayment, requestPlanPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
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
import { newReceipt, paidReport } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { recordTransfer, reserveTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { asRefund } from "#tests/support/transfers.ts";
import { emailsTo } from "#tests/support/outbox.ts";
import { recordOf } from "#tests/support/seller-record.ts";

let deal: Deal;
beforeEach(async () => {
  deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
});

async function attemptId(): Promise<string> {
  const [attempt] = await readAttempts(deal.orderId);
  return attempt?.id ?? "";
}

async function pay(id: string): Promise<void> {
  await applyAttemptEvent(servicesAt(), id, paidReport());
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
])("a payment that comes in when %s is owed back, and a person is told until it is sent", async (what, reason, go) => {
  await go();
  await pay(await attemptId());

  expect(await readOrder(deal.orderId)).toMatchObject({
    paymentStatus: "failed",
    orderStatus: "expired",
    closedReason: reason,
  });
  expect((await readItem(deal.itemId)).status).toBe("expired");
  // Only a seller who deletes the listing has cancelled.
  expect((await recordOf(deal.sellerId)).cancelled).toBe(what === "its listing is deleted" ? 1 : 0);
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderId, deal.orderId));
  expect(refund).toMatchObject({ amount: deal.amount, reason, state: "due" });
  expect(await openKinds(await attemptId())).toEqual(["payment_for_closed_deal"]);
  expect(await booksOff()).toEqual({});
  const buyer = `${deal.buyerId}@campus.test`;
  const isDeleted =
    (await db.all<{ n: number }>(`SELECT 1 AS n FROM credentials WHERE email = '${buyer}'`)).length === 0;
  expect(await emailsTo(buyer, "refund_due")).toHaveLength(isDeleted ? 0 : 1);
  expect(await emailsTo(`deleted-${deal.buyerId}@deleted.invalid`, "refund_due")).toEqual([]);

  const admin = await makeAdmin();
  await db
    .update(refunds)
    .set({ state: "parked" })
    .where(eq(refunds.id, refund?.id ?? ""));
  expect(await reserveTransfer(servicesAt(), admin, asRefund(refund?.id ?? ""))).toBe(true);
  const sentBack = newReceipt();
  const recorded = await recordTransfer(servicesAt(), admin, asRefund(refund?.id ?? ""), sentBack);
  // Nobody can prove who got the money of a deleted account, so two admins must look.
  expect(recorded).toEqual(isDeleted ? { ok: false, code: "proposed" } : { ok: true });
  if (isDeleted)
    expect(await recordTransfer(servicesAt(), await makeAdmin(), asRefund(refund?.id ?? ""), sentBack)).toEqual({
      ok: true,
    });
  expect(await mpesaConfirms(sentBack)).toBe("receipt_confirmed");
  expect(await openKinds(await attemptId())).toEqual([]);
  expect(await emailsTo(`deleted-${deal.buyerId}@deleted.invalid`, "refund_sent")).toEqual([]);
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

test("when the seller is suspended, what isn't shipped is refunded, and our team decides about the rest", async () => {
  await pay(await attemptId());
  const admin = await makeAdmin();
  const suspension = await suspendUser(servicesAt(), admin, deal.sellerId, "Fake listings");
  expect(suspension).toEqual({ ok: true });
  await advanceDeals(servicesAt());
  expect(await readItem(deal.itemId)).toMatchObject({ status: "cancelled" });
  // It was their money, so the suspended seller is told, too.
  expect(await emailsTo(`${deal.sellerId}@campus.test`, "deal_outcome")).toMatchObject([
    { data: { step: "party_gone" } },
  ]);
  expect(await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId))).toMatchObject([
    { reason: "account_closed", state: "due", amount: 1_900 },
  ]);
  expect(await booksOff()).toEqual({});

  deal = await makeDeal();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  await pay(await attemptId());
  await run("UPDATE order_items SET buyer_contacted = 1, buyer_agreed = 1 WHERE id = ?", deal.itemId);
  await shipItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  await suspendUser(servicesAt(), admin, deal.sellerId, "Fake listings");
  await advanceDeals(servicesAt());
  expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
  expect(await booksOff()).toEqual({});
});

test("a deal goes on if everybody and the listing are back before the job runs", async () => {
  await pay(await attemptId());
  const admin = await makeAdmin();
  const productId = (await readItem(deal.itemId))?.productId ?? "";
  await suspendUser(servicesAt(), admin, deal.sellerId, "Mistaken for somebody else");
  await suspendUser(servicesAt(), admin, deal.buyerId, "Mistaken for somebody else");
  expect(await restoreUser(servicesAt(), admin, deal.sellerId)).toEqual({ ok: true });
  expect(await restoreUser(servicesAt(), admin, deal.buyerId)).toEqual({ ok: true });
  await suspendListing(servicesAt(), admin, productId, "Looked forbidden");
  expect(await restoreListing(servicesAt(), admin, productId)).toEqual({ ok: true });
  await advanceDeals(servicesAt());
  expect(await readItem(deal.itemId)).toMatchObject({ status: "processing" });

  await suspendUser(servicesAt(), admin, deal.buyerId, "Stolen card");
  await suspendUser(servicesAt(), admin, deal.sellerId, "Mistaken for somebody else");
  await restoreUser(servicesAt(), admin, deal.sellerId);
  await advanceDeals(servicesAt());
  expect(await readItem(deal.itemId)).toMatchObject({ status: "cancelled" });
  expect(await booksOff()).toEqual({});
});
