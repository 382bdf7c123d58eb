/** The number that pays is remembered where its owner says so, and only there. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { profiles } from "#app/accounts/tables.server.ts";
import { db, makeDeal, uniquePhone } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const pickup = { intent: "pay", option: "pickup", pickupConfirmed: "on" };

async function pay(buyerId: string, more: Record<string, string>): Promise<void> {
  const { orderId } = await makeDeal({ buyerId });
  const answer = await visit(`/checkout/${orderId}`, { as: buyerId, form: { ...pickup, ...more } });
  expect(answer.status).toBe(200);
}

async function nextCheckout(buyerId: string): Promise<string> {
  const { orderId } = await makeDeal({ buyerId });
  return (await visit(`/checkout/${orderId}`, { as: buyerId })).text();
}

async function readProfile(id: string) {
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, id));
  return profile;
}

const FIELD = /<input[^>]*name="phone"[^>]*>/;
const TICK = /<input[^>]*name="remember"[^>]*>/;

test("a number is filled in at the next checkout if its owner ticked so, and forgotten when they take the tick out", async () => {
  const { buyerId } = await makeDeal();
  await pay(buyerId, { phone: "0711 000 111" });
  const usual = (await nextCheckout(buyerId)).match(FIELD)?.[0];
  expect(usual).not.toContain("0711 000 111");

  await pay(buyerId, { phone: "0711 000 112", remember: "on" });
  const page = await nextCheckout(buyerId);
  expect(page.match(FIELD)?.[0]).toContain('value="0711 000 112"');
  expect(page.match(TICK)?.[0]).toContain("checked");

  await pay(buyerId, { phone: "0711 000 115" });
  expect((await nextCheckout(buyerId)).match(FIELD)?.[0]).toBe(usual);
});

test("remembering a number changes nothing about where a seller's payouts go", async () => {
  const payouts = uniquePhone("50");
  const { sellerId } = await makeDeal({ sellerPhone: payouts });
  await pay(sellerId, { phone: "0711 000 113", remember: "on" });
  expect(await readProfile(sellerId)).toMatchObject({ phone: payouts, payingPhone: "254711000113" });
});

test("a number that a refused form sends is not remembered", async () => {
  const { buyerId, orderId } = await makeDeal();
  const form = { intent: "pay", option: "delivery", address: "", phone: "0711 000 114", remember: "on" };
  expect((await visit(`/checkout/${orderId}`, { as: buyerId, form })).status).toBe(400);
  expect(await readProfile(buyerId)).toMatchObject({ payingPhone: null });
});
