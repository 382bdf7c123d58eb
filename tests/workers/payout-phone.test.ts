/**
 * The number for a seller's payouts: required before the first listing, and never changed unnoticed or with a borrowed
 * phone.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { completeProfile, readProfilePrefill } from "#app/accounts/profile/complete-profile.server.ts";
import { removePhone, savePhone } from "#app/accounts/profile/payout-phone.server.ts";
import { payouts } from "#app/payments/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { cheapHash, PASSWORD } from "#tests/support/accounts.ts";
import { type Deal, db, makeDeal, makeUser, readPayout, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asPayout } from "#tests/support/transfers.ts";
import { emailsTo } from "#tests/support/outbox.ts";

const OLD = "254711000012";
const NEW = "254711000034";
const DAY_MS = 24 * 60 * 60_000;

let deal: Deal;
let seller = "";
beforeEach(async () => {
  deal = await makeDeal({ sellerPhone: OLD });
  seller = deal.sellerId;
  await env.DB.batch([
    env.DB.prepare("UPDATE credentials SET password_hash = ? WHERE id = ?").bind(cheapHash(), seller),
    env.DB.prepare("UPDATE profiles SET is_seller = 1 WHERE id = ?").bind(seller),
  ]);
});

async function phoneOf(id: string) {
  const [profile] = await db.select({ phone: profiles.phone }).from(profiles).where(eq(profiles.id, id));
  return profile?.phone;
}

const mailsTo = (id: string) => emailsTo(`${id}@campus.test`, "payout_phone_changed");

function saveDetails(phone: string, more: Record<string, string> = {}, as = seller) {
  return visit("/settings.data", {
    as,
    form: { intent: "details", fullName: "Wanjiku Otieno", campusLocation: "Main Campus", phone, ...more },
  });
}

/** The buyer has paid: the seller's money is on its way. */
function soldOne() {
  return env.DB.prepare("UPDATE order_items SET status = 'processing' WHERE id = ?").bind(deal.itemId).run();
}

describe("another number", () => {
  test("is told to the seller by mail at once, once, by its last digits; the same number and a buyer's are not", async () => {
    await saveDetails("0711 000 034");
    expect(await phoneOf(seller)).toBe(NEW);
    expect(await mailsTo(seller)).toMatchObject([
      {
        to: `${seller}@campus.test`,
        template: "payout_phone_changed",
        data: { name: "Wanjiku Otieno", was: "12", is: "34", heldUntil: expect.any(Number) },
      },
    ]);
    await saveDetails(NEW);
    expect(await mailsTo(seller)).toHaveLength(1);

    await saveDetails(NEW, {}, deal.buyerId);
    expect([await phoneOf(deal.buyerId), await mailsTo(deal.buyerId)]).toEqual([NEW, []]);
  });

  test("takes the password while money is on its way, until it has arrived", async () => {
    await soldOne();
    const silent = await saveDetails(NEW);
    expect([silent.status, await silent.text()]).toEqual([
      400,
      expect.stringContaining("Money is on its way to you. Enter your password to change your number."),
    ]);
    const wrong = await saveDetails(NEW, { currentPassword: "not-it-at-all" });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("Wrong current password")]);
    expect([await phoneOf(seller), await mailsTo(seller)]).toEqual([OLD, []]);
    // Everything else is changed without it.
    expect((await saveDetails(OLD, { fullName: "Wanjiku Kamau" })).status).toBe(202);
    expect(await (await visit("/profile?tab=settings", { as: seller })).text()).toContain(
      "Money is on its way to you, so you need your password to change your phone.",
    );

    expect((await saveDetails(NEW, { currentPassword: PASSWORD })).status).toBe(202);
    expect([await phoneOf(seller), (await mailsTo(seller)).length]).toEqual([NEW, 1]);

    await env.DB.prepare("UPDATE order_items SET status = 'completed' WHERE id = ?").bind(deal.itemId).run();
    expect((await saveDetails(OLD)).status).toBe(202);
  });

  test("cannot be set without the password by another form, also not by who stops being a seller first", async () => {
    await soldOne();
    const profile = { fullName: "Wanjiku Otieno", phone: NEW, campusLocation: "Main Campus", isSeller: "on" };
    const completed = await visit("/complete-profile.data", { as: seller, form: profile });
    expect(await completed.text()).toContain("To change this number, go to Settings and enter your password.");

    const { isSeller: _, ...buyerOnly } = { ...profile, phone: OLD };
    expect((await visit("/complete-profile.data", { as: seller, form: buyerOnly })).status).toBe(202);
    const reopened = await visit("/become-seller", { as: seller, form: { phone: NEW, promise: "on" } });
    expect([reopened.status, await reopened.text()]).toEqual([
      409,
      expect.stringContaining("To change this number, go to Settings and enter your password."),
    ]);
    expect([await phoneOf(seller), await mailsTo(seller)]).toEqual([OLD, []]);
  });

  test("is refused by the write itself where something is sold between the check and the write", async () => {
    const services = servicesAt();
    const batch = services.db.$client.batch.bind(services.db.$client);
    vi.spyOn(services.db.$client, "batch").mockImplementation(async (statements) => {
      await soldOne();
      return batch(statements);
    });
    const saved = await savePhone(services, { userId: seller, phone: NEW, passwordHash: null }, []);
    vi.restoreAllMocks();
    expect(saved).toEqual({ ok: false, code: "money_coming" });
    expect([await phoneOf(seller), await mailsTo(seller)]).toEqual([OLD, []]);
  });

  test("of an account without a password waits for one, which only an emailed link can set", async () => {
    await soldOne();
    await env.DB.prepare("UPDATE credentials SET password_hash = NULL WHERE id = ?").bind(seller).run();
    const refused = await saveDetails(NEW);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("set a password first")]);
    const settings = await (await visit("/profile?tab=settings", { as: seller })).text();
    expect(settings).toContain("set a password before you change it");
    expect(settings).toContain("Email Me a Link");
    const first = { intent: "password", currentPassword: "", newPassword: "borrowed-phone" };
    expect((await visit("/settings.data", { as: seller, form: first })).status).toBe(400);
    expect((await saveDetails(NEW, { currentPassword: "borrowed-phone" })).status).toBe(400);
    expect(await phoneOf(seller)).toBe(OLD);
  });

  test("while money is on its way holds payouts for 24 hours, and says so on the payout and by mail", async () => {
    await env.DB.batch([
      env.DB.prepare("UPDATE orders SET payment_status = 'completed' WHERE id = ?").bind(deal.orderId),
      env.DB.prepare("UPDATE order_items SET status = 'shipped' WHERE id = ?").bind(deal.itemId),
      env.DB.prepare(
        `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token,
          confirmed_at, created_at, updated_at)
          VALUES (?1, 'order', ?1, ?2, '254722000020', 1900, 'succeeded', ?1, 1, 1, 1)`,
      ).bind(deal.orderId, deal.buyerId),
    ]);
    expect((await saveDetails(NEW, { currentPassword: PASSWORD })).status).toBe(202);
    const [mail] = await mailsTo(seller);
    const heldUntil = mail?.template === "payout_phone_changed" ? (mail.data.heldUntil ?? 0) : 0;
    expect(heldUntil - Date.now()).toBeGreaterThan(DAY_MS - 60_000);

    const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: seller });
    if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
    await startPayout(servicesAt(), delivered.payoutId, deal.itemId);
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0, nextActionAt: heldUntil });
    // Neither the button after a refusal nor our API says that M-Pesa was asked.
    await db
      .update(payouts)
      .set({ state: "parked", waitReason: "not_registered", nextActionAt: null })
      .where(eq(payouts.id, delivered.payoutId));
    const told = `Your M-Pesa number changed. To keep your money safe, we will send this payout at ${formatDateTime(heldUntil)} or soon after.`;
    const pressed = await visit(`/seller/orders/${deal.itemId}.data`, { as: seller, form: { intent: "payout" } });
    expect([pressed.status, await pressed.text()]).toEqual([409, expect.stringContaining(`"${told}"`)]);
    const called = await visit("/api/mpesa/b2c", {
      as: seller,
      body: JSON.stringify({ orderItemId: deal.itemId }),
      headers: { "Content-Type": "application/json" },
    });
    expect([called.status, await called.json()]).toEqual([409, expect.objectContaining({ error: told })]);
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0, nextActionAt: heldUntil });
    expect(await (await visit(`/seller/orders/${deal.itemId}`, { as: seller })).text()).toContain(
      `send this payout at ${formatDateTime(heldUntil)}`,
    );
    await advanceTransfer(servicesAt(DAY_MS - 60_000), asPayout(delivered.payoutId));
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0 });
    await advanceTransfer(servicesAt(DAY_MS + 60_000), asPayout(delivered.payoutId));
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "sent", sendCount: 1, phone: NEW });
  });

  test("is given thirty times a day, so that nobody has mail sent without end; more often with the password, which no borrowed phone has", async () => {
    await saveDetails(NEW);
    const used = (how: string, count: number) =>
      env.DB.prepare("INSERT OR REPLACE INTO rate_counters (key, window_start, count) VALUES (?, ?, ?)")
        .bind(`phone-changes:${how}:${seller}`, Date.now(), count)
        .run();
    await used("freely", 29);
    expect((await saveDetails(OLD)).status).toBe(202);
    const oneMore = await saveDetails(NEW);
    expect([oneMore.status, await oneMore.text()]).toEqual([
      400,
      expect.stringContaining("Enter your password to change it again."),
    ]);
    const unscripted = await visit("/settings", {
      as: seller,
      form: { intent: "details", fullName: "Wanjiku Otieno", campusLocation: "Main Campus", phone: NEW },
    });
    expect(await unscripted.text()).toContain("Enter your password to change your phone again.");
    const completed = await visit("/complete-profile.data", {
      as: seller,
      form: { fullName: "Wanjiku Otieno", phone: NEW, campusLocation: "Main Campus", isSeller: "on" },
    });
    expect(await completed.text()).toContain("To change it again, go to Settings and enter your password.");
    expect([await phoneOf(seller), (await mailsTo(seller)).length]).toEqual([OLD, 2]);
    expect((await saveDetails(OLD, { fullName: "Wanjiku Kamau" })).status).toBe(202);

    expect((await saveDetails(NEW, { currentPassword: "not-it-at-all" })).status).toBe(400);
    expect((await saveDetails(NEW, { currentPassword: PASSWORD })).status).toBe(202);
    expect(await phoneOf(seller)).toBe(NEW);
    await used("with password", 30);
    const enough = await saveDetails(OLD, { currentPassword: PASSWORD });
    expect([enough.status, await enough.text()]).toEqual([
      400,
      expect.stringContaining("You've changed this number too many times today"),
    ]);
  });

  test("cannot take the old one's place by first giving none", async () => {
    await soldOne();
    const nobody = { fullName: "Wanjiku Otieno", phone: "", campusLocation: "Main Campus", isSeller: "on" };
    expect((await visit("/complete-profile.data", { as: seller, form: nobody })).status).toBe(202);
    expect(await phoneOf(seller)).toBe(OLD);
    await visit("/become-seller", { as: seller, form: { phone: NEW } });
    expect((await saveDetails(NEW)).status).toBe(400);
    expect(await phoneOf(seller)).toBe(OLD);
  });

  test("is also told to a shop owner who stopped being a seller first", async () => {
    await env.DB.prepare("INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (?1, 'Otieno Books', 1, 1)")
      .bind(seller)
      .run();
    await visit("/complete-profile.data", {
      as: seller,
      form: { fullName: "Wanjiku Otieno", phone: OLD, campusLocation: "Main Campus" },
    });
    await saveDetails(NEW);
    expect([await phoneOf(seller), (await mailsTo(seller)).length]).toEqual([NEW, 1]);
  });
});

describe("a seller without a number", () => {
  const listing = () => ({
    productId: crypto.randomUUID(),
    name: "Kettle",
    price: "900",
    description: "Boils",
    category: "electronics",
    condition: "good",
  });

  test("is asked for it before the first listing, comes back, and lists", async () => {
    const user = await makeUser({ phone: null });
    const page = await (await visit("/add-product", { as: user })).text();
    expect(page).toContain("Where should we send your money?");
    expect(page).toContain("/become-seller?next=%2Fadd-product");
    expect(page).not.toContain("Product name");
    const refused = await visit("/add-product", { as: user, form: listing() });
    expect([refused.status, await db.select().from(products).where(eq(products.sellerId, user))]).toEqual([400, []]);

    const saved = await visit("/become-seller?next=%2Fadd-product", {
      as: user,
      form: { phone: "0711000034", promise: "on" },
    });
    expect(saved.headers.get("location")).toBe("/add-product");
    expect(await (await visit("/add-product", { as: user })).text()).toContain("Product name");
    expect((await visit("/add-product", { as: user, form: listing() })).status).toBe(302);
    expect(await db.select().from(products).where(eq(products.sellerId, user))).toHaveLength(1);
    expect(await mailsTo(user)).toEqual([]);
  });

  test("is never led to another site", async () => {
    const user = await makeUser({ phone: null });
    const saved = await visit(`/become-seller?next=${encodeURIComponent("//evil.example")}`, {
      as: user,
      form: { phone: "0711000034", promise: "on" },
    });
    expect(saved.headers.get("location")).toBe("/myshop");
  });

  test("finds on the payout that waits for it the way to give it, and then the way to be paid", async () => {
    await env.DB.batch([
      env.DB.prepare("UPDATE profiles SET phone = NULL WHERE id = ?").bind(seller),
      env.DB.prepare("UPDATE orders SET payment_status = 'completed' WHERE id = ?").bind(deal.orderId),
      env.DB.prepare("UPDATE order_items SET status = 'shipped' WHERE id = ?").bind(deal.itemId),
    ]);
    const delivered = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: seller });
    if (!delivered.ok || !delivered.payoutId) throw new Error("not delivered");
    await startPayout(servicesAt(), delivered.payoutId, deal.itemId);
    expect(await readPayout(deal.itemId)).toMatchObject({
      state: "parked",
      waitReason: "no_phone",
    });

    const path = `/seller/orders/${deal.itemId}`;
    const page = await (await visit(path, { as: seller })).text();
    expect(page).toContain(`/become-seller?next=${encodeURIComponent(path)}`);
    expect(page).not.toContain("Try Payout Again");
    expect(await (await visit("/become-seller", { as: seller })).text()).toContain("Save My Number");
    // A seller has made the promise before.
    const saved = await visit(`/become-seller?next=${encodeURIComponent(path)}`, { as: seller, form: { phone: NEW } });
    expect(saved.headers.get("location")).toBe(path);
    expect(await (await visit(path, { as: seller })).text()).toContain("Try Payout Again");
  });
});

test.each([
  { isSeller: 0, status: "pending_payment", removed: true },
  { isSeller: 0, status: "processing", removed: false },
  { isSeller: 0, status: "delivered", removed: false },
  { isSeller: 0, status: "refunded", removed: true },
  { isSeller: 1, status: "pending_payment", removed: false },
  { isSeller: 1, status: "processing", removed: false },
])("a number is removed only from somebody to whom no money comes: $isSeller $status", async (row) => {
  await env.DB.batch([
    env.DB.prepare("UPDATE profiles SET is_seller = ? WHERE id = ?").bind(row.isSeller, seller),
    env.DB.prepare("UPDATE order_items SET status = ? WHERE id = ?").bind(row.status, deal.itemId),
  ]);
  expect(await removePhone(servicesAt(), seller, [])).toBe(row.removed);
  expect(await phoneOf(seller)).toBe(row.removed ? null : OLD);
});

test("the profile form doesn't offer a number that was removed", async () => {
  const profile = { fullName: "Njeri", phone: NEW, campusLocation: "Main Campus", isSeller: false };
  const student = await makeUser();
  expect(await completeProfile(servicesAt(), student, profile)).toEqual({ ok: true });
  expect((await readProfilePrefill(db, student)).values.phone).not.toBe("");
  expect(await removePhone(servicesAt(), student, [])).toBe(true);
  expect((await readProfilePrefill(db, student)).values.phone).toBe("");
});
