import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { LiveEvent } from "#app/live/live-events.ts";
import { makeAccount, ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { makeProduct, servicesAt, settleDeferred } from "#tests/support/fixtures.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { EPOCH_HEADER, USER_HEADER } from "#workers/live/hub-headers.ts";
import { UserHub } from "#workers/live/user-hub.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { blockUser, unblockUser } from "#app/messaging/block-user.server.ts";

interface Page {
  socket: WebSocket;
  received: unknown[];
  closed: { code: number } | null;
}

const pages: Page[] = [];
afterEach(() => {
  for (const { socket } of pages.splice(0)) {
    try {
      socket.close();
    } catch {
      // The hub closed it.
    }
  }
});

function connect(headers: Record<string, string>): Promise<Response> {
  return env.APP.fetch(`${ORIGIN}/live`, { headers: { Upgrade: "websocket", ...headers } });
}

async function openPage(userId: string): Promise<Page> {
  const response = await connect({ Origin: ORIGIN, Cookie: await sessionCookie(userId) });
  return listen(response.webSocket);
}

function listen(socket: WebSocket | null): Page {
  if (!socket) throw new Error("the upgrade was refused");
  const page: Page = { socket, received: [], closed: null };
  socket.addEventListener(
    "message",
    ({ data }) => void page.received.push(data === "pong" ? data : JSON.parse(String(data))),
  );
  socket.addEventListener("close", ({ code }) => void (page.closed = { code }));
  socket.accept();
  pages.push(page);
  return page;
}

async function eventually(check: () => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return check();
    } catch (error) {
      if (tries === 200) throw error;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

/** Waits for the answer to a ping, which comes after everything that was in progress. */
async function awaitDelivery(page: Page): Promise<void> {
  page.socket.send("ping");
  await eventually(() => expect(page.received).toContain("pong"));
}

const hubOf = (userId: string) => env.USER_HUB.getByName(userId);
const event: LiveEvent = { type: "payment", orderId: "order" };

test("the channel opens for our own pages and a living session only", async () => {
  const { id } = await makeAccount();
  const cookie = await sessionCookie(id);
  expect((await connect({ Cookie: cookie })).status).toBe(403);
  expect((await connect({ Cookie: cookie, Origin: "https://evil.example" })).status).toBe(403);
  expect((await connect({ Origin: ORIGIN })).status).toBe(401);
  expect((await connect({ Origin: ORIGIN, Cookie: await sessionCookie(id, 7) })).status).toBe(401);
  expect((await env.APP.fetch(`${ORIGIN}/live`, { headers: { Origin: ORIGIN, Cookie: cookie } })).status).toBe(426);
  expect((await connect({ Origin: ORIGIN, Cookie: cookie, "X-Live-User": crypto.randomUUID() })).status).toBe(101);
});

test("an event reaches every open page of its user, and nobody else's", async () => {
  const [ada, ben] = await Promise.all([makeAccount(), makeAccount()]);
  const [one, two, other] = await Promise.all([openPage(ada.id), openPage(ada.id), openPage(ben.id)]);
  await hubOf(ada.id).notify(event);
  await eventually(() => expect([one.received, two.received]).toEqual([[{ v: 1, ...event }], [{ v: 1, ...event }]]));
  await awaitDelivery(other);
  expect(other.received).toEqual(["pong"]);
});

test("sockets outlive the hub's memory: after an eviction they hear on, heartbeats are answered, and the oldest is still known", async () => {
  const { id } = await makeAccount();
  const first = await openPage(id);
  await new Promise((done) => setTimeout(done, 3));
  const later = await Promise.all(Array.from({ length: 9 }, () => openPage(id)));
  await evictDurableObject(hubOf(id));
  first.socket.send("ping");
  await eventually(() => expect(first.received).toEqual(["pong"]));
  // The heartbeat was answered without waking the hub.
  await expect(evictDurableObject(hubOf(id))).rejects.toThrow("not currently running");
  await hubOf(id).notify(event);
  await eventually(() => expect([first, ...later].every(({ received }) => received.length > 0)).toBe(true));
  await evictDurableObject(hubOf(id));
  const newest = await openPage(id);
  await eventually(() => expect(first.closed).toEqual({ code: 4002 }));
  expect([...later, newest].filter(({ closed }) => closed)).toEqual([]);
});

test("a hub whose database fails keeps no socket", async () => {
  const { id } = await makeAccount();
  const DB = databaseThrough(env.DB, () => Promise.reject(new Error("D1_ERROR: the network is gone")));
  const headers = { Upgrade: "websocket", [USER_HEADER]: id, [EPOCH_HEADER]: "1" };
  await runInDurableObject(hubOf(id), async (_hub, state) => {
    const hub = new UserHub(state, { ...env, DB });
    await expect(hub.fetch(new Request(ORIGIN, { headers }))).rejects.toThrow("the network is gone");
    expect(state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)).toEqual([]);
  });
});

test("the end of all sessions closes every page's channel, also after an eviction", async () => {
  const { id } = await makeAccount();
  const open = await Promise.all([openPage(id), openPage(id)]);
  await evictDurableObject(hubOf(id));
  await servicesAt().notifier.endSessions(id);
  await eventually(() => expect(open.map(({ closed }) => closed?.code)).toEqual([4001, 4001]));
});

test("a page whose session ends while it opens the channel gets none, although the hub heard of the end before the page", async () => {
  const { id } = await makeAccount();
  const admitted = { Upgrade: "websocket", [USER_HEADER]: id, [EPOCH_HEADER]: "1" };
  await env.DB.prepare("UPDATE credentials SET session_epoch = 2 WHERE id = ?").bind(id).run();
  await servicesAt().notifier.endSessions(id);
  const late = await hubOf(id).fetch("https://hub/", { headers: admitted });
  expect([late.status, late.webSocket]).toEqual([401, null]);
  const next = listen(
    (await hubOf(id).fetch("https://hub/", { headers: { ...admitted, [EPOCH_HEADER]: "2" } })).webSocket,
  );
  await awaitDelivery(next);
  expect(next.closed).toBeNull();
});

test("a message reaches both sides' pages, and moves what its reader has unread", async () => {
  const [buyer, seller] = await Promise.all([
    makeAccount({ name: "Wanjiku Kamau" }),
    makeAccount({ name: "Brian Otieno" }),
  ]);
  const [buyersPage, sellersPage] = await Promise.all([openPage(buyer.id), openPage(seller.id)]);
  const productId = await makeProduct(seller.id);
  const sent = await sendMessage(servicesAt(), {
    senderId: buyer.id,
    about: { kind: "product", id: productId },
    text: "Is it there?",
    key: "a-key-of-the-page",
  });
  await settleDeferred();
  if (!sent.ok) throw new Error(sent.code);
  await eventually(() =>
    expect(sellersPage.received).toEqual([{ v: 1, type: "message", message: sent.message, unread: 1 }]),
  );
  await eventually(() => expect(buyersPage.received).toEqual([{ v: 1, type: "message", message: sent.message }]));
});

test("typing shows to whom one writes with, and to nobody else; not more often than it must, and not across a block", async () => {
  const [ada, ben, carl] = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
  await sendMessage(servicesAt(), {
    senderId: ada.id,
    about: { kind: "product", id: await makeProduct(ben.id) },
    text: "Hi",
    key: crypto.randomUUID(),
  });
  await settleDeferred();
  const [writer, reader, stranger] = await Promise.all([openPage(ada.id), openPage(ben.id), openPage(carl.id)]);
  const type = (page: Page, to: string) => page.socket.send(JSON.stringify({ v: 1, type: "typing", to }));
  type(stranger, ben.id);
  type(writer, carl.id);
  for (let n = 0; n < 5; n += 1) type(writer, ben.id);
  await eventually(() => expect(reader.received).toEqual([{ v: 1, type: "typing", by: ada.id }]));
  await awaitDelivery(stranger);
  expect(stranger.received).toEqual(["pong"]);

  await blockUser(servicesAt(), { userId: ben.id, blockedId: ada.id });
  const another = await openPage(ada.id);
  type(another, ben.id);
  await awaitDelivery(another);
  await awaitDelivery(reader);
  expect(reader.received).toEqual([{ v: 1, type: "typing", by: ada.id }, "pong"]);
});

test("what the hub keeps of a page ends with its time: the least pause, how much it sends, and whether two may message", async () => {
  const [ada, ben] = await Promise.all([makeAccount(), makeAccount()]);
  await sendMessage(servicesAt(), {
    senderId: ada.id,
    about: { kind: "product", id: await makeProduct(ben.id) },
    text: "Hi",
    key: crypto.randomUUID(),
  });
  await settleDeferred();
  const [writer, reader] = await Promise.all([openPage(ada.id), openPage(ben.id)]);
  const typing = { v: 1, type: "typing", by: ada.id };
  const start = Date.now();
  /** Types on the same page so many seconds after the first time. Returns how often the reader has seen it. */
  const typeAt = async (seconds: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: start + seconds * 1000 });
    writer.socket.send(JSON.stringify({ v: 1, type: "typing", to: ben.id }));
    // Each is answered after what came before it.
    for (const page of [writer, reader]) {
      page.received = page.received.filter((received) => received !== "pong");
      await awaitDelivery(page);
    }
    return reader.received.filter((received) => received !== "pong").length;
  };
  try {
    expect(await typeAt(0)).toBe(1);
    expect(await typeAt(1)).toBe(1);
    expect(await typeAt(3)).toBe(2);
    await blockUser(servicesAt(), { userId: ben.id, blockedId: ada.id });
    expect(await typeAt(61)).toBe(2);
    await unblockUser(servicesAt(), { userId: ben.id, blockedId: ada.id });
    expect(await typeAt(122)).toBe(3);
    for (let n = 0; n < 39; n += 1) writer.socket.send("{}");
    expect(await typeAt(133)).toBe(4);
  } finally {
    vi.useRealTimers();
  }
  expect([reader.received.filter((received) => received !== "pong"), writer.closed]).toEqual([
    [typing, typing, typing, typing],
    null,
  ]);
});

test("what a page sends while the hub asks whether two may message counts, too", async () => {
  const [ada, ben] = await Promise.all([makeAccount(), makeAccount()]);
  await sendMessage(servicesAt(), {
    senderId: ada.id,
    about: { kind: "product", id: await makeProduct(ben.id) },
    text: "Hi",
    key: crypto.randomUUID(),
  });
  await settleDeferred();
  const [writer, reader] = await Promise.all([openPage(ada.id), openPage(ben.id)]);
  writer.socket.send(JSON.stringify({ v: 1, type: "typing", to: ben.id }));
  for (let n = 0; n < 39; n += 1) writer.socket.send("{}");
  await eventually(() => expect(reader.received).toEqual([{ v: 1, type: "typing", by: ada.id }]));
  expect(writer.closed).toBeNull();
  writer.socket.send("{}");
  await eventually(() => expect(writer.closed).toEqual({ code: 1008 }));
});

test("whatever a page sends, only its own socket suffers", async () => {
  const [ada, ben] = await Promise.all([makeAccount(), makeAccount()]);
  const [bystander, other] = await Promise.all([openPage(ada.id), openPage(ben.id)]);
  const nonsense: (string | ArrayBuffer)[] = [
    "",
    "{",
    "null",
    "[]",
    '"ping"',
    "PING",
    "pong",
    "\u0000",
    '{"v":1,"type":"message"}',
    '{"v":2,"type":"typing","to":"x"}',
    '{"v":1,"type":"typing"}',
    '{"v":1,"type":"typing","to":["x"]}',
    `{"v":1,"type":"typing","to":"${"x".repeat(100)}"}`,
    '{"v":1,"type":"typing","to":"__proto__"}',
    '{"__proto__":{"v":1},"type":"typing","to":"x"}',
    "[".repeat(400),
  ];
  const harmless = await openPage(ada.id);
  for (const text of nonsense) harmless.socket.send(text);
  await awaitDelivery(harmless);
  expect(harmless.closed).toBeNull();

  const [binary, huge, flood] = [await openPage(ada.id), await openPage(ada.id), await openPage(ada.id)];
  binary.socket.send(new Uint8Array([0, 255, 1]).buffer);
  huge.socket.send("x".repeat(500_000));
  for (let n = 0; n < 300; n += 1) flood.socket.send(`{"v":1,"type":"typing","to":"${ben.id}"}`);
  await eventually(() => expect([binary, huge, flood].map(({ closed }) => closed?.code)).toEqual([1003, 1009, 1008]));

  await hubOf(ada.id).notify(event);
  await hubOf(ben.id).notify(event);
  await eventually(() =>
    expect([bystander.received, other.received]).toEqual([[{ v: 1, ...event }], [{ v: 1, ...event }]]),
  );
});
