/**
 * A used item is sold once: after its payment nobody else can buy it, and a buyer who paid at the same moment gets the
 * money back.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outbox } from "#app/db/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  booksOff,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  readAttempts,
  readItem,
  readOrder,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { paymentArrives } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit, wordsOf } from "#tests/support/visit.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { recordTransfer, reserveTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { asRefund } from "#tests/support/transfers.ts";

interface Purchase {
  buyerId: string;
  orderId: string;
}

async function listed(
  price = 1_900,
  condition: "new" | "good" = "good",
): Promise<{ sellerId: string; productId: string }> {
  const sellerId = await makeUser();
  return { sellerId, productId: await makeProduct(sellerId, { price, condition }) };
}

async function buys(productId: string, price = 1_900): Promise<Purchase> {
  const buyerId = await makeUser();
  return { buyerId, orderId: await orderedOne(buyerId, productId, { price }) };
}

function ask({ orderId, buyerId }: Purchase) {
  return requestOrderPayment(servicesAt(), { orderId, userId: buyerId, phone: uniquePhone("00") });
}

async function runsOut({ orderId }: Purchase): Promise<void> {
  await applyAttemptEvent(servicesAt(), (await readAttempts(orderId)).at(-1)?.id ?? "", { event: "timed_out" });
}

async function statusOf(productId: string) {
  const [product] = await db
    .select({ status: products.status, soldAt: products.soldAt })
    .from(products)
    .where(eq(products.id, productId));
  return product;
}

async function itemOf(orderId: string): Promise<string> {
  return (
    (await env.DB.prepare("SELECT id FROM order_items WHERE order_id = ?").bind(orderId).first<string>("id")) ?? ""
  );
}

test("its payment takes it off sale with a word to the seller, who puts it back from the order's page", async () => {
  const { sellerId, productId } = await listed();
  const [first, second] = [await buys(productId), await buys(productId)];
  await ask(first);
  await paymentArrives(first.orderId);

  expect(await statusOf(productId)).toEqual({ status: "sold", soldAt: expect.any(Number) });
  expect(await ask(second)).toMatchObject({
    ok: false,
    code: "closed",
    error: "Casio fx-991ES is no longer available. Please order again without it.",
  });
  await expect(buys(productId)).rejects.toThrow("unavailable");
  const itemId = await itemOf(first.orderId);
  const [mail] = await db
    .select()
    .from(outbox)
    .where(eq(outbox.dedupeKey, `new_sale:${itemId}`));
  expect(mail?.payload).toContain('"taken":true');

  const path = `/seller/orders/${itemId}`;
  // Nothing was paid out yet. The page says so, with a label while M-Pesa is simulated.
  const played = await (await visit(path, { as: sellerId })).text();
  expect(played).toContain("B2C testing mode");
  expect(played).toContain("No payout yet.");
  expect(await (await visit(path, { as: sellerId, bindings: { DARAJA_MODE: "production" } })).text()).not.toContain(
    "B2C testing",
  );
  expect(await (await visit(path, { as: sellerId })).text()).toContain("Put back on sale");
  const back = await visit(`/product/${productId}/manage`, {
    as: sellerId,
    form: { intent: "stock", seen: "0", stock: "1", from: path },
  });
  expect(back.headers.get("location")).toBe(path);
  expect(await statusOf(productId)).toEqual({ status: "active", soldAt: null });
  expect((await findSoldItem(servicesAt(), itemId, sellerId))?.item.listingSold).toBe(0);
  // Back on sale, it is sold once more.
  await ask(second);
  await paymentArrives(second.orderId);
  expect(await readOrder(second.orderId)).toMatchObject({ paymentStatus: "completed" });
  expect(await booksOff()).toEqual({});
});

test("what is new stays on sale, and is paid for by many at once", async () => {
  const { productId } = await listed(1_900, "new");
  const both = [await buys(productId), await buys(productId)];
  for (const purchase of both) expect(await ask(purchase)).toMatchObject({ ok: true });
  for (const purchase of both) await paymentArrives(purchase.orderId);
  expect(await statusOf(productId)).toMatchObject({ status: "active" });
  for (const { orderId } of both) expect(await readOrder(orderId)).toMatchObject({ paymentStatus: "completed" });
});

test("a payment that comes late for what was sold meanwhile is owed back, and its order closed with the reason", async () => {
  const { productId } = await listed();
  const [late, quick] = [await buys(productId), await buys(productId)];
  await ask(late);
  await runsOut(late);
  await ask(quick);
  await paymentArrives(quick.orderId);
  await paymentArrives(late.orderId);

  expect(await readOrder(quick.orderId)).toMatchObject({ paymentStatus: "completed" });
  expect(await readOrder(late.orderId)).toMatchObject({
    paymentStatus: "failed",
    orderStatus: "expired",
    closedReason: "sold_to_someone_else",
  });
  expect((await readItem(await itemOf(late.orderId))).status).toBe("expired");
  expect(
    await db
      .select({ amount: refunds.amount, reason: refunds.reason })
      .from(refunds)
      .where(eq(refunds.orderId, late.orderId)),
  ).toEqual([{ amount: 1_900, reason: "sold_to_someone_else" }]);
  const mails = (await db.select().from(outbox)).filter(
    ({ payload }) => payload.includes("refund_due") && payload.includes(late.orderId),
  );
  expect(mails.map(({ payload }) => payload.includes('"reason":"sold_to_someone_else"'))).toEqual([true]);
  expect(await (await visit(`/checkout/${late.orderId}`, { as: late.buyerId })).text()).toContain(
    "Your money is coming back",
  );
  const confirmation = await (await visit(`/order-confirmation/${late.orderId}`, { as: late.buyerId })).text();
  expect(confirmation).toContain("Your money is coming back");
  expect(confirmation).not.toMatch(/Order Received|once you pay|still being processed|Track Order/);
  const read = async (path: string) => (await (await visit(path, { as: late.buyerId })).text()).split("</main>")[0];
  expect(await read("/profile?tab=orders")).toContain("Your money is coming back");
  expect(await booksOff()).toEqual({});

  const [owed] = await db.select().from(refunds).where(eq(refunds.orderId, late.orderId));
  await db
    .update(refunds)
    .set({ state: "parked" })
    .where(eq(refunds.id, owed?.id ?? ""));
  const admin = await makeAdmin();
  expect(await reserveTransfer(servicesAt(), admin, asRefund(owed?.id ?? ""))).toBe(true);
  expect(await recordTransfer(servicesAt(), admin, asRefund(owed?.id ?? ""), "TBACK00001")).toEqual({ ok: true });
  expect(await mpesaConfirms("TBACK00001")).toBe("receipt_confirmed");
  for (const path of ["/checkout", "/order-confirmation", "/orders"]) {
    const page = wordsOf((await read(`${path}/${late.orderId}`)) ?? "");
    expect(page).toContain("Your money was sent back");
    expect(page).toContain("The M-Pesa receipt is TBACK00001.");
    expect(page).not.toMatch(/coming back|sending your money|On its way back/);
  }
  expect(await read("/profile?tab=orders")).toContain("Your money was sent back");
});

test("of two late payments at the same moment one buys it and the other is owed back", async () => {
  const { productId } = await listed();
  const both = [await buys(productId), await buys(productId)];
  for (const purchase of both) {
    await ask(purchase);
    await runsOut(purchase);
  }
  await Promise.all(both.flatMap((purchase) => [paymentArrives(purchase.orderId), paymentArrives(purchase.orderId)]));
  const states = await Promise.all(both.map(async ({ orderId }) => (await readOrder(orderId)).paymentStatus));
  expect(states.toSorted()).toEqual(["completed", "failed"]);
  expect(await booksOff()).toEqual({});
});
