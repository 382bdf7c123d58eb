import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { read } from "#app/db/batch.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { endSession } from "#app/accounts/login/sign-in.server.ts";
import { CONVERSATIONS_PAGE_SIZE, findInbox, type Inbox } from "#app/messaging/conversations/conversations.server.ts";
import { mayTypeTo } from "#app/messaging/conversations/has-conversation.server.ts";
import {
  countUnread,
  listMessages,
  markRead,
  MESSAGES_PAGE_SIZE,
  unreadIn,
} from "#app/messaging/conversations/messages.server.ts";
import { type Subject, threadOf } from "#app/messaging/message-rules.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";
import { agreeToItem, sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { makeAccount, ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import {
  db,
  type Deal,
  makeDeal,
  makeProduct,
  makeUser,
  readItem,
  servicesAt,
  settleDeferred,
} from "#tests/support/fixtures.ts";
import { beginConversations } from "#tests/support/messages.ts";
import { historyOf, pay } from "#tests/support/paid-deal.ts";
import { meteredServices } from "#tests/support/metered.ts";

const services = servicesAt();
let time = 0;
/** Each message at a time of its own. */
function later() {
  time += 1;
  return { ...services, now: () => Date.now() + time };
}

const write = (
  senderId: string,
  about: Deal | { productId: string } | { to: string },
  text: string,
  key: string = crypto.randomUUID(),
) => {
  const subject =
    "itemId" in about
      ? { kind: "item" as const, id: about.itemId }
      : "productId" in about
        ? { kind: "product" as const, id: about.productId }
        : null;
  return sendMessage(later(), {
    senderId,
    about: subject,
    ...("to" in about ? { recipientId: about.to } : {}),
    text,
    key,
  });
};

/** A paid item. Its seller may write about it, and its buyer may agree. */
async function makePaidDeal(): Promise<Deal> {
  const deal = await makeDeal({ price: 0 });
  const confirmed = await confirmFreeOrder(services, {
    orderId: deal.orderId,
    buyer: { id: deal.buyerId, email: "b@campus.test", fullName: "Wanjiku" },
  });
  if (!confirmed.ok) throw new Error(confirmed.code);
  return deal;
}

async function unreadOf(userId: string): Promise<number> {
  return unreadIn((await read(db, [countUnread(userId)]))[0]);
}

async function inboxOf(userId: string, withId: string | null = null, after: string | null = null): Promise<Inbox> {
  const found = await findInbox(servicesAt(), userId, { withId, after });
  if (!found) throw new Error("no profile");
  return found.inbox;
}

test("the seller's first message about an item marks its buyer as contacted; the buyer's does not", async () => {
  const deal = await makePaidDeal();
  expect(await write(deal.buyerId, deal, "Hello?")).toMatchObject({ ok: true });
  expect(await readItem(deal.itemId)).toMatchObject({ buyerContacted: false });
  const sent = await write(deal.sellerId, deal, "  At the gate at five?\n");
  expect(sent).toMatchObject({
    ok: true,
    message: {
      message: "At the gate at five?",
      orderId: deal.orderId,
      orderItemId: deal.itemId,
      productId: deal.productId,
      productName: "Casio fx-991ES",
      kind: "text",
    },
  });
  expect(await readItem(deal.itemId)).toMatchObject({ buyerContacted: true, buyerAgreed: false });
});

test("only words that agree, from the buyer, about an item whose seller has written, agree; both sides see which did", async () => {
  const deal = await makePaidDeal();
  await write(deal.buyerId, deal, "ok");
  expect(await readItem(deal.itemId)).toMatchObject({ buyerAgreed: false });
  await write(deal.sellerId, deal, "Yes, I agree, ok, perfect");
  await write(deal.buyerId, deal, "not ok");
  await write(deal.buyerId, { to: deal.sellerId }, "ok");
  expect(await readItem(deal.itemId)).toMatchObject({ buyerContacted: true, buyerAgreed: false });
  await write(deal.buyerId, deal, "Ok, now I want my money back");
  expect(await readItem(deal.itemId)).toMatchObject({ buyerAgreed: false });
  expect(await write(deal.buyerId, deal, "Sawa, works for me")).toMatchObject({
    ok: true,
    message: { kind: "agreement" },
  });
  expect(await readItem(deal.itemId)).toMatchObject({ buyerAgreed: true });
  expect(await write(deal.buyerId, deal, "Perfect")).toMatchObject({ ok: true, message: { kind: "text" } });

  for (const viewer of [deal.buyerId, deal.sellerId]) {
    const page = await listMessages(servicesAt(), viewer, { item: deal.itemId }, null);
    expect(page.messages.filter(({ kind }) => kind === "agreement").map(({ message }) => message)).toEqual([
      "Sawa, works for me",
    ]);
  }
});

test.each([
  ["thing", "Wanjiku agreed to the handover"],
  ["service", "Wanjiku agreed to the meeting"],
  ["room", "Wanjiku agreed to the handover of the key"],
] as const)(
  "the seller's open pages say that the buyer of a %s agreed, in the words of such a thing",
  async (handover, notice) => {
    const deal = await makePaidDeal();
    await db.update(orderItems).set({ handover }).where(eq(orderItems.id, deal.itemId));
    await db.update(profiles).set({ fullName: "Wanjiku" }).where(eq(profiles.id, deal.buyerId));
    await write(deal.sellerId, deal, "At the gate at five?");
    const heard: unknown[] = [];
    const send = async (userId: string, event: object) => void heard.push({ userId, ...event });
    const notifier = { ...services.notifier, send };
    const agreed = { orderItemId: deal.itemId, buyerId: deal.buyerId };
    expect(await agreeToItem({ ...later(), notifier }, agreed)).toEqual({ ok: true });
    await settleDeferred();
    const moved = { type: "order", orderId: deal.orderId, orderItemId: deal.itemId };
    expect(heard).toContainEqual({ userId: deal.sellerId, ...moved, notice });
    expect(heard).toContainEqual({ userId: deal.buyerId, ...moved });
  },
);

test("a message says what its reader should be careful about, but not about links to this site", async () => {
  const [one, other] = await Promise.all([makeUser(), makeUser()]);
  const productId = await makeProduct(other);
  expect(await write(one, { productId }, "Call me on 0722 000 020")).toMatchObject({ message: { warning: "phone" } });
  await write(other, { to: one }, `See ${services.origin}/product/${productId}`);
  const warningsOf = async (reader: string, sender: string) =>
    (await listMessages(servicesAt(), reader, { with: sender }, null)).messages.map(({ warning }) => warning);
  expect(await warningsOf(other, one)).toEqual(["phone", undefined]);
  expect(await warningsOf(one, other)).toEqual([undefined, undefined]);
});

test("an agreement waits for the payment", async () => {
  const deal = await makeDeal();
  await write(deal.sellerId, deal, "I have it here");
  await write(deal.buyerId, deal, "ok");
  expect(await readItem(deal.itemId)).toMatchObject({ buyerContacted: true, buyerAgreed: false });
});

test("of many words that agree at once one is the agreement; pressing Agree says so in the conversation, once", async () => {
  const deal = await makePaidDeal();
  expect(await agreeToItem(services, { orderItemId: deal.itemId, buyerId: deal.buyerId })).toEqual({ ok: false });
  await write(deal.sellerId, deal, "Five?");
  expect(await agreeToItem(services, { orderItemId: deal.itemId, buyerId: deal.sellerId })).toEqual({ ok: false });
  expect(await agreeToItem(services, { orderItemId: deal.itemId, buyerId: await makeUser() })).toEqual({ ok: false });
  const agreed = await Promise.all([
    ...Array.from({ length: 4 }, () => agreeToItem(later(), { orderItemId: deal.itemId, buyerId: deal.buyerId })),
    ...Array.from({ length: 4 }, () => write(deal.buyerId, deal, "ok")),
  ]);
  expect(agreed.every(({ ok }) => ok)).toBe(true);
  const { messages: written } = await listMessages(servicesAt(), deal.sellerId, { item: deal.itemId }, null);
  expect(written.filter(({ kind }) => kind === "agreement")).toHaveLength(1);
  expect(await historyOf(deal)).toEqual(["buyer: paid", "seller: buyer_contacted", "buyer: buyer_agreed"]);
});

test("of many first messages of a seller at once one is the contact in the history, also before the payment", async () => {
  const deal = await makeDeal();
  const sent = await Promise.all(Array.from({ length: 4 }, (_, n) => write(deal.sellerId, deal, `Hall ${n}?`)));
  expect(sent.every(({ ok }) => ok)).toBe(true);
  expect(await historyOf(deal)).toEqual(["seller: buyer_contacted"]);
  await pay(deal);
  await write(deal.sellerId, deal, "Five?");
  expect(await historyOf(deal)).toEqual(["seller: buyer_contacted", "buyer: paid"]);
});

test("a message about an item that was cancelled contacts and agrees to nothing", async () => {
  const deal = await makePaidDeal();
  await db.update(orderItems).set({ status: "cancelled" }).where(eq(orderItems.id, deal.itemId));
  await write(deal.sellerId, deal, "Sorry!");
  await write(deal.buyerId, deal, "ok");
  expect(await readItem(deal.itemId)).toMatchObject({ buyerContacted: false, buyerAgreed: false });
  expect(await historyOf(deal)).toEqual(["buyer: paid"]);
});

test("the same key sends once and answers with what was sent, also to many at once", async () => {
  const deal = await makePaidDeal();
  const key = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => write(deal.buyerId, deal, "Is it there?", key)));
  const ids = new Set(answers.map((answer) => (answer.ok ? answer.message.id : answer.code)));
  expect(ids.size).toBe(1);
  expect(await db.select().from(messages).where(eq(messages.idempotencyKey, key))).toHaveLength(1);
  expect(await unreadOf(deal.sellerId)).toBe(1);
});

test.each([
  ["", "empty"],
  [" \n\t ", "empty"],
  ["x".repeat(2001), "too_long"],
])("what cannot be sent is refused: %#", async (text, code) => {
  const deal = await makePaidDeal();
  expect(await write(deal.buyerId, deal, text)).toEqual({ ok: false, code });
});

test("nobody writes about what is not theirs, to themselves, to nobody, or out of the blue", async () => {
  const deal = await makePaidDeal();
  const stranger = await makeUser();
  const refused = { ok: false, code: "no_recipient" };
  expect(await write(stranger, deal, "Hi")).toEqual(refused);
  expect(await write(stranger, { to: deal.buyerId }, "Hi")).toEqual(refused);
  expect(await write(stranger, { to: stranger }, "Hi")).toEqual(refused);
  expect(await write(stranger, { to: crypto.randomUUID() }, "Hi")).toEqual(refused);
  expect(await write(deal.sellerId, { productId: deal.productId }, "Buy mine")).toEqual(refused);
  expect(
    await sendMessage(services, {
      senderId: deal.sellerId,
      recipientId: stranger,
      about: { kind: "product", id: deal.productId },
      text: "Buy mine",
      key: crypto.randomUUID(),
    }),
  ).toEqual(refused);
  expect(
    await sendMessage(services, {
      senderId: stranger,
      recipientId: deal.buyerId,
      about: { kind: "product", id: deal.productId },
      text: "Hi",
      key: crypto.randomUUID(),
    }),
  ).toEqual(refused);
  await db.update(credentials).set({ suspendedAt: Date.now() }).where(eq(credentials.id, deal.sellerId));
  expect(await write(deal.buyerId, deal, "Hi")).toEqual(refused);
});

test("whoever looks at a listing may write to its seller, who may then answer about it", async () => {
  const seller = await makeUser({ name: "Brian Otieno" });
  const buyer = await makeUser({ name: "Wanjiku Kamau" });
  const productId = await makeProduct(seller, { name: "Ramtons kettle" });
  expect(await write(buyer, { productId }, "Is it still there?")).toMatchObject({
    ok: true,
    message: { productName: "Ramtons kettle", orderItemId: null },
  });
  expect(
    await sendMessage(later(), {
      senderId: seller,
      recipientId: buyer,
      about: { kind: "product", id: productId },
      text: "It is",
      key: crypto.randomUUID(),
    }),
  ).toMatchObject({ ok: true });
  expect((await inboxOf(buyer, seller)).open).toMatchObject({
    conversation: {
      name: "Brian Otieno",
      lastText: "It is",
      lastIsMine: false,
      unread: 1,
      about: { productId, productName: "Ramtons kettle", orderId: null, selling: false },
    },
    messages: [{ message: "Is it still there?" }, { message: "It is" }],
    older: null,
  });
  expect((await inboxOf(seller)).conversations).toMatchObject([
    { name: "Wanjiku Kamau", lastIsMine: true, unread: 1, about: { selling: true } },
  ]);
});

test("a key that was used for somebody else, or for another listing, is refused and sends nothing", async () => {
  const [buyer, seller, other] = await Promise.all([makeUser(), makeUser(), makeUser()]);
  const [kettle, lamp, desk] = await Promise.all([makeProduct(seller), makeProduct(seller), makeProduct(other)]);
  const key = crypto.randomUUID();
  expect(await write(buyer, { productId: kettle }, "Is it there?", key)).toMatchObject({ ok: true });
  const refused = { ok: false, code: "key_used" };
  expect(await write(buyer, { productId: desk }, "And the desk?", key)).toEqual(refused);
  expect(await write(buyer, { productId: lamp }, "And the lamp?", key)).toEqual(refused);
  expect(await unreadOf(other)).toBe(0);
  expect(await unreadOf(seller)).toBe(1);
});

test("opening a conversation reads what came in it and nothing else, and says so to both sides", async () => {
  const deal = await makePaidDeal();
  const other = await makePaidDeal();
  await write(deal.sellerId, deal, "One");
  await write(deal.sellerId, deal, "Two");
  await write(deal.buyerId, deal, "Three");
  await db
    .update(messages)
    .set({
      recipientId: deal.buyerId,
      thread: threadOf(deal.buyerId, other.sellerId),
      senderId: other.sellerId,
      read: false,
    })
    .where(eq(messages.id, await idOf(await write(other.sellerId, other, "Else"))));
  expect(await unreadOf(deal.buyerId)).toBe(3);
  const told: unknown[] = [];
  const notifier = {
    send: async (userId: string, event: unknown) => void told.push({ userId, event }),
    endSessions: async () => {},
  };
  const listening = { ...services, notifier, defer: (work: Promise<unknown>) => void work };
  expect(await markRead(listening, deal.buyerId, { with: deal.sellerId })).toBe(1);
  expect(told).toMatchObject([
    { userId: deal.sellerId, event: { type: "read", by: deal.buyerId, with: deal.sellerId } },
    { userId: deal.buyerId, event: { type: "read", unread: 1 } },
  ]);
  expect((await inboxOf(deal.buyerId)).conversations.find(({ id }) => id === deal.sellerId)).toMatchObject({
    unread: 0,
  });
  expect((await inboxOf(deal.sellerId)).conversations).toMatchObject([{ unread: 1 }]);

  told.length = 0;
  expect(await markRead(listening, deal.buyerId, { with: deal.sellerId })).toBe(1);
  expect(told).toEqual([]);
});

async function idOf(sent: Awaited<ReturnType<typeof write>>): Promise<string> {
  if (!sent.ok) throw new Error(sent.code);
  return sent.message.id;
}

test("reading about one item leaves what was written about another unread", async () => {
  const deal = await makePaidDeal();
  await write(deal.sellerId, deal, "About the item");
  await write(deal.sellerId, { to: deal.buyerId }, "About nothing");
  expect(await markRead(services, deal.buyerId, { item: deal.itemId })).toBe(1);
  expect(await markRead(services, deal.buyerId, { order: deal.orderId })).toBe(1);
  expect(await markRead(services, await makeUser(), { item: deal.itemId })).toBe(0);
  expect(await unreadOf(deal.buyerId)).toBe(1);
});

test("nobody reads a conversation of others", async () => {
  const deal = await makePaidDeal();
  await write(deal.sellerId, deal, "Between us");
  const stranger = await makeUser();
  expect((await inboxOf(stranger, deal.sellerId)).open).toBeNull();
  for (const scope of [{ with: deal.sellerId }, { item: deal.itemId }, { order: deal.orderId }])
    expect(await listMessages(servicesAt(), stranger, scope, null)).toEqual({
      messages: [],
      older: null,
    });
});

test("neither side of a block can write until it is lifted; old messages stay", async () => {
  const deal = await makePaidDeal();
  await write(deal.sellerId, deal, "Hi");
  const input = { userId: deal.buyerId, blockedId: deal.sellerId };
  expect(await Promise.all([blockUser(services, input), blockUser(services, input)])).toEqual([true, true]);
  expect(await write(deal.sellerId, deal, "Hello?")).toEqual({ ok: false, code: "blocked" });
  expect(await write(deal.buyerId, deal, "Go away")).toEqual({ ok: false, code: "blocked_by_me" });
  expect((await inboxOf(deal.buyerId, deal.sellerId)).open).toMatchObject({
    blockedByMe: true,
    messages: [{ message: "Hi" }],
  });
  expect((await inboxOf(deal.sellerId, deal.buyerId)).open).toMatchObject({ blockedByMe: false });
  expect(await agreeToItem(later(), { orderItemId: deal.itemId, buyerId: deal.buyerId })).toEqual({ ok: true });
  await unblockUser(services, input);
  expect(await write(deal.sellerId, deal, "Hello again")).toMatchObject({ ok: true });
  expect(await blockUser(services, { userId: deal.buyerId, blockedId: deal.buyerId })).toBe(false);
  expect(await blockUser(services, { userId: deal.buyerId, blockedId: crypto.randomUUID() })).toBe(false);
});

test("somebody who sends messages without end is slowed down, and the recipient gets no more", async () => {
  const deal = await makePaidDeal();
  const answers = [];
  for (let n = 0; n < 32; n += 1) answers.push(await write(deal.buyerId, deal, `Hello ${n}`));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(30);
  expect(answers.at(-1)).toEqual({ ok: false, code: "too_many" });
  expect(await unreadOf(deal.sellerId)).toBe(30);
});

test("of messages at the same moment, only as many are sent as the sender has left", async () => {
  const deal = await makePaidDeal();
  for (let n = 0; n < 28; n += 1) await write(deal.buyerId, deal, `Hello ${n}`);
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => write(deal.buyerId, deal, `At once ${n}`)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  expect(answers.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 3 }, () => ({ ok: false, code: "too_many" })));
  expect(await unreadOf(deal.sellerId)).toBe(30);
});

test("a message takes two round trips, and a refused one writes nothing", async () => {
  const deal = await makePaidDeal();
  const { meter, ...metered } = meteredServices();
  const input = { senderId: deal.buyerId, about: { kind: "item", id: deal.itemId } as const, text: "Hi" };
  expect(await sendMessage(metered, { ...input, key: crypto.randomUUID() })).toMatchObject({ ok: true });
  expect(meter.trips).toBe(2);
  await blockUser(services, { userId: deal.sellerId, blockedId: deal.buyerId });
  const { rowsWritten } = meter;
  expect(await sendMessage(metered, { ...input, key: crypto.randomUUID() })).toEqual({ ok: false, code: "blocked" });
  expect(meter.rowsWritten).toBe(rowsWritten);
});

test("a message in a conversation writes eleven rows, and one more if it's about an item", async () => {
  const deal = await makePaidDeal();
  const productId = await makeProduct(deal.sellerId);
  const rowsOf = async (about: Subject) => {
    const { meter, ...metered } = meteredServices();
    const input = { senderId: deal.buyerId, about, text: "Hi", key: crypto.randomUUID() };
    expect(await sendMessage(metered, input)).toMatchObject({ ok: true });
    return meter.rowsWritten;
  };
  await rowsOf({ kind: "item", id: deal.itemId });
  // The message in five indexes, each side's conversation with its place in the inbox, and the mark of the write.
  expect(await rowsOf({ kind: "product", id: productId })).toBe(11);
  expect(await rowsOf({ kind: "item", id: deal.itemId })).toBe(12);
});

test("somebody who writes to ever more strangers is stopped, while the conversations they have go on", async () => {
  const sender = await makeUser();
  const sellers = await Promise.all(Array.from({ length: 41 }, () => makeUser()));
  const answers = [];
  for (const [n, seller] of sellers.entries()) {
    const productId = await makeProduct(seller);
    answers.push(
      await sendMessage(
        { ...services, now: () => Date.now() + n * 61_000 },
        {
          senderId: sender,
          about: { kind: "product", id: productId },
          text: "Cheap phones!",
          key: crypto.randomUUID(),
        },
      ),
    );
  }
  expect(answers.filter(({ ok }) => ok)).toHaveLength(40);
  expect(answers.at(-1)).toEqual({ ok: false, code: "too_many" });
  expect(
    await sendMessage(
      { ...services, now: () => Date.now() + 3_600_000 },
      { senderId: sender, recipientId: sellers[0], text: "Hi again", key: crypto.randomUUID() },
    ),
  ).toMatchObject({ ok: true });
});

describeBusy();

/** A user with 60 conversations of 50 messages, 150 of them unread. */
function describeBusy() {
  let busy = "";
  const others: string[] = [];

  beforeAll(async () => {
    busy = await makeUser();
    for (let n = 0; n < 60; n += 1) others.push(await makeUser());
    const rows = others.flatMap((other, n) =>
      Array.from({ length: 50 }, (_, at) => ({
        id: crypto.randomUUID(),
        thread: threadOf(busy, other),
        from: at % 2 ? busy : other,
        to: at % 2 ? other : busy,
        read: n >= 6 || at % 2 ? 1 : 0,
        at: n * 100 + at,
      })),
    );
    await env.DB.prepare(
      `INSERT INTO messages (id, thread, sender_id, recipient_id, message, sender_name, recipient_name, read,
        created_at)
       SELECT value ->> 'id', value ->> 'thread', value ->> 'from', value ->> 'to', 'Hi', 'A',
         'B', value ->> 'read', value ->> 'at' FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    await beginConversations();
  });

  /** The rows that `work` reads. */
  async function rowsRead(work: (metered: typeof services) => Promise<unknown>): Promise<number> {
    const { meter, ...metered } = meteredServices();
    await work(metered);
    return meter.rowsRead;
  }

  test("the inbox comes in pages, newest first, and reads a page's rows and what is unread, not the messages behind them", async () => {
    const first = await inboxOf(busy);
    const second = await inboxOf(busy, null, first.next);
    const third = await inboxOf(busy, null, second.next);
    const listed = [first, second, third].flatMap(({ conversations }) => conversations.map(({ id }) => id));
    expect(listed).toEqual(others.toReversed());
    expect(third.next).toBeNull();
    expect(
      await rowsRead((metered) => findInbox(metered, busy, { withId: null, after: second.next })),
    ).toBeLessThanOrEqual(CONVERSATIONS_PAGE_SIZE * 4 + 10 + 150);
  });

  test("a conversation comes in pages from its end, and reads a page's rows", async () => {
    const other = others[0] ?? "";
    const last = await listMessages(servicesAt(), busy, { with: other }, null);
    const first = await listMessages(servicesAt(), busy, { with: other }, last.older);
    expect([...first.messages, ...last.messages].map(({ createdAt }) => createdAt)).toEqual(
      Array.from({ length: 50 }, (_, at) => at),
    );
    expect(first.older).toBeNull();
    expect(await rowsRead((metered) => listMessages(metered, busy, { with: other }, last.older))).toBeLessThanOrEqual(
      MESSAGES_PAGE_SIZE + 5,
    );
    expect(await rowsRead((metered) => findInbox(metered, busy, { withId: other, after: null }))).toBeLessThanOrEqual(
      CONVERSATIONS_PAGE_SIZE * 4 + MESSAGES_PAGE_SIZE + 20,
    );
  });

  test("unread messages are counted by their own index, up to a hundred; reading a conversation walks what is unread only", async () => {
    expect(await unreadOf(busy)).toBe(100);
    expect(await rowsRead(({ db: metered }) => read(metered, [countUnread(busy)]))).toBeLessThanOrEqual(101);
    expect(await rowsRead((metered) => markRead(metered, busy, { with: others[0] ?? "" }))).toBeLessThanOrEqual(450);
    expect((await inboxOf(busy, others[0])).open?.conversation.unread).toBe(0);
  });
}

async function upload(ownerId: string) {
  const key = `img/${crypto.randomUUID().replaceAll("-", "")}`;
  const image = { key, format: "webp", width: 320, height: 200, widths: [320], tone: "#aabbcc", thumbhash: "" };
  await env.DB.prepare("INSERT INTO uploads (key, owner_id, bucket, image, created_at) VALUES (?, ?, 'media', ?, 1)")
    .bind(key, ownerId, JSON.stringify(image))
    .run();
  return image;
}

test("photos go with a message once they are the sender's own and there; then a message needs no words", async () => {
  const deal = await makePaidDeal();
  const own = await upload(deal.buyerId);
  const send = (photos: string[], text = "") =>
    sendMessage(later(), {
      senderId: deal.buyerId,
      about: { kind: "item", id: deal.itemId },
      text,
      photoKeys: photos,
      key: crypto.randomUUID(),
    });
  expect(await send([own.key])).toMatchObject({ ok: true, message: { message: "", images: [own] } });
  const attached = await env.DB.prepare("SELECT attached_at FROM uploads WHERE key = ?")
    .bind(own.key)
    .first<{ attached_at: number | null }>();
  expect(attached?.attached_at).not.toBeNull();
  expect((await inboxOf(deal.sellerId, deal.buyerId)).open).toMatchObject({
    conversation: { lastText: "Photo" },
    messages: [{ images: [own] }],
  });

  const gone = { ok: false, code: "photo_gone" };
  expect(await send([(await upload(deal.sellerId)).key], "Look")).toEqual(gone);
  expect(await send([`img/${"0".repeat(32)}`], "Look")).toEqual(gone);
  expect(
    await send(await Promise.all(Array.from({ length: 5 }, async () => (await upload(deal.buyerId)).key))),
  ).toEqual(gone);
});

test("the messages' address serves the signed-in sides of a conversation and nobody else", async () => {
  const buyer = await makeAccount({ name: "Wanjiku Kamau" });
  const seller = await makeAccount({ name: "Brian Otieno" });
  const productId = await makeProduct(seller.id);
  const [buyersCookie, sellersCookie] = [await sessionCookie(buyer.id), await sessionCookie(seller.id)];
  const post = (path: string, cookie: string, fields: Record<string, string>, origin = ORIGIN) =>
    env.APP.fetch(`${ORIGIN}/api/messages${path}`, {
      method: "POST",
      headers: { Cookie: cookie, Origin: origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const get = (path: string, cookie: string) =>
    env.APP.fetch(`${ORIGIN}/api/messages${path}`, { headers: { Cookie: cookie } });
  const first = { about: `product:${productId}`, text: "Is it there?", key: "key-of-the-page" };

  expect((await post("", "", first)).status).toBe(401);
  expect((await post("", buyersCookie, first, "https://evil.example")).status).toBe(403);
  expect((await post("", buyersCookie, { ...first, text: "" })).status).toBe(400);
  expect(await (await post("", buyersCookie, { ...first, text: " " })).json()).toMatchObject({
    success: false,
    error: "Please enter a message",
  });
  expect((await post("", buyersCookie, { text: "Hi", key: "key-of-the-page" })).status).toBe(404);
  expect((await post("", buyersCookie, { ...first, text: "x".repeat(50_000) })).status).toBe(400);
  expect(await (await post("", buyersCookie, first)).json()).toMatchObject({
    success: true,
    data: { message: "Is it there?", key: "key-of-the-page" },
  });

  expect(await (await get("/unread", sellersCookie)).json()).toEqual({ unread: 1, notifications: 0 });
  expect(await (await get(`?with=${buyer.id}`, sellersCookie)).json()).toMatchObject({
    messages: [{ message: "Is it there?", read: false }],
    older: null,
  });
  expect((await get("?with=somebody", sellersCookie)).status).toBe(400);
  expect(await (await post("/read", sellersCookie, { with: buyer.id })).json()).toEqual({ unread: 0 });
  expect((await post("/read", "", { with: buyer.id })).status).toBe(401);

  const back = await post("", buyersCookie, {
    ...first,
    to: seller.id,
    key: "another-key",
    from: "/profile?tab=messages",
  });
  expect([back.status, back.headers.get("Location")]).toEqual([303, "/profile?tab=messages"]);
});

test("sending takes three round trips, with photos, too; after a suspension or a logout, nothing is sent", async () => {
  const [sender, other] = [await makeAccount({ name: "Wanjiku Kamau" }), await makeAccount({ name: "Brian Otieno" })];
  const about = `product:${await makeProduct(other.id)}`;
  const cookie = await sessionCookie(sender.id);
  const { key: photo } = await upload(sender.id);
  const send = (fields: Record<string, string>) =>
    env.APP.fetch(`${ORIGIN}/api/messages`, {
      method: "POST",
      headers: { Cookie: cookie, Origin: ORIGIN },
      body: new URLSearchParams({ about, key: crypto.randomUUID(), ...fields }),
    });
  const drafts: Record<string, string>[] = [{ text: "Hi" }, { photo }];
  for (const fields of drafts) {
    const sent = await send(fields);
    expect([sent.status, sent.headers.get("Server-Timing")]).toEqual([200, expect.stringContaining("trips=3 ")]);
  }
  const expectRefused = async () => {
    const before = await unreadOf(other.id);
    expect((await send({ text: "Still me?" })).status).toBe(401);
    expect(await unreadOf(other.id)).toBe(before);
  };
  const change = (columns: Partial<typeof credentials.$inferInsert>) =>
    db.update(credentials).set(columns).where(eq(credentials.id, sender.id));
  await change({ suspendedAt: Date.now() });
  await expectRefused();
  await change({ suspendedAt: null, sessionEpoch: 2 });
  await expectRefused();
  await change({ sessionEpoch: 1 });
  expect((await send({ text: "Me again" })).status).toBe(200);
  // The store of sessions may know a session for a while after its logout.
  const session = await servicesAt().sessions.read(new Request(ORIGIN, { headers: { Cookie: cookie } }));
  await endSession(servicesAt(), session!.identity);
  await expectRefused();
});

test("typing is shown within a conversation, and in neither direction once one of the two has blocked the other", async () => {
  const deal = await makeDeal();
  const [one, other] = [deal.buyerId, deal.sellerId];
  const both = async () => [await mayTypeTo(db, one, other), await mayTypeTo(db, other, one)];
  expect(await both()).toEqual([false, false]);
  await write(one, deal, "Hello");
  expect(await both()).toEqual([true, true]);
  for (const [userId, blockedId] of [
    [one, other],
    [other, one],
  ] as const) {
    await blockUser(services, { userId, blockedId });
    expect(await both()).toEqual([false, false]);
    await unblockUser(services, { userId, blockedId });
  }
  expect(await both()).toEqual([true, true]);
});
