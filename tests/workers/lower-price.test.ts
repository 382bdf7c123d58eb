/** One press that makes a listing cheaper for those who saved it. */
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findLowering, lowerPrice } from "#app/basket/lower-price.server.ts";
import { addToWishlist } from "#app/basket/wishlist.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { gatheredNews } from "#app/notifications/tables.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { lowerListingPrice } from "#app/upkeep/still-available.server.ts";
import { changeListing, db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { runListingNewsJob } from "#workers/jobs/listing-news.ts";

const HOUR_MS = 60 * 60_000;

/** A listing of KES 1,700 that so many people saved. */
async function saved(count: number) {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId, { price: 1_700, condition: "good" });
  const savers: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const userId = await makeUser();
    await addToWishlist(servicesAt(), { userId, productId });
    savers.push(userId);
  }
  await runListingNewsJob(servicesAt());
  return { own: { sellerId, productId }, savers };
}

const press = (own: { sellerId: string; productId: string }, hours = 0, seen = 1_700) =>
  lowerPrice(servicesAt(hours * HOUR_MS), { ...own, seen });
const find = (own: { sellerId: string; productId: string }, hours = 0) =>
  findLowering(servicesAt(hours * HOUR_MS), own);
const priceOf = async (productId: string) =>
  (await db.select({ price: products.price }).from(products).where(eq(products.id, productId)))[0]?.price;

test("a press lowers the price once in three days, and the job tells everybody who saved it", async () => {
  const { own, savers } = await saved(3);
  expect(await find(own)).toEqual({ from: 1_700, to: 1_500, savers: 3, fee: null });
  expect(await press(own)).toEqual({ ok: true, price: 1_500, savers: 3 });
  await runListingNewsJob(servicesAt());
  for (const userId of savers)
    expect(
      await db
        .select()
        .from(gatheredNews)
        .where(and(eq(gatheredNews.userId, userId), eq(gatheredNews.kind, "wish_cheaper"))),
    ).toHaveLength(1);
  // Pressed twice, in a form that is still open, and anew.
  expect(await press(own)).toEqual({ ok: false, code: "changed" });
  expect(await find(own, 71)).toBeNull();
  expect(await press(own, 71, 1_500)).toEqual({ ok: false, code: "too_soon" });
  expect(await priceOf(own.productId)).toBe(1_500);
  expect(await press(own, 73, 1_500)).toEqual({ ok: true, price: 1_350, savers: 3 });
});

test("the answer that a listing is still available, for less, counts as a press, too", async () => {
  const { own } = await saved(1);
  expect(await lowerListingPrice(servicesAt(), { ...own, seen: 1_700 })).toBe(1_500);
  expect(await find(own)).toBeNull();
  expect(await press(own, 0, 1_500)).toEqual({ ok: false, code: "too_soon" });
  const answer = (hours: number, seen: number) => lowerListingPrice(servicesAt(hours * HOUR_MS), { ...own, seen });
  expect(await answer(71, 1_500)).toBeNull();
  expect(await priceOf(own.productId)).toBe(1_500);
  expect(await answer(73, 1_500)).toBe(1_350);
});

test("a price that was raised just before isn't shown crossed out", async () => {
  const { own } = await saved(1);
  const original = async () =>
    (await db.select({ price: products.originalPrice }).from(products).where(eq(products.id, own.productId)))[0]?.price;
  await press(own);
  expect(await original()).toBeNull();
  await changeListing(own.productId, { originalPrice: 2_400 });
  expect(await press(own, 73, 1_500)).toMatchObject({ ok: true });
  expect(await original()).toBe(2_400);
});

test("two presses at once lower it once", async () => {
  const { own } = await saved(1);
  const both = await Promise.all([press(own), press(own)]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect(await priceOf(own.productId)).toBe(1_500);
});

test("a price that was changed meanwhile stays", async () => {
  const { own } = await saved(1);
  await changeListing(own.productId, { price: 2_000 });
  expect(await press(own)).toEqual({ ok: false, code: "changed" });
  expect(await priceOf(own.productId)).toBe(2_000);
});

test("blocking people tells nobody who saved it", async () => {
  const { own, savers } = await saved(2);
  await blockUser(servicesAt(), { userId: own.sellerId, blockedId: savers[0] ?? "" });
  expect(await find(own)).toMatchObject({ savers: 2 });
  await blockUser(servicesAt(), { userId: savers[1] ?? "", blockedId: own.sellerId });
  expect(await find(own)).toMatchObject({ savers: 1 });
});

test("it isn't offered where nobody would be told", async () => {
  const { own, savers } = await saved(1);
  expect(await find((await saved(0)).own)).toBeNull();
  await blockUser(servicesAt(), { userId: savers[0] ?? "", blockedId: own.sellerId });
  expect(await find(own)).toBeNull();
});

test.each<[string, Parameters<typeof changeListing>[1], string]>([
  ["sold", { status: "sold" }, "not_found"],
  ["taken down", { suspendedAt: 1 }, "not_found"],
  ["deleted", { deletedAt: 1 }, "not_found"],
  ["being bought", { reserved: 1 }, "not_now"],
  ["wholesale", { wholesale: true }, "not_now"],
  ["not to go for less", { lowestOffer: 1_600 }, "not_now"],
])("what is %s keeps its price", async (_, change, code) => {
  const { own } = await saved(1);
  await changeListing(own.productId, change);
  expect(await find(own)).toBeNull();
  expect(await press(own)).toEqual({ ok: false, code });
  if (code === "not_now") expect(await lowerListingPrice(servicesAt(), { ...own, seen: 1_700 })).toBeNull();
  expect(await priceOf(own.productId)).toBe(1_700);
});

test("an offer that waits for its answer keeps the price, and so does somebody else's listing", async () => {
  const { own } = await saved(1);
  expect(await press({ ...own, sellerId: await makeUser() })).toEqual({ ok: false, code: "not_found" });
  await changeListing(own.productId, { takesOffers: true });
  const offer = { buyerId: await makeUser(), productId: own.productId, amount: 1_400, note: "", revision: 0 };
  expect(await makeOffer(servicesAt(), { ...offer, key: crypto.randomUUID() })).toMatchObject({ ok: true });
  expect(await find(own)).toBeNull();
  expect(await press(own)).toEqual({ ok: false, code: "not_now" });
  expect(await lowerListingPrice(servicesAt(), { ...own, seen: 1_700 })).toBeNull();
  expect(await priceOf(own.productId)).toBe(1_700);
});

test("its page shows the button to its seller alone, and a form without scripts works", async () => {
  const { own } = await saved(2);
  const path = `/product/${own.productId}`;
  expect(await (await visit(path, { as: own.sellerId })).text()).toContain("and tell 2 people");
  expect(await (await visit(path, { as: await makeUser() })).text()).not.toContain("and tell 2 people");
  const form = { intent: "lower", seen: "1700", from: path };
  const answer = await visit(`${path}/manage`, { as: own.sellerId, form });
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, path]);
  expect(await priceOf(own.productId)).toBe(1_500);
});
