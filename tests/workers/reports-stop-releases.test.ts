/**
 * While a buyer has an open report about an item, nothing pays its seller: only our team, or the buyer who takes it
 * back.
 */
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { openAlarmTitles, watchFigures } from "#app/admin/operations/alarms.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import { closeIssue } from "#app/admin/problems/issues.server.ts";
import { openMoneyPage } from "#app/admin/money/money.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import { dealTimers, issueReports, orderItems } from "#app/orders/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { outbox, rateCounters } from "#app/db/tables.server.ts";
import { payoutItems, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { read } from "#app/db/batch.ts";
import type { DealEvent } from "#app/db/states/deal.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { answerAsBuyer, offerPart, reportProblem } from "#app/deals/problems/problems.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { REPORTED_TEXT, WATCHED_TEXT } from "#app/deals/words/deal-summary.server.ts";
import { liftReport } from "#app/deals/problems/lift-report.server.ts";
import { findProblem } from "#app/deals/problems/problem-page.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { findReportable, sendReport } from "#app/moderation/reports/report.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { placeOrder } from "#app/orders/place-order.server.ts";
import type { PayoutAnswer, PayoutOutcome, PayoutReport } from "#app/payments/gateway.ts";
import {
  booksOff,
  type Deal,
  db,
  makeProduct,
  makeUser,
  putInCart,
  readItem,
  readPayout,
  servicesAt,
} from "#tests/support/fixtures.ts";
import { agreeOn, pay, payDeal } from "#tests/support/paid-deal.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { dealMail } from "#app/screens/notifications/words/deal-words.ts";
import { recordTransfer, reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { asPayout, reportTransfer, retryBySeller } from "#tests/support/transfers.ts";
import { recordOf } from "#tests/support/seller-record.ts";

const HOUR = 60 * 60_000;
const PRICE = 1_900;

let deal: Deal;
let productId: string;

beforeEach(async () => {
  await db.delete(dealTimers);
  deal = await payDeal();
  const [item] = await db.select().from(orderItems).where(eq(orderItems.id, deal.itemId));
  productId = item?.productId ?? "";
  await agreeOn(deal);
});

function at(hours = 0, inspectionHours = 48): DealServices {
  return { ...servicesAt(hours * HOUR), deals: { inspectionHours, codeKey: "test-key" } };
}

const happen = (event: DealEvent, by: string | null, hours = 0) =>
  applyDealEvent(at(hours), { itemId: deal.itemId, event, by });
const enter = async (hours = 0) =>
  enterCode(at(hours), {
    itemId: deal.itemId,
    sellerId: deal.sellerId,
    code: await handoverCode("test-key", deal.itemId),
  });
const ship = () => shipItem(at(), deal);
const deliver = async (inspection = 48) => {
  await ship();
  return deliverItem(at(0, inspection), deal);
};
const issue = (itemId: string | null) =>
  reportIssue(at(), { userId: deal.buyerId, orderId: deal.orderId, itemId, description: "It rattles" });
const moderation = (subject: "listing" | "person" | "message", subjectId: string) =>
  sendReport(servicesAt(), { subject, subjectId, reporterId: deal.buyerId, reason: "scam", text: "Asks for my code" });
const lift = () => liftReport(at(), { itemId: deal.itemId, buyerId: deal.buyerId });

/** Each way for a buyer to report an item, its order or its seller. */
const REPORTS: [string, () => Promise<unknown>][] = [
  ["the item", () => issue(deal.itemId)],
  ["the whole order", () => issue(null)],
  ["the listing", () => moderation("listing", productId)],
  ["the seller", () => moderation("person", deal.sellerId)],
  [
    "a message of the seller",
    async () => {
      const about = { kind: "item", id: deal.itemId } as const;
      const sent = await sendMessage(servicesAt(), {
        senderId: deal.sellerId,
        about,
        text: "Send me your code",
        key: crypto.randomUUID(),
      });
      return moderation("message", sent.ok ? sent.message.id : "");
    },
  ],
];

/** An issue report, and a report in a case. What the others do besides is seen where the code is entered. */
const [ISSUE, , , , CASE] = REPORTS;
const BOTH = [ISSUE, CASE].filter((one) => one !== undefined);

/** Each way in which a seller is paid without our team: what comes before the report, and what would pay. */
const RELEASES: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  ["the code at once", async () => undefined, () => enter()],
  ["the code, shipped", ship, () => enter()],
  ["the code, delivered", () => deliver(), () => enter()],
  ["everything is OK, shipped", ship, () => happen("accepted", deal.buyerId)],
  ["everything is OK, delivered", () => deliver(), () => happen("accepted", deal.buyerId)],
  ["the end of the inspection", () => deliver(), () => advanceDeals(at(97))],
  ["delivered where there is no inspection", ship, () => deliverItem(at(0, 0), deal)],
  [
    "a part that the buyer accepts",
    async () => {
      await deliver();
      const words = { kind: "damaged", description: "Broken", photoKeys: [] } as const;
      await reportProblem(at(), { itemId: deal.itemId, buyerId: deal.buyerId, ...words });
      await offerPart(at(), { itemId: deal.itemId, sellerId: deal.sellerId, amount: 400, note: null });
    },
    () => answerAsBuyer(at(), { itemId: deal.itemId, buyerId: deal.buyerId, answer: "accept", note: null }),
  ],
];

/** M-Pesa's result of a payout. */
function result(outcome: PayoutOutcome): PayoutReport {
  return { conversationId: null, outcome, code: "", message: "", amountCents: PRICE * 100, receipt: null };
}

async function expectHeld() {
  expect(await db.select().from(payoutItems).where(eq(payoutItems.orderItemId, deal.itemId))).toEqual([]);
  expect(await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId))).toEqual([]);
  expect(await booksOff()).toEqual({});
}

describe.each(REPORTS)("a report about %s", (name, report) => {
  const releases = BOTH.some(([one]) => one === name) ? RELEASES : RELEASES.slice(0, 1);
  test.each(releases)("stops %s", async (_way, prepare, release) => {
    await prepare();
    expect(await report()).toMatchObject({ ok: true });
    await release();
    await expectHeld();
  });

  test("stops nothing once the buyer takes it back, and works once", async () => {
    await report();
    expect(await liftReport(at(), { itemId: deal.itemId, buyerId: deal.sellerId })).toMatchObject({ ok: false });
    const lifted = await Promise.all([lift(), lift()]);
    expect(lifted.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    await expectHeld();
    expect(await enter()).toMatchObject({ ok: true, status: "completed" });
    expect(await readPayout(deal.itemId)).toMatchObject({ amount: PRICE });
  });
});

test.each(BOTH)(
  "a report about %s leaves what was settled with a part, before the payout is sent",
  async (_name, report) => {
    const [, prepare, accept] = RELEASES.at(-1) ?? [];
    await prepare?.();
    await accept?.();
    await report();
    await advanceDeals(at());
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await readPayout(deal.itemId)).toMatchObject({ amount: PRICE - 400 });
    expect(await booksOff()).toEqual({});
  },
);

describe.each(REPORTS)("a report about %s, which the buyer has taken back", (_name, report) => {
  test("counts again when the buyer makes it again in the same words", async () => {
    expect(await report()).toMatchObject({ ok: true });
    expect(await lift()).toMatchObject({ ok: true });
    expect(await report()).toMatchObject({ ok: true });
    expect(await enter()).toMatchObject({ ok: false, code: "reported" });
    await expectHeld();
  });
});

describe.each(BOTH)("the seller, after a report about %s", (name, report) => {
  const isOwnForm = name === "the item";
  /** Words that tell who reported something. */
  const TELLS = /buyer (has )?reported|(buyer|they|report) .{0,20}(took|take|had reported|back)|report (was|is|about)/i;

  test("reads who made it only if it is an issue report", async () => {
    await report();
    const page = await (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text();
    expect(page.includes(REPORTED_TEXT)).toBe(isOwnForm);
    expect(page.includes(WATCHED_TEXT)).toBe(!isOwnForm);

    const notices: string[] = [];
    const send: DealServices["notifier"]["send"] = async (userId, event) => {
      if (userId === deal.sellerId && "notice" in event) notices.push(event.notice ?? "");
    };
    const services = { ...at(), notifier: { ...at().notifier, send } };
    await liftReport(services, { itemId: deal.itemId, buyerId: deal.buyerId });
    await report();
    await liftReport(services, { itemId: deal.itemId, buyerId: deal.buyerId });
    await report();
    await happen("code_held", deal.sellerId);

    const mails = await db
      .select()
      .from(outbox)
      .where(like(outbox.payload, `%${deal.sellerId}@%`));
    const stepMails = mails
      .map(({ payload }) => JSON.parse(payload))
      .filter(({ template }) => template.startsWith("deal_"));
    expect(stepMails.filter(({ data }) => data.step === "report_lifted")).toHaveLength(1);
    const written = stepMails.map(({ data }) => JSON.stringify(dealMail(data)));
    const history = (await findProblem(db, deal.itemId, deal.sellerId))?.history.map(({ words }) => words) ?? [];
    const told = [...notices, ...written, ...history].join("\n");
    expect(notices.length).toBeGreaterThan(0);
    expect(history.length).toBeGreaterThan(3);
    expect(TELLS.test(told)).toBe(isOwnForm);
  });
});

describe.each(REPORTS.slice(2))("a report about %s in an open case", (name, report) => {
  test("which was taken back says so until it is made again, also for a later deal, with its new words", async () => {
    await report();
    await lift();
    const { subject, subjectId } = await caseOf(deal.sellerId);
    const wanted = { subject, subjectId, viewerId: deal.buyerId };
    expect(await findReportable(servicesAt().db, wanted)).toMatchObject({ isReported: false });
    expect(await enter()).toMatchObject({ ok: true });

    const again = await payDeal({ buyerId: deal.buyerId, sellerId: deal.sellerId });
    if (name === "the listing")
      await db.update(orderItems).set({ productId: subjectId }).where(eq(orderItems.id, again.itemId));
    deal = again;
    await agreeOn(deal);
    await sendReport(servicesAt(), {
      subject,
      subjectId,
      reporterId: deal.buyerId,
      reason: "danger",
      text: "Now with threats",
    });
    expect(await findReportable(servicesAt().db, wanted)).toMatchObject({ isReported: true });
    expect(await enter()).toMatchObject({ ok: false, code: "reported" });
    await expectHeld();
    expect(await db.select().from(reports).where(eq(reports.reporterId, deal.buyerId))).toMatchObject([
      { reason: "danger", text: "Now with threats", liftedAt: null },
    ]);
  });
});

async function caseOf(sellerId: string) {
  const [found] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, sellerId));
  if (!found) throw new Error("no case");
  return found;
}

describe.each(BOTH)("a report about %s by somebody who has reported much", (_name, report) => {
  test("stops the money all the same", async () => {
    for (const key of ["issue:hour", "issue:day", "reports"])
      await db.insert(rateCounters).values({ key: `${key}:${deal.buyerId}`, windowStart: Date.now(), count: 99 });
    expect(await report()).toMatchObject({ ok: true });
    expect(await enter()).toMatchObject({ ok: false, code: "reported" });
    // What is stopped already needs no further report.
    const more = { userId: deal.buyerId, orderId: deal.orderId, itemId: deal.itemId, description: "Once more" };
    expect(await reportIssue(at(), more)).toEqual({ ok: false, code: "too_many" });
    const person = { subject: "person", subjectId: deal.sellerId, reporterId: deal.buyerId } as const;
    expect(await sendReport(at(), { ...person, reason: "scam", text: "" })).toEqual({ ok: false, code: "too_many" });
  });
});

test("a renewed report of a person shows the conversation of both times once an account is deleted", async () => {
  const say = (text: string) =>
    sendMessage(servicesAt(), {
      senderId: deal.sellerId,
      about: { kind: "item", id: deal.itemId },
      text,
      key: crypto.randomUUID(),
    });
  await say("Send me your code");
  await moderation("person", deal.sellerId);
  await lift();
  await say("Or else");
  await moderation("person", deal.sellerId);
  await db.update(profiles).set({ deletedAt: 1 }).where(eq(profiles.id, deal.sellerId));
  const shown = await findCasePage(servicesAt().db, await makeAdmin(), (await caseOf(deal.sellerId)).id);
  expect(shown?.reports.map(({ talk }) => talk.map(({ message }) => message))).toEqual([
    expect.arrayContaining(["Send me your code", "Or else"]),
  ]);
  const ids = shown?.reports.flatMap(({ talk }) => talk.map(({ id }) => id)) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});

/** A paid order of two items of the seller of `deal`. `deal` becomes the first one. */
async function twoItems(): Promise<Deal> {
  const buyerId = await makeUser();
  const products = [await makeProduct(deal.sellerId), await makeProduct(deal.sellerId)];
  for (const id of products) await putInCart(buyerId, id);
  const placed = await placeOrder(servicesAt(), {
    userId: buyerId,
    idempotencyKey: crypto.randomUUID(),
    expectedAmount: 2 * PRICE,
    from: { cart: true },
  });
  if (!placed.ok) throw new Error(placed.code);
  const items = await db.select().from(orderItems).where(eq(orderItems.orderId, placed.orderId));
  const [one, other] = items.map((item) => ({
    ...deal,
    buyerId,
    orderId: placed.orderId,
    itemId: item.id,
    productId: item.productId,
  }));
  if (!one || !other) throw new Error("no items");
  await pay(one);
  deal = one;
  productId = one.productId;
  return other;
}

describe.each(REPORTS.filter(([name]) => !["the item", "the listing"].includes(name)))(
  "a report about %s, which stops two items",
  (_name, report) => {
    const enterCodeOf = async (itemId: string) =>
      enterCode(at(), { itemId, sellerId: deal.sellerId, code: await handoverCode("test-key", itemId) });

    test("still stops the other one when the buyer takes it back for one", async () => {
      const other = await twoItems();
      expect(await report()).toMatchObject({ ok: true });
      expect(await lift()).toMatchObject({ ok: true });
      expect(await lift()).toMatchObject({ ok: false });
      expect(await enter()).toMatchObject({ ok: true, status: "completed" });
      expect(await enterCodeOf(other.itemId)).toMatchObject({ ok: false, code: "reported" });
      expect(await readPayout(other.itemId)).toBeNull();
      const solved = { itemId: other.itemId, event: "problem_withdrawn", by: other.buyerId } as const;
      expect(await applyDealEvent(at(), solved)).toMatchObject({ ok: true, status: "completed" });
      const open = await db.all(
        `SELECT 1 FROM issue_reports WHERE order_id = '${deal.orderId}' AND status = 'open'
          UNION ALL SELECT 1 FROM reports WHERE reporter_id = '${deal.buyerId}' AND lifted_at IS NULL`,
      );
      expect(open).toEqual([]);
    });

    test("still stops the other one when the first one is solved", async () => {
      const other = await twoItems();
      await report();
      expect(await enter()).toMatchObject({ code: "reported", status: "in_review" });
      expect(await happen("problem_withdrawn", deal.buyerId)).toMatchObject({ ok: true, status: "completed" });
      expect(await enterCodeOf(other.itemId)).toMatchObject({ ok: false, code: "reported", status: "in_review" });
      expect(await booksOff()).toEqual({});
    });
  },
);

test("the same words about another item of the order are another report", async () => {
  const other = await twoItems();
  expect(await issue(deal.itemId)).toEqual({ ok: true, money: "held" });
  expect(await issue(other.itemId)).toEqual({ ok: true, money: "held" });
  const code = await handoverCode("test-key", other.itemId);
  expect(await enterCode(at(), { ...other, code })).toMatchObject({ ok: false, code: "reported" });
  expect(await issue(other.itemId)).toEqual({ ok: true, money: "held" });
  expect(await db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId))).toHaveLength(2);
});

test("a report about one of two items of a whole order that was taken back for it says what it stops", async () => {
  const other = await twoItems();
  await issue(null);
  await lift();
  expect(await issue(null)).toEqual({ ok: true, money: "held" });
  expect(await enter()).toMatchObject({ ok: false, code: "reported" });
  expect(await readPayout(other.itemId)).toBeNull();
});

test("a report of somebody else, or about another seller, stops nothing", async () => {
  const other = await payDeal();
  const report = { subject: "person", reason: "scam", text: "x" } as const;
  await sendReport(servicesAt(), { ...report, subjectId: deal.sellerId, reporterId: other.buyerId });
  await sendReport(servicesAt(), { ...report, subjectId: other.sellerId, reporterId: deal.buyerId });
  await db.insert(issueReports).values({
    id: crypto.randomUUID(),
    userId: deal.sellerId,
    orderId: deal.orderId,
    description: "The buyer is late",
    createdAt: 1,
  });
  expect(await enter()).toMatchObject({ ok: true });
});

describe("the right code while a report is open", () => {
  test("is no payment, but proves the handover: our team decides, and can pay", async () => {
    await issue(deal.itemId);
    expect(await enter()).toEqual({ ok: false, code: "reported", status: "in_review" });
    await expectHeld();
    // The clock of an item that isn't shipped no longer runs.
    await advanceDeals(at(24 * 30));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
    expect(await enter()).toMatchObject({ ok: false, code: "reported" });
    const admin = await makeAdmin();
    const decided = { itemId: deal.itemId, decision: "release", amount: 0, reasons: "The code was given" } as const;
    expect(await decideDeal(at(), admin, decided)).toMatchObject({ ok: true });
    // The report is still open, but our team has decided about the money.
    await advanceDeals(at(1));
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    const payout = await readPayout(deal.itemId);
    await advanceTransfer(at(1), asPayout(payout?.id ?? ""));
    expect(await readPayout(deal.itemId)).toMatchObject({ sendCount: 1 });
  });

  test("pays when the buyer then says that it's solved", async () => {
    await issue(null);
    await enter();
    expect(await happen("problem_withdrawn", deal.buyerId)).toMatchObject({ ok: true, status: "completed" });
    const [report] = await db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId));
    expect(report).toMatchObject({ status: "closed" });
    expect(await readPayout(deal.itemId)).toMatchObject({ amount: PRICE });
  });

  test("doesn't let the buyer pay a seller whom our team suspended", async () => {
    await issue(null);
    await enter();
    await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(deal.sellerId).run();
    expect(await happen("problem_withdrawn", deal.buyerId)).toMatchObject({ ok: false, code: "team_only" });
  });

  test("is answered in the same way while the two settle a problem", async () => {
    await deliver();
    const words = { kind: "damaged", description: "Broken", photoKeys: [] } as const;
    await reportProblem(at(), { itemId: deal.itemId, buyerId: deal.buyerId, ...words });
    expect(await enter()).toEqual({ ok: false, code: "reported", status: "problem_reported" });
    // A wrong code is never called right, and nobody can go on trying.
    const code = await handoverCode("test-key", deal.itemId);
    const wrong = { itemId: deal.itemId, sellerId: deal.sellerId, code: code === "000000" ? "000001" : "000000" };
    const answers = [];
    for (let tries = 0; tries < 21; tries += 1) answers.push(await enterCode(at(), wrong));
    expect(answers.slice(0, 20).every((answer) => !answer.ok && answer.code === "wrong_state")).toBe(true);
    expect(answers.at(-1)).toEqual({ ok: false, code: "too_many" });
    expect(await readItem(deal.itemId)).toMatchObject({ wrongCodes: 0 });
  });
});

describe("a report after the release", () => {
  const payoutOf = async () => (await readPayout(deal.itemId))?.id ?? "";

  test("stops a payout that hasn't left, and our team decides", async () => {
    await enter();
    expect(await issue(deal.itemId)).toEqual({ ok: true, money: "held" });
    // Whoever sends it first finds the report.
    await advanceTransfer(at(), asPayout(await payoutOf()));
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0, waitReason: "reported" });
    await advanceDeals(at());
    expect(await readItem(deal.itemId)).toMatchObject({ status: "in_review" });
    await expectHeld();
    expect((await recordOf(deal.sellerId)).handedOver).toBe(0);
    const admin = await makeAdmin();
    const decided = { itemId: deal.itemId, decision: "split", amount: 900, reasons: "Half each" } as const;
    expect(await decideDeal(at(), admin, decided)).toMatchObject({ ok: true });
    expect(await readPayout(deal.itemId)).toMatchObject({ amount: PRICE - 900 });
    expect(await booksOff()).toEqual({});
  });

  test("takes one item out of a payout of several, as often as it must", async () => {
    await env.DB.prepare("UPDATE profiles SET payouts_held_until = ? WHERE id = ?")
      .bind(Date.now() + 24 * HOUR, deal.sellerId)
      .run();
    await enter();
    const other = await payDeal({ sellerId: deal.sellerId });
    const otherCode = await handoverCode("test-key", other.itemId);
    expect(await enterCode(at(), { itemId: other.itemId, sellerId: other.sellerId, code: otherCode })).toMatchObject({
      ok: true,
    });
    for (let n = 1; n <= 2; n += 1) {
      expect(await db.select().from(payouts).where(eq(payouts.sellerId, deal.sellerId))).toMatchObject([
        { amount: 2 * PRICE },
      ]);
      await issue(deal.itemId);
      await advanceDeals(at());
      expect(await db.select().from(payouts).where(eq(payouts.sellerId, deal.sellerId))).toMatchObject([
        { amount: PRICE, orderItemId: other.itemId },
      ]);
      expect(await booksOff()).toEqual({});
      expect(await happen("problem_withdrawn", deal.buyerId)).toMatchObject({ ok: true });
    }
    expect(await booksOff()).toEqual({});
  });

  test("says that the money has left, where it has", async () => {
    await enter();
    await advanceTransfer(at(), asPayout(await payoutOf()));
    expect(await issue(deal.itemId)).toEqual({ ok: true, money: "leaving" });
    await advanceDeals(at());
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(
      await reportTransfer(at(), asPayout(await payoutOf()), result({ kind: "done", receipt: "TREPORT001" })),
    ).toBe("done");
    expect(await issue(null)).toEqual({ ok: true, money: "paid_out" });
    expect(await booksOff()).toEqual({});
  });

  test.each([
    ["an admin sends it by hand", { state: "parked", waitReason: "sending_by_hand" }, false],
    ["a receipt was entered, and taken back", { state: "due" }, true],
    ["M-Pesa has no record of it", { state: "parked", waitReason: "no_record", sendCount: 1 }, false],
    ["its result is unknown", { state: "unknown", sendCount: 1 }, false],
  ] as const)("doesn't promise money that may have left: %s", async (_case, change, hasReceipt) => {
    await enter();
    const id = await payoutOf();
    await db.update(payouts).set(change).where(eq(payouts.id, id));
    if (hasReceipt)
      await db.insert(receiptChecks).values({
        id: crypto.randomUUID(),
        payoutId: id,
        receipt: `T${id.slice(0, 8)}`.toUpperCase(),
        token: id,
        askedBy: deal.buyerId,
        state: "dismissed",
        createdAt: 1,
      });
    expect(await issue(deal.itemId)).toEqual({ ok: true, money: "leaving" });
    expect(await issue(deal.itemId)).toEqual({ ok: true, money: "leaving" });
  });

  /** Payouts that M-Pesa was asked for, and what it answered. */
  function asking(answer: PayoutAnswer) {
    const asked: string[] = [];
    const payOut = async ({ conversationId }: { conversationId: string }) => {
      asked.push(conversationId);
      return answer;
    };
    return { asked, services: (hours = 0) => ({ ...at(hours), gateway: { ...at().gateway, payOut } }) };
  }
  const busy = { kind: "refused", code: "26", message: "busy", reason: "provider_busy" } as const;
  const closeReport = async () => {
    const [report] = await db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId));
    expect(await closeIssue(at(), await makeAdmin(), report?.id ?? "", "Fine")).toEqual({ ok: true });
  };

  test("keeps a payout that M-Pesa refused to take from being sent again until it is closed", async () => {
    await enter();
    const { asked, services } = asking({ ...busy, pausesChannel: false, retryAfterMs: 60_000 });
    await advanceTransfer(services(), asPayout(await payoutOf()));
    await issue(deal.itemId);
    for (const hours of [1, 2]) {
      await advanceDeals(at(hours));
      await advanceTransfer(services(hours), asPayout(await payoutOf()));
    }
    expect(asked).toHaveLength(1);
    expect(await readItem(deal.itemId)).toMatchObject({ status: "completed" });
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 1, waitReason: "reported" });
    await closeReport();
    await advanceTransfer(services(3), asPayout(await payoutOf()));
    expect(asked).toHaveLength(2);
    expect(await booksOff()).toEqual({});
  });

  /** The handover, and a payout that M-Pesa took and then couldn't make. */
  async function failedPayout() {
    await enter();
    const id = await payoutOf();
    const { asked, services } = asking({ kind: "accepted", providerConversationId: "AG_1" });
    await advanceTransfer(services(), asPayout(id));
    const failed = {
      kind: "failed",
      code: "2001",
      message: "no",
      reason: "invalid_phone",
      pausesChannel: false,
    } as const;
    const [conversationId = ""] = asked;
    expect(await reportTransfer(at(), asPayout(id), { ...result(failed), conversationId })).toBe("parked");
    return { id, asked, services, conversationId };
  }

  test("keeps a payout that failed from being sent by anybody until it is closed", async () => {
    const { id, asked, services, conversationId } = await failedPayout();
    await issue(deal.itemId);
    await advanceDeals(at(1));
    const admin = await makeAdmin();
    // Not by hand, and neither by another try of an admin nor of the seller.
    expect(await reserveTransfer(at(), admin, asPayout(id))).toBe("reported");
    expect(await retryBySeller(at(1), { orderItemId: deal.itemId, sellerId: deal.sellerId })).toBe(true);
    await advanceTransfer(services(1), asPayout(id));
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", waitReason: "reported" });
    expect(asked).toHaveLength(1);
    await closeReport();
    await advanceTransfer(services(2), asPayout(id));
    expect(asked).toHaveLength(2);
    expect(asked[1]).not.toBe(conversationId);
    expect(await booksOff()).toEqual({});
  });

  test("of a seller who is suspended since keeps a payout that failed until an admin tries it again", async () => {
    const { id, asked, services } = await failedPayout();
    await moderation("person", deal.sellerId);
    const admin = await makeAdmin();
    const { id: caseId } = await caseOf(deal.sellerId);
    const suspended = { caseId, decision: "suspended", statement: "A scam" } as const;
    expect(await decideCase(servicesAt(), admin, suspended)).toMatchObject({ ok: true });
    expect(await retryBySeller(at(1), { orderItemId: deal.itemId, sellerId: deal.sellerId })).toBe(true);
    await advanceTransfer(services(1), asPayout(id));
    // Nobody decides about that report any more, so it waits where our team sees it, and is told of it.
    expect(await readPayout(deal.itemId)).toMatchObject({
      state: "parked",
      waitReason: "reported",
      nextActionAt: null,
    });
    const counts = await read(db, adminCounts());
    expect(readAdminCounts(counts).payouts).toBeGreaterThan(0);
    const alarms = async (hours: number) => {
      const later = { ...servicesAt(), ...at(hours) };
      await watchFigures(later);
      return openAlarmTitles(later);
    };
    const waits = "A payout or refund has waited for our team for a day";
    expect(await alarms(2)).not.toContain(waits);
    expect(await alarms(30)).toContain(waits);
    expect(await retryTransfer(at(1), admin, asPayout(id))).toMatchObject({ id });
    await advanceTransfer(services(2), asPayout(id));
    expect(asked).toHaveLength(2);
    expect(await booksOff()).toEqual({});
  });

  test("that comes after an admin began to send it by hand doesn't hide what has left", async () => {
    await enter();
    const id = await payoutOf();
    const admin = await makeAdmin();
    await db.update(payouts).set({ state: "parked", waitReason: "no_phone" }).where(eq(payouts.id, id));
    expect(await reserveTransfer(at(), admin, asPayout(id))).toBe(true);
    expect(await issue(deal.itemId)).toEqual({ ok: true, money: "leaving" });
    const page = await openMoneyPage(servicesAt(), {
      list: "payouts",
      filter: "open",
      search: deal.orderId.slice(0, 8),
      after: null,
      adminId: admin.id,
    });
    expect(page.rows).toMatchObject([{ id, isReported: true }]);
    expect(await recordTransfer(at(), admin, asPayout(id), "TREPORT002")).toEqual({ ok: true });
    expect(await mpesaConfirms("TREPORT002")).toBe("receipt_confirmed");
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "done" });
    expect(await booksOff()).toEqual({});
  });
});
