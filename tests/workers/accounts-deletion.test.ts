import { PreconditionFailed, write } from "#app/db/batch.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { readShop } from "#app/shops/shop-check-rules.ts";
import { readShopForm } from "#app/shops/shop-form-rules.ts";
import { saveShop } from "#app/shops/shop-settings.server.ts";
import { joinWaitingList } from "#app/catalogue/stock/stock-waits.server.ts";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { removeDocuments } from "#app/accounts/erase.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { checkDocument, storeDocument } from "#app/accounts/trust/documents.server.ts";
import { changeDetails } from "#app/accounts/profile/settings.server.ts";
import { DELETED_NAME, DELETION_BLOCKER_TEXTS, type DeletionBlocker } from "#app/accounts/login/account-rules.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { issueReports, orderItems } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { TRANSFER_STATES } from "#app/db/states/transfer.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { isAlive, makeAccount, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  type Deal,
  booksOff,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  orderOne,
  putInCart,
  readItem,
  readOrder,
  readPayout,
  runSandbox,
  servicesAt,
  settleDeferred,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { beginConversations } from "#tests/support/messages.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 60_000 });

afterEach(async () => {
  expect(await booksOff()).toEqual({});
});

/** All texts in the database, joined into one. */
async function everythingWritten(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
      AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1\\_%' ESCAPE '\\'
      AND name NOT LIKE 'product%\\_fts%' ESCAPE '\\' AND name NOT LIKE 'product\\_search%' ESCAPE '\\'`,
  ).all<{ name: string }>();
  const rows = await Promise.all(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`).all()));
  return JSON.stringify(rows.map(({ results }) => results));
}

async function pay(deal: Deal): Promise<void> {
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("77") });
  await runSandbox();
  await eventually(async () => expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed"));
  await advancePayments(servicesAt(60_000));
}

async function deliver(deal: Deal): Promise<void> {
  await env.DB.prepare("UPDATE order_items SET status = 'shipped' WHERE id = ?").bind(deal.itemId).run();
  const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
  expect(await deleteAccount(servicesAt(), deal.sellerId)).toEqual({ ok: false, code: "payout_open" });
  await startPayout(servicesAt(), delivered.payoutId, deal.itemId);
  await settleDeferred();
  await runSandbox();
  await eventually(async () => expect((await readPayout(deal.itemId))?.state).toBe("done"));
}

test("deletion erases what tells who they were, everywhere, and the address is free again", async () => {
  const { id, email } = await makeAccount({ name: "Nekesa Wafula-Barasa" });
  const other = await makeAccount();
  const cookie = await sessionCookie(id);
  const productId = await makeProduct(id, { name: "Ramtons kettle" });
  await putInCart(id, await makeProduct(other.id));
  const phone = "254799887766";
  const now = Date.now();
  const checked = await checkDocument(new File(["%PDF-1.7 Nekesa"], "nekesa-id.pdf"), "student_id");
  if (!checked.ok) throw new Error(checked.error);
  const { key } = await storeDocument(servicesAt(), id, checked.document);
  await env.DB.batch([
    env.DB.prepare(
      "UPDATE profiles SET phone = ?1, paying_phone = ?1, campus_location = 'Nekesa Hostel' WHERE id = ?2",
    ).bind(phone, id),
    env.DB.prepare("UPDATE credentials SET metadata = ?, google_subject = 'google-nekesa' WHERE id = ?").bind(
      JSON.stringify({ fullName: "Nekesa", phone }),
      id,
    ),
    env.DB.prepare("UPDATE products SET description = 'Call Nekesa on 0799887766' WHERE id = ?").bind(productId),
    env.DB.prepare(
      `INSERT INTO shops (id, shop_name, description, created_at, updated_at)
        VALUES (?, 'Nekesa Deals', 'By Nekesa', 1, 1)`,
    ).bind(id),
    env.DB.prepare("INSERT INTO shop_follows (user_id, shop_id, created_at) VALUES (?, ?, 1)").bind(other.id, id),
    env.DB.prepare(
      `INSERT INTO wholesaler_details (user_id, business_name, created_at, updated_at)
        VALUES (?, 'Nekesa Wholesale', 1, 1)`,
    ).bind(id),
    env.DB.prepare(
      "INSERT INTO wholesaler_codes (id, code, is_used, used_by, created_at) VALUES ('w1', 'NK1', 1, ?, 1)",
    ).bind(email),
    env.DB.prepare(
      `INSERT INTO messages (id, thread, sender_id, recipient_id, message, sender_name, recipient_name, created_at)
        VALUES ('m1', ?, ?, ?, 'I am Nekesa', 'Nekesa Wafula-Barasa', 'Other', 1)`,
    ).bind(threadOf(id, other.id), id, other.id),
    env.DB.prepare(
      `INSERT INTO messages (id, thread, sender_id, recipient_id, message, sender_name, recipient_name, created_at)
        VALUES ('m2', ?, ?, ?, 'Hello', 'Other', 'Nekesa Wafula-Barasa', 2)`,
    ).bind(threadOf(id, other.id), other.id, id),
  ]);
  await beginConversations();
  const mail = queueEffect(
    "mail:n",
    { to: email, template: "welcome", data: { name: "Nekesa" } },
    { topic: "mail", traffic: "messages", now },
  );
  await write(db, [mail]);

  const deleted = await deleteAccount(servicesAt(), id);
  expect(deleted).toEqual({ ok: true, documentKeys: [key] });
  if (deleted.ok) await removeDocuments(servicesAt(), deleted.documentKeys);

  const written = await everythingWritten();
  for (const trace of ["Nekesa", "nekesa", `"${email}"`, phone, "0799887766", "google-nekesa"])
    expect(written).not.toContain(trace);
  expect(await env.DOCUMENTS.list({ prefix: `verification-documents/${id}` })).toMatchObject({ objects: [] });
  expect(await isAlive(cookie)).toBe(false);
  expect(await signIn(servicesAt(), { email, password: PASSWORD, address: null, device: null })).toEqual({
    ok: false,
    code: "invalid",
  });
  expect(await readRow("profiles", id)).toMatchObject({ full_name: "Deleted user", phone: null, paying_phone: null });
  expect(
    await env.DB.prepare("SELECT COUNT(*) AS n FROM products WHERE seller_id = ? AND deleted_at IS NULL")
      .bind(id)
      .first(),
  ).toEqual({ n: 0 });
  await env.DB.prepare("INSERT INTO credentials (id, email, created_at, updated_at) VALUES (?, ?, 1, 1)")
    .bind(crypto.randomUUID(), email)
    .run();
});

test("an account with money under way stays until it has arrived, on both sides, and the books stay right", async () => {
  const deal = await makeDeal({ price: 1_200 });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  for (const userId of [deal.buyerId, deal.sellerId])
    expect(await deleteAccount(servicesAt(), userId)).toEqual({ ok: false, code: "payment_open" });

  const paid = await makeDeal({ price: 900 });
  await pay(paid);
  expect(await deleteAccount(servicesAt(), paid.buyerId)).toEqual({ ok: false, code: "purchase_open" });
  expect(await deleteAccount(servicesAt(), paid.sellerId)).toEqual({ ok: false, code: "sale_open" });

  await deliver(paid);
  await env.DB.prepare(
    `INSERT INTO receipt_checks (id, payout_id, receipt, phone, token, asked_by, state, created_at)
      VALUES ('t1', ?, 'QKA1B2C3D5', '254799887755', 'token-t1', ?, 'dismissed', 1)`,
  )
    .bind((await readPayout(paid.itemId))?.id ?? "", paid.buyerId)
    .run();
  expect(await deleteAccount(servicesAt(), paid.sellerId)).toMatchObject({ ok: true });
  expect(await everythingWritten()).not.toContain("254799887755");
  // A callback that couldn't be applied has the payer's number, too.
  await env.DB.prepare(
    `INSERT INTO payment_callbacks (id, kind, token, body, received_at, outcome)
      SELECT 'failed', 'push', callback_token, '254799887744', 1, 'failed' FROM payment_attempts WHERE order_id = ?`,
  )
    .bind(paid.orderId)
    .run();
  expect(await deleteAccount(servicesAt(), paid.buyerId)).toMatchObject({ ok: true });
  expect(await everythingWritten()).not.toContain("254799887744");
  expect(await readOrder(paid.orderId)).toMatchObject({ amount: 900, paymentStatus: "completed", phoneNumber: null });
  expect(await readItem(paid.itemId)).toMatchObject({
    productName: "Casio fx-991ES",
    subtotal: 900,
    status: "completed",
  });
});

/** Somebody whose account each reason keeps. */
const BLOCKERS: Record<DeletionBlocker, () => Promise<string>> = {
  admin: async () => {
    const { id } = await makeAccount();
    await db.update(profiles).set({ adminRole: "owner" }).where(eq(profiles.id, id));
    return id;
  },
  payment_open: async () => {
    const deal = await makeDeal();
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
    return deal.buyerId;
  },
  purchase_open: async () => (await payDeal()).buyerId,
  sale_open: async () => (await payDeal()).sellerId,
  payout_open: async () => {
    const deal = await payDeal();
    await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
    await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "accepted", by: deal.buyerId });
    return deal.sellerId;
  },
  refund_open: async () => {
    const deal = await payDeal();
    await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "cancelled_by_buyer", by: deal.buyerId });
    return deal.buyerId;
  },
  report_open: async () => {
    const { buyerId, sellerId, orderId } = await makeDeal();
    await db.insert(issueReports).values({
      id: crypto.randomUUID(),
      userId: buyerId,
      sellerId,
      orderId,
      description: "It is broken.",
      createdAt: 1,
    });
    return sellerId;
  },
};

test.each(Object.entries(BLOCKERS))("%s keeps an account, and takes nothing of it", async (code, make) => {
  const userId = await make();
  const read = () => db.select().from(profiles).where(eq(profiles.id, userId));
  const before = await read();
  expect(await deleteAccount(servicesAt(), userId)).toEqual({ ok: false, code });
  expect(await read()).toEqual(before);
});

test.each(["the whole order", "one of its sellers"] as const)(
  "an open report about %s keeps the accounts of all who are in the order until it is closed",
  async (about) => {
    const { id: buyerId } = await makeAccount();
    const sellers = [(await makeAccount()).id, (await makeAccount()).id];
    for (const sellerId of sellers) await putInCart(buyerId, await makeProduct(sellerId, { price: 500 }));
    const placed = await placeOrder(servicesAt(), {
      userId: buyerId,
      idempotencyKey: crypto.randomUUID(),
      expectedAmount: 1_000,
      from: { cart: true },
    });
    if (!placed.ok) throw new Error(placed.code);
    const sellerId = about === "the whole order" ? null : (sellers[0] ?? null);
    const id = crypto.randomUUID();
    const report = { id, userId: buyerId, sellerId, orderId: placed.orderId, description: "It is broken." };
    await db.insert(issueReports).values({ ...report, createdAt: 1 });
    for (const userId of [buyerId, ...sellers])
      expect(await deleteAccount(servicesAt(), userId)).toEqual({ ok: false, code: "report_open" });
    await db.update(issueReports).set({ status: "closed" }).where(eq(issueReports.id, id));
    for (const userId of [...sellers, buyerId])
      expect(await deleteAccount(servicesAt(), userId)).toMatchObject({ ok: true });
  },
);

test("a refund and a payout keep an account in each state in which somebody still waits for the money", async () => {
  const set = (sql: string, state: string, userId: string) => env.DB.prepare(sql).bind(state, userId).run();
  const ofBuyer =
    "UPDATE refunds SET state = ? WHERE attempt_id IN (SELECT id FROM payment_attempts WHERE user_id = ?)";
  const ofSeller = "UPDATE payouts SET state = ? WHERE seller_id = ?";
  for (const state of TRANSFER_STATES) {
    const buyerId = await BLOCKERS.refund_open();
    await set(ofBuyer, state, buyerId);
    expect([state, (await deleteAccount(servicesAt(), buyerId)).ok]).toEqual([state, state === "done"]);
    await set(ofBuyer, "due", buyerId);
  }
  for (const state of TRANSFER_STATES) {
    const sellerId = await BLOCKERS.payout_open();
    await set(ofSeller, state, sellerId);
    expect([state, (await deleteAccount(servicesAt(), sellerId)).ok]).toEqual([state, state === "done"]);
    await set(ofSeller, "due", sellerId);
  }
});

test("an order that was not paid closes with either account, and can be paid no more", async () => {
  const [bought, sold] = [await makeDeal(), await makeDeal()];
  expect(await deleteAccount(servicesAt(), bought.buyerId)).toMatchObject({ ok: true });
  expect(await deleteAccount(servicesAt(), sold.sellerId)).toMatchObject({ ok: true });
  for (const deal of [bought, sold]) {
    expect(await readOrder(deal.orderId)).toMatchObject({ orderStatus: "expired" });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "expired" });
  }
  expect(
    await requestOrderPayment(servicesAt(), { orderId: sold.orderId, userId: sold.buyerId, phone: uniquePhone("77") }),
  ).toMatchObject({ ok: false, code: "closed" });
});

test("what a deleted seller offered cannot be bought", async () => {
  const [seller, buyer] = [await makeAccount(), await makeAccount()];
  const productId = await makeProduct(seller.id, { price: 500 });
  await deleteAccount(servicesAt(), seller.id);
  expect(await orderOne(buyer.id, productId, { price: 500 })).toMatchObject({ ok: false });
});

test("what arrives after the deletion is kept nowhere", async () => {
  const { id } = await makeAccount();
  const productId = await makeProduct(await makeUser(), { stock: 0 });
  expect(await deleteAccount(servicesAt(), id)).toMatchObject({ ok: true });
  const checked = await checkDocument(new File(["%PDF-1.7 Nekesa"], "nekesa-id.pdf"), "student_id");
  if (!checked.ok) throw new Error("refused");
  await expect(storeDocument(servicesAt(), id, checked.document)).rejects.toThrow(PreconditionFailed);
  const form = new FormData();
  form.set("shopName", "Late Shop");
  const shop = readShop(readShopForm(form));
  if (!shop.ok) throw new Error("not a shop");
  expect(await saveShop(servicesAt(), id, shop.details)).toMatchObject({ ok: false });
  const search = { words: "lamp", filters: NO_LIST_FILTERS };
  expect(await joinWaitingList(servicesAt(), { userId: id, productId })).toMatchObject({ ok: false });
  expect(await saveSearch(servicesAt(), { userId: id, saved: search })).toMatchObject({ ok: false });
  expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM saved_queries").first()).toEqual({ n: 0 });
  const details = { fullName: "Late Nekesa", phone: null, campusLocation: "Main Campus", currentPassword: "" };
  expect(await changeDetails(servicesAt(), id, details, () => [])).toEqual({ ok: false, phone: "needed" });
  expect(await readRow("profiles", id)).toMatchObject({ full_name: DELETED_NAME, campus_location: null });
  for (const table of ["verification_documents WHERE user_id", "shops WHERE id", "stock_waits WHERE user_id"])
    expect(await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} = ?`).bind(id).first()).toEqual({ n: 0 });
});

test("of two deletions at once, one wins", async () => {
  const { id } = await makeAccount();
  const results = await Promise.all([
    deleteAccount(servicesAt(), id),
    deleteAccount(servicesAt(), id),
    deleteAccount(servicesAt(), id),
  ]);
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.code === "gone")).toHaveLength(2);
});

test("a deletion and an order of what is being deleted cannot both go through", async () => {
  const [seller, buyer] = [await makeAccount(), await makeAccount()];
  const productId = await makeProduct(seller.id, { price: 700 });
  const [deleted, placed] = await Promise.all([
    deleteAccount(servicesAt(), seller.id),
    orderOne(buyer.id, productId, { price: 700 }),
  ]);
  expect(deleted.ok).toBe(true);
  if (placed.ok) expect((await readOrder(placed.orderId)).orderStatus).toBe("expired");
});

test("every reason to keep an account has a sentence that says what to do", () => {
  for (const text of Object.values(DELETION_BLOCKER_TEXTS)) expect(text).toMatch(/(wait|deliver|Ask)/);
});
