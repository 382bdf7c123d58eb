/** Notifications on devices: who subscribes, who is told of what, and what ends it. */
import { env } from "cloudflare:workers";
import { and, eq, isNull, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { endSession, endSessions } from "#app/accounts/login/sign-in.server.ts";
import { blocks, credentials } from "#app/accounts/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { pushSubscriptions } from "#app/notifications/tables.server.ts";
import type { PushMessage } from "#app/notifications/push/push.ts";
import { MAX_DEVICES } from "#app/notifications/push/push-rules.ts";
import {
  listDevices,
  type PushSession,
  removeDevice,
  renewSubscription,
  saveSubscription,
  sweepSubscriptions,
} from "#app/notifications/push/push-subscriptions.server.ts";
import { NOTICE_WAIT_MS } from "#app/messaging/notices/message-notice-rules.ts";
import { sendDueNotices } from "#app/messaging/notices/message-notices.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { markRead } from "#app/messaging/conversations/messages.server.ts";
import { write } from "#app/db/batch.ts";
import { saveNotificationSettings } from "#app/notifications/settings.server.ts";
import { QUIET_AT_FIRST } from "#app/notifications/settings-rules.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { makeAccount, ORIGIN, PASSWORD, sessionCookie } from "#tests/support/accounts.ts";
import { mailTo } from "#tests/support/sign-up.ts";
import { visit } from "#tests/support/visit.ts";
import { db, makeProduct, makeUser, servicesAt, settleDeferred } from "#tests/support/fixtures.ts";

const sandbox = () => env.SANDBOX_OBJECT.getByName("sandbox");
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

const MESSAGE: PushMessage = {
  title: "Amina answered you",
  body: "Electric kettle",
  path: "/profile?tab=messages",
  answerPath: null,
  tag: "messages:1",
};

function newSession(userId: string, change: Partial<PushSession> = {}): PushSession {
  return { id: crypto.randomUUID(), userId, epoch: 1, endsAt: Date.now() + DAY_MS, ...change };
}

function subscribeBrowser() {
  return sandbox().subscribe(servicesAt().push!.publicKey);
}

async function subscribed(session: PushSession) {
  const browser = await subscribeBrowser();
  await saveSubscription(servicesAt(), session, browser, "Chrome on Android");
  // The tests run at any hour.
  await saveNotificationSettings(servicesAt(), session.userId, { changes: {}, quiet: null });
  return browser;
}

function devicesOf(session: PushSession) {
  return listDevices(servicesAt(), session.userId);
}

test("a browser reads what we send it, and nobody else's", async () => {
  const [browser, other] = [await subscribeBrowser(), await subscribeBrowser()];
  expect(await servicesAt().push!.send(browser, MESSAGE)).toBe("sent");
  const got = (await sandbox().pushes()).filter((push) => [browser.id, other.id].includes(push.browser));
  expect(got).toEqual([expect.objectContaining({ ...MESSAGE, browser: browser.id })]);
});

test("a browser that took its leave is gone, and so is one with keys that nobody can have", async () => {
  const { push } = servicesAt();
  const browser = await subscribeBrowser();
  await sandbox().unsubscribe(browser.id);
  expect(await push!.send(browser, MESSAGE)).toBe("gone");
  expect(await push!.send({ ...(await subscribeBrowser()), p256dh: `B${"A".repeat(86)}` }, MESSAGE)).toBe("gone");
  expect(await push!.send({ ...browser, endpoint: "https://attacker.example/push" }, MESSAGE)).toBe("gone");
});

test("a push service that is busy, or refuses another sender's browser, is an error to try again", async () => {
  const { push } = servicesAt();
  await sandbox().changeSettings({ pushBusy: 1 });
  const browser = await subscribeBrowser();
  await expect(push!.send(browser, MESSAGE)).rejects.toThrow("429");
  expect(await push!.send(browser, MESSAGE)).toBe("sent");
  const foreign = await sandbox().subscribe(
    "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs",
  );
  await expect(push!.send(foreign, MESSAGE)).rejects.toThrow("403");
});

test("a browser belongs to whoever turned notifications on there last", async () => {
  const [amina, brian] = [newSession(await makeUser()), newSession(await makeUser())];
  const browser = await subscribed(amina);
  expect(await devicesOf(amina)).toMatchObject([{ name: "Chrome on Android", endpoint: browser.endpoint }]);
  await saveSubscription(servicesAt(), brian, browser, "Chrome on Android");
  expect(await devicesOf(amina)).toEqual([]);
  expect(await devicesOf(brian)).toHaveLength(1);
  // Opening the app is no turning on.
  await renewSubscription(servicesAt(), amina, browser.endpoint);
  expect(await devicesOf(amina)).toEqual([]);
});

test("logging out ends what was turned on in that session, and in no other", async () => {
  const userId = await makeUser();
  const [phone, laptop] = [newSession(userId), newSession(userId)];
  await subscribed(phone);
  const { endpoint } = await subscribed(laptop);
  await endSession(servicesAt(), phone);
  expect(await devicesOf(laptop)).toMatchObject([{ endpoint }]);
  await endSessions(servicesAt(), userId);
  expect(await devicesOf(laptop)).toEqual([]);
  expect(await sweepSubscriptions(servicesAt())).toBe(0);
  expect(await sweepSubscriptions(servicesAt(2 * DAY_MS))).toBeGreaterThan(0);
  expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, userId))).toBe(0);
});

test("a confirmation gives a browser a new session, and logging out of it ends its notifications, too", async () => {
  const { id: userId } = await makeAccount();
  const sessionIn = async (cookie: string) => {
    const carrying = new Request(ORIGIN, { headers: { Cookie: cookie } });
    return (await servicesAt().sessions.read(carrying))?.identity.id ?? "";
  };
  const before = await sessionCookie(userId);
  const { endpoint } = await subscribed(newSession(userId, { id: await sessionIn(before) }));
  const confirmed = await visit("/auth/confirm?to=/settings/two-step", {
    form: { "confirm-sent": "yes", "confirm-password": PASSWORD },
    headers: { Cookie: before },
  });
  const [session = ""] = confirmed.headers.getSetCookie().filter((cookie) => cookie.startsWith("session="));
  const after = session.split(";")[0] ?? "";
  expect(await sessionIn(after)).not.toBe(await sessionIn(before));
  expect(await devicesOf(newSession(userId))).toMatchObject([{ endpoint }]);
  await visit("/logout", { form: {}, headers: { Cookie: after } });
  expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, userId))).toBe(0);
});

test("a session that ran out is told nothing, until its person opens the app with a new one", async () => {
  const userId = await makeUser();
  const session = newSession(userId, { endsAt: Date.now() - 1 });
  const browser = await subscribed(session);
  expect(await devicesOf(session)).toEqual([]);
  await db.update(credentials).set({ sessionEpoch: 2 }).where(eq(credentials.id, userId));
  const next = newSession(userId, { epoch: 2 });
  await renewSubscription(servicesAt(), next, browser.endpoint);
  expect(await devicesOf(next)).toMatchObject([{ endpoint: browser.endpoint }]);
  await db.update(credentials).set({ suspendedAt: 1 }).where(eq(credentials.id, userId));
  expect(await devicesOf(next)).toEqual([]);
});

test("a person removes their own devices only, and keeps the latest few", async () => {
  const [amina, brian] = [newSession(await makeUser()), newSession(await makeUser())];
  await subscribed(amina);
  const [device] = await devicesOf(amina);
  await removeDevice(servicesAt(), brian.userId, device!.id);
  expect(await devicesOf(amina)).toHaveLength(1);
  await removeDevice(servicesAt(), amina.userId, device!.id);
  expect(await devicesOf(amina)).toEqual([]);
  for (let n = 0; n <= MAX_DEVICES; n += 1)
    await saveSubscription(servicesAt(n), { ...amina, id: `s${n}` }, await subscribeBrowser(), `Phone ${n}`);
  const names = (await devicesOf(amina)).map(({ name }) => name);
  expect(names).toHaveLength(MAX_DEVICES);
  expect(names).not.toContain("Phone 0");
});

test("deleting an account leaves no subscription", async () => {
  const session = newSession(await makeUser());
  await subscribed(session);
  expect(await deleteAccount(servicesAt(), session.userId)).toMatchObject({ ok: true });
  expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, session.userId))).toBe(0);
});

async function drain(offsetMs = 0): Promise<void> {
  servicesAt(offsetMs).drainOutbox();
  await settleDeferred();
}

async function shownBy({ id }: { id: string }) {
  return (await sandbox().pushes()).filter(({ browser }) => browser === id).toReversed();
}

/** Tells somebody that their listing was sold, as its cause would. */
async function tellSale(userId: string, key: string): Promise<void> {
  const reader = { id: userId, email: `${userId}@campus.test`, name: "Amina", isClosed: false, isDeleted: false };
  const data = {
    orderItemId: "11111111-1111-4111-8111-111111111111",
    productName: "Kettle 1500/= call 0712 345 678",
    quantity: 1,
    subtotal: 1_500,
    taken: true,
    hasMeeting: false,
  };
  await write(db, notify(reader, { kind: "new_sale", data }, key, Date.now()));
}

test("a device that is used takes the place of the email about a message, and of no sale", async () => {
  const people = await Promise.all(
    ["in use", "none", "unused", "turned off", "logged out"].map(async (device) => {
      const userId = await makeUser();
      const session = newSession(userId);
      if (device !== "none") await subscribed(session);
      const own = eq(pushSubscriptions.userId, userId);
      if (device === "unused")
        await db
          .update(pushSubscriptions)
          .set({ usedAt: Date.now() - 4 * DAY_MS })
          .where(own);
      if (device === "logged out") await db.update(pushSubscriptions).set({ sessionEpoch: 7 }).where(own);
      if (device === "turned off")
        await saveNotificationSettings(servicesAt(), userId, { changes: { "messages.push": false }, quiet: null });
      const about = { kind: "product", id: await makeProduct(userId) } as const;
      const key = crypto.randomUUID();
      const text = "Is it still available?";
      expect(await sendMessage(servicesAt(), { senderId: await makeUser(), about, text, key })).toMatchObject({
        ok: true,
      });
      await tellSale(userId, `sale:${userId}`);
      return [device, userId] as const;
    }),
  );
  await sendDueNotices(servicesAt(NOTICE_WAIT_MS));
  for (let run = 1; run <= 3; run += 1) await drain(NOTICE_WAIT_MS + MINUTE_MS);
  const subjects = await Promise.all(
    people.map(async ([device, userId]) => {
      const mails = await mailTo(`${userId}@campus.test`);
      return [device, mails.map(({ subject }) => subject.split(/[ :]/)[0]).toSorted()];
    }),
  );
  const both = subjects.find(([device]) => device === "none")?.[1];
  expect(both).toHaveLength(2);
  expect(Object.fromEntries(subjects)).toEqual({
    "in use": ["Sold"],
    none: both,
    unused: both,
    "turned off": both,
    "logged out": both,
  });
});

test("each device of a person is told once, however often the cause and the job are repeated", async () => {
  const userId = await makeUser();
  const browsers = [await subscribed(newSession(userId)), await subscribed(newSession(userId))];
  const ended = await subscribed(newSession(userId, { epoch: 7 }));
  await tellSale(userId, `sale:${userId}`);
  await tellSale(userId, `sale:${userId}`);
  await Promise.all([drain(), drain()]);
  await drain();
  for (const browser of browsers)
    expect(await shownBy(browser)).toEqual([
      expect.objectContaining({ title: "You made a sale", body: "Kettle … call …", answerPath: null }),
    ]);
  expect(await shownBy(ended)).toEqual([]);
});

test("of two devices, the one whose push service is busy is tried again, and the one that is gone is forgotten", async () => {
  const userId = await makeUser();
  const session = newSession(userId);
  const [busy, gone] = [await subscribed(session), await subscribed(newSession(userId))];
  await sandbox().unsubscribe(gone.id);
  await tellSale(userId, `sale:${userId}`);
  // All three tries of the first run, of whichever device comes first.
  await sandbox().changeSettings({ pushBusy: 6 });
  await drain();
  expect(await shownBy(busy)).toEqual([]);
  await sandbox().changeSettings({ pushBusy: 0 });
  await drain(2 * 60_000);
  expect(await shownBy(busy)).toHaveLength(1);
  expect(await devicesOf(session)).toMatchObject([{ endpoint: busy.endpoint }]);
  const left = and(like(outbox.dedupeKey, `push:sale:${userId}:%`), isNull(outbox.doneAt));
  expect(await db.$count(outbox, left)).toBe(0);
});

test("a push waits for the end of its reader's quiet hours, and one that was turned off meanwhile isn't sent", async () => {
  const sessions = [await makeUser(), await makeUser()].map((userId) =>
    newSession(userId, { endsAt: Date.now() + 5 * DAY_MS }),
  );
  const browsers = await Promise.all(sessions.map(subscribed));
  const [sleeper, other] = sessions.map(({ userId }) => userId);
  for (const { userId } of sessions)
    await saveNotificationSettings(servicesAt(), userId, { changes: {}, quiet: QUIET_AT_FIRST });
  const midnight = dayStart(dayOf(Date.now()) + 2) - Date.now();
  const morning = midnight + QUIET_AT_FIRST.until * 60_000;
  for (const { userId } of sessions) await tellSale(userId, `sale:${userId}`);
  await drain(midnight);
  await drain(morning - 60_000);
  for (const browser of browsers) expect(await shownBy(browser)).toEqual([]);
  await saveNotificationSettings(servicesAt(), other!, { changes: { "orders.push": false }, quiet: QUIET_AT_FIRST });
  await drain(morning + 60_000);
  expect(await shownBy(browsers[0]!)).toHaveLength(1);
  expect(await shownBy(browsers[1]!)).toEqual([]);
  const left = and(like(outbox.dedupeKey, `push:sale:${sleeper}:%`), isNull(outbox.doneAt));
  expect(await db.$count(outbox, left)).toBe(0);
});

test("a meeting's reminder leaves at night, and not after the meeting has begun", async () => {
  const session = newSession(await makeUser(), { endsAt: Date.now() + 5 * DAY_MS });
  const browser = await subscribed(session);
  await saveNotificationSettings(servicesAt(), session.userId, { changes: {}, quiet: QUIET_AT_FIRST });
  const midnight = dayStart(dayOf(Date.now()) + 2);
  const meeting = { role: "buyer", step: "reminder", productName: "Kettle", point: null, orderId: "o1" } as const;
  const reader = openParty({ id: session.userId, email: `${session.userId}@campus.test`, name: "Amina" });
  for (const [orderItemId, startsAt] of [
    ["i1", midnight - 1],
    ["i2", midnight + 30 * 60_000],
  ] as const) {
    const data = { ...meeting, orderItemId, startsAt };
    const key = `meeting:${session.userId}:${orderItemId}`;
    await write(db, notify(reader, { kind: "meeting_step", data }, key, Date.now()));
  }
  await drain(midnight - Date.now());
  expect(await shownBy(browser)).toEqual([expect.objectContaining({ tag: "orders:item:i2" })]);
});

test("what was queued for a device isn't sent once its person has logged out there", async () => {
  const session = newSession(await makeUser());
  const browser = await subscribed(session);
  await tellSale(session.userId, `sale:${session.userId}`);
  await endSession(servicesAt(), session);
  await drain();
  expect(await shownBy(browser)).toEqual([]);
});

test("what was queued for somebody isn't shown to whoever uses their browser now", async () => {
  const [amina, brian] = [newSession(await makeUser()), newSession(await makeUser())];
  const browser = await subscribed(amina);
  await tellSale(amina.userId, `sale:${amina.userId}`);
  await endSessions(servicesAt(), amina.userId);
  await saveSubscription(servicesAt(), brian, browser, "Chrome on Android");
  await drain();
  expect(await shownBy(browser)).toEqual([]);
});

test("the first message of a burst is pushed, without its words, and the next after it was read or after a while", async () => {
  const [readerId, writerId] = [await makeUser(), await makeUser({ name: "Brian Kamau" })];
  const browser = await subscribed(newSession(readerId));
  const send = async (text: string, offsetMs = 0) => {
    const sent = await sendMessage(servicesAt(offsetMs), {
      senderId: writerId,
      recipientId: readerId,
      about: { kind: "product", id: await productOf(readerId) },
      text,
      key: crypto.randomUUID(),
    });
    expect(sent).toMatchObject({ ok: true });
    await drain(offsetMs);
    return shownBy(browser);
  };
  const [first] = await send("My number is 0712345678");
  expect(first).toMatchObject({
    answerPath: `/profile?tab=messages&with=${writerId}#message-${writerId}`,
    tag: `messages:person:${writerId}`,
  });
  expect(`${first?.title} ${first?.body}`).toMatch(/^Brian sent you a message/);
  expect(`${first?.title} ${first?.body}`).not.toContain("0712");
  expect(await send("Are you there?")).toHaveLength(1);
  await markRead(servicesAt(), readerId, { with: writerId });
  expect(await send("Thank you")).toHaveLength(2);
  expect(await send("One more thing")).toHaveLength(2);
  expect(await send("Hello?", 6 * 60_000)).toHaveLength(3);
});

test("a message that was read before its push could leave isn't pushed", async () => {
  const [readerId, writerId] = [await makeUser(), await makeUser()];
  const browser = await subscribed(newSession(readerId));
  const about = { kind: "product", id: await productOf(readerId) } as const;
  const key = crypto.randomUUID();
  await sendMessage(servicesAt(), { senderId: writerId, recipientId: readerId, about, text: "Hello", key });
  await markRead(servicesAt(), readerId, { with: writerId });
  await drain();
  expect(await shownBy(browser)).toEqual([]);
});

test("a message isn't pushed once its sender is suspended, blocked or gone, and a deleted name leaves the queue", async () => {
  const ends: ((writerId: string, readerId: string) => Promise<unknown>)[] = [
    (id) => db.update(credentials).set({ suspendedAt: Date.now() }).where(eq(credentials.id, id)),
    (blockedId, userId) => db.insert(blocks).values({ userId, blockedId, createdAt: Date.now() }),
    (id) => deleteAccount(servicesAt(), id),
  ];
  for (const end of ends) {
    const [readerId, writerId] = [await makeUser(), await makeUser({ name: "Zainabu Otieno" })];
    const browser = await subscribed(newSession(readerId));
    const about = { kind: "product", id: await productOf(readerId) } as const;
    const key = crypto.randomUUID();
    await sendMessage(servicesAt(), { senderId: writerId, recipientId: readerId, about, text: "Hello", key });
    await end(writerId, readerId);
    await drain();
    expect(await shownBy(browser)).toEqual([]);
  }
  expect(await db.$count(outbox, and(like(outbox.payload, "%Zainabu%"), like(outbox.dedupeKey, "push:%")))).toBe(2);
});

/** What a browser sends when its person turns notifications on. */
function turnOn(userId: string, browser: { endpoint: string; p256dh: string; auth: string }, bindings = {}) {
  const { endpoint, ...keys } = browser;
  return visit("/api/push/subscriptions", {
    as: userId,
    body: JSON.stringify({ endpoint, expirationTime: null, keys }),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Firefox/145.0",
    },
    bindings,
  });
}

async function rowOf({ endpoint }: { endpoint: string }) {
  const [row] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint));
  return row;
}

test("a browser subscribes with the session that its person has, and says when the app is opened again", async () => {
  const userId = await makeUser();
  const browser = await subscribeBrowser();
  expect(await (await visit("/api/push/key")).json()).toEqual({ publicKey: servicesAt().push!.publicKey });
  expect((await turnOn(userId, browser)).status).toBe(204);
  const row = await rowOf(browser);
  expect(row).toMatchObject({ userId, deviceName: "Firefox on Android", sessionEpoch: 1 });
  expect(row!.endsAt).toBeGreaterThan(Date.now() + 11 * 60 * 60_000);
  await db.update(pushSubscriptions).set({ usedAt: 1, endsAt: 1 }).where(eq(pushSubscriptions.userId, userId));
  const { publicKey } = servicesAt().push!;
  expect(await (await renew(userId, browser)).json()).toEqual({ isKnown: true, publicKey });
  expect(await rowOf(browser)).toMatchObject({ endsAt: expect.any(Number), sessionId: row!.sessionId });
  expect((await rowOf(browser))!.endsAt).toBeGreaterThan(Date.now());
});

function renew(userId: string, { endpoint }: { endpoint: string }) {
  const body = JSON.stringify({ endpoint });
  return visit("/api/push/subscriptions/renewal", {
    as: userId,
    body,
    headers: { "Content-Type": "application/json" },
  });
}

test("a browser hears that its subscription is gone, and a new one takes the place of the one that it had", async () => {
  const userId = await makeUser();
  const session = newSession(userId);
  const forgotten = await subscribed(session);
  await sandbox().unsubscribe(forgotten.id);
  await tellSale(userId, `sale:${userId}`);
  await drain();
  expect(await (await renew(userId, forgotten)).json()).toMatchObject({ isKnown: false });
  const [first, second] = [await subscribed(session), await subscribed(session)];
  expect(await rowOf(first)).toBeUndefined();
  expect(await devicesOf(session)).toMatchObject([{ endpoint: second.endpoint }]);
});

test("no address but a push service's is taken, and without a key nobody can subscribe", async () => {
  const userId = await makeUser();
  const browser = await subscribeBrowser();
  for (const endpoint of [
    "https://attacker.example/push",
    "https://127.0.0.1/push",
    "http://push.sandbox.internal/push/1",
  ])
    expect((await turnOn(userId, { ...browser, endpoint })).status).toBe(400);
  const off = { VAPID_PRIVATE_KEY: undefined };
  expect((await turnOn(userId, browser, off)).status).toBe(404);
  expect(await (await visit("/api/push/key", { bindings: off })).json()).toEqual({ publicKey: null });
  expect(await rowOf(browser)).toBeUndefined();
});

const listed = new Map<string, string>();

/** The one listing of this seller. */
async function productOf(sellerId: string): Promise<string> {
  const productId = listed.get(sellerId) ?? (await makeProduct(sellerId));
  listed.set(sellerId, productId);
  return productId;
}
