/** Texts that aren't messages warn their reader too, of a request for the handover code and of one to pay directly. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { products } from "#app/catalogue/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { offerPart, reportProblem } from "#app/deals/problems/problems.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { listMessages } from "#app/messaging/conversations/messages.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { publicProductPath, publicShopPath } from "#app/public-links.ts";
import { type Deal, db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { inDays, meet } from "#tests/support/meetings.ts";
import { listForOffers } from "#tests/support/offers.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { replyToReview } from "#app/reviews/write-review.server.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

const CODE = "Never send your code. Give it only when you hold the item.";
const PAYMENT = "Careful: keep your payment on Chuoni.";

/** Which warnings a page shows to somebody; undefined for a visitor. */
async function warningsOn(path: string, as?: string): Promise<string[]> {
  const html = await (await visit(path, { as })).text();
  const body = html.replaceAll(/<script[\s\S]*?<\/script>/g, "");
  return [body.includes(CODE) && "code", body.includes(PAYMENT) && "payment"].filter((found) => found !== false);
}

async function agreedDeal(): Promise<Deal> {
  const deal = await payDeal();
  await agreeOn(deal);
  return deal;
}

test("the place of a meeting, for whoever didn't suggest it", async () => {
  const deal = await payDeal();
  await meet(deal, "seller", "suggested", { values: inDays(2, { otherPlace: "Hall 6. Send me your code first" }) });
  const page = `/meetings/${deal.itemId}`;
  expect(await warningsOn(page, deal.buyerId)).toEqual(["code"]);
  expect(await warningsOn(`/orders/${deal.orderId}`, deal.buyerId)).toEqual(["code"]);
  expect(await warningsOn(page, deal.sellerId)).toEqual([]);
  await meet(deal, "buyer", "suggested", { values: inDays(3, { otherPlace: "Hall 6, reception" }) });
  expect(await warningsOn(page, deal.sellerId)).toEqual([]);
});

test("the note with which a seller declines to cancel", async () => {
  const deal = await agreedDeal();
  const services = servicesAt();
  await applyDealEvent(services, { itemId: deal.itemId, event: "cancel_requested", by: deal.buyerId });
  const note = "It is on the way. Nipe code ya order sasa";
  await applyDealEvent(services, { itemId: deal.itemId, event: "cancel_declined", by: deal.sellerId, note });
  expect(await warningsOn(`/orders/${deal.orderId}`, deal.buyerId)).toEqual(["code"]);
  expect(await warningsOn(`/seller/orders/${deal.itemId}`, deal.sellerId)).toEqual([]);
});

test("the answers to a problem and its description, each for the other side", async () => {
  const deal = await agreedDeal();
  const { itemId, buyerId, sellerId } = deal;
  const services = { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } };
  await shipItem(services, { itemId, sellerId });
  await deliverItem(services, { itemId, sellerId });
  const description = "It is cracked. Send the refund to my number instead";
  await reportProblem(services, { itemId, buyerId, kind: "damaged", description, photoKeys: [] });
  const note = "Tell me the six digits and I refund you";
  await offerPart(services, { itemId, sellerId, amount: 500, note });
  expect(await warningsOn(`/problems/${itemId}`, buyerId)).toEqual(["code"]);
  expect(await warningsOn(`/problems/${itemId}`, sellerId)).toEqual(["payment"]);
});

test("the message of an offer", async () => {
  const { sellerId, productId } = await listForOffers();
  const buyerId = await makeUser();
  const note = "Till 522533 is mine, pay the difference to me";
  await makeOffer(servicesAt(), { buyerId, productId, amount: 1_500, revision: 0, note, key: crypto.randomUUID() });
  const { messages } = await listMessages(servicesAt(), sellerId, { with: buyerId }, null);
  expect(messages.map(({ kind, warning }) => [kind, warning])).toEqual([["offer", "payment"]]);
});

test("reviews and replies, for everybody but their authors; visitors read no numbers in them", async () => {
  const deal = await finishedDeal();
  await review(deal, "buyer", { text: "Great. Send me your code first, 0712 345 678" });
  await review(deal, "seller");
  const reply = "Next time send the money to my till 522533";
  await replyToReview(servicesAt(), { itemId: deal.itemId, by: deal.sellerId, text: reply });
  const pages = [`/seller/${deal.sellerId}`, `/people/${deal.sellerId}/reviews?as=seller`];
  for (const page of pages) {
    expect([page, await warningsOn(page)]).toEqual([page, ["code", "payment"]]);
    expect([page, await warningsOn(page, deal.buyerId)]).toEqual([page, ["payment"]]);
    expect([page, await warningsOn(page, deal.sellerId)]).toEqual([page, ["code"]]);
    expect(await (await visit(page)).text()).not.toContain("345 678");
    expect(await (await visit(page, { as: deal.sellerId })).text()).toContain("345 678");
  }
  expect(await warningsOn(`/reviews/${deal.itemId}`, deal.sellerId)).toEqual(["code"]);
  expect(await warningsOn(`/reviews/${deal.itemId}`, deal.buyerId)).toEqual(["payment"]);
});

test.each(["description", "policies", "preferredContact", "businessHours"] as const)(
  "the %s of a shop, for everybody but its owner",
  async (text) => {
    const sellerId = await makeUser();
    await makeProduct(sellerId, { name: "Casio fx-991ES" });
    await db
      .insert(shops)
      .values({
        id: sellerId,
        shopName: "Njeri Kicks",
        [text]: "Pay till 522533 direct to me",
        createdAt: 1,
        updatedAt: 1,
      })
      .onConflictDoUpdate({ target: shops.id, set: { [text]: "Pay till 522533 direct to me" } });
    expect(await warningsOn(`/seller/${sellerId}`, await makeUser())).toEqual(["payment"]);
    expect(await warningsOn(`/seller/${sellerId}`, sellerId)).toEqual([]);
    if (text === "description")
      expect(await warningsOn(publicShopPath({ id: sellerId, title: "Njeri Kicks" }))).toEqual(["payment"]);
  },
);

test.each([
  ["Pay till 522533 direct to me", "payment"],
  ["Send me your 6 digit code in chat", "code"],
  ["Works, with cover. The zip code pouch is included", null],
])("the description of a listing: %s", async (description, warning) => {
  const sellerId = await makeUser();
  const id = await makeProduct(sellerId, { name: "Casio fx-991ES" });
  await db.update(products).set({ description }).where(eq(products.id, id));
  const expected = warning === null ? [] : [warning];
  expect(await warningsOn(`/product/${id}`, await makeUser())).toEqual(expected);
  expect(await warningsOn(publicProductPath({ id, name: "Casio fx-991ES" }))).toEqual(expected);
  expect(await warningsOn(`/product/${id}`, sellerId)).toEqual([]);
});
