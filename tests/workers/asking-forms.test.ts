/**
 * The forms of our team that move money or give power ask who it is (`ASKING_FORMS`). What each brings about is read
 * from the tables: a form that does so much and doesn't ask fails here, and in every other test that sends it
 * (tests/support/power.ts).
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { reserveTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { ASKING_FORMS } from "#app/team/asking-form-rules.ts";
import { adminProposals, moderationCases } from "#app/moderation/tables.server.ts";
import { authenticators, loginIssuers, universityDomains } from "#app/accounts/tables.server.ts";
import { serviceFees } from "#app/catalogue/tables.server.ts";
import { issueReports, orderItems } from "#app/orders/tables.server.ts";
import { payouts } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { accountReference } from "#app/payments/collect/prompt-rules.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { makeAccount } from "#tests/support/accounts.ts";
import {
  db,
  makeDeal,
  makeProduct,
  makeUser,
  quietServices,
  readAttempts,
  readPayout,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, payDeal } from "#tests/support/paid-deal.ts";
import { broughtAbout } from "#tests/support/power.ts";
import { asPayout } from "#tests/support/transfers.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

const REASON = "Took money and ran";
const HOUR = 60 * 60_000;

let owner: { id: string; email: string };

beforeEach(async () => {
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
  await env.DB.prepare("UPDATE admin_proposals SET state = 'void' WHERE state = 'open'").run();
  owner = await makeAdmin();
});

interface Sent {
  path: string;
  form: Record<string, string>;
}

async function parkedPayout(): Promise<string> {
  const { itemId, sellerId } = await payDeal({ price: 900 });
  await applyDealEvent(servicesAt(), { itemId, event: "code_entered", by: sellerId });
  const id = (await readPayout(itemId))?.id ?? "";
  const parked = { state: "parked", waitReason: "receiver_limit", resultCode: "8", nextActionAt: null } as const;
  await db.update(payouts).set(parked).where(eq(payouts.id, id));
  return id;
}

/** An attempt of which M-Pesa has reported another amount. */
async function heldPayment(): Promise<string> {
  const { orderId, buyerId: userId } = await makeDeal({ price: 3_000 });
  await requestOrderPayment(quietServices(), { orderId, userId, phone: uniquePhone("00") });
  const id = (await readAttempts(orderId))[0]?.id ?? "";
  await applyAttemptEvent(servicesAt(), id, { event: "mismatched", detail: "KES 3001" });
  return id;
}

/** A report of an order, and its people. */
async function reported() {
  const deal = await payDeal({ price: 900 });
  const { orderId, itemId, buyerId: userId } = deal;
  expect(await reportIssue(servicesAt(), { userId, orderId, itemId, description: "It rattles" })).toMatchObject({
    ok: true,
  });
  const [issue] = await db.select().from(issueReports).where(eq(issueReports.orderId, orderId));
  return { ...deal, path: `/admin/problems/${issue?.id}` };
}

const money = (form: Record<string, string>): Sent => ({ path: "/admin/money", form: { subject: "it", ...form } });
const admins = (form: Record<string, string>): Sent => ({ path: "/admin/admins", form: { subject: "it", ...form } });

const PRETEND_ISSUER = "https://university.sandbox.internal";

async function university(): Promise<string> {
  const domain = `${crypto.randomUUID().slice(0, 8)}.ac.ke`;
  await db.insert(universityDomains).values({ domain, name: domain, createdAt: 1 });
  return domain;
}

/** By page and intent. */
const FORMS: Record<string, () => Promise<Sent>> = {
  "/admin/money retry": async () => money({ intent: "retry", kind: "payout", id: await parkedPayout() }),
  async "/admin/money record"() {
    const id = await parkedPayout();
    expect(await reserveTransfer(servicesAt(), owner, asPayout(id))).toBe(true);
    return money({ intent: "record", kind: "payout", id, receipt: newReceipt() });
  },
  "/admin/money accept": async () => money({ intent: "accept", id: await heldPayment(), receipt: newReceipt() }),
  "/admin/money dismiss": async () => money({ intent: "dismiss", id: await heldPayment(), reason: "Nothing came" }),
  async "/admin/money/lists accept-line"() {
    const { orderId, buyerId: userId, amount } = await makeDeal();
    await requestOrderPayment(quietServices(), { orderId, userId, phone: uniquePhone("00") });
    const attempt = (await readAttempts(orderId))[0]?.id ?? "";
    const receipt = newReceipt();
    const statement = new FormData();
    for (const [name, value] of Object.entries({ intent: "send", account: "collection" })) statement.set(name, value);
    const lines = `Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,A/C No.\n${receipt},26-11-2026 10:00:00,Pay Bill,Completed,${amount},,${accountReference(orderId)}`;
    statement.set("file", new File([lines], "statement.csv", { type: "text/csv" }));
    expect((await visit("/admin/money/lists", { as: owner.id, form: statement })).status).toBe(302);
    return {
      path: "/admin/money/lists",
      form: { intent: "accept-line", id: `missing_here:${receipt}`, attempt, subject: "it" },
    };
  },
  async "/admin/problems/:id decide"() {
    const { itemId } = await reported();
    await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, itemId));
    return {
      path: `/admin/problems/${itemId}`,
      form: { intent: "decide", decision: "refund", reasons: "It never worked" },
    };
  },
  async "/admin/problems/:id close"() {
    const { path } = await reported();
    return { path, form: { intent: "close", outcome: "Settled" } };
  },
  async "/admin/problems/:id suspend-user"() {
    const { path, sellerId } = await reported();
    return { path, form: { intent: "suspend-user", id: sellerId, reason: REASON } };
  },
  async "/admin/problems/:id suspend-listing"() {
    const { path, productId } = await reported();
    return { path, form: { intent: "suspend-listing", id: productId, reason: REASON } };
  },
  async "/admin/proposals confirm"() {
    const { sellerId } = await payDeal({ price: 71_000 });
    const other = await makeAdmin();
    expect(await suspendUser(servicesAt(), other, sellerId, REASON)).toEqual({ ok: true, waits: true });
    const [proposal] = await db.select().from(adminProposals).where(eq(adminProposals.state, "open"));
    return { path: "/admin/proposals", form: { intent: "confirm", id: proposal?.id ?? "", seenAmount: "71000" } };
  },
  async "/admin/people suspend-user"() {
    const id = await makeUser();
    return {
      path: "/admin/people",
      form: { intent: "suspend-user", id, reason: REASON, subject: `suspend-user:${id}` },
    };
  },
  async "/admin/moderation/:caseId decide-case"() {
    const subjectId = await makeProduct(await makeUser());
    const report = { subject: "listing", subjectId, reporterId: await makeUser(), reason: "scam", text: "x" } as const;
    expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
    const [about] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, subjectId));
    const form = { intent: "decide-case", decision: "warned", statement: REASON, seenAt: String(Date.now() + HOUR) };
    return { path: `/admin/moderation/${about?.id}`, form };
  },
  async "/admin/universities add-login"() {
    const id = await university();
    return {
      path: "/admin/universities",
      form: { intent: "add-login", subject: "it", id, issuer: PRETEND_ISSUER, clientId: "chuoni", campus: "" },
    };
  },
  async "/admin/universities turn-on"() {
    const id = await university();
    await db
      .insert(loginIssuers)
      .values({ domain: id, issuer: PRETEND_ISSUER, clientId: "chuoni", isOn: false, createdAt: 1 });
    return { path: "/admin/universities", form: { intent: "turn-on", subject: "it", id } };
  },
  async "/admin/income confirm-fee"() {
    const id = crypto.randomUUID();
    const rule = { payer: "seller", share: 500, smallest: 0, largest: 100 } as const;
    const setBy = (await makeAdmin()).id;
    await db.insert(serviceFees).values({ id, ...rule, startsAt: 0, setBy, createdAt: 1 });
    return { path: "/admin/income", form: { intent: "confirm-fee", subject: "it", id } };
  },
  async "/admin/income confirm-take-back"() {
    const id = crypto.randomUUID();
    const rule = { payer: "seller", share: 500, smallest: 0, largest: 100 } as const;
    const first = (await makeAdmin()).id;
    const confirmed = { setBy: first, createdAt: 1, confirmedBy: owner.id, confirmedAt: 2, takeBackBy: first };
    await db.insert(serviceFees).values({ id, ...rule, startsAt: Date.now() + 24 * HOUR, ...confirmed });
    return { path: "/admin/income", form: { intent: "confirm-take-back", subject: "it", id } };
  },
  "/admin/admins give": async () => admins({ intent: "give", email: (await makeAccount()).email, role: "support" }),
  async "/admin/admins change"() {
    const { id } = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'support' WHERE id = ?").bind(id).run();
    return admins({ intent: "change", id, was: "support", role: "finance" });
  },
  async "/admin/admins take"() {
    const { id } = await makeAdmin();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'support' WHERE id = ?").bind(id).run();
    return admins({ intent: "take", id, was: "support" });
  },
  async "/admin/admins reset"() {
    const { id, email } = await makeAccount();
    await db.insert(authenticators).values({ userId: id, secret: "x", startedBy: "x", confirmedAt: 1, createdAt: 1 });
    return admins({ intent: "reset", email });
  },
};

test("every form that asks is here", () => {
  const asking = Object.entries(ASKING_FORMS).flatMap(([page, intents]) =>
    intents.map((intent) => `${page} ${intent}`),
  );
  expect(Object.keys(FORMS).toSorted()).toEqual(asking.toSorted());
});

test.each(Object.entries(FORMS))("%s moves money or gives power, and asks who it is", async (_name, make) => {
  const { path, form } = await make();
  expect(await broughtAbout(() => visit(path, { as: owner.id, form }))).not.toEqual([]);
});
