/** People are told by email of messages that they haven't read: first messages, and those about a paid item. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { NOTICE_PAUSE_MS, NOTICE_WAIT_MS } from "#app/messaging/notices/message-notice-rules.ts";
import { HAS_NOTICE, type NoticeServices, sendDueNotices } from "#app/messaging/notices/message-notices.server.ts";
import { markRead } from "#app/messaging/conversations/messages.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { agreeToItem, sendMessage } from "#app/messaging/sending/send-message.server.ts";
import type { MailOf } from "#app/notifications/mailer.ts";
import { contentOf } from "#workers/mail/content.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { databaseThrough, faultEvery } from "#tests/support/faults.ts";
import { type Deal, db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const MINUTE = 60_000;
let start: number;
let asker: string;
let seller: string;
let productId: string;

beforeEach(async () => {
  await db.delete(outbox);
  await db.update(conversations).set({ noticeDueAt: null });
  start = Date.now();
  asker = await makeUser({ name: "Amina Were" });
  seller = await makeUser({ name: "Otieno Ouma" });
  productId = await makeProduct(seller, { name: "Kettle" });
});

function at(ms: number) {
  return { ...servicesAt(), now: () => start + ms };
}

/** A message about the listing, or about the item of a deal. */
async function write(ms: number, senderId: string, text: string, deal?: Deal): Promise<string> {
  const about = deal ? ({ kind: "item", id: deal.itemId } as const) : ({ kind: "product", id: productId } as const);
  const recipientId = deal ? undefined : senderId === asker ? seller : asker;
  const sent = await sendMessage(at(ms), { senderId, recipientId, about, text, key: crypto.randomUUID() });
  if (!sent.ok) throw new Error(sent.code);
  return sent.message.id;
}

/** A paid item between the two. */
async function payKettle(): Promise<Deal> {
  const deal = await payDeal({ sellerId: seller });
  asker = deal.buyerId;
  return deal;
}

/** Has the job run, and answers the emails about messages that were queued meanwhile. */
async function run(ms: number, change: Partial<NoticeServices> = {}) {
  await db.delete(outbox);
  await sendDueNotices({ ...at(ms), ...change });
  return queued();
}

async function queued() {
  const rows = await db.select({ payload: outbox.payload }).from(outbox);
  return rows
    .map(({ payload }) => JSON.parse(payload) as MailOf<"new_messages">)
    .filter(({ template }) => template === "new_messages");
}

test("the reader of a first message gets one email after ten minutes, which leads to the conversation", async () => {
  await write(0, asker, "Is it still available?");
  expect(await run(NOTICE_WAIT_MS - 1)).toEqual([]);
  const data = { name: "Otieno Ouma", senderName: "Amina Were", otherId: asker, count: 1, productName: "Kettle" };
  expect(await run(NOTICE_WAIT_MS)).toMatchObject([
    { to: `${seller}@campus.test`, template: "new_messages", data: { ...data, excerpt: "Is it still available?" } },
  ]);
  expect(await run(100 * NOTICE_PAUSE_MS)).toEqual([]);
});

test("the email's link shows the conversation and the box to answer, after a login where it's needed", async () => {
  await write(0, asker, "Is it still available?");
  const [mail] = await run(NOTICE_WAIT_MS);
  if (!mail) throw new Error("no email");
  const { action } = contentOf(mail, { origin: ORIGIN, pepper: "pepper" });
  const path = action.url.slice(ORIGIN.length);
  const answer = await visit(path);
  expect(answer.status).toBe(302);
  expect(decodeURIComponent(answer.headers.get("Location") ?? "")).toContain(path);
  const page = await (await visit(path, { as: seller })).text();
  expect(page).toContain("Is it still available?");
  expect(page).toContain('action="/api/messages"');
});

test("messages of ten minutes share an email, and later ones of a stranger bring none", async () => {
  await write(0, asker, "Hello");
  await write(MINUTE, asker, "Can I see it tomorrow?");
  expect(await run(NOTICE_WAIT_MS)).toMatchObject([{ data: { count: 2, excerpt: "Can I see it tomorrow?" } }]);
  await write(NOTICE_WAIT_MS + MINUTE, asker, "Anybody there?");
  expect(await run(10 * NOTICE_PAUSE_MS)).toEqual([]);
  await write(10 * NOTICE_PAUSE_MS, seller, "Sorry, it's gone");
  expect(await run(20 * NOTICE_PAUSE_MS)).toEqual([]);
});

test("about a paid item each side is told, at most once an hour, of what is new since", async () => {
  const deal = await payKettle();
  await write(0, seller, "I am at the gate", deal);
  await write(MINUTE, asker, "Which gate?", deal);
  const first = await run(NOTICE_WAIT_MS + MINUTE);
  expect(first.map(({ to }) => to)).toEqual([`${asker}@campus.test`, `${seller}@campus.test`]);
  await write(20 * MINUTE, seller, "Gate B", deal);
  await write(40 * MINUTE, seller, "Are you coming?", deal);
  expect(await run(NOTICE_WAIT_MS + NOTICE_PAUSE_MS - 1)).toEqual([]);
  expect(await run(NOTICE_WAIT_MS + MINUTE + NOTICE_PAUSE_MS)).toMatchObject([
    { to: `${asker}@campus.test`, data: { count: 2, excerpt: "Are you coming?" } },
  ]);
});

test("a message that came after the reader had read the others waits its own ten minutes", async () => {
  const deal = await payKettle();
  await write(0, seller, "Hello", deal);
  await markRead(at(5 * MINUTE), asker, { with: seller });
  await write(8 * MINUTE, seller, "Tomorrow?", deal);
  expect(await run(NOTICE_WAIT_MS)).toEqual([]);
  expect(await run(8 * MINUTE + NOTICE_WAIT_MS - 1)).toEqual([]);
  expect(await run(8 * MINUTE + NOTICE_WAIT_MS)).toMatchObject([{ data: { count: 1, excerpt: "Tomorrow?" } }]);
});

test("a stranger's later message brings no email when the first was read", async () => {
  await write(0, asker, "Hello");
  await markRead(at(MINUTE), seller, { with: asker });
  await write(2 * MINUTE, asker, "And how old is it?");
  expect(await run(NOTICE_PAUSE_MS)).toEqual([]);
});

const NEVER_TOLD: Record<string, (id: string) => Promise<unknown>> = {
  "the reader has read it": () => markRead(at(1), seller, { with: asker }),
  "the reader has blocked the sender": () => blockUser(at(1), { userId: seller, blockedId: asker }),
  "the sender has blocked the reader": () => blockUser(at(1), { userId: asker, blockedId: seller }),
  "the sender is suspended": () => db.update(credentials).set({ suspendedAt: start }).where(eq(credentials.id, asker)),
  "the reader is suspended": () => db.update(credentials).set({ suspendedAt: start }).where(eq(credentials.id, seller)),
  "the sender's account is deleted": () => deleteAccount(servicesAt(), asker),
  "the reader's account is deleted": () => deleteAccount(servicesAt(), seller),
  "our team removed it": (id) => db.update(messages).set({ removedAt: start }).where(eq(messages.id, id)),
};

test.each(Object.entries(NEVER_TOLD))("nobody is told when %s", async (_why, happens) => {
  const id = await write(0, asker, "Hello");
  await happens(id);
  expect(await run(NOTICE_WAIT_MS)).toEqual([]);
  const { meter, ...metered } = meteredServices();
  await sendDueNotices({
    ...metered,
    now: () => start + NOTICE_PAUSE_MS,
  });
  expect(meter.rowsWritten).toBe(0);
});

test.each(Object.entries(HAS_NOTICE))("a message of kind %s is told: %s", async (kind, isTold) => {
  const id = await write(0, asker, "Hello");
  await db
    .update(messages)
    .set({ kind: kind as keyof typeof HAS_NOTICE })
    .where(eq(messages.id, id));
  expect(await run(NOTICE_WAIT_MS)).toHaveLength(isTold ? 1 : 0);
});

test("the seller is told that the buyer agreed", async () => {
  const deal = await payKettle();
  await write(0, seller, "At the gate at two?", deal);
  expect(await agreeToItem(at(MINUTE), { orderItemId: deal.itemId, buyerId: asker })).toEqual({ ok: true });
  expect((await run(NOTICE_PAUSE_MS)).map(({ to }) => to)).toContain(`${seller}@campus.test`);
});

test("two runs at once tell somebody once", async () => {
  await write(0, asker, "Hello");
  await Promise.all([sendDueNotices(at(NOTICE_WAIT_MS)), sendDueNotices(at(NOTICE_WAIT_MS))]);
  expect(await queued()).toHaveLength(1);
});

test.each([
  [1, "failing"],
  [1, "lost"],
  [2, "failing"],
  [2, "lost"],
] as const)("a run whose round trip %i is %s loses no email, and the next sends none twice", async (nth, fault) => {
  await write(0, asker, "Hello");
  const faulty = openDatabase(databaseThrough(env.DB, faultEvery(nth, fault)));
  await sendDueNotices({ ...at(NOTICE_WAIT_MS), db: faulty }).catch(() => {});
  await sendDueNotices(at(NOTICE_WAIT_MS + MINUTE));
  expect(await queued()).toHaveLength(1);
});

test("a message that comes while the job looks is never lost", async () => {
  const deal = await payKettle();
  await write(0, seller, "Hello", deal);
  let calls = 0;
  const meanwhile = databaseThrough(env.DB, async (call) => {
    calls += 1;
    if (calls === 2) await write(NOTICE_WAIT_MS, seller, "Still there?", deal);
    return call();
  });
  await sendDueNotices({ ...at(NOTICE_WAIT_MS), db: openDatabase(meanwhile) });
  expect(await queued()).toEqual([]);
  await sendDueNotices(at(NOTICE_WAIT_MS + MINUTE));
  expect(await queued()).toMatchObject([{ data: { count: 2, excerpt: "Still there?" } }]);
});

test("waiting costs nothing more for the messages after the first", async () => {
  const deal = await payKettle();
  const rowsFor = async () => {
    const { meter, ...metered } = meteredServices();
    const about = { kind: "item", id: deal.itemId } as const;
    await sendMessage(metered, { senderId: seller, about, text: "Hi", key: crypto.randomUUID() });
    return meter.rowsWritten;
  };
  await rowsFor();
  expect(await rowsFor()).toBe(12);
});

test("what a deleted account wrote leaves the emails that were sent about it", async () => {
  await write(0, asker, "My secret words");
  await run(NOTICE_WAIT_MS);
  await deleteAccount(servicesAt(), asker);
  expect(JSON.stringify(await db.select().from(outbox))).not.toContain("secret");
});
