import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { DEAL_READERS, isOutcome, isWarning } from "#app/deals/deal-rules.ts";
import { OFFER_READERS } from "#app/offers/offer-rules.ts";
import { ITEM, ITEM_STATUSES } from "#app/db/states/item.ts";
import { CASE_DECISIONS, CASE_SUBJECTS } from "#app/db/states/moderation.ts";
import {
  type DealStep,
  type Kind,
  KINDS,
  LISTED_MAX,
  mayDecline,
  type OfferMailStep,
} from "#app/notifications/kinds.ts";
import type { Mail, Mailer, MailOf } from "#app/notifications/mailer.ts";
import { readUnsubscribeToken } from "#app/notifications/unsubscribe-link.server.ts";
import { ALARM_NAMES } from "#app/db/states/alarm.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { write } from "#app/db/batch.ts";
import { emailTokens } from "#app/accounts/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { retryEmails } from "#app/admin/operations/failed-emails.server.ts";
import { readOperations } from "#app/admin/operations/operations.server.ts";
import { drainOutbox, sendFromOutbox } from "#workers/jobs/send-outbox.ts";
import type { Env } from "#workers/env.ts";
import { contentOf } from "#workers/mail/content.ts";
import { createMailer } from "#workers/mail/mailer.ts";
import { MailNotSent } from "#workers/mail/retry-rules.ts";
import { linksIn } from "#workers/sandbox/mail.ts";
import { wordsOf } from "#app/screens/notifications/words/words.ts";
import { pushMessage } from "#app/screens/notifications/push-message.ts";
import { writeMail } from "#workers/mail/write-mail.tsx";
import { db, makeUser } from "#tests/support/fixtures.ts";
import { makeAdmin } from "#tests/support/visit.ts";

const ORIGIN = "https://chuoni.example";
const writing = { origin: ORIGIN, pepper: "pepper" };
const to = "wanjiku@campus.test";
const SUPPORT = "support@chuoni.example";

const NAME = "Wanjiku Otieno";
const ENDS = Date.UTC(2026, 2, 31, 12);
const FREED = ITEM_STATUSES.filter((status) => ITEM.isRunning(status) || ITEM.isCompleted(status)).map((status) => ({
  productName: "Kettle <b>",
  orderId: "o1",
  price: 1_500,
  status,
  shippedAt: ENDS - 1_000,
  until: ENDS,
}));

function dealSteps(isOfKind: (step: DealStep) => boolean) {
  return (Object.keys(DEAL_READERS) as DealStep[]).filter(isOfKind).flatMap((step) =>
    (DEAL_READERS[step] ?? []).flatMap((role) =>
      [null, 400].map((amount) => ({
        name: NAME,
        role,
        step,
        productName: "Kettle",
        price: 1_500,
        orderId: "o1",
        orderItemId: "i1",
        amount,
        note: "The photos show the crack.",
        until: ENDS,
      })),
    ),
  );
}

/** One listing, a few and very many. */
function gatheredExamples<Facts extends object>(facts: Facts) {
  return [1, 3, 1_400].map((count) => ({
    name: NAME,
    count,
    listings: Array.from({ length: Math.min(count, LISTED_MAX) }, (_, n) => ({
      productId: `p${n}`,
      productName: n === 0 ? "Kettle <b>" : `Lamp ${n}`,
      ...facts,
    })),
  }));
}

const UNDOABLE = { at: ENDS, undo: { tokenId: "t4", since: ENDS - 3_600_000, until: ENDS + 3_600_000 } };

/** Emails with typical data, for each kind. The compiler asks for an example of a new one. */
const EXAMPLES: { [K in Kind]: MailOf<K>["data"][] } = {
  confirmation: [{ name: NAME, tokenId: "t1" }],
  welcome: [{ name: NAME }],
  password_reset: [{ name: NAME, tokenId: "t2" }],
  student_check: [{ name: NAME, tokenId: "t3" }],
  student_ending: [true, false].map((byAddress) => ({ name: NAME, until: Date.UTC(2027, 9, 31, 21), byAddress })),
  email_change: [{ name: NAME, tokenId: "t3" }],
  email_changing: [{ name: NAME, newEmail: "w•••@mail.test", ...UNDOABLE }],
  email_changed: [
    { name: NAME, newEmail: "w•••@mail.test", ...UNDOABLE },
    { name: NAME, newEmail: "w•••@mail.test", at: ENDS, undo: null },
  ],
  password_changed: [
    { name: NAME, ...UNDOABLE },
    { name: NAME, at: ENDS, undo: null },
  ],
  google_linked: [{ name: NAME, ...UNDOABLE }],
  two_step_changed: (
    [
      "app_added",
      "app_removed",
      "passkey_added",
      "passkey_removed",
      "recovery_used",
      "recovery_renewed",
      "codes_wrong",
      "codes_closed",
      "reset",
    ] as const
  ).map((change) => ({ name: NAME, change, ...UNDOABLE })),
  admin_role_changed: [
    { name: NAME, role: "finance", by: "Daniel Kiprono", isNew: true },
    { name: NAME, role: null, by: "Daniel Kiprono", isNew: false },
  ],
  login_added: [{ name: NAME, domain: "uonbi.ac.ke", issuer: "https://login.uonbi.ac.ke", by: "Daniel Kiprono" }],
  admin_role_given: [{ name: NAME, role: "support", who: "brian@campus.test", by: "Daniel Kiprono" }],
  admin_step_reset: [{ name: NAME, who: "Brian Otieno", by: "Daniel Kiprono" }],
  payment_received: [
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1500, receipt: "TKL1ABCDEF" },
    { name: NAME, orderId: "0a1b2c3d-1", amount: 0, receipt: null },
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1550, fee: 50, receipt: "TKL1ABCDEF" },
  ],
  payment_failed: [
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1500, failure: "wrong_pin" },
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1500, reason: "The M-Pesa PIN was wrong. Try again." },
  ],
  payment_held: [
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1500 },
    { name: NAME, plan: "Weekly Featured Listing", planId: "weekly_featured", amount: 400 },
  ],
  payment_dismissed: [
    { name: NAME, orderId: "0a1b2c3d-1", amount: 1500 },
    { name: NAME, plan: "Weekly Featured Listing", planId: "weekly_featured", amount: 400 },
  ],
  new_sale: [
    {
      name: NAME,
      orderItemId: "i1",
      productName: "Kettle <b>",
      quantity: 2,
      subtotal: 3000,
      taken: true,
      hasMeeting: false,
    },
    {
      name: NAME,
      orderItemId: "i1",
      productName: "Kettle <b>",
      quantity: 1,
      subtotal: 0,
      taken: false,
      hasMeeting: true,
    },
  ],
  deal_step: dealSteps((step) => !isOutcome(step) && !isWarning(step)),
  deal_warning: dealSteps(isWarning),
  deal_outcome: dealSteps(isOutcome),
  meeting_step: (["buyer", "seller"] as const).flatMap((role) =>
    (["suggested", "accepted", "declined", "cancelled", "reminder"] as const).flatMap((step) =>
      ["Library steps", null].map((point) => ({
        name: NAME,
        role,
        step,
        productName: "Kettle",
        point,
        startsAt: ENDS,
        orderId: "o1",
        orderItemId: "i1",
      })),
    ),
  ),
  offer_step: Object.entries(OFFER_READERS).flatMap(([step, roles]) =>
    roles.flatMap((role) =>
      [null, ENDS].map((until) => ({
        name: NAME,
        role,
        step: step as OfferMailStep,
        productName: step === "ended" && until === null ? null : "Kettle",
        amount: 1_200,
        until,
        otherId: "u1",
        offerId: "f1",
      })),
    ),
  ),
  message: [{ name: NAME, senderName: "Brian Kamau", otherId: "u1", productName: "Kettle" }],
  new_messages: [
    { name: NAME, senderName: "Amina Were", otherId: "u1", count: 1, productName: "Kettle <b>", excerpt: "Is it new?" },
    { name: NAME, senderName: "wa.me/254700000000", otherId: "u1", count: 100, productName: null, excerpt: "Hi <b>…" },
    { name: NAME, senderName: "Amina Were", otherId: "u1", count: 2, productName: "Kettle", excerpt: null },
  ],
  team_question: [
    { name: NAME, email: "wanjiku@campus.test", userId: null, order: null, text: "Where is <b>it</b>?\n\nThanks" },
    { name: NAME, email: "wanjiku@campus.test", userId: "u1", order: "1A2B3C4D (o1): Kettle", text: "Hi" },
  ],
  test_email: [{ name: NAME }],
  alarm: ALARM_NAMES.flatMap((alarm) =>
    [true, false].map((over) => ({ name: NAME, alarm, figure: 1, since: ENDS, over })),
  ),
  review_written: (["buyer", "seller"] as const).map((role) => ({
    name: NAME,
    role,
    productName: "Kettle",
    orderItemId: "i1",
    until: ENDS,
  })),
  reviews_published: (["buyer", "seller"] as const).flatMap((role) =>
    [true, false].map((both) => ({ name: NAME, role, productName: "Kettle", orderItemId: "i1", both })),
  ),
  review_replied: (["buyer", "seller"] as const).map((role) => ({
    name: NAME,
    role,
    productName: "Kettle",
    orderItemId: "i1",
  })),
  payout_phone_changed: [
    { name: NAME, was: "12", is: "34", heldUntil: ENDS, ...UNDOABLE },
    { name: NAME, was: "12", is: null, heldUntil: ENDS, ...UNDOABLE },
    { name: NAME, was: null, is: "34", heldUntil: ENDS, at: ENDS, undo: null },
  ],
  payout_sent: [
    { name: NAME, orderItemId: "i1", items: 1, amount: 1500, receipt: "TKL9ZZZZZZ" },
    { name: NAME, orderItemId: "i1", items: 3, amount: 4500, receipt: "TKL9ZZZZZZ" },
  ],
  payout_parked: [{ name: NAME, orderItemId: "i1", items: 1, amount: 1500, reason: "The number is not registered." }],
  refund_due: [
    { name: NAME, orderId: "o1", amount: 1500, reason: "order_already_paid" },
    { name: NAME, orderId: "o1", amount: 1500, reason: "sold_to_someone_else" },
  ],
  plan_active: [{ name: NAME, plan: "Weekly", amount: 400, receipt: null, endsAt: ENDS }],
  plan_ending: [{ name: NAME, plan: "Weekly", planId: "weekly", endsAt: ENDS }],
  plan_ended: [{ name: NAME, plan: "Weekly", planId: "weekly" }],
  plan_refund_due: [{ name: NAME, plan: "Weekly", amount: 400, reason: "order_already_paid" }],
  refund_parked: [
    { name: NAME, orderId: "o1", amount: 1500 },
    { name: NAME, orderId: null, amount: 400 },
  ],
  refund_sent: [
    { name: NAME, orderId: "o1", amount: 1500, receipt: "TKL9ZZZZZZ", isInQuestion: false },
    { name: NAME, orderId: null, amount: 400, receipt: "TKL9ZZZZZZ", isInQuestion: false },
    { name: NAME, orderId: "o1", amount: 1500, receipt: null, isInQuestion: false },
    { name: NAME, orderId: "o1", amount: 1500, receipt: null, isInQuestion: true },
  ],
  verification_decided: [
    { name: NAME, approved: true, reason: "" },
    { name: NAME, approved: false, reason: "The photo is too dark to read." },
  ],
  case_outcome: CASE_SUBJECTS.flatMap((subject) =>
    CASE_DECISIONS.map((decision) => ({ name: NAME, subject, decision, freed: FREED })),
  ),
  report_undone: CASE_SUBJECTS.map((subject) => ({ name: NAME, subject })),
  case_decided: CASE_SUBJECTS.flatMap((subject) =>
    CASE_DECISIONS.map((decision) => ({
      name: NAME,
      subject,
      decision,
      title: subject === "person" ? "" : "Kettle <b>",
      statement: "It is misleading.",
      appealToken: "0a1b2c3d",
    })),
  ),
  appeal_answered: [true, false].map((granted) => ({
    name: NAME,
    granted,
    answer: "We read it again.",
    appealToken: "0a1b2c3d",
  })),
  decision_changed: ([null, "warned"] as const).map((decision) => ({
    name: NAME,
    subject: "listing" as const,
    decision,
    appealToken: "0a1b2c3d",
  })),
  held_listing_published: gatheredExamples({}),
  issue_closed: [
    { name: NAME, outcome: "We took the listing down." },
    { name: NAME, outcome: "We talked to the seller.", freed: FREED },
  ],
  proposals_waiting: [1, 3].map((count) => ({ name: NAME, count, since: ENDS })),
  fees_waiting: [1, 3].map((count) => ({ name: NAME, count, since: ENDS })),
  stock_free: gatheredExamples({ price: 1_200, priceBefore: null }),
  search_found: [null, 1_500].flatMap((priceBefore) =>
    ["“kettle”", "“kettle” up to KES 2,000"].flatMap((search) =>
      gatheredExamples({ price: 1_200, priceBefore, search, searchIds: ["s1"] }),
    ),
  ),
  searches_daily: gatheredExamples({ searchIds: ["s1"] }),
  wish_cheaper: gatheredExamples({ price: 1_200, priceBefore: 1_500 }),
  shops_daily: gatheredExamples({}),
  listing_held: [
    { name: NAME, productId: "p1", productName: "Casio fx-991ES", heldFor: "pistol" },
    { name: NAME, productId: "p1", productName: "Casio fx-991ES", heldFor: "category:medicine" },
  ],
  import_held: [{ name: NAME }],
  still_available: [0, 1, 7].map((others) => ({ name: NAME, productId: "p1", productName: "Kettle", others })),
  digest: [[], [{ id: "p2", name: "Lamp" }]].map((others) => ({
    name: NAME,
    productId: "p1",
    productName: "Kettle",
    others,
  })),
  listing_left: [0, 1, 7].map((others) => ({ name: NAME, productId: "p1", productName: "Kettle", others })),
  friend_came: [
    { name: NAME, role: "invited" as const, endsAt: null },
    { name: NAME, role: "inviter" as const, endsAt: Date.UTC(2026, 10, 29, 9) },
  ],
  saved: [1, 3, 100].map((count) => ({ name: NAME, productId: "p1", productName: "Kettle", count })),
};

const confirmation: Mail = { to, template: "confirmation", data: { name: NAME, tokenId: "t1" } };
const welcome: Mail = { to, template: "welcome", data: { name: NAME } };

const mails = Object.entries(EXAMPLES).flatMap(([template, all]) =>
  all.map((data) => ({ to, template, data }) as Mail),
);

test.each(mails.map((mail) => [mail.template, mail] as const))(
  "the %s mail is whole in text and in HTML, with its link in both",
  (_name, mail) => {
    const { subject, text, html } = writeMail(mail, writing);
    expect(subject).toMatch(/\w{3,}/);
    expect(text).toContain("Hello Wanjiku,");
    const [link] = linksIn(text, html);
    expect(link).toMatch(
      /^https:\/\/chuoni\.example\/(auth|settings|home|orders|checkout|seller|profile|subscription|myshop|support|product|problems|reviews|appeals|admin|saved-searches|wishlist|following|this-week|invite)/,
    );
    expect(text).toContain(link);
    expect(html).toMatch(/^<!DOCTYPE html.*<html dir="ltr" lang="en".*<\/html>$/s);
    expect(html).not.toContain("<b>");
    expect(`${subject}${text}${html}`).not.toMatch(/undefined|null|\[object/);
  },
);

test("an email says why a payment failed, also where an earlier release queued it with its words", () => {
  const texts = EXAMPLES.payment_failed.map(
    (data) => writeMail({ to, template: "payment_failed", data }, writing).text,
  );
  expect(texts.map((text) => /The M-Pesa PIN was wrong\.[^\n]*/.exec(text)?.[0])).toEqual([
    "The M-Pesa PIN was wrong. Try again with the right PIN.",
    "The M-Pesa PIN was wrong. Try again.",
  ]);
});

test.each(mails.map((mail) => [mail.template, mail] as const))(
  "a %s mail has the link that stops it, if it can be stopped",
  (template, mail) => {
    const { headers, text, html } = writeMail({ ...mail, reader: "u1" }, writing);
    // No link is about an account that the email doesn't belong to.
    expect(writeMail(mail, writing).headers).toBeUndefined();
    if (!mayDecline(template)) {
      expect(headers).toBeUndefined();
      expect(`${text}${html}`).not.toContain("unsubscribe");
      return;
    }
    const { group } = KINDS[template];
    const [, token] =
      /^<https:\/\/chuoni\.example\/unsubscribe\/([\w.-]+)>$/.exec(headers?.["List-Unsubscribe"] ?? "") ?? [];
    expect(readUnsubscribeToken("pepper", token ?? "")).toEqual({ userId: "u1", group });
    expect(headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(linksIn(text, html).at(-1)).toBe(`${ORIGIN}/unsubscribe/${token}`);
    expect(text).toContain(`${ORIGIN}/unsubscribe/${token}`);
  },
);

test.each(mails.map((mail) => [mail.template, mail] as const))(
  "the heading of %s has no amount, code or number, because it may stand on a locked screen",
  (_name, mail) => {
    const { heading } = contentOf(mail, writing);
    expect(heading).not.toMatch(/KES|\d{4,}/);
  },
);

test("an offer for something that its buyer sees no more is told by its amount, and not by a name of nothing", () => {
  const ended = mails.find((mail) => mail.template === "offer_step" && mail.data.productName === null);
  if (!ended) throw new Error("no such email");
  const { subject, heading, text } = { ...writeMail(ended, writing), ...contentOf(ended, writing) };
  expect([subject, heading]).toEqual([
    "Offer ended: KES 1,200 for a removed listing",
    "Offer ended: a removed listing",
  ]);
  expect(text).toContain("Your offer of KES 1,200 for a removed listing has ended");
});

test("a link's token is made only from its id and our secret", () => {
  const { text } = writeMail(confirmation, writing);
  expect(text).toContain(`${ORIGIN}/auth/callback?token=${emailTokenOf("pepper", "t1")}`);
  expect(emailTokenOf("pepper", "t1")).not.toBe(emailTokenOf("other", "t1"));
});

test.each(["Win 1000000 at https://evil.example", "evil.example", "<script>", "Call+254700000000now", ""])(
  "a name that could carry a message isn't used in the greeting: %j",
  (name) => {
    const { text, html } = writeMail({ to, template: "confirmation", data: { name, tokenId: "t" } }, writing);
    expect(`${text}${html}`).not.toMatch(/evil|<script|254700/);
    expect(text).toMatch(/^Hello(,| Win,)/);
  },
);

async function queue(key: string): Promise<void> {
  await write(db, [queueEffect(key, welcome, { topic: "mail", traffic: "messages", now: Date.now() })]);
}

function flakyMailer(
  failures: number,
  error = new Error("the transport is away"),
): Mailer & { sent: string[]; tries: number } {
  return {
    sent: [],
    tries: 0,
    async send(_mail, key) {
      this.tries += 1;
      if (this.tries <= failures) throw error;
      this.sent.push(key);
    },
  };
}

/** The pauses between attempts that were requested since the test began, in ms. The test doesn't wait. */
let pauses: number[] = [];
beforeEach(() => {
  pauses = [];
});

function storeAt(offsetMs: number) {
  const pause = async (ms: number) => void pauses.push(ms);
  return { db, now: () => Date.now() + offsetMs, log: () => {}, pause };
}

test("a mail is tried three times, a second apart, and sent once", async () => {
  await queue("welcome:flaky");
  const mailer = flakyMailer(2);
  expect(await sendFromOutbox(storeAt(0), { mailer, push: null }, "welcome:flaky")).toBe(true);
  expect(pauses).toEqual([1_000, 1_000]);
  expect(mailer).toMatchObject({ sent: ["welcome:flaky"], tries: 3 });
  expect(await sendFromOutbox(storeAt(120_000), { mailer, push: null }, "welcome:flaky")).toBe(false);
});

test("a mail that failed three times waits for a later run, which sends it", async () => {
  await queue("welcome:later");
  expect(await sendFromOutbox(storeAt(0), { mailer: flakyMailer(99), push: null }, "welcome:later")).toBe(false);
  const mailer = flakyMailer(0);
  await drainOutbox(storeAt(1_000), { mailer, push: null });
  expect(mailer.sent).toEqual([]);
  await drainOutbox(storeAt(70_000), { mailer, push: null });
  expect(mailer.sent).toEqual(["welcome:later"]);
});

test("a login leaves first, then money, messages and news, whatever has waited the longest, and each at its own pace", async () => {
  await db.delete(outbox);
  const FLOOD = 80;
  const flood = (["news", "messages", "money"] as const).flatMap((traffic, at) =>
    Array.from({ length: FLOOD }, (_, n) =>
      queueEffect(`${traffic}:${n}`, welcome, { topic: "mail", traffic, now: Date.now() - (9 - at) * 60_000 }),
    ),
  );
  await write(db, flood);
  await write(db, [queueEffect("security:0", welcome, { topic: "mail", traffic: "security", now: Date.now() })]);
  const mailer = flakyMailer(0);
  for (let run = 0; run < 3; run += 1) {
    const before = mailer.sent.length;
    await drainOutbox(storeAt(run * 60_000), { mailer, push: null });
    const traffics = mailer.sent.slice(before).map((key) => key.split(":")[0] ?? "");
    // In this order, and as many of one as of another.
    expect([...new Set(traffics)]).toEqual([...(run === 0 ? ["security"] : []), "money", "messages", "news"]);
    for (const traffic of ["money", "messages", "news"])
      expect(traffics.filter((one) => one === traffic)).toHaveLength(run < 2 ? 30 : 20);
  }
});

test("an email doesn't wait behind the pushes of a campaign", async () => {
  const push = {
    kind: "digest",
    data: { productId: "p", productName: "Kettle", others: [] },
    device: "d",
    reader: "r",
  };
  const pushes = Array.from({ length: 60 }, (_, n) => `push:digest:${n}`);
  const now = Date.now();
  await write(
    db,
    pushes.map((key) => queueEffect(key, { ...push, key }, { topic: "push", traffic: "news", now: now - 60_000 })),
  );
  await queue("welcome:urgent");
  const mailer = flakyMailer(0);
  await drainOutbox(storeAt(0), { mailer, push: null });
  expect(mailer.sent).toEqual(["welcome:urgent"]);
});

test("a provider that asks for more than a few seconds is left to a later run: nothing waits for it", async () => {
  await queue("welcome:busy");
  const mailer = flakyMailer(1, new MailNotSent("away", "busy", 90_000));
  expect(await sendFromOutbox(storeAt(0), { mailer, push: null }, "welcome:busy")).toBe(false);
  expect({ pauses, tries: mailer.tries }).toEqual({ pauses: [], tries: 1 });
  await drainOutbox(storeAt(70_000), { mailer, push: null });
  expect(mailer.sent).toEqual([]);
  await drainOutbox(storeAt(95_000), { mailer, push: null });
  expect(mailer.sent).toEqual(["welcome:busy"]);
});

test("two workers that drain at once send each mail once", async () => {
  await Promise.all(Array.from({ length: 14 }, (_, n) => queue(`welcome:${n}`)));
  const mailer = flakyMailer(0);
  await Promise.all([drainOutbox(storeAt(0), { mailer, push: null }), drainOutbox(storeAt(0), { mailer, push: null })]);
  expect(mailer.sent.toSorted()).toEqual(Array.from({ length: 14 }, (_, n) => `welcome:${n}`).toSorted());
});

interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/**
 * A mailer with the settings in `change`, and what it sent: over HTTP, and to the binding of Cloudflare Email Sending.
 */
function mailerWith(change: Partial<Env>, status = 200) {
  const posted: Outgoing[] = [];
  const bound: unknown[] = [];
  const outbound: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    posted.push({ url: request.url, headers: Object.fromEntries(request.headers), body: await request.json() });
    return new Response("{}", { status });
  };
  const EMAIL: SendEmail = {
    async send(message: unknown) {
      bound.push(message);
      if (status !== 200) throw new Error("E_DAILY_LIMIT_EXCEEDED");
      return { messageId: "m1" };
    },
  };
  return {
    mailer: createMailer(
      { ...env, EMAIL, MAIL_FROM: "Chuoni <hello@chuoni.example>", SUPPORT_EMAIL: SUPPORT, ...change },
      outbound,
    ),
    posted,
    bound,
  };
}

const WRITTEN = {
  subject: "Welcome to Chuoni",
  text: expect.stringContaining("Hello Wanjiku,"),
  html: expect.stringMatching(/^<!DOCTYPE html/),
};

test("Cloudflare Email Sending is handed the mail with its sender by name and address", async () => {
  const { mailer, posted, bound } = mailerWith({ MAIL_TRANSPORT: "cloudflare" });
  await mailer.send(welcome, "welcome:1");
  expect(bound).toEqual([
    { from: { name: "Chuoni", email: "hello@chuoni.example" }, replyTo: SUPPORT, to, ...WRITTEN },
  ]);
  expect(posted).toEqual([]);
  const plain = mailerWith({ MAIL_TRANSPORT: "cloudflare", MAIL_FROM: "hello@chuoni.example" });
  await plain.mailer.send(welcome, "welcome:1");
  expect(plain.bound).toMatchObject([{ from: "hello@chuoni.example" }]);
});

test("Resend is handed the mail with the key that drops a repeat", async () => {
  const { mailer, posted, bound } = mailerWith({ MAIL_TRANSPORT: "resend", RESEND_API_KEY: "re_test" });
  await mailer.send(welcome, "welcome:1");
  expect(posted).toEqual([
    {
      url: "https://api.resend.com/emails",
      headers: expect.objectContaining({ authorization: "Bearer re_test", "idempotency-key": "welcome:1" }),
      body: { from: "Chuoni <hello@chuoni.example>", reply_to: SUPPORT, to, ...WRITTEN },
    },
  ]);
  expect(bound).toEqual([]);
});

test("both transports are handed the headers of an email that can be stopped", async () => {
  const [data] = EXAMPLES.new_messages;
  const message = { to, template: "new_messages", data, reader: "u1" } as Mail;
  const headers = { "List-Unsubscribe": expect.any(String), "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  const byResend = mailerWith({ MAIL_TRANSPORT: "resend", RESEND_API_KEY: "re_test" });
  await byResend.mailer.send(message, "new_messages:1");
  expect(byResend.posted).toMatchObject([{ body: { headers } }]);
  const byCloudflare = mailerWith({ MAIL_TRANSPORT: "cloudflare" });
  await byCloudflare.mailer.send(message, "new_messages:1");
  expect(byCloudflare.bound).toMatchObject([{ headers }]);
});

test.each<[string, Partial<Env>, number]>([
  ["Resend refuses", { MAIL_TRANSPORT: "resend", RESEND_API_KEY: "re_test" }, 422],
  ["Cloudflare's quota is used up", { MAIL_TRANSPORT: "cloudflare" }, 429],
  ["Resend has no key", { MAIL_TRANSPORT: "resend" }, 200],
  ["the binding is missing", { MAIL_TRANSPORT: "cloudflare", EMAIL: undefined }, 200],
  ["nobody knows the transport", { MAIL_TRANSPORT: "pigeon" }, 200],
])("where %s, the mail stays in the outbox", async (_what, change, status) => {
  const { mailer } = mailerWith(change, status);
  await db.delete(leases);
  const key = `welcome:${JSON.stringify(change)}`;
  await queue(key);
  expect(await sendFromOutbox(storeAt(0), { mailer, push: null }, key)).toBe(false);
  const waiting = await env.DB.prepare(
    "SELECT last_error AS error FROM outbox WHERE dedupe_key = ? AND done_at IS NULL",
  )
    .bind(key)
    .first("error");
  expect(waiting).toMatch(/answered 422|E_DAILY_LIMIT|is missing/);
});

test.each(mails.map((mail) => [mail.template, mail] as const))(
  "a locked screen shows no amount, code or phone number of %s",
  (kind, { data }) => {
    const { title, body, path } = pushMessage({ kind, data } as never);
    expect(title).toMatch(/\p{L}{3}/u);
    // An order's short name is no secret: it stands in links.
    const shown = `${title} ${body}`.replace(/Order [0-9a-f]{8}/, "");
    expect(shown).not.toMatch(/\p{N}{4}|KES|Ksh|TKL1|undefined|null|…/u);
    expect(path).toMatch(/^\/\w/);
  },
);

const HOUR = 60 * 60_000;

/** A mailer that throws while `fault` is set, and what it was asked to send. */
function mailerWithFault(fault: MailNotSent) {
  const mailer = {
    fault: fault as MailNotSent | null,
    asked: [] as string[],
    async send(_mail: Mail, key: string) {
      mailer.asked.push(key);
      if (mailer.fault) throw mailer.fault;
    },
  };
  return mailer satisfies Mailer;
}

test("while a quota is used up nothing else is tried until the provider says, and then everything leaves", async () => {
  await db.delete(outbox);
  await db.delete(leases);
  const mailer = mailerWithFault(new MailNotSent("refused", "mail transport answered 429", 3 * HOUR));
  await queue("welcome:quota-1");
  await drainOutbox(storeAt(0), { mailer, push: null });
  expect(mailer.asked).toEqual(["welcome:quota-1"]);
  expect(pauses).toEqual([]);
  await queue("welcome:quota-2");
  expect(await sendFromOutbox(storeAt(HOUR), { mailer, push: null }, "welcome:quota-2")).toBe(false);
  await drainOutbox(storeAt(2.9 * HOUR), { mailer, push: null });
  expect(mailer.asked).toHaveLength(1);
  mailer.fault = null;
  await drainOutbox(storeAt(3 * HOUR + 60_000), { mailer, push: null });
  expect(mailer.asked.toSorted()).toEqual(["welcome:quota-1", "welcome:quota-1", "welcome:quota-2"]);
});

test("an email that was given up is listed for 7 days, and an admin's press sends it, whatever holds the others", async () => {
  await db.delete(outbox);
  await db.delete(leases);
  const admin = await makeAdmin();
  const mailer = mailerWithFault(new MailNotSent("refused", "mail transport answered 401"));
  await queue("welcome:listed");
  const kept = 7 * 24 * HOUR;
  await drainOutbox(storeAt(kept), { mailer, push: null });
  const listed = await readOperations(storeAt(kept));
  expect(listed.emails).toMatchObject([{ to, template: "welcome", nextTryAt: null, attempts: 1 }]);
  expect((await readOperations(storeAt(2 * kept + 1_000))).emails).toEqual([]);

  await queue("welcome:held");
  await drainOutbox(storeAt(kept / 2), { mailer, push: null });
  expect((await readOperations(storeAt(kept))).emails).toHaveLength(2);
  mailer.fault = null;
  expect(await retryEmails(storeAt(kept), admin, null)).toBe(true);
  await drainOutbox(storeAt(kept), { mailer, push: null });
  expect((await readOperations(storeAt(kept))).emails).toEqual([]);
  await drainOutbox(storeAt(2 * kept), { mailer, push: null });
  expect(mailer.asked.filter((key) => key === "welcome:listed")).toHaveLength(2);
});

/** The email with this link. */
function emailsOf(tokenId: string) {
  return { to, template: "password_reset", data: { name: NAME, tokenId } } as const satisfies Mail;
}

test("a link that grew old while it was tried isn't emailed: its reader asks for a new one", async () => {
  await db.delete(outbox);
  await db.delete(leases);
  await write(db, [queueEffect("reset:t9", emailsOf("t9"), { topic: "mail", traffic: "security", now: Date.now() })]);
  const mailer = mailerWithFault(new MailNotSent("away", "no answer"));
  await drainOutbox(storeAt(0), { mailer, push: null });
  mailer.fault = null;
  mailer.asked = [];
  await drainOutbox(storeAt(2 * HOUR), { mailer, push: null });
  expect(mailer.asked).toEqual([]);
  expect((await readOperations(storeAt(2 * HOUR))).emails).toMatchObject([{ error: "out of date" }]);
});

test("a link that nobody has tried to send is never out of date: its life begins when it leaves", async () => {
  await db.delete(outbox);
  await db.delete(leases);
  const [userId, tokenId] = [await makeUser(), crypto.randomUUID()];
  const issuedAt = Date.now();
  await db.insert(emailTokens).values({
    id: tokenId,
    tokenHash: tokenId,
    userId,
    purpose: "password_reset",
    expiresAt: issuedAt + HOUR,
    createdAt: issuedAt,
  });
  await write(db, [queueEffect("reset", emailsOf(tokenId), { topic: "mail", traffic: "security", now: issuedAt })]);
  const mailer = mailerWithFault(new MailNotSent("away", "no answer"));
  mailer.fault = null;
  await drainOutbox(storeAt(3 * HOUR), { mailer, push: null });
  expect(mailer.asked).toEqual(["reset"]);
  const [token] = await db.select().from(emailTokens).where(eq(emailTokens.id, tokenId));
  expect(token?.expiresAt).toBeGreaterThanOrEqual(issuedAt + 4 * HOUR);
});

test("what is told of a free order speaks of no payment", () => {
  const { subject, heading, paragraphs } = wordsOf("payment_received", {
    orderId: "0a1b2c3d-1",
    amount: 0,
    receipt: null,
  });
  expect(heading).toBe("Order confirmed");
  expect([subject, heading, ...paragraphs].join(" ")).not.toMatch(/paid|payment|KES|received/i);
});
