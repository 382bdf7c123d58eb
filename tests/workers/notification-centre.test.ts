/** The notification centre: what it lists, what counts as read, and that each event tells once by each way. */
import { env } from "cloudflare:workers";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { addToWishlist, moveToWishlist, removeFromWishlist } from "#app/basket/wishlist.server.ts";
import { write } from "#app/db/batch.ts";
import { build, oneRow } from "#app/db/build.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { deleteOldTold, listTold, markAllRead, openTold } from "#app/notifications/centre.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { SEEN_WAIT_MS } from "#app/notifications/delivery-rules.ts";
import type { Mailer } from "#app/notifications/mailer.ts";
import { notify, notifyEach, tell } from "#app/notifications/notify.server.ts";
import { openParty, type Party } from "#app/notifications/recipient-rules.ts";
import { markSeen } from "#app/notifications/seen.server.ts";
import { findCentrePage } from "#app/screens/notifications/centre.server.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { db, makeProduct, makeUser, putInCart, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";

const NOW = Date.UTC(2026, 4, 3, 9);
let reader: Party;

beforeEach(async () => {
  await db.delete(notifications);
  await db.delete(outbox);
  reader = await party(await makeUser());
});

async function party(id: string): Promise<Party> {
  const [row] = await db.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, id));
  return openParty({ id, email: row?.email ?? "", name: "Wanjiku Otieno" });
}

function storeAt(now: number) {
  return { ...servicesAt(), now: () => now, pause: async () => {} };
}

/** Tells the reader of a step of their order's item `itemId`. */
function shipped(itemId: string, now = NOW, to = reader) {
  const data = {
    role: "buyer",
    step: "shipped",
    productName: "Kettle",
    price: 500,
    orderId: "o1",
    orderItemId: itemId,
    amount: null,
    note: null,
    until: null,
  } as const;
  return notify(to, { kind: "deal_step", data }, `deal:${itemId}:shipped:buyer`, now);
}

function paid(orderId: string, now = NOW, to = reader) {
  const data = { orderId, amount: 500, receipt: null };
  return notify(to, { kind: "payment_received", data }, `payment_received:${orderId}`, now);
}

/** The keys of the emails that leave when the job runs at `now`. */
async function sentAt(now: number, meanwhile?: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const mailer: Mailer = {
    async send(_mail, key) {
      await meanwhile?.();
      sent.push(key);
    },
  };
  await drainOutbox(storeAt(now), { mailer, push: null });
  return sent.toSorted();
}

async function told(userId = reader.id) {
  const rows = await db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(asc(notifications.id));
  return rows.map(({ key, readAt, count }) => ({ key, isRead: readAt !== null, count }));
}

test("an entry says the sum that its reader paid or gets, and no other", async () => {
  await write(db, [...paid("order-1"), ...shipped("item-1")]);
  const step = { productName: "Kettle", price: 1_500, orderId: "o1", orderItemId: "item-2", amount: 500, note: null };
  await write(db, [
    ...notify(
      reader,
      { kind: "deal_outcome", data: { role: "seller", step: "team_split", until: null, ...step } },
      "split",
      NOW,
    ),
    ...notify(
      reader,
      { kind: "payment_received", data: { orderId: "order-2", amount: 0, receipt: null } },
      "free",
      NOW,
    ),
  ]);
  const { entries } = await findCentrePage(db, reader.id, null);
  expect(entries.map(({ amount }) => amount).filter(Boolean)).toEqual(["KES 500"]);
  expect(entries).toHaveLength(4);
});

describe("each event tells once", () => {
  test("however often, and at once, its cause is repeated", async () => {
    await Promise.all([1, 2, 3].map(() => write(db, paid("o1"))));
    await write(db, paid("o1", NOW + 5_000));
    expect(await told()).toEqual([{ key: "payment_received:o1", isRead: false, count: 1 }]);
    const sent = await Promise.all([sentAt(NOW + 5_000), sentAt(NOW + 5_000)]);
    expect(sent.flat()).toEqual(["payment_received:o1"]);
    expect(await sentAt(NOW + 10 * SEEN_WAIT_MS)).toEqual([]);
  });

  test("where the job stops while it sends: another run sends it after the lease, and no third one", async () => {
    await write(db, paid("o1"));
    const stops = drainOutbox(storeAt(NOW), {
      mailer: { send: () => new Promise<void>(() => {}) },
      push: null,
    });
    await expect.poll(async () => (await db.select({ attempts: outbox.attempts }).from(outbox))[0]?.attempts).toBe(1);
    expect(await sentAt(NOW + 1_000)).toEqual([]);
    expect(await sentAt(NOW + 61_000)).toEqual(["payment_received:o1"]);
    expect(await sentAt(NOW + 200_000)).toEqual([]);
    void stops;
  });

  test("to many readers of one statement, with their own names and addresses, and to no closed account", async () => {
    const [one, two, gone, away] = await Promise.all([1, 2, 3, 4].map(() => makeUser()));
    await db
      .update(profiles)
      .set({ deletedAt: NOW })
      .where(eq(profiles.id, gone ?? ""));
    await db
      .update(credentials)
      .set({ suspendedAt: NOW })
      .where(eq(credentials.id, away ?? ""));
    const rows = build
      .select({
        userId: sql`${credentials.id}`.as("userId"),
        key: sql`'plan_ended:p1:' || ${credentials.id}`.as("key"),
        data: sql`'{"plan":"Weekly","planId":"weekly"}'`.as("data"),
        thing: sql`'plan:weekly'`.as("thing"),
      })
      .from(credentials);
    const batch = () => write(db, notifyEach("plan_ended", rows.getSQL(), NOW));
    await Promise.all([batch(), batch()]);
    for (const id of [one ?? "", two ?? ""]) {
      expect(await told(id)).toEqual([{ key: `plan_ended:p1:${id}`, isRead: false, count: 1 }]);
      const [mail] = await db
        .select()
        .from(outbox)
        .where(eq(outbox.dedupeKey, `plan_ended:p1:${id}`));
      expect(JSON.parse(mail?.payload ?? "{}")).toMatchObject({
        to: (await party(id)).email,
        template: "plan_ended",
        reader: id,
        data: { plan: "Weekly", name: expect.any(String) },
      });
    }
    expect([await told(gone), await told(away)]).toEqual([[], []]);
    const sent = await sentAt(NOW + SEEN_WAIT_MS);
    expect(sent).toContain(`plan_ended:p1:${one}`);
    expect(sent.filter((key) => key.endsWith(gone ?? "-") || key.endsWith(away ?? "-"))).toEqual([]);
  });

  test("of an empty list nobody", async () => {
    const none = oneRow({ userId: sql`'nobody'`, key: sql`'k'`, data: sql`'{}'` });
    await write(db, notifyEach("import_held", none.getSQL(), NOW));
    expect(await db.$count(outbox)).toBe(0);
  });
});

describe("an email that need not leave where it was seen", () => {
  test.each<[string, () => Promise<unknown>, string[]]>([
    ["isn't sent to somebody who opened it in the centre", openFirst, []],
    ["isn't sent to somebody who saw the thing", () => write(db, [markSeen(reader.id, ["item:i1"], NOW)]), []],
    ["isn't sent after Mark all as read", () => markAllRead(storeAt(NOW), reader.id, Number.MAX_SAFE_INTEGER), []],
    [
      "is sent where somebody saw another thing",
      () => write(db, [markSeen(reader.id, ["item:i2"], NOW)]),
      ["deal:i1:shipped:buyer"],
    ],
    [
      "is sent where somebody else saw the thing",
      () => write(db, [markSeen("somebody", ["item:i1"], NOW)]),
      ["deal:i1:shipped:buyer"],
    ],
    ["isn't sent to an account that was closed meanwhile", suspend, []],
  ])("%s", async (_what, meanwhile, sent) => {
    await write(db, shipped("i1"));
    await meanwhile();
    expect(await sentAt(NOW + SEEN_WAIT_MS - 1)).toEqual([]);
    expect(await sentAt(NOW + SEEN_WAIT_MS)).toEqual(sent);
    expect(await sentAt(NOW + 9 * SEEN_WAIT_MS)).toEqual([]);
  });

  test("of two about one thing only the newest is sent, and of two things both", async () => {
    await write(db, shipped("i1"));
    await write(db, shipped("i2"));
    const data = {
      role: "buyer",
      productName: "Kettle",
      point: null,
      startsAt: NOW,
      orderId: "o1",
      orderItemId: "i1",
    } as const;
    await write(
      db,
      notify(reader, { kind: "meeting_step", data: { ...data, step: "accepted" } }, "meeting:i1", NOW + 1),
    );
    expect(await sentAt(NOW + 1 + SEEN_WAIT_MS)).toEqual(["deal:i2:shipped:buyer", "meeting:i1"]);
  });

  test("a receipt is always sent", async () => {
    await write(db, paid("o1"));
    await openFirst();
    expect(await sentAt(NOW)).toEqual(["payment_received:o1"]);
  });

  async function openFirst() {
    const [row] = await db
      .select({ id: notifications.id })
      .from(notifications)
      .where(eq(notifications.userId, reader.id));
    return openTold(storeAt(NOW), reader.id, row?.id ?? 0);
  }

  async function suspend() {
    await db.update(credentials).set({ suspendedAt: NOW }).where(eq(credentials.id, reader.id));
  }
});

describe("the centre", () => {
  test("lists a page at a time, newest first, each once", async () => {
    for (let n = 0; n < 65; n += 1) await write(db, paid(`o${n}`, NOW + n));
    const first = await listTold(db, reader.id, null);
    await write(db, paid("newer", NOW + 100));
    const second = await listTold(db, reader.id, first.next);
    const third = await listTold(db, reader.id, second.next);
    const orders = [first, second, third].flatMap(({ rows }) =>
      rows.map(({ data }) => ("orderId" in data ? data.orderId : "")),
    );
    expect(orders).toEqual(Array.from({ length: 65 }, (_, n) => `o${64 - n}`));
    expect(third.next).toBeNull();
  });

  test("its first page reads one page of rows, however many there are", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO notifications (user_id, kind, data, thing, key, created_at)
        SELECT ?1, 'import_held', '{}', NULL, 'many:' || i, ?2 FROM n`,
    )
      .bind(reader.id, NOW)
      .run();
    const { meter, db: metered } = meteredServices();
    await listTold(metered, reader.id, null);
    expect(meter).toMatchObject({ trips: 1 });
    expect(meter.rowsRead).toBeLessThan(80);
  });

  test("shows a notification, leads to its place and counts it as read, without scripts", async () => {
    await write(db, paid("o1", Date.now()));
    const [row] = await db.select({ id: notifications.id }).from(notifications);
    const page = await (await visit("/notifications", { as: reader.id })).text();
    expect(page).toContain("Payment received");
    expect(page).toContain("Notifications, 1 new");
    const opened = await visit(`/notifications/${row?.id}`, { as: reader.id });
    expect(opened.headers.get("Location")).toBe("/orders/o1");
    expect(await told()).toMatchObject([{ isRead: true }]);
    expect(await (await visit("/notifications", { as: reader.id })).text()).not.toContain("1 new");
  });

  test("opening one counts as reading all about the same thing, and nothing else", async () => {
    await write(db, shipped("i1"));
    await write(db, [...shipped("i2"), ...paid("o1")]);
    const data = { role: "buyer", productName: "Kettle", orderItemId: "i1", until: NOW } as const;
    await write(db, notify(reader, { kind: "review_written", data }, "review:i1", NOW));
    const page = await listTold(db, reader.id, null);
    await openTold(storeAt(NOW), reader.id, page.rows[0]?.id ?? 0);
    expect(await told()).toMatchObject([
      { key: "deal:i1:shipped:buyer", isRead: true },
      { key: "deal:i2:shipped:buyer", isRead: false },
      { key: "payment_received:o1", isRead: false },
      { key: "review:i1", isRead: true },
    ]);
  });

  test("a notification writes four rows, and reading and deleting it one each, beside the mark of each write", async () => {
    const { meter, db: metered } = meteredServices();
    await write(metered, shipped("i1").slice(0, 1));
    expect(meter.rowsWritten).toBe(5);
    await write(metered, [markSeen(reader.id, ["item:i1"], NOW)]);
    expect(meter.rowsWritten).toBe(7);
    await deleteOldTold({ db: metered, now: () => NOW + 2 * RETENTION.notifications.keptMs });
    expect(meter.rowsWritten).toBe(9);
  });

  test("opens nobody else's notification, and stays where there is none", async () => {
    await write(db, paid("o1"));
    const [row] = await db.select({ id: notifications.id }).from(notifications);
    const other = await makeUser();
    for (const id of [String(row?.id), "0", "999999999", "x", "1e1"]) {
      const opened = await visit(`/notifications/${id}`, { as: other });
      expect(opened.headers.get("Location")).toBe("/notifications");
    }
    expect(await told()).toMatchObject([{ isRead: false }]);
  });

  test("Mark all as read leaves what came after the page, and other people's", async () => {
    const other = await party(await makeUser());
    await write(db, paid("o1"));
    await write(db, paid("o2", NOW, other));
    const page = await listTold(db, reader.id, null);
    await write(db, paid("o3"));
    await markAllRead(storeAt(NOW), reader.id, page.rows[0]?.id ?? 0);
    expect((await told()).map(({ isRead }) => isRead)).toEqual([true, false]);
    expect(await told(other.id)).toMatchObject([{ isRead: false }]);
  });

  test("keeps 90 days", async () => {
    await write(db, paid("old", NOW - RETENTION.notifications.keptMs - 1));
    await write(db, paid("young", NOW - RETENTION.notifications.keptMs + 1));
    expect(await deleteOldTold(storeAt(NOW))).toBe(1);
    expect(await told()).toMatchObject([{ key: "payment_received:young" }]);
    expect(await deleteOldTold(storeAt(NOW + 2 * RETENTION.notifications.keptMs))).toBe(1);
    expect(await deleteOldTold(storeAt(NOW + 2 * RETENTION.notifications.keptMs))).toBe(0);
  });
});

describe("people who save a listing", () => {
  let sellerId: string;
  let productId: string;

  beforeEach(async () => {
    sellerId = await makeUser();
    productId = await makeProduct(sellerId);
  });

  async function counts() {
    return (await told(sellerId)).map(({ count, isRead }) => ({ count, isRead }));
  }

  async function saver() {
    const userId = await makeUser();
    return { userId, productId };
  }

  test("are counted, a day and listing, and the row is new again with each", async () => {
    const [one, two, three] = await Promise.all([saver(), saver(), saver()]);
    await addToWishlist(storeAt(NOW), one);
    expect(await counts()).toEqual([{ count: 1, isRead: false }]);
    await write(db, [markSeen(sellerId, [`product:${productId}`], NOW)]);
    await addToWishlist(storeAt(NOW), two);
    expect(await counts()).toEqual([{ count: 2, isRead: false }]);
    await addToWishlist(storeAt(NOW + 24 * 60 * 60_000), three);
    expect(await counts()).toEqual([
      { count: 2, isRead: false },
      { count: 1, isRead: false },
    ]);
    const page = await (await visit("/notifications", { as: sellerId })).text();
    expect(page).toContain("2 people saved");
    expect(page).toContain("1 person saved");
    for (const { userId } of [one, two, three]) expect(page).not.toContain(userId);
  });

  test("don't count twice who toggle the heart, and leave it read", async () => {
    const wish = await saver();
    await addToWishlist(storeAt(NOW), wish);
    await write(db, [markSeen(sellerId, [`product:${productId}`], NOW)]);
    for (let n = 1; n < 4; n += 1) {
      await removeFromWishlist(storeAt(NOW + n), wish);
      await addToWishlist(storeAt(NOW + n), wish);
    }
    expect(await counts()).toEqual([{ count: 1, isRead: true }]);
  });

  test("count at once, and when they move it from the cart", async () => {
    const wishes = await Promise.all([1, 2, 3, 4].map(() => saver()));
    const [moving, ...adding] = wishes;
    await putInCart(moving?.userId ?? "", productId);
    await Promise.all([
      ...adding.map((wish) => addToWishlist(storeAt(NOW), wish)),
      moveToWishlist(storeAt(NOW), moving ?? { userId: "", productId }),
    ]);
    expect(await counts()).toEqual([{ count: 4, isRead: false }]);
  });

  test("aren't the seller, and none of an unknown listing", async () => {
    await addToWishlist(storeAt(NOW), { userId: sellerId, productId });
    await addToWishlist(storeAt(NOW), { userId: reader.id, productId: "nothing" });
    expect(await counts()).toEqual([]);
  });

  test("bring no email", async () => {
    await addToWishlist(storeAt(NOW), await saver());
    expect(await db.$count(outbox)).toBe(0);
  });
});

test.each<[string, string | null]>([
  ["deleted_at = 1", null],
  ["suspended_at = 1", null],
  ["status = 'sold'", "/product/"],
])("a notification of a listing that is gone (%s) leads to what is left of it", async (change, place) => {
  const productId = await makeProduct(await makeUser(), { name: "Kettle" });
  const listing = { productId, productName: "Kettle", price: 5, priceBefore: 9 };
  const data = { count: 1, listings: [listing] };
  await write(db, tell(reader, { kind: "wish_cheaper", data }, "cheaper", NOW));
  await env.DB.prepare(`UPDATE products SET ${change} WHERE id = ?`).bind(productId).run();
  const [row] = await db.select().from(notifications).where(eq(notifications.userId, reader.id));
  const opened = await visit(`/notifications/${row?.id}`, { as: reader.id });
  expect(opened.headers.get("Location")).toBe(place === null ? "/wishlist" : `${place}${productId}`);
});
