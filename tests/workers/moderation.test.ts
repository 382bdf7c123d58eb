/** Moderation: what is reported or held becomes one case, our team decides once, and a decision can be appealed. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { findClaim } from "#app/team/claims.server.ts";
import { DELETED_MESSAGE } from "#app/accounts/login/account-rules.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { sweepDeletedAccounts } from "#app/moderation/erase.server.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { listCases } from "#app/moderation/cases/list-cases.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
} from "#app/moderation/suspensions/suspensions.server.ts";
import { deleteListing } from "#app/catalogue/selling/listings.server.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { credentials, profiles, userRatings } from "#app/accounts/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { CASE_DECISIONS, CASE_SUBJECTS, type CaseSubject, type ReportReason } from "#app/db/states/moderation.ts";
import { findInbox } from "#app/messaging/conversations/conversations.server.ts";
import { listMessages } from "#app/messaging/conversations/messages.server.ts";
import { findAppeal, sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { APPEAL_DAYS, harmOf } from "#app/moderation/cases/case-rules.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt, changeListing } from "#tests/support/fixtures.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { tellWaiting } from "#tests/support/gathered.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { emailsTo } from "#tests/support/outbox.ts";
import { finishedDeal, review as writeReview } from "#tests/support/reviews.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";

async function casesAbout(subjectId: string) {
  return db.select().from(moderationCases).where(eq(moderationCases.subjectId, subjectId));
}

async function hold(productId: string, term: string): Promise<void> {
  await changeListing(productId, { suspendedAt: Date.now(), heldFor: term });
  await write(db, openHeldCases(idList(productId), Date.now()));
}

describe("a held listing", () => {
  test("opens one case, however often it is held before our team decides", async () => {
    const sellerId = await makeUser();
    const productId = await makeProduct(sellerId);
    await hold(productId, "pistol");
    await db.update(products).set({ heldFor: null }).where(eq(products.id, productId));
    await hold(productId, "rifle");
    const [first, ...more] = await casesAbout(productId);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      subject: "listing",
      reportedId: sellerId,
      state: "open",
      reports: 0,
      harm: harmOf({ reasons: [], upheld: 0 }),
      decision: null,
    });
    expect(first?.appealToken).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.appealToken).not.toBe(first?.id);
  });

  test("opens a case with more harm after earlier cases", async () => {
    const sellerId = await makeUser();
    const earlier = await makeProduct(sellerId);
    await hold(earlier, "pistol");
    await db
      .update(moderationCases)
      .set({ state: "decided", decision: "removed" })
      .where(eq(moderationCases.subjectId, earlier));
    const id = await makeProduct(sellerId);
    const heldAt = Date.now();
    await hold(id, "pistol");
    expect(await casesAbout(id)).toMatchObject([
      { state: "open", reportedId: sellerId, harm: harmOf({ reasons: [], upheld: 1 }) },
    ]);
    expect((await caseAbout(id))?.createdAt).toBeGreaterThanOrEqual(heldAt);
  });
});

const services = () => servicesAt();

/** Other tests' admins must not answer for the ones of this test. */
beforeEach(async () => {
  await db.update(profiles).set({ adminRole: null });
});

function report(
  subject: CaseSubject,
  subjectId: string,
  reporterId: string,
  reason: ReportReason = "harassment",
  text = "",
) {
  return sendReport(services(), { subject, subjectId, reporterId, reason, text });
}

async function caseAbout(subjectId: string) {
  const [latest] = (await casesAbout(subjectId)).toSorted((one, other) => other.createdAt - one.createdAt);
  if (!latest) throw new Error("no case");
  return latest;
}

async function say(senderId: string, recipientId: string, message: string): Promise<string> {
  return giveMessage({ senderId, recipientId, message });
}

/** A published review by `author` about somebody else. */
async function makeReview(): Promise<{ id: string; author: string; subject: string }> {
  const deal = await makeDeal();
  const id = crypto.randomUUID();
  const now = Date.now();
  await db.insert(reviews).values({
    id,
    orderItemId: deal.itemId,
    authorId: deal.buyerId,
    subjectId: deal.sellerId,
    subjectRole: "seller",
    rating: 1,
    text: "A thief",
    createdAt: now,
    publishAt: now,
    publishedAt: now,
  });
  return { id, author: deal.buyerId, subject: deal.sellerId };
}

const REPLY = "You're the thief";

/** Something of each kind that `reporter` can report, and the person concerned. */
const REPORTABLE: Record<CaseSubject, () => Promise<{ subjectId: string; concerned: string; reporter: string }>> = {
  listing: async () => {
    const concerned = await makeUser();
    return { subjectId: await makeProduct(concerned), concerned, reporter: await makeUser() };
  },
  review: async () => {
    const { id, author, subject } = await makeReview();
    return { subjectId: id, concerned: author, reporter: subject };
  },
  reply: async () => {
    const { id, author, subject } = await makeReview();
    await db.update(reviews).set({ reply: REPLY, repliedAt: Date.now() }).where(eq(reviews.id, id));
    return { subjectId: id, concerned: subject, reporter: author };
  },
  person: async () => {
    const [concerned, reporter] = await Promise.all([makeUser(), makeUser()]);
    await say(concerned, reporter, "Pay me directly");
    return { subjectId: concerned, concerned, reporter };
  },
  message: async () => {
    const [concerned, reporter] = await Promise.all([makeUser(), makeUser()]);
    return { subjectId: await say(concerned, reporter, "Pay me directly"), concerned, reporter };
  },
};

/** Whether others still see it, and whether the account can log in. */
async function standing(subject: CaseSubject, subjectId: string, concerned: string) {
  const [account] = await db.select().from(credentials).where(eq(credentials.id, concerned));
  const [listing] = await db.select().from(products).where(eq(products.id, subjectId));
  const [review] = await db.select().from(reviews).where(eq(reviews.id, subjectId));
  const [message] = await db.select().from(messages).where(eq(messages.id, subjectId));
  const gone = {
    listing: listing?.suspendedAt,
    review: review?.removedAt,
    reply: review?.replyRemovedAt,
    message: message?.removedAt,
    person: null,
  };
  return { isShown: (gone[subject] ?? null) === null, isSuspended: account?.suspendedAt !== null };
}

const mailsTo = (userId: string) => emailsTo(`${userId}@campus.test`);

async function audited(subject: string): Promise<string[]> {
  const rows = await db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(eq(auditLog.subject, subject))
    .orderBy(auditLog.createdAt);
  return rows.map(({ action }) => action);
}

describe("a report", () => {
  test.each(CASE_SUBJECTS)("of a %s joins its open case, once for each person", async (subject) => {
    const { subjectId, concerned, reporter } = await REPORTABLE[subject]();
    const first = await Promise.all([
      report(subject, subjectId, reporter),
      report(subject, subjectId, reporter, "danger"),
    ]);
    expect(first).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await report(subject, subjectId, reporter, "spam")).toMatchObject({ ok: true });
    const [opened, ...more] = await casesAbout(subjectId);
    expect(more).toEqual([]);
    expect(opened).toMatchObject({ subject, reportedId: concerned, state: "open", reports: 1 });
    expect(
      await db
        .select()
        .from(reports)
        .where(eq(reports.caseId, opened?.id ?? "")),
    ).toHaveLength(1);
  });

  test("can't be about oneself, or about something that the reporter can't see", async () => {
    const [seller, stranger] = await Promise.all([makeUser(), makeUser()]);
    const [listing, review, message] = await Promise.all([REPORTABLE.listing(), makeReview(), REPORTABLE.message()]);
    const refused = { ok: false, code: "not_found" };
    expect(await report("listing", listing.subjectId, listing.concerned)).toEqual(refused);
    expect(await report("review", review.id, review.author, "spam")).toEqual(refused);
    expect(await report("person", seller, seller)).toEqual(refused);
    expect(await report("message", message.subjectId, message.concerned)).toEqual(refused);
    expect(await report("message", message.subjectId, stranger)).toEqual(refused);
    // Neither a seller nor somebody they've talked to.
    expect(await report("person", seller, stranger)).toEqual(refused);
    await db.update(products).set({ suspendedAt: 1 }).where(eq(products.id, listing.subjectId));
    expect(await report("listing", listing.subjectId, stranger)).toEqual(refused);
    await db.update(reviews).set({ publishedAt: null }).where(eq(reviews.id, review.id));
    expect(await report("review", review.id, review.subject, "spam")).toEqual(refused);
  });

  test("can be about a reply, by anybody but the person who wrote it", async () => {
    const [withoutReply, { subjectId, concerned }, stranger] = [
      await makeReview(),
      await REPORTABLE.reply(),
      await makeUser(),
    ];
    const refused = { ok: false, code: "not_found" };
    expect(await report("reply", withoutReply.id, stranger)).toEqual(refused);
    expect(await report("reply", subjectId, concerned)).toEqual(refused);
    expect(await report("reply", subjectId, stranger)).toMatchObject({ ok: true });
    // With a review that is removed, its reply disappears, too.
    for (const hidden of [{ replyRemovedAt: 1 }, { removedAt: 1 }, { publishedAt: null }]) {
      await db
        .update(reviews)
        .set({ replyRemovedAt: null, removedAt: null, publishedAt: 1, ...hidden })
        .where(eq(reviews.id, subjectId));
      expect(await report("reply", subjectId, await makeUser())).toEqual(refused);
    }
  });

  test("needs a reason that fits, and words where the reason says nothing", async () => {
    const { subjectId, reporter } = await REPORTABLE.message();
    expect(await report("message", subjectId, reporter, "fake")).toEqual({ ok: false, code: "reason" });
    expect(await report("message", subjectId, reporter, "other", "  ")).toEqual({ ok: false, code: "empty" });
    expect(await report("message", subjectId, reporter, "other", "x".repeat(1001))).toEqual({
      ok: false,
      code: "too_long",
    });
    expect(await casesAbout(subjectId)).toEqual([]);
  });

  test("is one of at most 10 a day, and a repeated one doesn't count", async () => {
    const [reporter, seller] = await Promise.all([makeUser(), makeUser()]);
    const listings = await Promise.all(Array.from({ length: 11 }, () => makeProduct(seller)));
    for (const id of listings.slice(0, 10)) {
      expect(await report("listing", id, reporter)).toMatchObject({ ok: true });
      expect(await report("listing", id, reporter)).toMatchObject({ ok: true });
    }
    expect(await report("listing", listings[10] ?? "", reporter)).toEqual({ ok: false, code: "too_many" });
  });

  test("makes the case as urgent as the rules say, also for somebody whose cases were upheld", async () => {
    const admin = await makeAdmin();
    const seller = await makeUser();
    const [earlier, productId] = await Promise.all([makeProduct(seller), makeProduct(seller)]);
    await report("listing", earlier, await makeUser());
    await decideCase(services(), admin, {
      caseId: (await caseAbout(earlier)).id,
      decision: "removed",
      statement: "A copy",
    });
    const reasons: ReportReason[] = ["spam", "scam", "other", "fake"];
    for (const [n, reason] of reasons.entries()) {
      await report("listing", productId, await makeUser(), reason, "Words");
      expect((await caseAbout(productId)).harm).toBe(harmOf({ reasons: reasons.slice(0, n + 1), upheld: 1 }));
    }
    expect(await caseAbout(productId)).toMatchObject({ reports: 4 });
  });
});

const EVERY_DECISION = CASE_SUBJECTS.flatMap((subject) =>
  CASE_DECISIONS.map((decision) => [subject, decision] as const),
);

describe("a decision", () => {
  test("against a reply leaves the review, and only the writer of the reply still reads it", async () => {
    const admin = await makeAdmin();
    const { subjectId, concerned, reporter } = await REPORTABLE.reply();
    const page = async (as: string) => (await visit(`/people/${concerned}/reviews`, { as })).text();
    expect(await page(reporter)).toContain(`/report/reply/${subjectId}`);
    await report("reply", subjectId, reporter);
    const { id: caseId } = await caseAbout(subjectId);
    expect(await findCasePage(servicesAt().db, admin, caseId)).toMatchObject({
      case: { title: REPLY },
      review: { text: "A thief", reply: REPLY, replyRemovedAt: null },
    });
    await decideCase(services(), admin, { caseId, decision: "removed", statement: "An insult" });
    const html = await page(reporter);
    expect(html).toContain("A thief");
    expect(html).not.toContain("the thief");
    const [review] = await db.select().from(reviews).where(eq(reviews.id, subjectId));
    const own = await (await visit(`/reviews/${review?.orderItemId}`, { as: concerned })).text();
    expect(own).toContain("the thief");
    expect(own).toContain("Our team removed your reply.");
    const other = await (await visit(`/reviews/${review?.orderItemId}`, { as: reporter })).text();
    expect(other).not.toContain("the thief");
    expect(await audited(`review:${subjectId}`)).toEqual(["reply_removed"]);
  });

  test("against a review takes its star away, and a granted appeal gives it back", async () => {
    const [admin, other] = [await makeAdmin(), await makeAdmin()];
    const deal = await finishedDeal();
    await writeReview(deal, "buyer", { rating: 2 });
    await writeReview(deal, "seller");
    const twoStars = async () => {
      const rows = await db.select().from(userRatings).where(eq(userRatings.userId, deal.sellerId));
      return rows.reduce((sum, { stars2 }) => sum + stars2, 0);
    };
    expect(await twoStars()).toBe(1);
    const [written] = await db.select().from(reviews).where(eq(reviews.subjectId, deal.sellerId));
    await report("review", written?.id ?? "", deal.sellerId);
    const { id: caseId, appealToken } = await caseAbout(written?.id ?? "");
    await decideCase(services(), admin, { caseId, decision: "removed", statement: "An insult" });
    expect(await twoStars()).toBe(0);
    await sendAppeal(services(), { token: appealToken, text: "It is true" });
    await answerAppeal(services(), other, { caseId, granted: true, answer: "Sorry" });
    expect(await twoStars()).toBe(1);
  });

  test.each(EVERY_DECISION)(
    "about a %s: %s does what it says, tells everybody, and an appeal undoes it",
    async (subject, decision) => {
      const [admin, other] = [await makeAdmin(), await makeAdmin()];
      const { subjectId, concerned, reporter } = await REPORTABLE[subject]();
      await report(subject, subjectId, reporter);
      const { id: caseId, appealToken } = await caseAbout(subjectId);
      expect(await findAppeal(services(), appealToken)).toBeNull();
      expect(await decideCase(services(), admin, { caseId, decision, statement: "It is a scam." })).toMatchObject({
        ok: true,
      });

      const isRemoved = decision !== "dismissed" && subject !== "person";
      const isSuspended = decision === "suspended";
      expect(await standing(subject, subjectId, concerned)).toEqual({ isShown: !isRemoved, isSuspended });
      expect(await caseAbout(subjectId)).toMatchObject({ state: "decided", decision, decidedBy: admin.id });
      expect(await audited(`case:${caseId}`)).toEqual([`case_${decision}`]);
      expect(await mailsTo(reporter)).toMatchObject([{ template: "case_outcome", data: { subject, decision } }]);
      if (decision === "dismissed") {
        expect(await mailsTo(concerned)).toEqual([]);
        expect(await findAppeal(services(), appealToken)).toBeNull();
        expect(await sendAppeal(services(), { token: appealToken, text: "No" })).toEqual({ ok: false, code: "over" });
        return;
      }
      expect(await mailsTo(concerned)).toMatchObject([
        { template: "case_decided", data: { decision, statement: "It is a scam.", appealToken } },
      ]);

      expect(await findAppeal(services(), appealToken)).toMatchObject({ decision, canAppeal: true, state: "decided" });
      const appeals = await Promise.all([
        sendAppeal(services(), { token: appealToken, text: "I have a receipt" }),
        sendAppeal(services(), { token: appealToken, text: "Look again" }),
      ]);
      expect(appeals.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await answerAppeal(services(), admin, { caseId, granted: true, answer: "Sorry" })).toEqual({
        ok: false,
        code: "decided",
      });
      expect(await answerAppeal(services(), other, { caseId, granted: true, answer: "Sorry" })).toMatchObject({
        ok: true,
      });
      expect(await standing(subject, subjectId, concerned)).toEqual({ isShown: true, isSuspended: false });
      expect(await findAppeal(services(), appealToken)).toMatchObject({
        state: "closed",
        appealGranted: true,
        appealAnswer: "Sorry",
      });
      expect((await mailsTo(concerned)).at(-1)).toMatchObject({ template: "appeal_answered", data: { granted: true } });
      expect((await mailsTo(reporter)).at(-1)).toMatchObject({ template: "report_undone", data: { subject } });
      expect(await sendAppeal(services(), { token: appealToken, text: "Again" })).toEqual({ ok: false, code: "over" });
    },
  );

  test("that a granted appeal undoes leaves what another case decided, too", async () => {
    const [first, second, third] = [await makeAdmin(), await makeAdmin(), await makeAdmin()];
    const sellerId = await makeUser();
    const listings = [await makeProduct(sellerId), await makeProduct(sellerId), await makeProduct(sellerId)];
    const cases: Awaited<ReturnType<typeof caseAbout>>[] = [];
    const reported = listings.slice(0, 2);
    for (const listing of reported) await report("listing", listing, await makeUser());
    for (const [n, listing] of reported.entries()) {
      const { id: caseId } = await caseAbout(listing);
      const decided = { ...services(), now: () => Date.now() + n * 1_000 };
      const done = { caseId, decision: "suspended", statement: "It is a scam." } as const;
      expect(await decideCase(decided, n === 0 ? first : second, done)).toMatchObject({ ok: true });
      cases.push(await caseAbout(listing));
    }
    const stands = async () => [
      ...(await Promise.all(listings.map(readListing))).map((listing) => listing?.suspendedAt === null),
      (await standing("person", sellerId, sellerId)).isSuspended,
    ];
    const grant = async ({ id: caseId, appealToken }: (typeof cases)[number]) => {
      await sendAppeal(services(), { token: appealToken, text: "It is mine" });
      expect(await answerAppeal(services(), third, { caseId, granted: true, answer: "Sorry" })).toMatchObject({
        ok: true,
      });
    };
    await grant(cases[0]!);
    expect(await stands()).toEqual([false, false, false, true]);
    const restored = async () => (await audited(`user:${sellerId}`)).filter((action) => action === "user_restored");
    expect(await restored()).toEqual([]);
    await grant(cases[1]!);
    expect(await stands()).toEqual([true, true, true, false]);
    expect(await restored()).toHaveLength(1);
  });

  test("about a listing that went down with its seller is undone after the seller is back", async () => {
    const admin = await makeAdmin();
    const seller = await makeUser();
    const productId = await makeProduct(seller);
    await report("listing", productId, await makeUser());
    const { id: caseId, appealToken } = await caseAbout(productId);
    await suspendUser(services(), admin, seller, "A scam");
    await decideCase(servicesAt(1_000), admin, { caseId, decision: "removed", statement: "A copy" });
    expect(await restoreUser(servicesAt(2_000), admin, seller)).toEqual({ ok: true });
    expect(await standing("listing", productId, seller)).toEqual({ isShown: false, isSuspended: false });
    await sendAppeal(services(), { token: appealToken, text: "It is mine" });
    await answerAppeal(services(), admin, { caseId, granted: true, answer: "Sorry" });
    expect(await standing("listing", productId, seller)).toEqual({ isShown: true, isSuspended: false });
  });

  test("is made once when two admins decide at the same time", async () => {
    const admins = [await makeAdmin(), await makeAdmin()];
    const { subjectId, concerned, reporter } = await REPORTABLE.message();
    await report("message", subjectId, reporter);
    const { id: caseId } = await caseAbout(subjectId);
    const results = await Promise.all(
      admins.map((admin, n) =>
        decideCase(services(), admin, { caseId, decision: n === 0 ? "removed" : "dismissed", statement: "Rude" }),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok)).toEqual([{ ok: false, code: "stale" }]);
    expect(await audited(`case:${caseId}`)).toHaveLength(1);
    expect(await mailsTo(reporter)).toHaveLength(1);
    const winner = admins[results.findIndex(({ ok }) => ok)];
    const page = await findCasePage(servicesAt().db, winner ?? { id: "", email: "" }, caseId);
    expect(page?.case).toMatchObject({ decidedBy: "Daniel Kiprono", state: "decided" });
    expect((await mailsTo(concerned)).length).toBe(page?.case.decision === "removed" ? 1 : 0);
  });

  test("answers no report that its admin hasn't seen, and keeps what they typed", async () => {
    const admin = await makeAdmin();
    const productId = await makeProduct(await makeUser());
    await report("listing", productId, await makeUser());
    const { id: caseId } = await caseAbout(productId);
    const read = async () => (await visit(`/admin/moderation/${caseId}`, { as: admin.id })).text();
    const seenIn = (html: string) => /name="seenAt" value="(\d+)"/.exec(html)?.[1] ?? "";
    const seen = seenIn(await read());
    const later = servicesAt(1_000);
    const danger = { subject: "listing", subjectId: productId, reason: "danger", text: "He has a knife" } as const;
    await sendReport(later, { ...danger, reporterId: await makeUser() });
    const dismiss = async (as: string) =>
      visit(`/admin/moderation/${caseId}`, {
        as: admin.id,
        form: { intent: "decide-case", decision: "dismissed", statement: "It is a toy", seenAt: as },
      });
    const refused = await dismiss(seen);
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(html).toContain("This changed while you were looking at it.");
    expect(html).toContain("He has a knife");
    expect(html).toContain("It is a toy");
    expect(await caseAbout(productId)).toMatchObject({ state: "open", reports: 2 });
    // A note is no report.
    await visit(`/admin/moderation/${caseId}`, { as: admin.id, form: { intent: "note", note: "Look at the knife" } });
    await dismiss(seenIn(html));
    expect(await caseAbout(productId)).toMatchObject({ state: "decided", decision: "dismissed" });
    // The page that asks whether to suspend says what was seen before.
    const other = await makeProduct(await makeUser());
    await report("listing", other, await makeUser());
    const { id } = await caseAbout(other);
    const asked = await visit(`/admin/moderation/${id}`, {
      as: admin.id,
      form: { intent: "decide-case", decision: "suspended", statement: "It is a scam", seenAt: "17" },
    });
    expect(seenIn(await asked.text())).toBe("17");
    // Whoever is slower reads why the form is gone.
    expect(await (await dismiss(seenIn(html))).text()).toContain("This changed while you were looking at it.");
  });

  test("is never made by the person concerned, by a reporter, or by somebody who is no admin", async () => {
    const [concerned, reporting, impartial] = [await makeAdmin(), await makeAdmin(), await makeAdmin()];
    const productId = await makeProduct(concerned.id);
    await report("listing", productId, reporting.id);
    const input = { caseId: (await caseAbout(productId)).id, decision: "removed", statement: "No" } as const;
    expect(await decideCase(services(), concerned, input)).toEqual({ ok: false, code: "concerned" });
    expect(await decideCase(services(), reporting, input)).toEqual({ ok: false, code: "reporter" });
    const nobody = await makeUser();
    expect(await decideCase(services(), { id: nobody, email: "" }, input)).toEqual({ ok: false, code: "stale" });
    expect(await decideCase(services(), impartial, { ...input, decision: "suspended" })).toEqual({
      ok: false,
      code: "protected",
    });
    expect(await caseAbout(productId)).toMatchObject({ state: "open", decision: null });
    expect(await standing("listing", productId, concerned.id)).toEqual({ isShown: true, isSuspended: false });
  });

  test("isn't undone by an admin whose listing it took down", async () => {
    const [concerned, impartial] = [await makeAdmin(), await makeAdmin()];
    const productId = await makeProduct(concerned.id);
    await report("listing", productId, await makeUser());
    const { id: caseId } = await caseAbout(productId);
    await decideCase(services(), impartial, { caseId, decision: "removed", statement: "No" });
    expect(await restoreListing(services(), concerned, productId)).toEqual({ ok: false, code: "concerned" });
    expect((await readListing(productId))?.suspendedAt).not.toBeNull();
    expect(await restoreListing(services(), impartial, productId)).toEqual({ ok: true });
  });

  test("is prepared without telling an admin who has reported them", async () => {
    const [concerned, impartial] = [await makeAdmin(), await makeAdmin()];
    const reporter = await makeUser({ name: "Wairimu Reporter" });
    await say(concerned.id, reporter, "Pay me at the gate");
    await report("person", concerned.id, reporter, "scam");
    const { id: caseId } = await caseAbout(concerned.id);
    const pageOf = async (as: string) => (await visit(`/admin/moderation/${caseId}`, { as })).text();
    expect(await pageOf(impartial.id)).toContain("Wairimu Reporter");
    const html = await pageOf(concerned.id);
    expect(html).toContain("This is about you");
    expect(html).not.toContain("Wairimu");
    expect(html).not.toContain(reporter);
    expect(html).not.toContain("Pay me at the gate");
  });

  test("about an admin is a row without words in their own queue", async () => {
    const [concerned, impartial] = [await makeAdmin(), await makeAdmin()];
    const reporter = await makeUser();
    const messageId = await say(concerned.id, reporter, "Send it to my other number");
    await report("message", messageId, reporter, "scam");
    const { id } = await caseAbout(messageId);
    const rowFor = async (viewerId: string) =>
      (await listCases(services(), viewerId, "queue", null)).rows.find((row) => row.id === id);
    expect(await rowFor(impartial.id)).toMatchObject({ title: "Send it to my other number", reasons: ["scam"] });
    expect(await rowFor(concerned.id)).toMatchObject({ isConcerned: true, title: null, reasons: [] });
    // Who may not decide it keeps nobody from it either.
    const take = (as: string) => visit(`/admin/moderation/${id}`, { as, form: { intent: "claim", id } });
    await take(concerned.id);
    expect(await findClaim(services(), `case:${id}`)).toBeNull();
    await take(impartial.id);
    expect(await findClaim(services(), `case:${id}`)).toMatchObject({ adminId: impartial.id });
    const html = await (await visit(`/admin/moderation/${id}`, { as: concerned.id })).text();
    expect(html).not.toContain("Send it to my other number");
  });

  test("is made by a reporter where every admin is involved", async () => {
    const only = await makeAdmin();
    const productId = await makeProduct(await makeUser());
    await report("listing", productId, only.id);
    const { id: caseId } = await caseAbout(productId);
    expect((await findCasePage(servicesAt().db, only, caseId))?.refusal).toBeNull();
    expect(await decideCase(services(), only, { caseId, decision: "removed", statement: "No" })).toMatchObject({
      ok: true,
    });
  });

  test("is emailed to each reporter by name, except to those who deleted their account", async () => {
    const productId = await makeProduct(await makeUser());
    const [asha, brian, gone] = await Promise.all([
      makeUser({ name: "Asha" }),
      makeUser({ name: 'Brian "B" Otieno' }),
      makeUser(),
    ]);
    for (const reporter of [asha, brian, gone]) await report("listing", productId, reporter);
    await db.update(profiles).set({ deletedAt: Date.now() }).where(eq(profiles.id, gone));
    const { id: caseId } = await caseAbout(productId);
    await decideCase(services(), await makeAdmin(), { caseId, decision: "removed", statement: "No" });
    expect(await mailsTo(asha)).toMatchObject([{ template: "case_outcome", data: { name: "Asha" } }]);
    expect(await mailsTo(brian)).toMatchObject([{ template: "case_outcome", data: { name: 'Brian "B" Otieno' } }]);
    expect(await mailsTo(gone)).toEqual([]);
  });

  test("leads to the next case in the queue that the admin can decide", async () => {
    const admin = await makeAdmin();
    await db.update(moderationCases).set({ state: "closed" });
    const seller = await makeUser();
    const [worst, own, last] = await Promise.all([makeProduct(seller), makeProduct(seller), makeProduct(seller)]);
    await report("listing", worst, await makeUser(), "danger");
    await report("listing", own, admin.id, "scam");
    await report("listing", last, await makeUser(), "spam");
    const { rows } = await listCases(services(), "", "queue", null);
    expect(rows.map(({ reasons }) => reasons)).toEqual([["danger"], ["scam"], ["spam"]]);
    const decide = async (productId: string) =>
      decideCase(services(), admin, { caseId: (await caseAbout(productId)).id, decision: "dismissed", statement: "" });
    expect(await decide(worst)).toEqual({ ok: true, nextId: (await caseAbout(last)).id });
    expect(await decide(last)).toEqual({ ok: true, nextId: null });
  });
});

describe("a held listing's case", () => {
  async function heldListing() {
    const sellerId = await makeUser();
    const productId = await makeProduct(sellerId, { name: "Toy pistol" });
    await hold(productId, "pistol");
    return { sellerId, productId, caseId: (await caseAbout(productId)).id };
  }

  test("publishes the listing when it is dismissed, and tells its seller", async () => {
    const { sellerId, productId, caseId } = await heldListing();
    expect(
      await decideCase(services(), await makeAdmin(), { caseId, decision: "dismissed", statement: "" }),
    ).toMatchObject({ ok: true });
    expect(await readListing(productId)).toMatchObject({ suspendedAt: null, heldFor: null });
    await tellWaiting();
    expect(await mailsTo(sellerId)).toMatchObject([
      { template: "held_listing_published", data: { count: 1, listings: [{ productName: "Toy pistol" }] } },
    ]);
  });

  test("publishes only what the admin has seen, also after an appeal", async () => {
    const { productId, caseId } = await heldListing();
    const admin = await makeAdmin();
    const changeTo = (name: string, at: number) =>
      db.update(products).set({ name, updatedAt: at }).where(eq(products.id, productId));
    const seenBy = async () => (await findCasePage(servicesAt().db, admin, caseId))?.listing?.updatedAt ?? 0;
    const send = async (fields: Record<string, string>) =>
      visit(`/admin/moderation/${caseId}`, { as: admin.id, form: fields });
    const dismiss = { intent: "decide-case", decision: "dismissed", statement: "Fine" };
    const stale = await seenBy();
    await changeTo("Real pistol", Date.now() + 1);
    await send({ ...dismiss, seenAt: String(stale) });
    expect(await readListing(productId)).toMatchObject({ heldFor: "pistol" });
    expect(await caseAbout(productId)).toMatchObject({ state: "open" });

    await decideCase(services(), admin, { caseId, decision: "removed", statement: "It looks real." });
    const { appealToken } = await caseAbout(productId);
    await sendAppeal(services(), { token: appealToken, text: "It's made of foam" });
    await db.update(moderationCases).set({ decidedBy: null }).where(eq(moderationCases.id, caseId));
    const appealed = await seenBy();
    await changeTo("Two real pistols", Date.now() + 60_000);
    const grant = { intent: "answer-appeal", granted: "yes", answer: "Sorry" };
    await send({ ...grant, seenAt: String(appealed) });
    expect((await readListing(productId))?.suspendedAt).not.toBeNull();
    const page = await (await visit(`/admin/moderation/${caseId}`, { as: admin.id })).text();
    expect(page).toContain(`name="seenAt" value="${await seenBy()}"`);
    await send({ ...grant, seenAt: String(await seenBy()) });
    expect((await readListing(productId))?.suspendedAt).toBeNull();
  });

  test("doesn't offer to publish a listing that its seller has deleted", async () => {
    const { sellerId, productId, caseId } = await heldListing();
    const admin = await makeAdmin();
    expect((await findCasePage(servicesAt().db, admin, caseId))?.case.heldFor).toBe("pistol");
    await deleteListing(services(), { sellerId, productId });
    expect((await findCasePage(servicesAt().db, admin, caseId))?.case.heldFor).toBeNull();
  });

  test("keeps the listing off with a reason, and an appeal publishes it", async () => {
    const { sellerId, productId, caseId } = await heldListing();
    const admin = await makeAdmin();
    await decideCase(services(), admin, { caseId, decision: "removed", statement: "It looks real." });
    const listing = await readListing(productId);
    expect(listing).toMatchObject({ heldFor: null });
    expect(listing?.suspendedAt).not.toBeNull();
    expect(await mailsTo(sellerId)).toMatchObject([
      { template: "case_decided", data: { statement: "It looks real." } },
    ]);
    const { appealToken } = await caseAbout(productId);
    await sendAppeal(services(), { token: appealToken, text: "It's made of foam" });
    // There is no other admin, so the same one answers.
    expect(await answerAppeal(services(), admin, { caseId, granted: true, answer: "Fine" })).toMatchObject({
      ok: true,
    });
    expect(await readListing(productId)).toMatchObject({ suspendedAt: null, heldFor: null });
  });
});

async function readListing(id: string) {
  const [listing] = await db.select().from(products).where(eq(products.id, id));
  return listing;
}

describe("suspending", () => {
  test("takes all listings down, and an appeal restores exactly those", async () => {
    const admin = await makeAdmin();
    const seller = await makeUser();
    const [reported, other, before] = await Promise.all([
      makeProduct(seller),
      makeProduct(seller),
      makeProduct(seller),
    ]);
    await suspendListing(services(), admin, before, "A copy");
    await report("listing", reported, await makeUser());
    const { id: caseId, appealToken } = await caseAbout(reported);
    await decideCase(services(), admin, { caseId, decision: "suspended", statement: "A scam" });
    const shown = async () =>
      (await Promise.all([reported, other, before].map(readListing))).map((listing) => listing?.suspendedAt === null);
    expect(await shown()).toEqual([false, false, false]);
    await sendAppeal(services(), { token: appealToken, text: "Please look again" });
    await answerAppeal(services(), admin, { caseId, granted: true, answer: "Sorry" });
    expect(await shown()).toEqual([true, true, false]);
  });

  test("restoring the account by hand keeps down what a case took down", async () => {
    const admin = await makeAdmin();
    const seller = await makeUser();
    const [reported, other] = await Promise.all([makeProduct(seller), makeProduct(seller)]);
    await report("listing", reported, await makeUser());
    await decideCase(services(), admin, {
      caseId: (await caseAbout(reported)).id,
      decision: "suspended",
      statement: "A scam",
    });
    expect(await restoreUser(services(), admin, seller)).toEqual({ ok: true });
    expect((await readListing(other))?.suspendedAt).toBeNull();
    expect((await readListing(reported))?.suspendedAt).not.toBeNull();
  });

  test("an appeal that is granted never ends a suspension for something else", async () => {
    const admin = await makeAdmin();
    const seller = await makeUser();
    const productId = await makeProduct(seller);
    await report("listing", productId, await makeUser());
    const { id: caseId, appealToken } = await caseAbout(productId);
    await decideCase(services(), admin, { caseId, decision: "removed", statement: "A copy" });
    await suspendUser(servicesAt(1_000), admin, seller, "Several reports");
    await sendAppeal(services(), { token: appealToken, text: "Please look again" });
    await answerAppeal(services(), admin, { caseId, granted: true, answer: "Sorry" });
    expect(await standing("listing", productId, seller)).toEqual({ isShown: false, isSuspended: true });
    await restoreUser(servicesAt(2_000), admin, seller);
    expect(await standing("listing", productId, seller)).toEqual({ isShown: true, isSuspended: false });
  });
});

test("a decision can't be appealed after 30 days", async () => {
  const { subjectId, reporter } = await REPORTABLE.message();
  await report("message", subjectId, reporter);
  const { id: caseId, appealToken } = await caseAbout(subjectId);
  await decideCase(services(), await makeAdmin(), { caseId, decision: "removed", statement: "Rude" });
  const late = servicesAt(APPEAL_DAYS * 24 * 60 * 60_000 + 1_000);
  expect(await findAppeal(late, appealToken)).toMatchObject({ canAppeal: false });
  expect(await sendAppeal(late, { token: appealToken, text: "Too late" })).toEqual({ ok: false, code: "over" });
});

test("neither side reads a removed message any more, and admins still do", async () => {
  const admin = await makeAdmin();
  const { subjectId, concerned, reporter } = await REPORTABLE.message();
  await report("message", subjectId, reporter);
  const { id: caseId } = await caseAbout(subjectId);
  await decideCase(services(), admin, { caseId, decision: "removed", statement: "Rude" });
  for (const [viewer, other] of [
    [concerned, reporter],
    [reporter, concerned],
  ] as const) {
    expect((await listMessages(servicesAt(), viewer, { with: other }, null)).messages).toMatchObject([
      { message: "", images: [], removed: true },
    ]);
    expect((await findInbox(servicesAt(), viewer, { withId: null, after: null }))?.inbox.conversations).toMatchObject([
      { lastText: "Removed by our team" },
    ]);
  }
  expect((await findCasePage(servicesAt().db, admin, caseId))?.conversation.messages).toMatchObject([
    { message: "Pay me directly", isSubject: true },
  ]);
});

test("open pages of both sides show at once that a message is removed, and that it is restored", async () => {
  const { subjectId, concerned, reporter } = await REPORTABLE.message();
  await report("message", subjectId, reporter);
  const { id: caseId, appealToken } = await caseAbout(subjectId);
  const told: string[] = [];
  const notifier = {
    send: async (userId: string, { type }: { type: string }) => void told.push(`${type} ${userId}`),
    endSessions: async () => {},
  };
  const both = [`account ${concerned}`, `account ${reporter}`].toSorted();
  const decision = { caseId, decision: "removed", statement: "Rude" } as const;
  await decideCase({ ...services(), notifier }, await makeAdmin(), decision);
  expect(told.splice(0).toSorted()).toEqual(both);
  await sendAppeal(services(), { token: appealToken, text: "It was a joke" });
  await answerAppeal({ ...services(), notifier }, await makeAdmin(), { caseId, granted: true, answer: "Sorry" });
  expect(told.toSorted()).toEqual(both);
});

test("a deleted account's reports and appeals keep their words until the appeal is answered", async () => {
  const { subjectId, concerned, reporter } = await REPORTABLE.message();
  await report("message", subjectId, reporter, "other", "He knows where I live");
  const { id: caseId, appealToken } = await caseAbout(subjectId);
  await decideCase(services(), await makeAdmin(), { caseId, decision: "removed", statement: "Rude" });
  await sendAppeal(services(), { token: appealToken, text: "I was angry, my name is Kip" });
  expect(await deleteAccount(services(), reporter)).toMatchObject({ ok: true });
  expect(await deleteAccount(services(), concerned)).toMatchObject({ ok: true });
  const words = () => db.select({ text: reports.text }).from(reports).where(eq(reports.caseId, caseId));
  expect(await words()).toEqual([{ text: "He knows where I live" }]);
  expect((await caseAbout(subjectId)).appeal).toBe("I was angry, my name is Kip");
  await answerAppeal(services(), await makeAdmin(), { caseId, granted: false, answer: "No" });
  await sweepDeletedAccounts(services());
  expect(await words()).toEqual([{ text: "" }]);
  expect((await caseAbout(subjectId)).appeal).toBe(DELETED_MESSAGE);
});

test("the queue and the decided cases are paged, and each case stands on one page", async () => {
  await db.update(moderationCases).set({ state: "closed" });
  const seller = await makeUser();
  const reporters = await Promise.all(Array.from({ length: 4 }, () => makeUser()));
  const listings = await Promise.all(Array.from({ length: 35 }, () => makeProduct(seller)));
  for (const [n, id] of listings.entries())
    await report("listing", id, reporters[n % 4] ?? "", n % 2 === 0 ? "scam" : "spam");
  for (const filter of ["queue", "done"] as const) {
    const first = await listCases(services(), "", filter, null);
    expect(first.rows).toHaveLength(30);
    const second = await listCases(services(), "", filter, first.next);
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    if (filter === "queue") {
      expect(ids).toHaveLength(35);
      expect(first.counts.moderation).toBe(35);
    }
    if (filter === "queue")
      await db
        .update(moderationCases)
        .set({ state: "decided", decision: "removed" })
        .where(eq(moderationCases.state, "open"));
  }
});

describe("the screens", () => {
  test("a suspension is confirmed first, and the page opens the next case", async () => {
    const admin = await makeAdmin();
    await db.update(moderationCases).set({ state: "closed" });
    const { subjectId, concerned, reporter } = await REPORTABLE.message();
    await report("message", subjectId, reporter);
    const { id } = await caseAbout(subjectId);
    const send = (form: Record<string, string>) => visit(`/admin/moderation/${id}`, { as: admin.id, form });
    const form = { intent: "decide-case", decision: "suspended", statement: "Threats" };
    const asked = await send(form);
    expect(asked.status).toBe(200);
    expect(await asked.text()).toContain("Suspend Wanjiku Otieno?");
    expect(await standing("message", subjectId, concerned)).toEqual({ isShown: true, isSuspended: false });
    const decided = await send({ ...form, confirmed: "yes" });
    expect(decided.headers.get("Location")).toBe("/admin/moderation");
    expect(await standing("message", subjectId, concerned)).toEqual({ isShown: false, isSuspended: true });
  });

  test("the appeal works without a login, isn't indexed, and doesn't exist for another token", async () => {
    const { subjectId, reporter } = await REPORTABLE.message();
    await report("message", subjectId, reporter);
    const { id: caseId, appealToken } = await caseAbout(subjectId);
    expect((await visit(`/appeals/${appealToken}`)).status).toBe(404);
    await decideCase(services(), await makeAdmin(), { caseId, decision: "suspended", statement: "Threats" });
    const page = await (await visit(`/appeals/${appealToken}`)).text();
    expect(page).toContain("We removed your message, and suspended your account.");
    expect(page).toContain('<meta name="robots" content="noindex"');
    expect((await visit(`/appeals/${appealToken}`, { form: { appeal: " " } })).status).toBe(400);
    expect((await visit(`/appeals/${appealToken}`, { form: { appeal: "I was joking" } })).status).toBe(302);
    expect(await caseAbout(subjectId)).toMatchObject({ state: "appealed", appeal: "I was joking" });
    expect((await visit(`/appeals/${crypto.randomUUID()}`)).status).toBe(404);
  });
});
