/** What a buyer sends to others never gives their own handover code away unasked, and requests for it are seen. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { messages } from "#app/messaging/tables.server.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import { orders } from "#app/orders/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { type Deal, db, makeDeal, servicesAt } from "#tests/support/fixtures.ts";
import { listForOffers } from "#tests/support/offers.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { finishedDeal } from "#tests/support/reviews.ts";
import { visit } from "#tests/support/visit.ts";

let deal: Deal;
let code: string;

beforeEach(async () => {
  deal = await payDeal();
  code = await handoverCode(env.HANDOVER_CODE_KEY, deal.itemId);
});

function send(text: string, more: Record<string, string> = {}) {
  return visit("/api/messages", {
    as: deal.buyerId,
    form: { about: `item:${deal.itemId}`, text, key: crypto.randomUUID(), ...more },
  });
}

async function sentTexts(): Promise<string[]> {
  const rows = await db.select().from(messages).where(eq(messages.senderId, deal.buyerId)).orderBy(messages.createdAt);
  return rows.map(({ message }) => message);
}

describe("a message with one's own code", () => {
  test("asks first, and is sent when its sender means it", async () => {
    const text = `it is ${code.slice(0, 3)}-${code.slice(3)}`;
    const key = crypto.randomUUID();
    const asked = await send(text, { key });
    expect(asked.status).toBe(428);
    expect(await asked.json()).toMatchObject({ success: false, error: expect.stringContaining("handover code") });
    expect(await sentTexts()).toEqual([]);
    expect((await send(text, { key, codeOk: "yes" })).status).toBe(200);
    // A repeat is answered as the first, and asks nothing.
    expect((await send(text, { key })).status).toBe(200);
    expect(await sentTexts()).toEqual([text]);
  });

  test("asks at the last of six messages with a digit each", async () => {
    const statuses: number[] = [];
    for (const digit of code) statuses.push((await send(digit)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 428]);
  });

  test("asks without scripts on a page that holds the message", async () => {
    const text = `code: ${code} <b>`;
    const asked = await send(text, { from: "/profile?tab=messages" });
    expect(asked.status).toBe(428);
    const page = await asked.text();
    expect(page).toContain("Send Anyway");
    const fields = Object.fromEntries(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name ?? "",
        (value ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
      ]),
    );
    expect(fields).toMatchObject({ text, about: `item:${deal.itemId}`, codeOk: "yes", from: "/profile?tab=messages" });
    const sent = await visit("/api/messages", { as: deal.buyerId, form: fields });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("Location")).toBe("/profile?tab=messages");
    expect(await sentTexts()).toEqual([text]);
  });

  test("doesn't ask about other numbers, or about a code that no longer counts", async () => {
    expect((await send("I pay 1,900 at 5, room 320577")).status).toBe(200);
    const old = await finishedDeal({ buyerId: deal.buyerId });
    expect((await send(await handoverCode(env.HANDOVER_CODE_KEY, old.itemId))).status).toBe(200);
  });

  test("asks about the code of another deal of theirs, too", async () => {
    const other = await payDeal({ buyerId: deal.buyerId });
    expect((await send(await handoverCode(env.HANDOVER_CODE_KEY, other.itemId))).status).toBe(428);
  });
});

describe("other texts that people read refuse one's own code", () => {
  test("the note of an offer", async () => {
    const { productId } = await listForOffers();
    const form = { amount: "1500", note: `my code ${code}`, key: crypto.randomUUID() };
    const refused = await visit(`/product/${productId}/offer`, { as: deal.buyerId, form });
    expect(refused.status).toBe(400);
    expect(await db.select().from(offers).where(eq(offers.productId, productId))).toEqual([]);
  });

  test("a reported problem", async () => {
    await agreeOn(deal);
    await shipItem(servicesAt(), deal);
    const deals = { inspectionHours: 48, codeKey: env.HANDOVER_CODE_KEY };
    await deliverItem({ ...servicesAt(), deals }, deal);
    const form = { intent: "report", kind: "damaged", description: `Broken. ${code}` };
    const refused = await visit(`/problems/${deal.itemId}`, { as: deal.buyerId, form });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("handover code in it");
    expect(await db.select().from(problems).where(eq(problems.orderItemId, deal.itemId))).toEqual([]);
  });

  test("a request to cancel", async () => {
    await agreeOn(deal);
    const form = { intent: "ask-to-cancel", itemId: deal.itemId, note: `${code} is my code` };
    expect((await visit(`/orders/${deal.orderId}`, { as: deal.buyerId, form })).status).toBe(400);
  });

  test("a review", async () => {
    const done = await finishedDeal({ buyerId: deal.buyerId });
    const form = { intent: "write", rating: "5", text: `Good. ${code}` };
    expect((await visit(`/reviews/${done.itemId}`, { as: deal.buyerId, form })).status).toBe(400);
    expect(await db.select().from(reviews).where(eq(reviews.orderItemId, done.itemId))).toEqual([]);
  });

  test("the instructions of an order", async () => {
    const next = await makeDeal({ buyerId: deal.buyerId });
    const form = {
      intent: "pay",
      option: "pickup",
      pickupConfirmed: "on",
      otherPlace: `Gate, code ${code}`,
      point: "other",
      day: "",
      time: "",
      phone: "0712000111",
    };
    const refused = await visit(`/checkout/${next.orderId}`, { as: deal.buyerId, form });
    expect(refused.status).toBe(400);
    const [order] = await db.select().from(orders).where(eq(orders.id, next.orderId));
    expect(order?.paymentStatus).toBe("pending");
  });
});

test("whoever reads a request for the code is warned, also when it comes in two messages", async () => {
  const ask = (text: string) =>
    visit("/api/messages", {
      as: deal.sellerId,
      form: { about: `item:${deal.itemId}`, text, key: crypto.randomUUID() },
    });
  for (const text of ["Hello, I have the promo code", "nitumie", "ile code", "thanks"]) {
    expect((await ask(text)).status).toBe(200);
    await new Promise((done) => setTimeout(done, 2));
  }
  const read = await visit(`/api/messages?item=${deal.itemId}`, { as: deal.buyerId });
  const { messages: shown } = await read.json<{ messages: { message: string; warning?: string }[] }>();
  expect(shown.map(({ warning }) => warning)).toEqual([undefined, undefined, "code", undefined]);
});
