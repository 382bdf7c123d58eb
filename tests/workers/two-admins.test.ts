/** No admin moves more than KES 50,000 alone, whichever way they try. */
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { env } from "cloudflare:workers";
import { and, eq, inArray, like, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProposedAct } from "#app/moderation/second-admin/second-admin-rules.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import { closeIssue } from "#app/admin/problems/issues.server.ts";
import { acceptPayment, dismissPayment, isOwnMoney } from "#app/admin/money/money-moves.server.ts";
import { confirmProposal, declineProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
} from "#app/moderation/suspensions/suspensions.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { adminMoves, moderationCases } from "#app/moderation/tables.server.ts";
import { blocks, profiles } from "#app/accounts/tables.server.ts";
import { dealEvents, dealTimers, issueReports, orderItems } from "#app/orders/tables.server.ts";
import { discrepancies, paymentAttempts, payouts, receiptChecks, refunds } from "#app/payments/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { liftReport } from "#app/deals/problems/lift-report.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import type { Services } from "#app/request/services.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeUser,
  quietServices,
  readAttempts,
  readItem,
  readPayout,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, payDeal } from "#tests/support/paid-deal.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { slowDatabase } from "#tests/support/faults.ts";
import { emailsTo } from "#tests/support/outbox.ts";
import { recordTransfer, reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { asPayout, asRefund } from "#tests/support/transfers.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const HOUR = 60 * 60_000;
const LARGE = 71_000;

let first: Admin;
let second: Admin;

beforeEach(async () => {
  // The admins of earlier tests must not count as others who could decide.
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
  await env.DB.prepare("UPDATE admin_proposals SET state = 'void' WHERE state = 'open'").run();
  [first, second] = [await makeAdmin(), await makeAdmin()];
});

async function threeDeals(price = 20_000): Promise<{ sellerId: string; deals: Deal[] }> {
  const one = await payDeal({ price });
  const deals = [
    one,
    await payDeal({ price, sellerId: one.sellerId }),
    await payDeal({ price, sellerId: one.sellerId }),
  ];
  return { sellerId: one.sellerId, deals };
}

async function statuses(deals: Deal[]): Promise<string[]> {
  const rows = await db
    .select({ status: orderItems.status })
    .from(orderItems)
    .where(
      inArray(
        orderItems.id,
        deals.map(({ itemId }) => itemId),
      ),
    );
  return rows.map(({ status }) => status);
}

async function timersOf(deals: Deal[]) {
  const rows = await db
    .select()
    .from(dealTimers)
    .where(
      inArray(
        dealTimers.orderItemId,
        deals.map(({ itemId }) => itemId),
      ),
    );
  return rows.map(({ kind, dueAt }) => `${kind} ${dueAt}`).toSorted();
}

/** The one proposal that is open. */
async function proposal() {
  const { rows } = await listProposals(servicesAt());
  expect(rows).toHaveLength(1);
  const [row] = rows;
  if (!row) throw new Error("no proposal");
  return row;
}

const REASON = "Took money and ran";
const PROCESSING = ["processing", "processing", "processing"];
const CANCELLED = ["cancelled", "cancelled", "cancelled"];

describe("a suspension", () => {
  test("stops the person at once, and the deals end when a second admin confirms it", async () => {
    const { sellerId, deals } = await threeDeals();
    expect(await suspendUser(servicesAt(), first, sellerId, REASON)).toEqual({ ok: true, waits: true });
    const [user] = await db.all<{ at: number | null }>(
      `SELECT suspended_at AS at FROM credentials WHERE id = '${sellerId}'`,
    );
    expect(user?.at).not.toBeNull();
    // Neither the job nor the clock ends a deal meanwhile: its usual deadlines are over by then.
    for (const hours of [0, 200, 1_000]) await advanceDeals(servicesAt(hours * HOUR));
    expect(await statuses(deals)).toEqual(PROCESSING);
    const waiting = await proposal();
    expect(waiting).toMatchObject({ act: "deals_ended", amount: 60_000, amountNow: 60_000, isGood: true });
    for (const act of [
      confirmProposal(servicesAt(), first, { id: waiting.id, seenAmount: 60_000 }, DESK_ACTS),
      declineProposal(servicesAt(), first, waiting.id),
    ])
      expect(await act).toBe("proposed_by_you");
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: 59_000 }, DESK_ACTS)).toBe(
      "stale",
    );
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: 60_000 }, DESK_ACTS)).toBe(
      "confirmed",
    );
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: 60_000 }, DESK_ACTS)).toBe(
      "stale",
    );
    await advanceDeals(servicesAt(1));
    expect(await statuses(deals)).toEqual(CANCELLED);
    expect(await booksOff()).toEqual({});
  });

  test("that is lifted in between leaves the deals as they were, with the time they had left", async () => {
    const { sellerId, deals } = await threeDeals();
    const before = await timersOf(deals);
    const now = Date.now();
    const at = (ms: number) => ({ ...servicesAt(), now: () => now + ms });
    await suspendUser(at(0), first, sellerId, REASON);
    await advanceDeals(servicesAt(300 * HOUR));
    expect(await restoreUser(at(50 * HOUR), first, sellerId)).toEqual({ ok: true });
    const moved = before.map((timer) => timer.replace(/\d+$/, (due) => String(Number(due) + 50 * HOUR)));
    expect(await timersOf(deals)).toEqual(moved);
    expect(await statuses(deals)).toEqual(PROCESSING);
    expect((await listProposals(servicesAt())).rows).toEqual([]);
  });

  test("whose end the second admin declines lets the deals go on", async () => {
    const { sellerId, deals } = await threeDeals();
    await suspendUser(servicesAt(), first, sellerId, REASON);
    const waiting = await proposal();
    expect(await declineProposal(servicesAt(), second, waiting.id)).toBe("deals_kept");
    await advanceDeals(servicesAt(HOUR));
    expect(await statuses(deals)).toEqual(PROCESSING);
  });

  test("of small deals ends them at once; the next ones of the same person count with them", async () => {
    const { sellerId, deals } = await threeDeals();
    const [one, two, three] = deals as [Deal, Deal, Deal];
    expect(await suspendListing(servicesAt(), first, one.productId, REASON)).toEqual({ ok: true });
    expect(await suspendListing(servicesAt(), first, two.productId, REASON)).toEqual({ ok: true });
    expect(await suspendListing(servicesAt(), first, three.productId, REASON)).toEqual({ ok: true, waits: true });
    // A restore and another suspension add up to no more.
    expect(await restoreListing(servicesAt(), first, one.productId)).toEqual({ ok: true });
    expect(await suspendUser(servicesAt(), first, sellerId, REASON)).toEqual({ ok: true, waits: true });
    await advanceDeals(servicesAt(1));
    const moved = await statuses(deals);
    expect(moved.filter((status) => status === "cancelled").length).toBeLessThanOrEqual(2);
    // Another admin may do what this one can't.
    expect(await statuses([three])).toEqual(["processing"]);
  });

  test("by a report goes the same way", async () => {
    const { sellerId, deals } = await threeDeals();
    const reporter = await makeUser();
    const report = { subject: "listing", subjectId: deals[0]?.productId ?? "", reporterId: reporter } as const;
    await sendReport(servicesAt(), { ...report, reason: "scam", text: "" });
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, sellerId));
    const caseId = about?.id ?? "";
    expect(await decideCase(servicesAt(), first, { caseId, decision: "suspended", statement: REASON })).toMatchObject({
      ok: true,
      waits: "deals_wait",
    });
    await advanceDeals(servicesAt(300 * HOUR));
    expect(await statuses(deals)).toEqual(PROCESSING);
    await db
      .update(moderationCases)
      .set({ state: "appealed", appeal: "It wasn't me", appealedAt: Date.now() })
      .where(eq(moderationCases.id, caseId));
    expect(await answerAppeal(servicesAt(), second, { caseId, granted: true, answer: "Right" })).toMatchObject({
      ok: true,
    });
    expect((await listProposals(servicesAt())).rows).toEqual([]);
    await advanceDeals(servicesAt(HOUR));
    expect(await statuses(deals)).toEqual(PROCESSING);
  });

  test("of a listing's seller that is lifted lets only the deals of other listings go on", async () => {
    const one = await payDeal({ price: 60_000 });
    const other = await payDeal({ price: 500, sellerId: one.sellerId });
    const report = { subject: "listing", subjectId: one.productId, reporterId: await makeUser() } as const;
    await sendReport(servicesAt(), { ...report, reason: "scam", text: "" });
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, one.productId));
    const decided = { caseId: about?.id ?? "", decision: "suspended", statement: REASON } as const;
    expect(await decideCase(servicesAt(), first, decided)).toMatchObject({ ok: true, waits: "deals_wait" });
    expect(await restoreUser(servicesAt(), first, one.sellerId)).toEqual({ ok: true });
    await advanceDeals(servicesAt(1_000 * HOUR));
    expect([await statuses([one]), await statuses([other])]).toEqual([["processing"], ["cancelled"]]);
    const waiting = await proposal();
    expect(waiting).toMatchObject({ act: "deals_ended", amountNow: 60_000, isGood: true });
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: 60_000 }, DESK_ACTS)).toBe(
      "confirmed",
    );
    await advanceDeals(servicesAt(1_001 * HOUR));
    expect(await statuses([one])).toEqual(["cancelled"]);
  });

  test("is confirmed by nobody who has a deal in it or a quarrel with the person", async () => {
    const { sellerId } = await threeDeals();
    await suspendUser(servicesAt(), first, sellerId, REASON);
    const waiting = await proposal();
    await db.insert(blocks).values({ userId: second.id, blockedId: sellerId, createdAt: 1 });
    await makeAdmin();
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: 60_000 }, DESK_ACTS)).toBe(
      "related",
    );
    expect(await declineProposal(servicesAt(), second, waiting.id)).toBe("related");
  });
});

describe("an admin with a quarrel of their own", () => {
  const report = async (userId: string, sellerId: string) => {
    const { orderId } = await makeDeal();
    const id = crypto.randomUUID();
    await db.insert(issueReports).values({ id, userId, sellerId, orderId, description: "Broken", createdAt: 1 });
  };
  const block = (userId: string, blockedId: string) => db.insert(blocks).values({ userId, blockedId, createdAt: 1 });
  const quarrels: Record<string, (admin: string, person: string) => Promise<unknown>> = {
    "has blocked the person": (admin, person) => block(admin, person),
    "was blocked by the person": (admin, person) => block(person, admin),
    "reported an order of the person": (admin, person) => report(admin, person),
    "was reported by the person": (admin, person) => report(person, admin),
  };

  test.each(Object.keys(quarrels))("who %s decides nothing about them until it is over", async (name) => {
    const [person, other] = [await makeUser(), await makeUser()];
    await quarrels[name]?.(first.id, person);
    expect(await suspendUser(servicesAt(), first, person, REASON)).toEqual({ ok: false, code: "related" });
    expect(await suspendUser(servicesAt(), first, other, REASON)).toEqual({ ok: true });
    await db.delete(blocks).where(inArray(blocks.userId, [first.id, person]));
    await db
      .update(issueReports)
      .set({ status: "closed" })
      .where(inArray(issueReports.userId, [first.id, person]));
    expect(await suspendUser(servicesAt(), first, person, REASON)).toEqual({ ok: true });
  });
});

describe("whose money something is about", () => {
  async function delivered(change: Parameters<typeof payDeal>[0] = {}) {
    const deal = await payDeal({ price: 900, ...change });
    await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "code_entered", by: deal.sellerId });
    return deal;
  }
  /** What is about the money of a deal, by its id. */
  const things: Record<string, () => Promise<Deal & { id: string }>> = {
    payment: async () => {
      const deal = await payDeal();
      return { ...deal, id: (await readAttempts(deal.orderId))[0]?.id ?? "" };
    },
    payout: async () => {
      const deal = await delivered();
      return { ...deal, id: (await readPayout(deal.itemId))?.id ?? "" };
    },
    "payout that it joined": async () => {
      const earlier = await delivered();
      const deal = await delivered({ sellerId: earlier.sellerId });
      const payoutId = (await readPayout(earlier.itemId))?.id ?? "";
      expect((await readPayout(deal.itemId))?.id).toBe(payoutId);
      return { ...deal, id: payoutId };
    },
    refund: async () => {
      const deal = await payDeal();
      await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "cancelled_by_buyer", by: deal.buyerId });
      const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
      return { ...deal, id: refund?.id ?? "" };
    },
    // Only a discrepancy is about an item: its job failed.
    item: async () => {
      const deal = await payDeal();
      return { ...deal, id: deal.itemId };
    },
  };

  test.each(Object.keys(things))("both sides of a deal keep away from its %s, and others don't", async (name) => {
    const thing = await things[name]?.();
    if (!thing) throw new Error("no such thing");
    const about = crypto.randomUUID();
    await db
      .insert(discrepancies)
      .values({ id: about, kind: "job_failed", subject: thing.id, detail: "", createdAt: 1 });
    for (const id of name === "item" ? [about] : [thing.id, about]) {
      const isOwn = (userId: string) => isOwnMoney(servicesAt(), userId, id);
      expect([await isOwn(thing.buyerId), await isOwn(thing.sellerId)]).toEqual([true, true]);
      expect(await isOwn(first.id)).toBe(false);
    }
  });
});

describe("a decision by hand is a case", () => {
  test("with the reason, an appeal and its link", async () => {
    const seller = await makeUser();
    await suspendUser(servicesAt(), first, seller, REASON);
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, seller));
    expect(about).toMatchObject({ subject: "person", state: "decided", decision: "suspended", statement: REASON });
    const [mail] = await db.all<{ payload: string }>(
      `SELECT payload FROM outbox WHERE dedupe_key = 'case_decided:${about?.id}'`,
    );
    expect(mail?.payload).toContain(about?.appealToken);
    expect(await restoreUser(servicesAt(), second, seller)).toEqual({ ok: false, code: "case" });
    expect(await restoreUser(servicesAt(), first, seller)).toEqual({ ok: true });
    const [after] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, seller));
    expect(after).toMatchObject({ state: "closed", appealGranted: true, appealDecidedBy: first.id });
    expect((await emailsTo(`${seller}@campus.test`)).at(-1)).toMatchObject({
      template: "decision_changed",
      data: { decision: null, appealToken: about?.appealToken },
    });
  });

  test("tells everybody what is left of it when its admin takes it back", async () => {
    const deal = await makeDeal();
    const reporter = await makeUser();
    const report = { subject: "listing", subjectId: deal.productId, reporterId: reporter } as const;
    await sendReport(servicesAt(), { ...report, reason: "prohibited", text: "" });
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, deal.productId));
    const suspended = { caseId: about?.id ?? "", decision: "suspended", statement: "A weapon" } as const;
    await decideCase(servicesAt(), first, suspended);
    const lastTo = async (userId: string) => (await emailsTo(`${userId}@campus.test`)).at(-1);
    const told = () => Promise.all([reporter, deal.sellerId].map(lastTo));
    expect(await restoreUser(servicesAt(HOUR), first, deal.sellerId)).toEqual({ ok: true });
    expect(await told()).toMatchObject([
      { template: "case_outcome", data: { decision: "warned" } },
      { template: "decision_changed", data: { decision: "warned" } },
    ]);
    expect(await restoreListing(servicesAt(2 * HOUR), first, deal.productId)).toEqual({ ok: true });
    expect(await told()).toMatchObject([
      { template: "report_undone", data: { subject: "listing" } },
      { template: "decision_changed", data: { decision: null } },
    ]);
  });

  test.each(["person", "message"] as const)(
    "that isn't undone once another admin has suspended the same person for a report about a %s",
    async (subject) => {
      const deal = await payDeal({ price: 900 });
      const caseId = await openCase(deal, subject);
      if (subject === "person")
        // The case by hand must not be the reported one.
        await db.update(moderationCases).set({ subjectId: crypto.randomUUID() }).where(eq(moderationCases.id, caseId));
      expect(await suspendUser(servicesAt(), first, deal.sellerId, REASON)).toEqual({ ok: true });
      if (subject === "person")
        await db.update(moderationCases).set({ subjectId: deal.sellerId }).where(eq(moderationCases.id, caseId));
      const later = servicesAt(HOUR);
      const suspended = { caseId, decision: "suspended", statement: REASON } as const;
      expect(await decideCase(later, second, suspended)).toMatchObject({ ok: true });
      expect(await restoreUser(servicesAt(2 * HOUR), first, deal.sellerId)).toEqual({ ok: false, code: "case" });
    },
  );

  test("that answers the open reports about the same thing", async () => {
    const deal = await makeDeal();
    const reporter = await makeUser();
    const report = { subject: "listing", subjectId: deal.productId, reporterId: reporter } as const;
    await sendReport(servicesAt(), { ...report, reason: "prohibited", text: "" });
    expect(await suspendListing(servicesAt(), first, deal.productId, "A weapon")).toEqual({ ok: true });
    const cases = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, deal.productId));
    expect(cases).toMatchObject([{ state: "decided", decision: "removed", reports: 1, decidedBy: first.id }]);
    expect(await restoreListing(servicesAt(), second, deal.productId)).toEqual({ ok: false, code: "case" });
    expect(await restoreListing(servicesAt(), first, deal.productId)).toEqual({ ok: true });
  });

  test("which nobody makes about whom they reported or blocked, unless every admin is involved", async () => {
    const deal = await makeDeal();
    const report = { subject: "person", subjectId: deal.sellerId, reporterId: first.id } as const;
    await env.DB.prepare("UPDATE profiles SET is_seller = 1 WHERE id = ?").bind(deal.sellerId).run();
    expect(await sendReport(servicesAt(), { ...report, reason: "scam", text: "" })).toMatchObject({ ok: true });
    for (const way of [
      suspendUser(servicesAt(), first, deal.sellerId, REASON),
      suspendListing(servicesAt(), first, deal.productId, REASON),
    ])
      expect(await way).toEqual({ ok: false, code: "reporter" });
    await db.insert(blocks).values({ userId: deal.sellerId, blockedId: second.id, createdAt: 1 });
    expect(await suspendListing(servicesAt(), second, deal.productId, REASON)).toEqual({ ok: true });
    const third = await makeAdmin();
    expect(await suspendUser(servicesAt(), second, deal.sellerId, REASON)).toEqual({ ok: false, code: "related" });
    expect(await suspendUser(servicesAt(), third, deal.sellerId, REASON)).toEqual({ ok: true });
  });

  test("that the removal by a case of another admin isn't undone by", async () => {
    const deal = await makeDeal();
    const report = { subject: "listing", subjectId: deal.productId, reporterId: await makeUser() } as const;
    await sendReport(servicesAt(), { ...report, reason: "prohibited", text: "" });
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, deal.productId));
    await decideCase(servicesAt(), second, { caseId: about?.id ?? "", decision: "removed", statement: "A weapon" });
    expect(await restoreListing(servicesAt(), first, deal.productId)).toEqual({ ok: false, code: "case" });
  });
});

test("a payout whose receipt was entered once stays with the team after a report, and stops no other deal", async () => {
  const deal = await payDeal({ price: 900 });
  const handedOver = { itemId: deal.itemId, event: "code_entered", by: deal.sellerId } as const;
  expect(await applyDealEvent(servicesAt(), handedOver)).toMatchObject({ ok: true });
  const payoutId = (await readPayout(deal.itemId))?.id ?? "";
  // An admin took back that it was sent by hand.
  await db.insert(receiptChecks).values({
    id: crypto.randomUUID(),
    payoutId,
    receipt: "QKA1B2C3D4",
    token: crypto.randomUUID(),
    askedBy: first.id,
    state: "dismissed",
    createdAt: 1,
  });
  await db.insert(issueReports).values({
    id: crypto.randomUUID(),
    userId: deal.buyerId,
    orderId: deal.orderId,
    description: "It's broken",
    status: "open",
    createdAt: 1,
  });
  await advanceDeals(servicesAt());
  expect((await readItem(deal.itemId)).status).toBe("completed");
  expect(await readPayout(deal.itemId)).toMatchObject({ id: payoutId, state: "due", sendCount: 0 });
  const failed = await db.all(`SELECT 1 FROM discrepancies WHERE kind = 'job_failed' AND subject = '${deal.itemId}'`);
  expect(failed).toEqual([]);
});

/** A report of the buyer about the order. */
async function openIssue({ buyerId, sellerId, orderId }: Deal): Promise<string> {
  const id = crypto.randomUUID();
  await db.insert(issueReports).values({ id, userId: buyerId, sellerId, orderId, description: "Broken", createdAt: 1 });
  return id;
}

test("a report that stops only a payout is closed by two admins, too", async () => {
  const deal = await payDeal({ price: LARGE });
  const handedOver = { itemId: deal.itemId, event: "code_entered", by: deal.sellerId } as const;
  expect(await applyDealEvent(servicesAt(), handedOver)).toMatchObject({ ok: true });
  const issueId = await openIssue(deal);
  // M-Pesa was asked before, and was busy. So the clock doesn't take the item back.
  await db.update(payouts).set({ sendCount: 1 }).where(eq(payouts.orderItemId, deal.itemId));
  await advanceDeals(servicesAt());
  expect(await closeIssue(servicesAt(), first, issueId, "Fine")).toEqual({ ok: false, code: "proposed" });
  const waiting = await proposal();
  expect(waiting).toMatchObject({ act: "issue_closed", amountNow: LARGE });
  expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe(
    "confirmed",
  );
});

test("a report that stops nothing any more is closed by one", async () => {
  const deal = await payDeal({ price: LARGE });
  await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "code_entered", by: deal.sellerId });
  const issueId = await openIssue(deal);
  await db.update(payouts).set({ state: "sent", sendCount: 1 }).where(eq(payouts.orderItemId, deal.itemId));
  expect(await closeIssue(servicesAt(), first, issueId, "Sorry")).toEqual({ ok: true });
});

describe("a case whose reports stop money", () => {
  const enterCodeOf = (deal: Deal) =>
    applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "code_entered", by: deal.sellerId });

  test("is decided by one admin where it lets go no more than that, and the money can go", async () => {
    const deal = await payDeal({ price: 900 });
    const caseId = await openCase(deal, "message");
    expect(await enterCodeOf(deal)).toMatchObject({ code: "reported" });
    const removed = { caseId, decision: "removed", statement: REASON } as const;
    expect(await decideCase(servicesAt(), first, removed)).toMatchObject({ ok: true, waits: undefined });
    expect(await enterCodeOf(deal)).toMatchObject({ ok: true, status: "completed" });
    expect(await db.select().from(adminMoves).where(eq(adminMoves.adminId, first.id))).toMatchObject([
      { moneyId: deal.itemId, act: "case_removed", amount: 900 },
    ]);
  });

  test("counts with the other reports that the same admin closes", async () => {
    const one = await payDeal({ price: 30_000 });
    const other = await payDeal({ price: 30_000, sellerId: one.sellerId });
    expect(await closeIssue(servicesAt(), first, await openIssue(one), "Fine")).toEqual({ ok: true });
    const dismissed = { caseId: await openCase(other, "message"), decision: "dismissed", statement: "" } as const;
    expect(await decideCase(servicesAt(), first, dismissed)).toMatchObject({ waits: "proposed" });
  });

  /** Somebody reports the listing of a deal, `minutes` from now. */
  const reportListing = (deal: Deal, reporterId: string, minutes: number) =>
    sendReport(servicesAt(minutes * 60_000), {
      subject: "listing",
      subjectId: deal.productId,
      reporterId,
      reason: "danger",
      text: "",
    });

  /** The first admin proposes to find nothing wrong with the listing of a large deal. */
  async function proposed() {
    const deal = await payDeal({ price: LARGE });
    const dismissed = { caseId: await openCase(deal, "listing"), decision: "dismissed", statement: "" } as const;
    expect(await decideCase(servicesAt(1_000), first, dismissed)).toMatchObject({ waits: "proposed" });
    return { deal, dismissed, id: (await proposal()).id };
  }

  const hourLater = () => servicesAt(HOUR);

  test("is confirmed by whoever has read the reports since, and by nobody who hasn't", async () => {
    const { deal, dismissed, id } = await proposed();
    const before = await proposal();
    expect(before).toMatchObject({ newReports: 0, isEdited: false });
    for (const minutes of [1, 2])
      expect(await reportListing(deal, await makeUser(), minutes)).toMatchObject({ ok: true });
    const { changedAt } = before;
    expect(await confirmProposal(hourLater(), second, { id, seenAmount: LARGE, changedAt }, DESK_ACTS)).toBe("stale");
    expect(await confirmProposal(hourLater(), second, { id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
    const read = await proposal();
    expect(read).toMatchObject({ id, isGood: true, newReports: 2, amountNow: LARGE });
    const page = await (await visit("/admin/proposals", { as: second.id })).text();
    expect(page).toContain("New since it was proposed: 2 new reports. Read it before you confirm.");
    expect(
      await confirmProposal(hourLater(), second, { id, seenAmount: LARGE, changedAt: read.changedAt }, DESK_ACTS),
    ).toBe("confirmed");
    expect(await caseOf(dismissed.caseId)).toMatchObject({ state: "decided", reports: 3 });
  });

  test("is confirmed by the same decision on its page, too, whatever was reported meanwhile", async () => {
    const { deal, dismissed } = await proposed();
    await reportListing(deal, await makeUser(), 1);
    const seenAt = (await proposal()).changedAt ?? 0;
    expect(await decideCase(hourLater(), second, { ...dismissed, seenAt })).toMatchObject({
      ok: true,
      waits: undefined,
    });
    expect(await caseOf(dismissed.caseId)).toMatchObject({ state: "decided" });
  });

  test("is confirmed with the little that buyers who reported since have paid, which counts as the second admin's", async () => {
    const { deal, id } = await proposed();
    const small = await payDeal({ price: 900, sellerId: deal.sellerId });
    await db.update(orderItems).set({ productId: deal.productId }).where(eq(orderItems.id, small.itemId));
    expect(await reportListing(deal, small.buyerId, 1)).toMatchObject({ ok: true });
    const { changedAt, ...read } = await proposal();
    expect(read).toMatchObject({ isGood: true, amountNow: LARGE + 900, newReports: 1 });
    expect(await confirmProposal(hourLater(), second, { id, seenAmount: LARGE + 900, changedAt }, DESK_ACTS)).toBe(
      "confirmed",
    );
    expect(await db.select().from(adminMoves).where(eq(adminMoves.adminId, second.id))).toMatchObject([
      { moneyId: small.itemId, amount: 900 },
    ]);
  });

  test("is proposed anew by the second admin where later reports stop too much", async () => {
    const { deal, dismissed, id } = await proposed();
    const other = await payDeal({ price: LARGE, sellerId: deal.sellerId });
    await db.update(orderItems).set({ productId: deal.productId }).where(eq(orderItems.id, other.itemId));
    expect(await reportListing(deal, other.buyerId, 1)).toMatchObject({ ok: true });
    const { changedAt } = await proposal();
    expect(await confirmProposal(hourLater(), second, { id, seenAmount: 2 * LARGE, changedAt }, DESK_ACTS)).toBe(
      "proposed",
    );
    expect(await caseOf(dismissed.caseId)).toMatchObject({ state: "open" });
    const anew = await proposal();
    expect(anew).toMatchObject({ adminId: second.id, amountNow: 2 * LARGE, newReports: 0 });
    const read = { id: anew.id, seenAmount: 2 * LARGE, changedAt: anew.changedAt };
    expect(await confirmProposal(hourLater(), first, read, DESK_ACTS)).toBe("confirmed");
  });

  test.each(["person", "listing"] as const)(
    "about a %s goes on stopping it when one admin ends the deals and takes that back",
    async (subject) => {
      const deal = await payDeal({ price: LARGE });
      const caseId = await openCase(deal, subject);
      const decided = { caseId, decision: subject === "person" ? "suspended" : "removed", statement: REASON } as const;
      expect(await decideCase(servicesAt(), first, decided)).toMatchObject({ ok: true, waits: "deals_wait" });
      // While a second admin is awaited, the code pays nobody either.
      expect(await enterCodeOf(deal)).toMatchObject({ code: "reported" });
      expect(
        subject === "person"
          ? await restoreUser(servicesAt(), first, deal.sellerId)
          : await restoreListing(servicesAt(), first, deal.productId),
      ).toEqual({ ok: true });
      expect(await enterCodeOf(deal)).toMatchObject({ code: "reported" });
      expect(await liftReport(servicesAt(), deal)).toMatchObject({ ok: true });
      expect(await enterCodeOf(deal)).toMatchObject({ ok: true });
    },
  );

  test("keeps the payouts of a suspended seller for our team", async () => {
    const deal = await payDeal({ price: LARGE });
    expect(await enterCodeOf(deal)).toMatchObject({ ok: true });
    const caseId = await openCase(deal, "person");
    const suspended = { caseId, decision: "suspended", statement: REASON } as const;
    expect(await decideCase(servicesAt(), first, suspended)).toMatchObject({ ok: true });
    await advanceDeals(servicesAt());
    expect((await readItem(deal.itemId)).status).toBe("in_review");
    expect(await readPayout(deal.itemId)).toBeNull();
  });

  test("lets go what else they stop only with a second admin, where a payout is tried again", async () => {
    const paid = await payDeal({ price: 900 });
    await enterCodeOf(paid);
    await db
      .update(payouts)
      .set({ state: "parked", waitReason: "no_record", sendCount: 1, phone: SENT_TO })
      .where(eq(payouts.orderItemId, paid.itemId));
    const running = await payDeal({ price: LARGE, sellerId: paid.sellerId, buyerId: paid.buyerId });
    const suspended = { caseId: await openCase(paid, "person"), decision: "suspended", statement: REASON } as const;
    expect(await decideCase(servicesAt(), first, suspended)).toMatchObject({ waits: "deals_wait" });
    await restoreUser(servicesAt(), first, paid.sellerId);
    const payout = asPayout((await readPayout(paid.itemId))?.id ?? "");
    expect(await retryTransfer(servicesAt(), first, payout)).toBe("proposed");
    expect(await proposal()).toMatchObject({ act: "payout_retried", amountNow: LARGE + 900 });
    expect(await enterCodeOf(running)).toMatchObject({ code: "reported" });
    const told = async () =>
      (await db.select().from(outbox).where(like(outbox.dedupeKey, "case_outcome:%"))).filter(({ payload }) =>
        payload.includes(running.orderId),
      );
    expect(await told()).toHaveLength(0);
    expect(await retryTransfer(servicesAt(), second, payout)).toMatchObject({ id: payout.id });
    // The buyer, who relied on the report, can report a problem in time.
    expect(await told()).toHaveLength(1);
    expect(await enterCodeOf(running)).toMatchObject({ ok: true });
  });

  test("keeps what they stop where a payout is tried again that they don't stop", async () => {
    const paid = await payDeal({ price: 900 });
    await enterCodeOf(paid);
    await db
      .update(payouts)
      .set({ state: "parked", waitReason: "not_registered", sendCount: 1, phone: SENT_TO })
      .where(eq(payouts.orderItemId, paid.itemId));
    const running = await payDeal({ price: 900, sellerId: paid.sellerId, buyerId: paid.buyerId });
    await decideCase(servicesAt(), first, {
      caseId: await openCase(paid, "person"),
      decision: "suspended",
      statement: REASON,
    });
    await restoreUser(servicesAt(), first, paid.sellerId);
    // Our team wishes that this payout arrives.
    const released = { event: "team_released", actor: "admin", createdAt: Date.now() } as const;
    await db.insert(dealEvents).values({ id: crypto.randomUUID(), orderItemId: paid.itemId, ...released });
    const payout = asPayout((await readPayout(paid.itemId))?.id ?? "");
    expect(await retryTransfer(servicesAt(), first, payout)).toMatchObject({ id: payout.id });
    expect(await enterCodeOf(running)).toMatchObject({ code: "reported" });
  });

  test.each([
    ["once the deal is over", true],
    ["while the deal is running", false],
  ])("that is decided %s stops nothing that its reporter buys later", async (_when, isOver) => {
    const deal = await payDeal({ price: 900 });
    if (isOver) {
      await enterCodeOf(deal);
      await db.update(payouts).set({ state: "sent", sendCount: 1 }).where(eq(payouts.orderItemId, deal.itemId));
    }
    const caseId = await openCase(deal, "person");
    const suspended = { caseId, decision: "suspended", statement: REASON } as const;
    await decideCase(servicesAt(), first, suspended);
    await restoreUser(servicesAt(), first, deal.sellerId);
    const later = await payDeal({ price: 900, sellerId: deal.sellerId, buyerId: deal.buyerId });
    // Neither side reads that it stops this deal.
    expect(await findDeal(servicesAt(), later.itemId)).toMatchObject({ hasOpenReport: false });
    expect(await enterCodeOf(later)).toMatchObject({ ok: true });
    if (!isOver) expect(await enterCodeOf(deal)).toMatchObject({ code: "reported" });
  });
});

describe("a proposal about an item", () => {
  test("is over when the item leaves the team", async () => {
    const deal = await inReview();
    const decide = { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "Clear" } as const;
    expect(await decideDeal(servicesAt(), first, decide)).toEqual({ ok: true, isDecided: false });
    const { id } = await proposal();
    const withdrawn = { itemId: deal.itemId, event: "problem_withdrawn", by: deal.buyerId } as const;
    expect(await applyDealEvent(servicesAt(), withdrawn)).toMatchObject({ ok: true });
    expect((await listProposals(servicesAt())).rows).toEqual([]);
    // The item comes back.
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, deal.itemId));
    expect(await confirmProposal(servicesAt(), second, { id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
    await db.update(orderItems).set({ status: "completed" }).where(eq(orderItems.id, deal.itemId));
  });

  test("isn't declined by an admin whose money it is about", async () => {
    const deal = await inReview();
    const decide = { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "Clear" } as const;
    await decideDeal(servicesAt(), first, decide);
    const { id } = await proposal();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(deal.sellerId).run();
    const own = { id: deal.sellerId, email: "seller@campus.test" };
    expect(await declineProposal(servicesAt(), own, id)).toBe("own_money");
    expect(await declineProposal(servicesAt(), second, id)).toBe("declined");
  });
});

// --------------------------------------------------------- every act that waits

/** An act that moves KES 71,000: what it needs, and how to do it. `moved` tells whether the money has begun to move. */
interface Way {
  prepare(): Promise<{ act(admin: Admin): Promise<unknown>; moved(): Promise<boolean>; waits?: boolean }>;
}

async function inReview(): Promise<Deal> {
  const deal = await payDeal({ price: LARGE });
  await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, deal.itemId));
  return deal;
}

function decision(choice: "refund" | "split" | "release"): Way {
  return {
    async prepare() {
      const deal = await inReview();
      const amount = choice === "split" ? 300 : 0;
      return {
        act: (admin) =>
          decideDeal(servicesAt(), admin, { itemId: deal.itemId, decision: choice, amount, reasons: "Clear" }),
        moved: async () => (await readItem(deal.itemId)).status !== "in_review",
      };
    },
  };
}

/** A payout of KES 71,000 that is parked. */
/** What was sent has the number that it went to. */
const SENT_TO = sql`(SELECT ${profiles.phone} FROM ${profiles} WHERE ${profiles.id} = ${payouts.sellerId})`;

async function parkedPayout(): Promise<{ payoutId: string; itemId: string }> {
  const deal = await inReview();
  const by = [await makeAdmin(), await makeAdmin()];
  for (const admin of by)
    await decideDeal(servicesAt(), admin, { itemId: deal.itemId, decision: "release", amount: 0, reasons: "Fine" });
  const payout = await readPayout(deal.itemId);
  if (!payout) throw new Error("no payout");
  await db
    .update(payouts)
    .set({ state: "parked", waitReason: "no_record", phone: SENT_TO })
    .where(eq(payouts.id, payout.id));
  return { payoutId: payout.id, itemId: deal.itemId };
}

async function parkedRefund(): Promise<string> {
  const deal = await inReview();
  for (const admin of [await makeAdmin(), await makeAdmin()])
    await decideDeal(servicesAt(), admin, { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "Fine" });
  const [refund] = await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId));
  await db
    .update(refunds)
    .set({ state: "parked", waitReason: "no_record" })
    .where(eq(refunds.id, refund?.id ?? ""));
  return refund?.id ?? "";
}

async function heldPayment(): Promise<string> {
  const deal = await makeDeal({ price: LARGE });
  await requestOrderPayment(quietServices(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "mismatched", detail: "another amount" });
  return attempt?.id ?? "";
}

async function attemptOf(id: string) {
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, id));
  return attempt;
}

async function checksOf(receipt: string): Promise<number> {
  const [row] = await db.all<{ n: number }>(`SELECT COUNT(*) AS n FROM receipt_checks WHERE receipt = '${receipt}'`);
  return row?.n ?? 0;
}

/** The buyer of a deal reports its seller, a message of the seller, or the listing. Returns the case. */
async function openCase(deal: Deal, subject: "person" | "message" | "listing"): Promise<string> {
  const about = { kind: "item", id: deal.itemId } as const;
  const sent =
    subject === "message" &&
    (await sendMessage(servicesAt(), { senderId: deal.sellerId, about, text: "Your code?", key: crypto.randomUUID() }));
  const ids = { person: deal.sellerId, message: sent && sent.ok ? sent.message.id : "", listing: deal.productId };
  const report = { subject, subjectId: ids[subject], reporterId: deal.buyerId, reason: "scam", text: "" } as const;
  expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  const [opened] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, ids[subject]));
  return opened?.id ?? "";
}

function caseAnswer(subject: "person" | "message" | "listing", decided: "dismissed" | "removed" | "warned"): Way {
  return {
    async prepare() {
      const caseId = await openCase(await payDeal({ price: LARGE }), subject);
      return {
        act: (admin) =>
          decideCase(servicesAt(), admin, { caseId, decision: decided, statement: "Don't ask for codes" }),
        moved: async () => (await caseOf(caseId))?.state !== "open",
      };
    },
  };
}

async function caseOf(caseId: string) {
  const [about] = await db.select().from(moderationCases).where(eq(moderationCases.id, caseId));
  return about;
}

const WAYS: Record<ProposedAct, Way> = {
  case_dismissed: caseAnswer("listing", "dismissed"),
  case_removed: caseAnswer("message", "removed"),
  case_warned: caseAnswer("person", "warned"),
  team_refunded: decision("refund"),
  team_split: decision("split"),
  team_released: decision("release"),
  deals_ended: {
    async prepare() {
      const deal = await payDeal({ price: LARGE });
      return {
        act: (admin) => suspendUser(servicesAt(), admin, deal.buyerId, REASON),
        moved: async () => {
          await advanceDeals(servicesAt(1));
          return (await readItem(deal.itemId)).status !== "processing";
        },
      };
    },
  },
  issue_closed: {
    async prepare() {
      const deal = await payDeal({ price: LARGE });
      const id = crypto.randomUUID();
      await db.insert(issueReports).values({
        id,
        userId: deal.buyerId,
        sellerId: deal.sellerId,
        orderId: deal.orderId,
        description: "It never came",
        createdAt: 1,
      });
      return {
        act: (admin) => closeIssue(servicesAt(), admin, id, "Delivered"),
        moved: async () =>
          (
            await db
              .select()
              .from(issueReports)
              .where(and(eq(issueReports.id, id), eq(issueReports.status, "closed")))
          ).length === 1,
      };
    },
  },
  payout_retried: {
    async prepare() {
      const { payoutId, itemId } = await parkedPayout();
      return {
        act: (admin) => retryTransfer(servicesAt(), admin, asPayout(payoutId)),
        moved: async () => (await readPayout(itemId))?.state !== "parked",
      };
    },
  },
  payout_recorded: {
    async prepare() {
      const { payoutId } = await parkedPayout();
      expect(await reserveTransfer(servicesAt(), first, asPayout(payoutId))).toBe(true);
      const receipt = newReceipt();
      return {
        act: (admin) => recordTransfer(servicesAt(), admin, asPayout(payoutId), receipt),
        moved: async () => (await checksOf(receipt)) > 0,
      };
    },
  },
  refund_retried: {
    async prepare() {
      const refundId = await parkedRefund();
      return {
        act: (admin) => retryTransfer(servicesAt(), admin, asRefund(refundId)),
        moved: async () =>
          (
            await db
              .select()
              .from(refunds)
              .where(and(eq(refunds.id, refundId), eq(refunds.state, "parked")))
          ).length === 0,
      };
    },
  },
  refund_recorded: {
    async prepare() {
      const refundId = await parkedRefund();
      expect(await reserveTransfer(servicesAt(), first, asRefund(refundId))).toBe(true);
      const receipt = newReceipt();
      return {
        act: (admin) => recordTransfer(servicesAt(), admin, asRefund(refundId), receipt),
        moved: async () => (await checksOf(receipt)) > 0,
      };
    },
  },
  payment_accepted: {
    async prepare() {
      const attemptId = await heldPayment();
      const receipt = newReceipt();
      return {
        act: (admin) => acceptPayment(servicesAt(), admin, attemptId, receipt),
        moved: async () => (await checksOf(receipt)) > 0,
      };
    },
  },
  payment_dismissed: {
    async prepare() {
      const attemptId = await heldPayment();
      return {
        act: (admin) => dismissPayment(servicesAt(), admin, attemptId, "Sent back"),
        moved: async () => (await attemptOf(attemptId))?.state !== "held",
      };
    },
  },
};

async function admins() {
  await env.DB.prepare("UPDATE profiles SET admin_role = CASE WHEN id IN (?, ?) THEN 'owner' END")
    .bind(first.id, second.id)
    .run();
  await env.DB.prepare("UPDATE admin_proposals SET state = 'void' WHERE state = 'open'").run();
}

test.each(Object.entries(WAYS))("%s waits for a second admin, however often the first one tries", async (act, way) => {
  const { act: tryIt, moved } = await way.prepare();
  await admins();
  await Promise.all([tryIt(first), tryIt(first)]);
  await tryIt(first);
  expect(await moved()).toBe(false);
  const waiting = await proposal();
  expect(waiting).toMatchObject({ act, amount: LARGE, amountNow: LARGE, isGood: true });
  expect(waiting.people.length).toBeGreaterThan(0);
  expect(await confirmProposal(servicesAt(), first, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe(
    "proposed_by_you",
  );
  expect(await moved()).toBe(false);

  const answers = await Promise.all([
    confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS),
    confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS),
  ]);
  expect(answers.filter((answer) => answer !== "stale" && answer !== "proposed")).toHaveLength(1);
  expect(await moved()).toBe(true);
  expect(await booksOff()).toEqual({});
  expect(
    await db
      .select()
      .from(adminMoves)
      .where(inArray(adminMoves.adminId, [first.id, second.id])),
  ).toEqual([]);
});

// What ends a proposal is asked before its act, so two kinds of acts show it.
test.each(["deals_ended", "payout_recorded"] as const)(
  "%s moves nothing once the second admin declines, the first one is no admin any more, or a week is over",
  async (act) => {
    const { act: tryIt, moved } = await WAYS[act].prepare();
    await admins();
    await tryIt(first);
    const waiting = await proposal();
    if (act !== "deals_ended") {
      const later = servicesAt(8 * 24 * HOUR);
      expect(await confirmProposal(later, second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
    }
    await env.DB.prepare("UPDATE profiles SET admin_role = NULL WHERE id = ?").bind(first.id).run();
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
    expect(await moved()).toBe(false);
    expect(await declineProposal(servicesAt(), second, waiting.id)).toMatch(/^(declined|deals_kept)$/);
    expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
    expect(await moved()).toBe(false);
  },
);

test("several small decisions of one admin about the same person count together; another admin's don't", async () => {
  const { deals } = await threeDeals();
  for (const { itemId } of deals)
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, itemId));
  const decide = (admin: Admin, deal: Deal | undefined) =>
    decideDeal(servicesAt(), admin, { itemId: deal?.itemId ?? "", decision: "refund", amount: 0, reasons: "Clear" });
  expect(await decide(first, deals[0])).toMatchObject({ isDecided: true });
  expect(await decide(first, deals[1])).toMatchObject({ isDecided: true });
  expect(await decide(first, deals[2])).toMatchObject({ isDecided: false });
  expect(await decide(second, deals[2])).toMatchObject({ isDecided: true });
});

/** Acts that move the money of a deal that one admin may move alone. */
const SMALL: Record<string, (deal: Deal) => Promise<(services: Services) => Promise<unknown>>> = {
  "a decision": async ({ itemId }) => {
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, itemId));
    const decided = { itemId, decision: "refund", amount: 0, reasons: "Clear" } as const;
    return (services) => decideDeal(services, first, decided);
  },
  "the end of a report": async (deal) => {
    const issueId = await openIssue(deal);
    return (services) => closeIssue(services, first, issueId, "Fine");
  },
  "a listing taken down": async ({ productId }) => {
    return (services) => suspendListing(services, first, productId, REASON);
  },
};

test.each(Object.keys(SMALL))("%s doesn't slip past another act by the same admin at the same moment", async (name) => {
  const names = Object.keys(SMALL);
  const otherName = names[(names.indexOf(name) + 1) % names.length] ?? "";
  const deal = await payDeal({ price: 30_000 });
  const act = await SMALL[name]?.(deal);
  const other = await SMALL[otherName]?.(await payDeal({ price: 30_000, sellerId: deal.sellerId }));
  const slow = slowDatabase(env.DB, async () => other?.(servicesAt()));
  await act?.({ ...servicesAt(), db: openDatabase(slow.db) });
  expect(slow.hasWritten()).toBe(true);
  const moves = await db.select().from(adminMoves).where(eq(adminMoves.adminId, first.id));
  expect(moves.map(({ amount }) => amount)).toEqual([30_000]);
});

test("the same money counts once, however often one admin decides about it", async () => {
  const deal = await payDeal({ price: 30_000 });
  for (let time = 0; time < 3; time += 1)
    expect(await closeIssue(servicesAt(), first, await openIssue(deal), "Fine")).toEqual({ ok: true });
});

test.each(["buyer", "seller"] as const)("no admin ends a deal in which they are the %s", async (side) => {
  const deal = await payDeal({ price: 900, [`${side}Id`]: first.id });
  const other = side === "buyer" ? deal.sellerId : deal.buyerId;
  const own = { ok: false, code: "own_money" };
  expect(await suspendUser(servicesAt(), first, other, REASON)).toEqual(own);
  if (side === "buyer") expect(await suspendListing(servicesAt(), first, deal.productId, REASON)).toEqual(own);
  expect(await suspendUser(servicesAt(), second, other, REASON)).toEqual({ ok: true });
});

test("a proposal that would move another sum than the second admin read moves nothing", async () => {
  const deal = await inReview();
  const decide = (admin: Admin) =>
    decideDeal(servicesAt(), admin, { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "Clear" });
  await decide(first);
  const waiting = await proposal();
  await db
    .update(orderItems)
    .set({ subtotal: LARGE + 1 })
    .where(eq(orderItems.id, deal.itemId));
  expect(await confirmProposal(servicesAt(), second, { id: waiting.id, seenAmount: LARGE }, DESK_ACTS)).toBe("stale");
  expect(await proposal()).toMatchObject({ isGood: false });
  await db.update(orderItems).set({ subtotal: LARGE }).where(eq(orderItems.id, deal.itemId));
});

// --------------------------------------------------- receipts of what was sent by hand

describe("a transfer that was sent by hand", () => {
  async function reserved() {
    const deal = await payDeal({ price: 2_000 });
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, deal.itemId));
    await decideDeal(servicesAt(), first, { itemId: deal.itemId, decision: "release", amount: 0, reasons: "Fine" });
    const payout = await readPayout(deal.itemId);
    await db
      .update(payouts)
      .set({ state: "parked", waitReason: "no_record", phone: SENT_TO })
      .where(eq(payouts.id, payout?.id ?? ""));
    expect(await reserveTransfer(servicesAt(), first, asPayout(payout?.id ?? ""))).toBe(true);
    return { ...deal, payoutId: payout?.id ?? "" };
  }

  test.each([
    // What else it may lack is asked in the same way of the receipt of a payment (admin-pages.test.ts).
    ["is for another amount", { amount: 1_999 }],
    ["came from another account", { payer: "999999 - Somebody" }],
    ["went to another number", { receiver: "254711999999 - Somebody" }],
    ["went to a number that M-Pesa hides", { receiver: "Somebody" }],
  ])("by a receipt that %s stays unpaid", async (_case, said) => {
    const { payoutId, itemId } = await reserved();
    const receipt = newReceipt();
    expect(await recordTransfer(servicesAt(), first, asPayout(payoutId), receipt)).toEqual({ ok: true });
    expect(await readPayout(itemId)).toMatchObject({ state: "parked" });
    expect(await mpesaConfirms(receipt, said)).toBe("receipt_rejected");
    expect(await readPayout(itemId)).toMatchObject({ state: "parked", receipt: null });
    const [doubt] = await db.all<{ detail: string }>(
      `SELECT detail FROM discrepancies WHERE kind = 'payout_in_doubt' AND subject = '${payoutId}'
        AND resolved_at IS NULL`,
    );
    expect(doubt?.detail).toContain(`M-Pesa does not confirm receipt ${receipt}`);
    // The right one counts afterwards, and only once.
    const right = newReceipt();
    expect(await recordTransfer(servicesAt(), first, asPayout(payoutId), right)).toEqual({ ok: true });
    expect(await mpesaConfirms(right)).toBe("receipt_confirmed");
    expect(await mpesaConfirms(right)).toBe("unchanged");
    expect(await readPayout(itemId)).toMatchObject({ state: "done", receipt: right });
    expect(await booksOff()).toEqual({});
  });

  test("counts when M-Pesa masks the number that got it, and its receipt counts for nothing else", async () => {
    const [one, other] = [await reserved(), await reserved()];
    const receipt = newReceipt();
    await recordTransfer(servicesAt(), first, asPayout(one.payoutId), receipt);
    expect(await recordTransfer(servicesAt(), first, asPayout(other.payoutId), receipt)).toEqual({
      ok: false,
      code: "used",
    });
    const [seller] = await db.all<{ phone: string }>(`SELECT phone FROM profiles WHERE id = '${one.sellerId}'`);
    const phone = seller?.phone ?? "";
    const receiver = `${phone.slice(0, 4)} ***** ${phone.slice(-3)} - A STUDENT`;
    expect(await mpesaConfirms(receipt, { receiver })).toBe("receipt_confirmed");
    expect(await recordTransfer(servicesAt(), first, asPayout(other.payoutId), receipt)).toEqual({
      ok: false,
      code: "used",
    });
  });

  test("and taken back before M-Pesa answers is found when M-Pesa confirms it all the same", async () => {
    const { payoutId, itemId } = await reserved();
    const receipt = newReceipt();
    await recordTransfer(servicesAt(), first, asPayout(payoutId), receipt);
    expect(await retryTransfer(servicesAt(), first, asPayout(payoutId), { reserved: true })).toMatchObject({
      orderItemId: itemId,
    });
    expect(await mpesaConfirms(receipt)).toBe("receipt_rejected");
    expect((await readPayout(itemId))?.state).not.toBe("done");
    const raised = await db.all(
      `SELECT 1 FROM discrepancies WHERE kind = 'payout_paid_twice' AND subject = '${payoutId}'
        AND resolved_at IS NULL`,
    );
    expect(raised).toHaveLength(1);
    expect(await booksOff()).toEqual({});
  });
});
