/** What things like one usually go for, from sales that are over. */
import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { priceGroupOf } from "#app/catalogue/price-group.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { answerAsBuyer, offerPart, reportProblem } from "#app/deals/problems/problems.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { findGuideFor, findPriceGuide } from "#app/screens/price-guide/price-guide.server.ts";
import {
  changeListing,
  type Deal,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { addFinishedDeals } from "#tests/support/finished-deals.ts";
import { measured, meteredServices } from "#tests/support/metered.ts";
import { agreeOn, pay } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

interface Sold {
  type?: string;
  condition?: "new" | "good" | "fair";
  price?: number;
  sellerId?: string;
  buyerId?: string;
  /** How many days ago it was paid. */
  days?: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** A listing of a kind that no other test has. */
async function list({ type = "phone", condition = "good", price = 1_700, sellerId }: Sold, brand: string) {
  const seller = sellerId ?? (await makeUser({ phone: uniquePhone("50") }));
  const id = await makeProduct(seller, { price, condition, name: "Phone", stock: 1 });
  await changeListing(id, { type, facts: { brand }, revision: 0 });
  return { id, seller };
}

async function buy(sold: Sold, brand: string): Promise<Deal> {
  const { id, seller } = await list(sold, brand);
  const amount = sold.price ?? 1_700;
  const buyerId = sold.buyerId ?? (await makeUser());
  const orderId = await orderedOne(buyerId, id, { price: amount });
  const [item] = await db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, orderId));
  const deal = { buyerId, sellerId: seller, productId: id, orderId, itemId: item?.id ?? "", amount };
  await pay(deal);
  await db
    .update(orderItems)
    .set({ paidAt: Date.now() - (sold.days ?? 8) * DAY_MS })
    .where(eq(orderItems.id, deal.itemId));
  return deal;
}

const services = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
const step = ({ itemId, sellerId }: Deal, event: "code_entered" | "cancelled_by_seller" | "shipped" | "delivered") =>
  applyDealEvent(services, { itemId, event, by: sellerId });

/** Bought and handed over. */
async function sell(sold: Sold, brand: string): Promise<Deal> {
  const deal = await buy(sold, brand);
  expect(await step(deal, "code_entered")).toMatchObject({ ok: true });
  return deal;
}

const guideOf = async (brand: string, sold: Sold = {}) => findPriceGuide(servicesAt(), (await list(sold, brand)).id);
const GUIDE = "Usually goes for KES 1,650 to 1,750 · last one last week";

test("four sales of different people make a guide, for a listing and for its form", async () => {
  await sell({ price: 1_500 }, "one");
  for (const price of [1_700, 1_700]) await sell({ price }, "one");
  expect(await guideOf("one")).toBeNull();
  await sell({ price: 1_900 }, "one");
  const { id } = await list({}, "one");
  expect(await findPriceGuide(servicesAt(), id)).toBe(GUIDE);
  const [item] = await db
    .select({ priceGroup: orderItems.priceGroup })
    .from(orderItems)
    .where(sql`price_group LIKE '% one'`);
  expect(item?.priceGroup).toBe(priceGroupOf({ type: "phone", isNew: false, brand: "one" }));
  const viewer = await makeUser();
  for (const path of [`/product/${id}`, `/product/${id}/offer`])
    expect(await (await visit(path, { as: viewer })).text()).toContain("Usually goes for");
  const shared = await visit(publicProductPath({ id, name: "Phone" }));
  expect(await shared.text()).toContain("Usually goes for");
});

test("other types, what is new, and other brands are no comparison", async () => {
  for (const price of [1_500, 1_700, 1_700, 1_900]) await sell({ price }, "two");
  expect(await guideOf("two")).toBe(GUIDE);
  expect(await guideOf("two", { condition: "fair" })).toBe(GUIDE);
  expect(await guideOf("two", { condition: "new" })).toBeNull();
  expect(await guideOf("two", { type: "tablet" })).toBeNull();
  expect(await guideOf("three")).toBeNull();
});

test("the same buyer, the same seller, and what was returned count for nothing", async () => {
  const [buyerId, sellerId] = [await makeUser(), await makeUser({ phone: uniquePhone("50") })];
  for (const price of [1_500, 1_700, 1_900]) await sell({ price, buyerId }, "four");
  for (const price of [1_500, 1_700, 1_900]) await sell({ price, sellerId }, "four");
  expect(await guideOf("four")).toBeNull();
  // Of those, one sale of each counts.
  await sell({ price: 1_700 }, "four");
  const cancelled = await buy({ price: 1_700 }, "four");
  expect(await step(cancelled, "cancelled_by_seller")).toMatchObject({ ok: true });
  const unfinished = await buy({ price: 1_700 }, "four");
  expect(await guideOf("four")).toBeNull();
  await step(unfinished, "code_entered");
  expect(await guideOf("four")).not.toBeNull();
  // Paid by its seller.
  await db.update(orderItems).set({ paidBySeller: true }).where(eq(orderItems.id, unfinished.itemId));
  expect(await guideOf("four")).toBeNull();
});

test("a sale of which a part was refunded has no price to compare", async () => {
  for (const price of [1_500, 1_700, 1_700]) await sell({ price }, "five");
  const deal = await buy({ price: 1_900 }, "five");
  const { itemId, buyerId, sellerId } = deal;
  await agreeOn(deal);
  await step(deal, "shipped");
  await step(deal, "delivered");
  const report = { kind: "damaged", description: "The glass is cracked.", photoKeys: [] } as const;
  await reportProblem(services, { itemId, buyerId, ...report });
  await offerPart(services, { itemId, sellerId, amount: 600, note: "Sorry. Is this fair?" });
  await answerAsBuyer(services, { itemId, buyerId, answer: "accept", note: null });
  const [item] = await db.select({ status: orderItems.status }).from(orderItems).where(eq(orderItems.id, itemId));
  expect(item?.status).toBe("completed");
  expect(await guideOf("five")).toBeNull();
});

test("the form asks with what is written so far", async () => {
  for (const price of [30_000, 32_000, 34_000, 36_000]) await sell({ price }, "samsung");
  const ask = (name: string, isNew: boolean) =>
    findGuideFor(servicesAt(), { name, type: "phone", isNew, chosen: {} }, KEPT_TABLE);
  expect(await ask("Samsung phone", false)).toBe("Usually goes for KES 31,500 to 34,500 · last one last week");
  expect(await ask("Samsung phone", true)).toBeNull();
  expect(await ask("Samsung A54", false)).toBeNull();
  const answer = await visit(`/listing-type?name=Samsung+phone&condition=good`, { as: await makeUser() });
  expect(await answer.json()).toMatchObject({
    found: { id: "phone" },
    guide: "Usually goes for KES 31,500 to 34,500 · last one last week",
  });
});

test("friends who sell to each other make none, and neither do sales of this week", async () => {
  const friends: string[] = [];
  for (let at = 0; at < 4; at += 1) friends.push(await makeUser({ phone: uniquePhone("50") }));
  for (const [at, sellerId] of friends.entries())
    await sell({ price: 1_700, sellerId, buyerId: friends[(at + 1) % friends.length] ?? "" }, "seven");
  expect(await guideOf("seven")).toBeNull();
  await sell({}, "seven");
  await sell({ days: 6 }, "seven");
  expect(await guideOf("seven")).toBeNull();
  expect(await findPriceGuide(servicesAt(DAY_MS), (await list({}, "seven")).id)).not.toBeNull();
});

test("one seller with many sales doesn't silence a group", async () => {
  for (let at = 0; at < 4; at += 1) await sell({ days: 20 }, "eight");
  const { id, seller } = await list({}, "eight");
  const deals = { buyerId: await makeUser(), sellerId: seller, productId: id };
  await addFinishedDeals(env.DB, deals, 10_000, 10_100, Date.now() - 9 * DAY_MS);
  await env.DB.prepare("UPDATE order_items SET price_group = 'phone used eight' WHERE product_id = ?").bind(id).run();
  expect(await guideOf("eight")).toBe("Usually goes for about KES 1,700 · last one last week");
});

test("a guide reads few rows, however many sales there are", async () => {
  const { id, seller } = await list({}, "six");
  await addFinishedDeals(
    env.DB,
    { buyerId: await makeUser(), sellerId: seller, productId: id },
    0,
    3_000,
    Date.now() - 9 * DAY_MS,
  );
  await env.DB.prepare("UPDATE order_items SET price_group = 'phone used six' WHERE product_id = ?").bind(id).run();
  const { meter, ...metered } = meteredServices();
  await findPriceGuide(metered, id);
  const { rows, trips } = await measured(meter, () => findPriceGuide(metered, id));
  expect(trips).toBe(1);
  expect(rows).toBeLessThan(650);
});
