/**
 * Races: a slow action reads, somebody else acts from beginning to end, and the slow action writes. Each row of the
 * table says what must have become of both. To add one: set the scene, name both actions, and say what must hold.
 */
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { suspendListing, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { type Cells, COLUMN_HEADERS, COLUMNS } from "#app/catalogue/import/listing-columns.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import { checkedVersions, planListingFile } from "#app/catalogue/import/plan-listing-file.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { createListing, setListingStatus } from "#app/catalogue/selling/listings.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { categories, offers, products } from "#app/catalogue/tables.server.ts";
import { dealEvents, dealTimers, orderItems } from "#app/orders/tables.server.ts";
import { payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { reportProblem } from "#app/deals/problems/problems.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { stopHandoverLink } from "#app/deals/code/handover-link.server.ts";
import { liftReport } from "#app/deals/problems/lift-report.server.ts";
import { agreeToItem } from "#app/messaging/sending/send-message.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { mayChange, writeCsv } from "#app/platform/csv.ts";
import { stepOffer } from "#app/offers/offer-steps.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { restockItem } from "#app/orders/restock.server.ts";
import { abandonPayment } from "#app/payments/collect/abandon-payment.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import type { Services } from "#app/request/services.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { changeHoliday } from "#app/shops/shop-settings.server.ts";
import { editReview } from "#app/reviews/write-review.server.ts";
import {
  booksOff,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  makeWholesaler,
  readAttempts,
  readItem,
  readPayout,
  servicesAt,
  stockOf,
  uniquePhone,
  changeListing,
} from "#tests/support/fixtures.ts";
import {
  acceptedOffer,
  askToPay,
  listForOffers,
  type Negotiation,
  orderOffer,
  readOffer,
} from "#tests/support/offers.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { slowDatabase } from "#tests/support/faults.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { reserveTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asPayout } from "#tests/support/transfers.ts";

const HOUR = 60 * 60_000;

/** An action with the services that it runs with. */
type Act = (services: Services) => Promise<unknown>;

interface Scene {
  /** What is slow: it reads before `other`, and writes after it. */
  slow: Act;
  other: Act;
  /** What each answers. An answer that isn't named may be anything. */
  slowAnswers?: object;
  otherAnswers?: object;
  /** What must hold afterwards. */
  after(): Promise<void>;
}

function codeServices(services: Services): Services {
  return { ...services, deals: { inspectionHours: 48, codeKey: "test-key" } };
}

// ---------------------------------------------------------------- what people do

interface Paid {
  itemId: string;
  orderId: string;
  buyerId: string;
  sellerId: string;
}

const enter =
  ({ itemId, sellerId }: Paid, isRight = true, link: { linkId?: string } = {}): Act =>
  async (services) => {
    const code = await handoverCode("test-key", itemId);
    const wrong = code === "000000" ? "000001" : "000000";
    return enterCode(services, { itemId, sellerId, code: isRight ? code : wrong, ...link });
  };
const issue =
  ({ itemId, orderId, buyerId }: Paid): Act =>
  (services) =>
    reportIssue(services, { userId: buyerId, orderId, itemId, description: "It rattles" });
const reportSeller =
  ({ buyerId, sellerId }: Paid): Act =>
  (services) =>
    sendReport(services, { subject: "person", subjectId: sellerId, reporterId: buyerId, reason: "scam", text: "x" });
const problem =
  ({ itemId, buyerId }: Paid): Act =>
  (services) =>
    reportProblem(services, { itemId, buyerId, kind: "damaged", description: "Broken", photoKeys: [] });
const happen =
  ({ itemId }: Paid, event: DealEvent, by: string | null): Act =>
  (services) =>
    applyDealEvent(services, { itemId, event, by });

async function statusOf({ itemId }: Paid) {
  return (await readItem(itemId)).status;
}

/** KES that the seller has earned, and that goes back to the buyer. */
async function moneyOf({ itemId }: Paid) {
  const [paid] = await db.select().from(payoutItems).where(eq(payoutItems.orderItemId, itemId));
  const [back] = await db.select().from(refunds).where(eq(refunds.orderItemId, itemId));
  return [paid?.amount ?? 0, back?.amount ?? 0];
}

async function delivered(): Promise<Paid> {
  const deal = await payDeal();
  await agreeOn(deal);
  await shipItem(servicesAt(), deal);
  await deliverItem(codeServices(servicesAt()), deal);
  return deal;
}

async function completed(): Promise<Paid & { payoutId: string }> {
  const deal = await payDeal();
  await enter(deal)(codeServices(servicesAt()));
  return { ...deal, payoutId: (await readPayout(deal.itemId))?.id ?? "" };
}

async function contacted(): Promise<Paid> {
  const deal = await payDeal();
  await env.DB.prepare("UPDATE order_items SET buyer_contacted = 1 WHERE id = ?").bind(deal.itemId).run();
  return deal;
}

// ---------------------------------------------------------------- the table

const RACES: Record<string, () => Promise<Scene>> = {
  "a report before the code pays": async () => {
    const deal = await payDeal();
    return {
      slow: enter(deal),
      other: issue(deal),
      slowAnswers: { ok: false, code: "reported" },
      otherAnswers: { ok: true, money: "held" },
      async after() {
        expect(await statusOf(deal)).toBe("in_review");
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "a seller stops the link before a wrong code is counted": async () => {
    const deal = await payDeal();
    const linkId = crypto.randomUUID();
    const made = { event: "helper_asked", actor: "seller", createdAt: Date.now() } as const;
    await db.insert(dealEvents).values({ id: linkId, orderItemId: deal.itemId, ...made });
    return {
      slow: enter(deal, false, { linkId }),
      other: (services) => stopHandoverLink(services, deal),
      slowAnswers: { ok: false, code: "not_found" },
      otherAnswers: { ok: true },
      async after() {
        expect(await readItem(deal.itemId)).toMatchObject({ wrongCodes: 0 });
      },
    };
  },
  "a report about the seller before the code pays": async () => {
    const deal = await payDeal();
    return {
      slow: enter(deal),
      other: reportSeller(deal),
      slowAnswers: { ok: false, code: "reported" },
      otherAnswers: { ok: true },
      async after() {
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "the code pays before the report": async () => {
    const deal = await payDeal();
    return {
      slow: issue(deal),
      other: enter(deal),
      slowAnswers: { ok: true, money: "held" },
      otherAnswers: { ok: true },
      async after() {
        // The payout hasn't left, so the report still stops it.
        await advanceDeals(codeServices(servicesAt()));
        expect(await statusOf(deal)).toBe("in_review");
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "a report is taken back before the code makes our team decide": async () => {
    const deal = await payDeal();
    await issue(deal)(servicesAt());
    return {
      slow: enter(deal),
      other: (services) => liftReport(services, deal),
      slowAnswers: { ok: true, status: "completed" },
      otherAnswers: { ok: true },
      async after() {
        expect(await moneyOf(deal)).toEqual([1_900, 0]);
      },
    };
  },
  "the code makes our team decide before a report is taken back": async () => {
    const deal = await payDeal();
    await issue(deal)(servicesAt());
    return {
      slow: (services) => liftReport(services, deal),
      other: enter(deal),
      slowAnswers: { ok: false, code: "wrong_state" },
      otherAnswers: { ok: false, code: "reported" },
      async after() {
        expect(await statusOf(deal)).toBe("in_review");
      },
    };
  },
  "a report before everything is OK": async () => {
    const deal = await delivered();
    return {
      slow: happen(deal, "accepted", deal.buyerId),
      other: issue(deal),
      slowAnswers: { ok: false, code: "reported" },
      otherAnswers: { ok: true, money: "held" },
      async after() {
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "a problem before everything is OK": async () => {
    const deal = await delivered();
    return {
      slow: happen(deal, "accepted", deal.buyerId),
      other: problem(deal),
      slowAnswers: { ok: false, code: "wrong_state" },
      otherAnswers: { ok: true },
      async after() {
        expect(await statusOf(deal)).toBe("problem_reported");
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "the code before a problem": async () => {
    const deal = await delivered();
    return {
      slow: problem(deal),
      other: enter(deal),
      slowAnswers: { ok: false, code: "wrong_state", status: "completed" },
      otherAnswers: { ok: true },
      async after() {
        expect(await moneyOf(deal)).toEqual([1_900, 0]);
      },
    };
  },
  "a report before the time is over": async () => {
    const deal = await delivered();
    await db.update(dealTimers).set({ dueAt: 1 }).where(eq(dealTimers.orderItemId, deal.itemId));
    return {
      slow: happen(deal, "inspection_ended", null),
      other: issue(deal),
      slowAnswers: { ok: false, code: "reported" },
      otherAnswers: { ok: true, money: "held" },
      async after() {
        expect(await moneyOf(deal)).toEqual([0, 0]);
        // Nothing else would bring it to our team.
        await advanceDeals(codeServices(servicesAt()));
        expect(await statusOf(deal)).toBe("in_review");
      },
    };
  },
  "a report before the payout is sent": async () => {
    const deal = await completed();
    return {
      slow: (services) => advanceTransfer(services, asPayout(deal.payoutId)),
      other: issue(deal),
      otherAnswers: { ok: true, money: "held" },
      async after() {
        expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0 });
      },
    };
  },
  "a payout is sent before another item joins it": async () => {
    const deal = await completed();
    const next = await payDeal({ sellerId: deal.sellerId });
    return {
      slow: enter(next),
      other: () =>
        db.update(payouts).set({ state: "sending", sendCount: 1 }).where(eq(payouts.id, deal.payoutId)).execute(),
      slowAnswers: { ok: true, status: "completed" },
      async after() {
        expect(await readPayout(deal.itemId)).toMatchObject({ amount: 1_900 });
        expect(await readPayout(next.itemId)).toMatchObject({ amount: 1_900, state: "due" });
      },
    };
  },
  "a report before an admin begins to send the payout by hand": async () => {
    const deal = await completed();
    await db.update(payouts).set({ state: "parked", waitReason: "no_phone" }).where(eq(payouts.id, deal.payoutId));
    const admin = await makeAdmin();
    return {
      slow: (services) => reserveTransfer(services, admin, asPayout(deal.payoutId)),
      other: issue(deal),
      otherAnswers: { ok: true, money: "held" },
      async after() {
        expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", waitReason: "no_phone" });
      },
    };
  },
  "a payout is sent before a report takes it back": async () => {
    const deal = await completed();
    await issue(deal)(servicesAt());
    return {
      slow: happen(deal, "payout_stopped", null),
      // Sent by a run that had passed every check before the report.
      other: () =>
        db.update(payouts).set({ state: "sending", sendCount: 1 }).where(eq(payouts.id, deal.payoutId)).execute(),
      async after() {
        expect(await statusOf(deal)).toBe("completed");
        expect(await moneyOf(deal)).toEqual([1_900, 0]);
      },
    };
  },
  "agreeing before the buyer cancels": async () => {
    const deal = await contacted();
    return {
      slow: happen(deal, "cancelled_by_buyer", deal.buyerId),
      other: (services) => agreeToItem(services, { orderItemId: deal.itemId, buyerId: deal.buyerId }),
      slowAnswers: { ok: false, code: "already_agreed" },
      otherAnswers: { ok: true },
      async after() {
        expect(await readItem(deal.itemId)).toMatchObject({ status: "processing", buyerAgreed: true });
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "cancelling before the buyer agrees": async () => {
    const deal = await contacted();
    return {
      slow: (services) => agreeToItem(services, { orderItemId: deal.itemId, buyerId: deal.buyerId }),
      other: happen(deal, "cancelled_by_buyer", deal.buyerId),
      otherAnswers: { ok: true },
      async after() {
        expect(await readItem(deal.itemId)).toMatchObject({ status: "cancelled", buyerAgreed: false });
        expect(await moneyOf(deal)).toEqual([0, 1_900]);
      },
    };
  },
  "the seller cancels before shipping": async () => {
    const deal = await payDeal();
    await agreeOn(deal);
    return {
      slow: (services) => shipItem(services, deal),
      other: happen(deal, "cancelled_by_seller", deal.sellerId),
      slowAnswers: { ok: false, code: "wrong_state" },
      otherAnswers: { ok: true },
      async after() {
        expect(await moneyOf(deal)).toEqual([0, 1_900]);
      },
    };
  },
  "paying before an accepted offer is withdrawn": async () => {
    const offer = await acceptedOffer();
    const orderId = await orderOffer(offer);
    return {
      slow: (services) => stepOffer(services, { offerId: offer.offerId, by: offer.buyerId, step: "withdrawn" }),
      other: () => askToPay(orderId, offer.buyerId),
      slowAnswers: { ok: false },
      async after() {
        expect(await readOffer(offer.offerId)).toMatchObject({ state: "accepted" });
        expect(await readAttempts(orderId)).toMatchObject([{ state: "pushed" }]);
      },
    };
  },
  "an accepted offer is withdrawn before paying": async () => {
    const offer = await acceptedOffer();
    const orderId = await orderOffer(offer);
    return {
      slow: (services) => requestOrderPayment(services, { orderId, userId: offer.buyerId, phone: uniquePhone("00") }),
      other: (services) => stepOffer(services, { offerId: offer.offerId, by: offer.buyerId, step: "withdrawn" }),
      slowAnswers: { ok: false },
      otherAnswers: { ok: true },
      async after() {
        expect(await readOffer(offer.offerId)).toMatchObject({ state: "withdrawn" });
        expect(await readAttempts(orderId)).toEqual([]);
        expect(await stockOf(offer.productId)).toMatchObject({ stock: 1, reserved: 0 });
      },
    };
  },
  "the price of an accepted offer's listing falls before it is paid": () =>
    offerPaid(({ productId }) => changeListing(productId, { price: 1_000 })),
  "a seller goes on holiday before an offer is paid": () =>
    offerPaid(async ({ sellerId }, services) => {
      await db.insert(shops).values({ id: sellerId, shopName: "Kettles", createdAt: 1, updatedAt: 1 });
      await changeHoliday(services, sellerId, Date.now() + HOUR);
    }),
  "a seller blocks a buyer before they pay": async () => {
    const deal = await makeDeal();
    return {
      slow: (services) =>
        requestOrderPayment(services, { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") }),
      other: (services) => blockUser(services, { userId: deal.sellerId, blockedId: deal.buyerId }),
      slowAnswers: { ok: false, code: "closed" },
      async after() {
        expect(await readAttempts(deal.orderId)).toEqual([]);
      },
    };
  },
  "a listing says something else before an offer for it is sent": async () => {
    const { productId } = await listForOffers();
    const buyerId = await makeUser();
    return {
      slow: (services) =>
        makeOffer(services, { buyerId, productId, amount: 1_500, revision: 0, note: "", key: crypto.randomUUID() }),
      other: () => changeListing(productId, { description: "The lid is missing" }),
      slowAnswers: { ok: false, code: "listing_changed", revision: 1 },
      async after() {
        expect(await db.select().from(offers).where(eq(offers.buyerId, buyerId))).toEqual([]);
      },
    };
  },
  "a listing is edited before a file that was checked changes it": async () => {
    const sellerId = await makeWholesaler();
    await db
      .insert(categories)
      .values({ id: "stationery", name: "Stationery", nameKey: "stationery", status: "approved", createdAt: 1 })
      .onConflictDoNothing();
    const productId = await makeProduct(sellerId, { price: 500, stock: 5 });
    await changeListing(productId, { sku: "CASIO-1" });
    const row: Partial<Cells> = {
      sku: "CASIO-1",
      name: "Casio fx-991ES",
      description: "Works, with cover",
      price: "450",
      category: "Stationery",
      condition: "New",
      stock: "5",
    };
    const table = [Object.values(COLUMN_HEADERS), COLUMNS.map((column) => row[column] ?? "")];
    const bytes = new TextEncoder().encode(writeCsv(table, mayChange));
    const plan = await planListingFile(servicesAt(), { sellerId, bytes, checked: null });
    expect(plan).toMatchObject({ rows: [{ state: "updated" }] });
    const checked = plan.ok ? checkedVersions(plan.rows) : {};
    const seller = { id: sellerId, name: "Wanjiku Otieno", campusLocation: "Main Campus", email: "w@campus.test" };
    return {
      slow: (services) => importListings(services, openHeldCases, { seller, bytes, checked }),
      other: () => changeListing(productId, { name: "Casio fx-82", updatedAt: Date.now() + 1 }),
      slowAnswers: { ok: true },
      async after() {
        const [listing] = await db.select().from(products).where(eq(products.id, productId));
        expect(listing).toMatchObject({ name: "Casio fx-82", price: 450 });
      },
    };
  },
  "a prompt is sent to a phone and given up before another prompt to it": async () => {
    const [deal, other] = [await makeDeal(), await makeDeal({ price: 700 })];
    const phone = uniquePhone("00");
    const ask = (services: Services, { orderId, buyerId: userId }: Paid) =>
      requestOrderPayment(services, { orderId, userId, phone });
    return {
      slow: (services) => ask(services, deal),
      async other(services) {
        await ask(services, other);
        return abandonPayment(services, { orderId: other.orderId, userId: other.buyerId, phone });
      },
      slowAnswers: { ok: false, code: "phone_busy" },
      async after() {
        // M-Pesa can't take the first prompt back, so the phone must not get a second one beside it.
        expect(await readAttempts(other.orderId)).toMatchObject([{ failureReason: "abandoned" }]);
        expect(await readAttempts(deal.orderId)).toEqual([]);
      },
    };
  },
  "the last wrong code of the day before a right one": async () => {
    const deal = await payDeal();
    const others = await Promise.all(Array.from({ length: 5 }, () => payDeal({ sellerId: deal.sellerId })));
    const at = codeServices(servicesAt());
    // 19 of 20: each item takes five.
    for (const [n, other] of others.entries())
      for (let code = 0; code < (n === 3 ? 4 : n === 4 ? 0 : 5); code += 1) await enter(other, false)(at);
    const last = others[4] ?? deal;
    return {
      slow: enter(deal),
      other: enter(last, false),
      slowAnswers: { ok: false, code: "too_many" },
      otherAnswers: { ok: false, code: "wrong_code" },
      async after() {
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "a wrong code before the same wrong code": async () => {
    const deal = await payDeal();
    return {
      slow: enter(deal, false),
      other: enter(deal, false),
      slowAnswers: { code: "wrong_code", left: 3 },
      otherAnswers: { code: "wrong_code", left: 4 },
      async after() {
        expect(await readItem(deal.itemId)).toMatchObject({ wrongCodes: 2 });
      },
    };
  },
  "a deal is held for a second admin before its time is over": async () => {
    const deal = await payDeal({ price: 71_000 });
    await db.update(dealTimers).set({ dueAt: 1 }).where(eq(dealTimers.orderItemId, deal.itemId));
    const admin = await makeAdmin();
    return {
      slow: (services) => advanceDeals(services),
      other: (services) => suspendUser(services, admin, deal.sellerId, "Took money and ran"),
      otherAnswers: { ok: true, waits: true },
      async after() {
        expect(await statusOf(deal)).toBe("processing");
        expect(await moneyOf(deal)).toEqual([0, 0]);
      },
    };
  },
  "a listing is taken down before its payment settles": () => takenDown(false),
  "a payment settles before its listing is taken down": () => takenDown(true),
  "a seller is suspended while they list something": () =>
    listedBy(async (services, sellerId) => {
      const admin = await makeAdmin();
      return suspendUser(services, admin, sellerId, "Took money and ran");
    }),
  "a seller deletes their account while another window lists something": () => listedBy(deleteAccount),
  "a review is published before its stars change": async () => {
    const deal = await finishedDeal();
    await review(deal, "buyer", { rating: 5 });
    return {
      slow: (services) =>
        editReview(services, {
          itemId: deal.itemId,
          authorId: deal.buyerId,
          rating: 1,
          tags: [],
          text: "",
          photoKeys: [],
          opened: null,
        }),
      other: () => review(deal, "seller", { rating: 4 }),
      slowAnswers: { ok: false, code: "stars_fixed" },
      otherAnswers: { ok: true },
      async after() {
        const [written] = await db
          .select()
          .from(reviews)
          .where(and(eq(reviews.orderItemId, deal.itemId), eq(reviews.authorId, deal.buyerId)));
        expect(written).toMatchObject({ rating: 5, publishedAt: expect.any(Number) });
      },
    };
  },
  "a listing is made active before its piece is put back": () => oncePutBack(false),
  "a piece is put back before its listing is made active": () => oncePutBack(true),
};

/** A buyer asks to pay what was agreed, and something changes that they have to read first. */
async function offerPaid(change: (offer: Negotiation, services: Services) => Promise<unknown>): Promise<Scene> {
  const offer = await acceptedOffer();
  const orderId = await orderOffer(offer);
  return {
    slow: (services) => requestOrderPayment(services, { orderId, userId: offer.buyerId, phone: uniquePhone("00") }),
    other: (services) => change(offer, services),
    slowAnswers: { ok: false, code: "closed" },
    async after() {
      expect(await readAttempts(orderId)).toEqual([]);
    },
  };
}

/** A payment arrives, and an admin takes the listing down. Whichever comes first, the buyer gets the money back. */
async function takenDown(settlesFirst: boolean): Promise<Scene> {
  const deal = await makeDeal();
  const [item] = await db.select().from(orderItems).where(eq(orderItems.id, deal.itemId));
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  const admin = await makeAdmin();
  const receipt = `RACE${crypto.randomUUID().slice(0, 6).toUpperCase()}`;
  const settle: Act = (services) =>
    applyAttemptEvent(services, attempt?.id ?? "", { event: "paid", receipt, paidAt: null, checkoutRequestId: null });
  const takeDown: Act = (services) => suspendListing(services, admin, item?.productId ?? "", "Not allowed");
  return {
    slow: settlesFirst ? takeDown : settle,
    other: settlesFirst ? settle : takeDown,
    async after() {
      await advanceDeals(codeServices(servicesAt(HOUR)));
      expect((await readItem(deal.itemId)).status).not.toBe("processing");
      const back = await db.select().from(refunds).where(eq(refunds.orderId, deal.orderId));
      expect(back.map(({ amount }) => amount)).toEqual([1_900]);
    },
  };
}

/** Somebody's session ends for good while they list something. */
async function listedBy(endAccount: (services: Services, sellerId: string) => Promise<unknown>): Promise<Scene> {
  const sellerId = await makeUser();
  const productId = crypto.randomUUID();
  const seller = { id: sellerId, name: "Wanjiku Otieno", campusLocation: "Main Campus" };
  const listing: Listing = {
    name: "Ramtons kettle",
    price: 1_200,
    originalPrice: null,
    description: "Boils in three minutes",
    category: "kitchen",
    chosenType: null,
    facts: {},
    condition: "good",
    stock: 1,
    takesOffers: false,
    lowestOffer: null,
  };
  return {
    slow: (services) => createListing(services, openHeldCases, { seller, productId, listing, photoKeys: [] }),
    other: (services) => endAccount(services, sellerId),
    slowAnswers: { ok: false, code: "account" },
    otherAnswers: { ok: true },
    async after() {
      expect(await db.$count(products, eq(products.sellerId, sellerId))).toBe(0);
      expect(await db.$count(shops, eq(shops.id, sellerId))).toBe(0);
    },
  };
}

async function oncePutBack(restocksFirst: boolean): Promise<Scene> {
  const deal = await payDeal({ condition: "good" } as never);
  const [item] = await db.select().from(orderItems).where(eq(orderItems.id, deal.itemId));
  const productId = item?.productId ?? "";
  await changeListing(productId, { stock: 0, condition: "good" });
  await happen(deal, "cancelled_by_seller", deal.sellerId)(servicesAt());
  const [shown] = await db.select().from(products).where(eq(products.id, productId));
  const restock: Act = (services) => restockItem(services, deal);
  const activate: Act = (services) =>
    setListingStatus(services, { sellerId: deal.sellerId, productId, status: "active", seen: shown?.updatedAt });
  return {
    slow: restocksFirst ? activate : restock,
    other: restocksFirst ? restock : activate,
    async after() {
      expect(await stockOf(productId)).toMatchObject({ stock: 1, status: "active" });
    },
  };
}

beforeEach(async () => {
  await db.delete(dealTimers);
});

test.each(Object.keys(RACES))("%s", async (name) => {
  const scene = await RACES[name]?.();
  if (!scene) throw new Error("no such race");
  const ordinary = codeServices(servicesAt());
  let otherAnswer: unknown;
  const slow = slowDatabase(env.DB, async () => {
    otherAnswer = await scene.other(ordinary);
  });
  const answer = await Promise.resolve(scene.slow({ ...codeServices(servicesAt()), db: openDatabase(slow.db) })).catch(
    (error: unknown) => error,
  );
  // Otherwise the two didn't race.
  expect(slow.hasWritten()).toBe(true);
  if (scene.slowAnswers) expect(answer).toMatchObject(scene.slowAnswers);
  if (scene.otherAnswers) expect(otherAnswer).toMatchObject(scene.otherAnswers);
  await scene.after();
  expect(await booksOff()).toEqual({});
  // Nothing happened that the history doesn't tell.
  const history = await db.select().from(dealEvents);
  expect(new Set(history.map(({ id }) => id)).size).toBe(history.length);
});
