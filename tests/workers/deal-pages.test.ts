/** The pages of a running deal, by request: who sees the handover code, and what the forms of both sides do. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { dealEvents, dealTimers, issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { findOpenSteps } from "#app/screens/home/open-steps.server.ts";
import { findOrderHistory } from "#app/screens/profile/order-history.server.ts";
import { type Deal, db, makeDeal, makeProduct, makeUser, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { acceptedMeeting, meet, setItemStatus } from "#tests/support/meetings.ts";
import { listForOffers, openOffer, take } from "#tests/support/offers.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { visit, wordsOf } from "#tests/support/visit.ts";
import { makePeople, makeThings, ROLES } from "#tests/support/world.ts";

/** Something happens to an item by itself in so many hours. */
async function setTimer(orderItemId: string, hours: number): Promise<void> {
  await db.delete(dealTimers).where(eq(dealTimers.orderItemId, orderItemId));
  const dueAt = Date.now() + hours * 60 * 60_000;
  await db.insert(dealTimers).values({ orderItemId, kind: "not_shipped", dueAt });
}

const codeOf = (itemId: string) => handoverCode(env.HANDOVER_CODE_KEY, itemId);

test("the handover code reaches its buyer alone, on the order's page alone", async () => {
  const people = await makePeople();
  const things = await makeThings(people);
  // While a report is open, the code releases nothing and isn't shown.
  await db.update(issueReports).set({ status: "closed" });
  const code = await codeOf(things.itemId);
  const screens = [
    `/orders/${things.orderId}`,
    `/seller/orders/${things.itemId}`,
    `/order-confirmation/${things.orderId}`,
    `/checkout/${things.orderId}`,
    "/profile?tab=orders",
    "/myshop?tab=orders",
    "/admin/money",
  ];
  const shown: string[] = [];
  for (const role of ROLES) {
    for (const path of screens) {
      const page = await (await visit(path, { as: people[role] })).text();
      if (page.includes(code) || page.includes(`${code.slice(0, 3)} ${code.slice(3)}`)) shown.push(`${role} ${path}`);
    }
  }
  expect(shown).toEqual([`buyer /orders/${things.orderId}`]);
  const kept = JSON.stringify([await db.select().from(outbox), await db.select().from(dealEvents)]);
  expect(kept).not.toContain(code);
});

describe("a paid item", () => {
  let deal: Deal;
  let code: string;

  beforeEach(async () => {
    deal = await makeDeal({ price: 0 });
    code = await codeOf(deal.itemId);
    const buyer = { id: deal.buyerId, email: `${deal.buyerId}@campus.test`, fullName: "Wanjiku" };
    await confirmFreeOrder(servicesAt(), { orderId: deal.orderId, buyer });
  });

  const agree = () =>
    env.DB.prepare("UPDATE order_items SET buyer_contacted = 1, buyer_agreed = 1 WHERE id = ?").bind(deal.itemId).run();
  const buyer = (form: Record<string, string>, as = deal.buyerId) =>
    visit(`/orders/${deal.orderId}`, { as, form: { itemId: deal.itemId, ...form } });
  const seller = (form: Record<string, string>, as = deal.sellerId) =>
    visit(`/seller/orders/${deal.itemId}`, { as, form: { itemId: deal.itemId, ...form } });
  const statusNow = async () => (await readItem(deal.itemId)).status;
  const buyerReads = async () => (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
  const sellerReads = async () => (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text();

  test("is completed by the code, and the page of a wrong one says how many tries are left and keeps what was typed", async () => {
    const wrong = code === "000000" ? "111111" : "000000";
    const refused = await seller({ intent: "code", code: wrong });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain("You can try 4 more times.");
    expect(page).toContain(`value="${wrong}"`);
    expect(await buyerReads()).toContain("A wrong code was entered once.");
    expect((await seller({ intent: "code", code: "12" })).status).toBe(400);
    expect(await readItem(deal.itemId)).toMatchObject({ wrongCodes: 1 });

    const entered = await seller({ intent: "code", code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect(entered.headers.get("Location")).toBe(`/seller/orders/${deal.itemId}?just=code`);
    expect(await statusNow()).toBe("completed");
    expect(await buyerReads()).toContain("entered your handover code.");
  });

  test("has no code after too many wrong ones, and both sides are told what to do instead", async () => {
    const wrong = code === "000000" ? "111111" : "000000";
    for (const status of [400, 400, 400, 400, 409, 409])
      expect((await seller({ intent: "code", code: wrong })).status).toBe(status);
    expect((await seller({ intent: "code", code })).status).toBe(409);
    expect(await statusNow()).toBe("processing");
    expect(await buyerReads()).toContain("Your handover code no longer works");
    expect(await sellerReads()).toContain("The handover code no longer works");
  });

  test("has no code before it is paid and after it is over", async () => {
    const unpaid = await makeDeal({ price: 0 });
    const page = await visit(`/orders/${unpaid.orderId}`, { as: unpaid.buyerId });
    expect(await page.text()).not.toContain("Your handover code");
    expect(await buyerReads()).toContain("Your handover code");
    await buyer({ intent: "cancel" });
    expect(await buyerReads()).not.toContain("Your handover code");
  });

  test("is cancelled by its buyer until they agree", async () => {
    expect((await buyer({ intent: "cancel" })).status).toBe(200);
    expect(await statusNow()).toBe("cancelled");
    expect(await buyerReads()).toContain("You cancelled it.");
    const again = await buyer({ intent: "cancel" });
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("This changed while your page was open. Here is the latest.");
  });

  test("is cancelled with the seller's consent after the buyer agreed", async () => {
    await agree();
    expect((await buyer({ intent: "cancel" })).status).toBe(409);
    expect((await buyer({ intent: "ask-to-cancel", note: "I moved away" })).status).toBe(200);
    expect(await sellerReads()).toContain("I moved away");
    expect((await seller({ intent: "decline-cancel", note: "I bought the bus ticket" })).status).toBe(200);
    expect(await buyerReads()).toContain("I bought the bus ticket");
    expect((await buyer({ intent: "ask-to-cancel", note: "" })).status).toBe(200);
    expect((await buyer({ intent: "keep" })).status).toBe(200);
    expect(await statusNow()).toBe("processing");
    await buyer({ intent: "ask-to-cancel" });
    expect((await seller({ intent: "accept-cancel" })).status).toBe(200);
    expect(await statusNow()).toBe("cancelled");
  });

  test("is cancelled by its seller with a reason that the buyer reads", async () => {
    expect((await seller({ intent: "cancel", reason: "no reason", note: "" })).status).toBe(400);
    expect((await seller({ intent: "cancel", reason: "broken_or_lost", note: "The screen cracked" })).status).toBe(200);
    const page = await buyerReads();
    expect(page).toContain("cancelled it: it&#x27;s broken or lost.");
    expect(page).toContain("The screen cracked");
  });

  test("takes two round trips on either side's page", async () => {
    for (const [path, as] of [
      [`/orders/${deal.orderId}`, deal.buyerId],
      [`/seller/orders/${deal.itemId}`, deal.sellerId],
    ] as const) {
      const timing = (await visit(path, { as })).headers.get("Server-Timing") ?? "";
      expect(Number(/trips=(\d+)/.exec(timing)?.[1])).toBeLessThanOrEqual(2);
      expect(Number(/rows=(\d+)/.exec(timing)?.[1] ?? 0)).toBeLessThan(72);
    }
  });
});

describe("what a buyer reports on the order's page", () => {
  const report = (deal: Deal, form: Record<string, string>) =>
    visit(`/orders/${deal.orderId}`, {
      as: deal.buyerId,
      form: { intent: "report", itemId: deal.itemId, description: "It has a crack", ...form },
    });
  const openIssues = () => db.select().from(issueReports);

  test("goes to the seller where they must answer it, once however often it is sent", async () => {
    const deal = await payDeal({ price: 900 });
    await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
    const before = await openIssues();
    const answers = await Promise.all([1, 2].map(() => report(deal, { kind: "damaged" })));
    expect((await Promise.all(answers.map((answer) => answer.text()))).join()).toContain("We&#x27;ve told the seller");
    expect(await readItem(deal.itemId)).toMatchObject({ status: "problem_reported" });
    const told = await db.select().from(problems).where(eq(problems.orderItemId, deal.itemId));
    expect(told).toMatchObject([{ kind: "damaged", description: "It has a crack" }]);
    expect((await openIssues()).length - before.length).toBeLessThanOrEqual(1);
  });

  test("is the same report where it is sent again because its answer was lost", async () => {
    const deal = await payDeal({ price: 900 });
    await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
    const before = await openIssues();
    for (let time = 0; time < 2; time += 1)
      expect(await (await report(deal, { kind: "damaged" })).text()).toContain("We&#x27;ve told the seller");
    expect(await openIssues()).toHaveLength(before.length);
    // Without it, the same words are news, which our team reads.
    await db.update(problems).set({ settledAt: Date.now(), refunded: 0 }).where(eq(problems.orderItemId, deal.itemId));
    expect(await (await report(deal, { kind: "damaged" })).text()).toContain("Issue reported successfully!");
    // So are other words.
    const other = await report(deal, { kind: "damaged", description: "It has a crack, and no lid" });
    expect(await other.text()).toContain("Issue reported successfully!");
  });

  test("goes to our team when it is about the seller, and at other times", async () => {
    for (const [status, kind] of [
      ["delivered", "team"],
      ["processing", "not_received"],
    ] as const) {
      const deal = await payDeal({ price: 900 });
      await db.update(orderItems).set({ status }).where(eq(orderItems.id, deal.itemId));
      expect(await (await report(deal, { kind })).text()).toContain("Issue reported successfully!");
      expect(await readItem(deal.itemId)).toMatchObject({ status });
      expect(await db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId))).toHaveLength(1);
    }
  });

  test("never tells the seller the handover code", async () => {
    const deal = await payDeal({ price: 900 });
    await db.update(orderItems).set({ status: "delivered" }).where(eq(orderItems.id, deal.itemId));
    const sent = await report(deal, { kind: "other", description: `My code is ${await codeOf(deal.itemId)}` });
    expect(sent.status).toBe(400);
    expect(await readItem(deal.itemId)).toMatchObject({ status: "delivered" });
  });
});

test("Home shows each side its next step: first when the two meet", async () => {
  const deal = await acceptedMeeting();
  const stranger = await makeDeal();
  const reads = async (as: string) => (await visit("/home", { as })).text();
  for (const [as, path] of [
    [deal.buyerId, `/orders/${deal.orderId}`],
    [deal.sellerId, `/seller/orders/${deal.itemId}`],
  ] as const) {
    const home = await reads(as);
    expect(home).toContain("Your next steps");
    expect(home).toContain(path);
    expect(home).toMatch(/Meet on \w+ \d+ \w+ at /);
  }
  expect(await reads(stranger.buyerId)).not.toContain("Your next steps");
});

test("Home shows the side that an offer waits for, until it is over", async () => {
  const offer = await openOffer();
  const home = async (as: string) => (await visit("/home", { as })).text();
  const conversation = (other: string) => `/profile?tab=messages&amp;with=${other}`;
  expect(await home(offer.sellerId)).toContain("Answer the offer");
  expect(await home(offer.sellerId)).toContain(conversation(offer.buyerId));
  expect(await home(offer.buyerId)).not.toContain("Your next steps");

  await take(offer, "countered", 1_700);
  expect(await home(offer.buyerId)).toContain("Answer the seller&#x27;s price");
  expect(await home(offer.sellerId)).not.toContain("Your next steps");

  await take(offer, "buyer_accepted");
  expect(await home(offer.buyerId)).toContain("Pay the agreed price");
  expect(await home(offer.buyerId)).toContain(conversation(offer.sellerId));
  await take(offer, "withdrawn");
  expect(await home(offer.buyerId)).not.toContain("Your next steps");
});

test("Home puts what ends first above the rest, and a payment that was cancelled last", async () => {
  const unpaid = await makeDeal();
  const { buyerId } = unpaid;
  const fail = (paymentFailure: "cancelled" | "wrong_pin") =>
    db.update(orders).set({ paymentStatus: "failed", paymentFailure }).where(eq(orders.id, unpaid.orderId));
  const [unanswered, toAgree, toCheck] = await Promise.all([1, 2, 3].map(() => payDeal({ buyerId })));
  await setItemStatus(toCheck?.itemId ?? "", "delivered");
  await setTimer(toCheck?.itemId ?? "", 20);
  await db
    .update(orderItems)
    .set({ buyerContacted: true })
    .where(eq(orderItems.id, toAgree?.itemId ?? ""));
  await setTimer(toAgree?.itemId ?? "", 70);
  const steps = async (userId: string) =>
    (await findOpenSteps({ db, now: Date.now }, userId)).map(({ path, step }) => [path, step]);
  const pay = [`/checkout/${unpaid.orderId}`, "Try the payment again"];
  const others = [
    [`/orders/${toCheck?.orderId}`, "Check it"],
    [`/orders/${toAgree?.orderId}`, "Agree to the plan"],
    [`/orders/${unanswered?.orderId}`, "The seller will write to you"],
  ];
  await fail("cancelled");
  expect(await steps(buyerId)).toEqual([...others, pay]);
  expect(await (await visit("/home", { as: buyerId })).text()).toContain("<summary>More Steps</summary>");
  // An unpaid order waits for a day.
  await fail("wrong_pin");
  expect(await steps(buyerId)).toEqual([others[0], pay, ...others.slice(1)]);
});

test("Home tells a seller's offers and orders apart, whatever else waits for them", async () => {
  const listing = await listForOffers();
  for (const amount of [1_500, 1_600]) await openOffer(listing, amount);
  const late = await payDeal({ sellerId: listing.sellerId });
  const soon = await payDeal({ sellerId: listing.sellerId });
  await db.update(profiles).set({ fullName: "Wanjiku Kamau" }).where(eq(profiles.id, soon.buyerId));
  await setTimer(late.itemId, 72);
  await setTimer(soon.itemId, 5);
  const steps = await findOpenSteps({ db, now: Date.now }, listing.sellerId);
  expect(steps.map(({ step, path }) => [step, path.split("=")[0]])).toEqual([
    ["Message the buyer · Wanjiku Kamau", `/seller/orders/${soon.itemId}`],
    ["Answer the offer: KES 1,500", "/profile?tab"],
    ["Answer the offer: KES 1,600", "/profile?tab"],
    [expect.stringMatching(/^Message the buyer · /), `/seller/orders/${late.itemId}`],
  ]);
});

test.each(["processing", "shipped"] as const)(
  "once its buyer has reported an item that is %s, no page of theirs leads to a handover",
  async (status) => {
    const deal = await acceptedMeeting();
    await setItemStatus(deal.itemId, status);
    const reads = async () => {
      const [home] = await findOpenSteps({ db, now: Date.now }, deal.buyerId);
      const list = await findOrderHistory(servicesAt(), deal.buyerId, null);
      return [home?.step, list?.orders[0]?.step];
    };
    const page = async () => {
      const html = await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
      const [, step = ""] = /<section[^>]*aria-label="Next step"[^>]*>(.*?)<\/section>/s.exec(html) ?? [];
      return { step: wordsOf(step), leads: wordsOf(html.replaceAll(/<script.*?<\/script>/gs, "")).includes("Suggest") };
    };
    const [meeting] = await reads();
    expect(meeting).toMatch(/^Meet /);
    const { buyerId: userId, orderId, itemId } = deal;
    expect((await reportIssue(servicesAt(), { userId, orderId, itemId, description: "It rattles" })).ok).toBe(true);
    const now = status === "processing" ? "Our team reads your report" : "On its way to you";
    expect(await reads()).toEqual([now, now]);
    const told = await page();
    expect(told.step).toContain("your handover code is hidden");
    expect(told.step).not.toMatch(/Meet |Then give/);
    // Nor does a cancelled meeting lead to another.
    await meet(deal, "seller", "cancelled");
    expect((await page()).leads).toBe(false);
  },
);

test("Home leads to the payment that failed, until it is tried again", async () => {
  const { orderId, buyerId } = await makeDeal();
  const leads = async () => (await (await visit("/home", { as: buyerId })).text()).includes(`/checkout/${orderId}`);
  expect(await leads()).toBe(false);
  await db.update(orders).set({ paymentStatus: "failed" }).where(eq(orders.id, orderId));
  expect(await leads()).toBe(true);
  await db.update(orders).set({ paymentStatus: "processing" }).where(eq(orders.id, orderId));
  expect(await leads()).toBe(false);
});

test("Home asks the buyer of a finished deal for a review, for a week or until it is written", async () => {
  const deal = await finishedDeal();
  const asks = async (days = 0) => {
    const home = await visit("/home", { as: deal.buyerId, headers: { "X-Days-Ahead": String(days) } });
    return (await home.text()).includes(`/reviews/${deal.itemId}`);
  };
  expect(await asks()).toBe(true);
  expect(await asks(6)).toBe(true);
  expect(await asks(8)).toBe(false);
  expect((await review(deal, "buyer")).ok).toBe(true);
  expect(await asks()).toBe(false);
});

test("Home reads as many rows for a buyer of many orders as for one of ten", async () => {
  const buyerId = await makeUser();
  const sellerId = await makeUser();
  let minute = 0;
  const order = async () => {
    minute += 1;
    const from = { productId: await makeProduct(sellerId, { price: 100 }), quantity: 1, revision: 0 };
    await placeOrder(servicesAt(minute * 60_000), {
      userId: buyerId,
      idempotencyKey: crypto.randomUUID(),
      expectedAmount: 100,
      from,
    });
  };
  const rows = async () => {
    const timing = (await visit("/home", { as: buyerId })).headers.get("Server-Timing") ?? "";
    expect(timing).toContain("trips=2");
    return Number(/rows=(\d+)/.exec(timing)?.[1]);
  };
  for (let count = 0; count < 12; count += 1) await order();
  const few = await rows();
  for (let count = 0; count < 20; count += 1) await order();
  // The home page itself reads the new listings.
  expect((await rows()) - few).toBeLessThan(20);
});
