/** Whoever reported something reads what our answer does with their money, and by when they can report a problem. */
import { eq, like } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { Admin } from "#app/team/perform-act.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { closeIssue } from "#app/admin/problems/issues.server.ts";
import { dealTimers, issueReports } from "#app/orders/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import type { CaseDecision } from "#app/db/states/moderation.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { type Deal, db, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { writeMail } from "#workers/mail/write-mail.tsx";

const PRICE = 1_700;

let admin: Admin;
let deal: Deal;

beforeEach(async () => {
  admin = await makeAdmin();
  deal = await payDeal({ price: PRICE });
  await agreeOn(deal);
});

/** The text of the answer that the buyer gets. */
async function answer(): Promise<string> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(like(outbox.payload, `%${deal.buyerId}@%`));
  const mails = rows.map(({ payload }) => JSON.parse(payload) as Mail);
  const mail = mails.find(({ template }) => template === "case_outcome" || template === "issue_closed");
  if (!mail) throw new Error("no answer");
  return writeMail(mail, { origin: "https://chuoni.example", pepper: "pepper" }).text.replaceAll(/\s+/g, " ");
}

async function reportMessage(): Promise<string> {
  const about = { kind: "item", id: deal.itemId } as const;
  const message = { senderId: deal.sellerId, about, text: "Send me your code", key: crypto.randomUUID() };
  const sent = await sendMessage(servicesAt(), message);
  return report("message", sent.ok ? sent.message.id : "");
}

async function report(subject: "message" | "person", subjectId: string, reporterId = deal.buyerId): Promise<string> {
  await sendReport(servicesAt(), { subject, subjectId, reporterId, reason: "scam", text: "" });
  const [about] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, subjectId));
  return about?.id ?? "";
}

async function decide(caseId: string, decision: CaseDecision): Promise<void> {
  const decided = { caseId, decision, statement: "Never ask for the code" };
  expect(await decideCase(servicesAt(), admin, decided)).toMatchObject({ ok: true });
}

async function due(): Promise<string> {
  const timers = await db.select().from(dealTimers).where(eq(dealTimers.orderItemId, deal.itemId));
  return formatDateTime(Math.max(...timers.map(({ dueAt }) => dueAt)));
}

const FREED = "Your report no longer holds back your KES 1,700 for Casio fx-991ES.";

test.each([
  ["message", "dismissed"],
  ["message", "removed"],
  ["message", "warned"],
  ["person", "dismissed"],
  ["person", "warned"],
] as const)("a case about a %s that is %s says what happens with the money", async (subject, decision) => {
  const caseId = subject === "message" ? await reportMessage() : await report("person", deal.sellerId);
  await decide(caseId, decision);
  const text = await answer();
  expect(text).toContain(FREED);
  expect(text).toContain("We pay the seller once they enter your handover code");
  expect(text).toContain(`shipped by ${await due()}, you get your money back`);
  expect(text).toContain(`/orders/${deal.orderId}`);
});

test("a delivered item's buyer reads by when to report a problem", async () => {
  await shipItem(servicesAt(), deal);
  await deliverItem({ ...servicesAt(), deals: { inspectionHours: 48, codeKey: "test-key" } }, deal);
  await decide(await reportMessage(), "removed");
  const text = await answer();
  expect(text).toContain(`report a problem on the order page by ${await due()}. After that we pay the seller.`);
});

test("a shipped item's buyer reads from when, and that our team looks into it", async () => {
  await shipItem(servicesAt(), deal);
  await decide(await reportMessage(), "removed");
  expect(await answer()).toMatch(/report a problem on the order page, from .+ on\. At .+ our team looks into it\./);
});

test("a payout that waited is named", async () => {
  await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "code_entered", by: deal.sellerId });
  await decide(await reportMessage(), "dismissed");
  expect(await answer()).toContain("The order is completed, so we pay the seller now.");
});

test("closing an issue report says it, too", async () => {
  await reportIssue(servicesAt(), {
    userId: deal.buyerId,
    orderId: deal.orderId,
    itemId: deal.itemId,
    description: "It rattles",
  });
  const [issue] = await db.select().from(issueReports).where(eq(issueReports.orderId, deal.orderId));
  expect(await closeIssue(servicesAt(), admin, issue?.id ?? "", "We talked to the seller.")).toEqual({ ok: true });
  expect(await answer()).toContain(FREED);
});

test("nothing is said about money that another report still stops, nor to somebody who bought nothing", async () => {
  await report("person", deal.sellerId);
  await decide(await reportMessage(), "removed");
  expect(await answer()).not.toContain("holds back");
  const other = await makeUser();
  deal = { ...deal, buyerId: other };
  await decide(await report("person", deal.sellerId, other), "warned");
  expect(await answer()).not.toContain("holds back");
});
