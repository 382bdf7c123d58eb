/** The service fee on real D1: set by two owners, fixed in the order, taken when the deal ends, and given back. */
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  confirmFee,
  declineFee,
  keepFee,
  openIncome,
  proposeFee,
  proposeTakeBack,
  setMonthlyCost,
  takeBackFee,
} from "#app/admin/income/income.server.ts";
import { remindOfFees } from "#app/admin/income/waiting-fees.server.ts";
import { listCart } from "#app/basket/cart.server.ts";
import { cartTotals } from "#app/basket/list-rules.ts";
import { type FeeRule, feesOf } from "#app/catalogue/fees/fee-rules.ts";
import { summarizeProductPage } from "#app/catalogue/product/product-page-summary.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { mergeCategory, removeCategory } from "#app/admin/catalogue/categories.server.ts";
import { categories, serviceFees } from "#app/catalogue/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { FEE_PAYERS } from "#app/db/states/fee.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { openBuyerReceipts } from "#app/payments/books/buyer-receipts.server.ts";
import { openSellerMoney } from "#app/payments/books/seller-money.server.ts";
import { openSellerStatement } from "#app/payments/books/seller-statement.server.ts";
import { ledgerEntries, refunds } from "#app/payments/tables.server.ts";
import { findMoneyFacts } from "#app/admin/money/money-facts.server.ts";
import { placesOf, timelineOf } from "#app/admin/money/explain-words.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { dayName, monthName } from "#app/platform/east-africa-time.ts";
import { openShopListings } from "#app/screens/my-shop/my-shop.server.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import {
  booksOff,
  changeListing,
  type Deal,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  putInCart,
  readItem,
  readOrder,
  readPayout,
  servicesAt,
} from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { feeIs as setFee } from "#tests/support/service-fee.ts";
import { makeAdmin, visit, wordsOf } from "#tests/support/visit.ts";

const DAY = 24 * 60 * 60_000;
const PRICE = 1_000;

let owner: Admin;

beforeEach(async () => {
  await db.delete(serviceFees);
  owner = await makeAdmin();
});

const feeIs = (rule: Partial<FeeRule>, category: string | null = null, at?: number) =>
  setFee(owner, rule, category, at);

/** Admins end it, so that no report, code or clock stands in the way. */
async function reviewed(): Promise<Deal> {
  const deal = await payDeal({ price: PRICE });
  await agreeOn(deal);
  const { itemId, sellerId, buyerId } = deal;
  await applyDealEvent(servicesAt(), { itemId, event: "shipped", by: sellerId });
  await applyDealEvent(servicesAt(), { itemId, event: "delivered", by: sellerId });
  await applyDealEvent(servicesAt(), { itemId, event: "problem_reported", by: buyerId });
  await applyDealEvent(servicesAt(), { itemId, event: "problem_contested", by: sellerId });
  return deal;
}

const ENDINGS = {
  released: { event: "team_released" },
  split: { event: "team_split", refundAmount: 400 },
  refunded: { event: "team_refunded" },
} as const;

async function end({ itemId }: Deal, ending: keyof typeof ENDINGS) {
  const ended = await applyDealEvent(servicesAt(), { itemId, by: owner.id, ...ENDINGS[ending] });
  expect(ended).toMatchObject({ ok: true });
}

async function sharesOf({ itemId }: Deal) {
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, itemId));
  const taken = await db.select().from(ledgerEntries).where(eq(ledgerEntries.orderItemId, itemId));
  const fee = -taken.filter(({ account }) => account === "fees").reduce((sum, { amount }) => sum + amount, 0) + 0;
  expect((await readItem(itemId)).feeTaken).toBe(fee);
  return { buyer: refund?.amount ?? 0, seller: (await readPayout(itemId))?.amount ?? 0, fee };
}

describe("a deal", () => {
  test.each([
    ["seller", "released", { buyer: 0, seller: 950, fee: 50 }],
    ["seller", "split", { buyer: 400, seller: 570, fee: 30 }],
    ["seller", "refunded", { buyer: 1_000, seller: 0, fee: 0 }],
    ["buyer", "released", { buyer: 0, seller: 1_000, fee: 50 }],
    ["buyer", "split", { buyer: 420, seller: 600, fee: 30 }],
    ["buyer", "refunded", { buyer: 1_050, seller: 0, fee: 0 }],
  ] as const)("whose %s pays is divided when it is %s", async (payer, ending, shares) => {
    await feeIs({ payer });
    const deal = await reviewed();
    expect((await readOrder(deal.orderId)).amount).toBe(payer === "buyer" ? 1_050 : 1_000);
    await end(deal, ending);
    expect(await sharesOf(deal)).toEqual(shares);
    expect(await booksOff()).toEqual({});
  });

  test("keeps the fee of its order, whatever is set afterwards", async () => {
    await feeIs({});
    const deal = await reviewed();
    await feeIs({ payer: "buyer", share: 2_000, largest: 20_000 });
    await end(deal, "released");
    expect(await sharesOf(deal)).toEqual({ buyer: 0, seller: 950, fee: 50 });
  });

  test("gives the fee back when a report stops the payout, and takes it again", async () => {
    await feeIs({});
    const deal = await payDeal({ price: PRICE });
    await agreeOn(deal);
    const { itemId, buyerId, sellerId, orderId } = deal;
    await applyDealEvent(servicesAt(), { itemId, event: "shipped", by: sellerId });
    await applyDealEvent(servicesAt(), { itemId, event: "accepted", by: buyerId });
    await reportIssue(servicesAt(), { userId: buyerId, orderId, itemId, description: "It rattles" });
    await applyDealEvent(servicesAt(), { itemId, event: "payout_stopped", by: null });
    expect(await sharesOf(deal)).toEqual({ buyer: 0, seller: 0, fee: 0 });
    expect(await booksOff()).toEqual({});
    await end(deal, "split");
    expect(await sharesOf(deal)).toEqual({ buyer: 400, seller: 570, fee: 30 });
    expect(await booksOff()).toEqual({});
    const { statement } = await openSellerStatement(servicesAt(), { sellerId, month: monthName(servicesAt().now()) });
    expect(statement.totals).toEqual({ sale: 1_000, refund: 400, fee: 30, payout: 0 });
    expect(statement.lines.filter(({ kind }) => kind === "fee").map(({ amount }) => amount)).toEqual([50, -50, 30]);
    expect(statement.closing).toBe(570);
  });
});

test.each(["seller", "buyer"] as const)(
  "where the %s pays, both sides and our team read the same money",
  async (payer) => {
    await feeIs({ payer });
    const deal = await reviewed();
    const held = await openSellerMoney(db, { sellerId: deal.sellerId, filter: null });
    const shop = async () => (await openShopListings(servicesAt(), deal.sellerId, null)).head;
    expect(await shop()).toMatchObject({ revenue: PRICE, reaching: payer === "seller" ? 950 : null });
    expect(held.totals.waiting).toBe(payer === "seller" ? 950 : 1_000);
    await end(deal, "split");
    const seller = payer === "seller" ? 570 : 600;
    const { lines } = await openSellerMoney(db, { sellerId: deal.sellerId, filter: null });
    expect(lines.map(({ amount }) => amount)).toEqual([seller]);
    const { statement } = await openSellerStatement(servicesAt(), {
      sellerId: deal.sellerId,
      month: monthName(servicesAt().now()),
    });
    expect(statement.closing).toBe(seller);
    expect((await shop()).reaching).toBe(payer === "seller" ? seller : null);
    const found = await findMoneyFacts(servicesAt(), { kind: "order", id: deal.orderId });
    const places = placesOf(found!.facts);
    expect(places).toMatchObject({ held: 0, toSellers: seller, kept: 30, toBuyer: payer === "buyer" ? 420 : 400 });
    expect(places.toSellers + places.kept + places.toBuyer).toBe(places.paid);
    expect(timelineOf(found!.facts).map(({ words }) => words)).toContainEqual(
      expect.stringContaining("We keep a service fee of KES 30."),
    );
  },
);

test.each(["released", "split", "refunded"] as const)(
  "a buyer's receipts name the fee of a deal that is %s, and add up",
  async (ending) => {
    await feeIs({ payer: "buyer" });
    const deal = await reviewed();
    await end(deal, ending);
    await db
      .update(refunds)
      .set({ state: "done", waitReason: null, doneAt: servicesAt().now() })
      .where(eq(refunds.orderItemId, deal.itemId));
    const year = Number(monthName(servicesAt().now()).slice(0, 4));
    const { receipts, paid, fees, returned } = await openBuyerReceipts(servicesAt(), { userId: deal.buyerId, year });
    const { fee } = await sharesOf(deal);
    expect([paid, fees]).toEqual([1_050, 50]);
    const back = receipts.filter(({ kind }) => kind === "returned").reduce((sum, line) => sum + line.fee, 0);
    expect(fees - back).toBe(fee);
    expect(paid - returned - fee).toBe((await readPayout(deal.itemId))?.amount ?? 0);
    const page = wordsOf(await (await visit("/receipts", { as: deal.buyerId })).text());
    for (const said of ["PaidKES 1,000", "Service feesKES 50", "with a service fee of KES 50"])
      expect(page).toContain(said);
    if (ending === "split") expect(page).toContain("with a service fee of KES 20");
  },
);

test("the database and the pages reckon the same fee", async () => {
  const seller = await makeUser();
  const productId = await makeProduct(seller);
  const rules = fc.record({
    payer: fc.constantFrom(...FEE_PAYERS),
    share: fc.integer({ min: 0, max: 2_000 }),
    smallest: fc.integer({ min: 0, max: 50 }),
    largest: fc.integer({ min: 50, max: 5_000 }),
  });
  const prices = fc.oneof(fc.constant(0), fc.integer({ min: 10, max: 30 }), fc.integer({ min: 10, max: 200_000 }));
  await fc.assert(
    fc.asyncProperty(rules, prices, async (rule, price) => {
      await db.delete(serviceFees);
      await feeIs(rule);
      await changeListing(productId, { price });
      const buyer = await makeUser();
      await putInCart(buyer, productId);
      const totals = cartTotals(await listCart(servicesAt(), buyer));
      const orderId = await orderedOne(buyer, productId, { price });
      const [item] = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
      expect(item).toMatchObject(feesOf(rule, price));
      expect((await readOrder(orderId)).amount).toBe(totals.total + totals.fees);
    }),
    { numRuns: 25 },
  );
});

test("a category has its own fee, and the page says it before anybody buys", async () => {
  await feeIs({ payer: "buyer" });
  await feeIs({ payer: "buyer", share: 0, smallest: 20, largest: 20 }, "stationery");
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const pen = await makeProduct(seller, { price: PRICE });
  const desk = await makeProduct(seller, { price: PRICE });
  await changeListing(desk, { category: "Furniture" });
  const said = async (id: string) => {
    const page = await findProductPage(servicesAt(), id, buyer);
    return page && summarizeProductPage(page.product, servicesAt().now()).buyerFeeText;
  };
  expect(await said(pen)).toBe("Plus a service fee: KES 20");
  expect(await said(desk)).toContain("5%");
  expect((await readOrder(await orderedOne(buyer, pen, { price: PRICE }))).amount).toBe(1_020);
  expect((await readOrder(await orderedOne(buyer, desk, { price: PRICE }))).amount).toBe(1_050);
});

test("one owner alone changes no fee by merging or removing a category", async () => {
  const createdBy = await makeUser();
  const add = async () => {
    const id = `extra-${crypto.randomUUID()}`;
    await db.insert(categories).values({ id, name: id, nameKey: id, status: "approved", createdBy, createdAt: 1 });
    return id;
  };
  const [plain, own, announced, other] = [await add(), await add(), await add(), await add()];
  await feeIs({ share: 1_000 }, own);
  await feeIs({ share: 1_000 }, announced, Date.now() + 14 * DAY);
  const refused = { ok: false, code: "own_fee" };
  for (const id of [own, announced]) {
    expect(await removeCategory(servicesAt(), owner, id)).toEqual(refused);
    expect(await mergeCategory(servicesAt(), owner, id, plain)).toEqual(refused);
    expect(await mergeCategory(servicesAt(), owner, plain, id)).toEqual(refused);
  }
  // Once it has the fee of all others again, it may go.
  await db.update(serviceFees).set({ asOthers: true }).where(eq(serviceFees.category, own));
  expect(await mergeCategory(servicesAt(), owner, own, plain)).toEqual({ ok: true });
  expect(await mergeCategory(servicesAt(), owner, other, plain)).toEqual({ ok: true });
  expect(await removeCategory(servicesAt(), owner, plain)).toEqual({ ok: true });
  expect(await removeCategory(servicesAt(), owner, plain)).toEqual({ ok: false, code: "stale" });
});

describe("two owners", () => {
  const RULE = { payer: "seller" as const, share: 500, smallest: 0, largest: 500, category: null, asOthers: false };
  const START = () => servicesAt().now() + 20 * DAY;

  async function proposed(startsAt = START()): Promise<string> {
    expect(await proposeFee(servicesAt(), owner, { ...RULE, startsAt })).toBe(true);
    const [fee] = await db.select().from(serviceFees);
    return fee?.id ?? "";
  }

  const confirm = (admin: Admin, id: string, earliest = 0) => confirmFee(servicesAt(), admin, { id, earliest });

  test("set a fee: nothing is taken before the second has confirmed it, and its day has come", async () => {
    const id = await proposed();
    const second = await makeAdmin();
    expect((await openIncome(servicesAt(), second.id)).proposed).toMatchObject([{ isOwn: false, mayConfirm: true }]);
    expect(await confirm(owner, id)).toBe(false);
    expect(await confirm(second, id)).toBe(true);
    expect(await confirm(second, id)).toBe(false);
    const { current, coming } = await openIncome(servicesAt(), owner.id);
    expect([current, coming]).toMatchObject([[], [{ share: 500 }]]);
    const productId = await makeProduct(await makeUser(), { price: PRICE });
    const buyer = await makeUser();
    const [now] = await db
      .select()
      .from(orderItems)
      .where(eq(orderItems.orderId, await orderedOne(buyer, productId, { price: PRICE })));
    expect(now?.sellerFee).toBe(0);
    const later = await orderedOne(await makeUser(), productId, { price: PRICE, offsetMs: 21 * DAY });
    const [then] = await db.select().from(orderItems).where(eq(orderItems.orderId, later));
    expect(then?.sellerFee).toBe(50);
    expect(await declineFee(servicesAt(), owner, id)).toBe(false);
  });

  test("take back together what they confirmed together, as long as it hasn't begun", async () => {
    const id = await proposed();
    const second = await makeAdmin();
    expect(await proposeTakeBack(servicesAt(), owner, id)).toBe(false);
    expect(await confirm(second, id)).toBe(true);
    expect(await takeBackFee(servicesAt(), second, id)).toBe(false);
    expect(await proposeTakeBack(servicesAt(), owner, id)).toBe(true);
    expect(await proposeTakeBack(servicesAt(), second, id)).toBe(false);
    const [mine] = (await openIncome(servicesAt(), owner.id)).coming;
    expect(mine?.takeBack).toMatchObject({ isOwn: true, mayConfirm: false });
    expect(await takeBackFee(servicesAt(), owner, id)).toBe(false);
    expect(await keepFee(servicesAt(), second, id)).toBe(true);
    expect((await openIncome(servicesAt(), second.id)).coming).toMatchObject([{ id, takeBack: null }]);
    expect(await proposeTakeBack(servicesAt(), second, id)).toBe(true);
    expect(await takeBackFee(servicesAt(21 * DAY), owner, id)).toBe(false);
    expect(await takeBackFee(servicesAt(), owner, id)).toBe(true);
    expect((await openIncome(servicesAt(), owner.id)).coming).toEqual([]);
  });

  test("give a category the fee of all others again", async () => {
    await feeIs({});
    await feeIs({ share: 1_000 }, "stationery");
    const feeOf = async (offsetMs: number) => {
      const productId = await makeProduct(await makeUser(), { price: PRICE });
      const orderId = await orderedOne(await makeUser(), productId, { price: PRICE, offsetMs });
      const [item] = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
      return item?.sellerFee;
    };
    const asOthers = { ...RULE, share: 0, largest: 0, category: "stationery", asOthers: true };
    expect(await proposeFee(servicesAt(), owner, { ...asOthers, startsAt: START() })).toBe(true);
    const [fee] = await db.select().from(serviceFees).where(eq(serviceFees.asOthers, true));
    expect(await confirm(await makeAdmin(), fee?.id ?? "")).toBe(true);
    expect(await feeOf(0)).toBe(100);
    expect(await feeOf(21 * DAY)).toBe(50);
    const { current } = await openIncome(servicesAt(21 * DAY), owner.id);
    expect(current.map(({ category }) => category)).toEqual([null]);
    await feeIs({ share: 2_000, largest: 1_000 }, "stationery", servicesAt(22 * DAY).now());
    expect(await feeOf(23 * DAY)).toBe(200);
  });

  test("do all of it on their page", async () => {
    await feeIs({});
    await feeIs({ share: 1_000 }, "stationery");
    const second = await makeAdmin();
    const page = async (as: string) => wordsOf(await (await visit("/admin/income", { as })).text());
    const send = (as: string, form: Record<string, string>) =>
      visit("/admin/income", { as, form: { subject: "it", ...form } });
    expect(await page(owner.id)).toContain("Take its own fee off");
    const asOthers = { intent: "propose-as-others", id: "stationery" };
    const day = (days: number) => dayName(servicesAt(days * DAY).now());
    expect((await send(owner.id, { ...asOthers, startsOn: day(2) })).status).toBe(400);
    expect((await send(owner.id, { ...asOthers, startsOn: day(20) })).status).toBe(302);
    expect(await page(second.id)).toContain("Stationery: the same as categories without their own fee.");
    const { proposed: waiting } = await openIncome(servicesAt(), second.id);
    const id = waiting[0]?.id ?? "";
    for (const [as, intent, said] of [
      [second.id, "confirm-fee", "Suggest Taking It Back"],
      [second.id, "take-back-fee", "You suggest taking it back."],
      [owner.id, "keep-fee", "Suggest Taking It Back"],
      [owner.id, "take-back-fee", "You suggest taking it back."],
    ] as const) {
      expect((await send(as, { intent, id })).status).toBe(302);
      expect(await page(as)).toContain(said);
    }
    expect((await send(second.id, { intent: "confirm-take-back", id })).status).toBe(302);
    expect((await openIncome(servicesAt(), owner.id)).coming).toEqual([]);
  });

  test("are told once a day of what another one suggests, and not of their own", async () => {
    const reminded = async () =>
      (await db.select().from(outbox).where(like(outbox.dedupeKey, "fees_waiting:%"))).map(({ dedupeKey }) =>
        dedupeKey.split(":").at(-1),
      );
    await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
    owner = await makeAdmin();
    const second = await makeAdmin();
    const finance = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(finance.id).run();
    expect(await remindOfFees(servicesAt())).toBe(0);
    const id = await proposed();
    expect(await remindOfFees(servicesAt())).toBe(1);
    expect(await remindOfFees(servicesAt())).toBe(0);
    expect(await reminded()).toEqual([second.id]);
    await confirm(second, id);
    expect(await remindOfFees(servicesAt(DAY))).toBe(0);
    await proposeTakeBack(servicesAt(DAY), second, id);
    expect(await remindOfFees(servicesAt(DAY))).toBe(1);
    expect((await reminded()).toSorted()).toEqual([owner.id, second.id].toSorted());
    // It has begun.
    expect(await remindOfFees(servicesAt(21 * DAY))).toBe(0);
  });

  test("confirm it late: it begins only after sellers could read it", async () => {
    const id = await proposed(START());
    expect(await confirm(await makeAdmin(), id, START() + 5 * DAY)).toBe(true);
    const [fee] = await db.select().from(serviceFees);
    expect(fee?.startsAt).toBeGreaterThan(START() + 4 * DAY);
  });

  test("don't set it where one of them is new, or no owner any more", async () => {
    const id = await proposed();
    const made = await makeAdmin();
    await env.DB.prepare(
      "INSERT INTO audit_log (id, actor_id, action, subject, created_at) VALUES (?, ?, 'admin_made', ?, ?)",
    )
      .bind(crypto.randomUUID(), owner.id, `user:${made.id}`, servicesAt().now())
      .run();
    expect((await openIncome(servicesAt(), made.id)).proposed).toMatchObject([{ mayConfirm: false }]);
    expect(await confirm(made, id)).toBe(false);
    const left = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(left.id).run();
    expect(await confirm(left, id)).toBe(false);
    const second = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(owner.id).run();
    expect((await openIncome(servicesAt(), second.id)).proposed).toMatchObject([{ mayConfirm: false }]);
    expect(await confirm(second, id)).toBe(false);
    await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(owner.id).run();
    expect(await declineFee(servicesAt(), owner, id)).toBe(true);
    expect(await db.select().from(serviceFees)).toEqual([]);
  });
});

test("the income of a month: fees, what M-Pesa takes, and what an owner entered as they saw it", async () => {
  const before = (await openIncome(servicesAt(), owner.id)).months[0];
  await feeIs({});
  await end(await reviewed(), "released");
  const [month] = (await openIncome(servicesAt(), owner.id)).months;
  expect((month?.fees ?? 0) - (before?.fees ?? 0)).toBe(50);
  const set = (amount: number, seen: string) =>
    setMonthlyCost(servicesAt(), owner, { month: month?.month ?? "", amount, seen });
  expect(await set(900, "")).toBe(true);
  expect(await set(950, "")).toBe(false);
  expect(await set(950, "900")).toBe(true);
  expect((await openIncome(servicesAt(), owner.id)).months[0]?.entered).toBe(950);
});
