/** Jobs: something that always fails is due first in each run, and what is behind it is done all the same. */
import { env } from "cloudflare:workers";
import { asc, eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { listingNews, offers } from "#app/catalogue/tables.server.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { DatabaseAway } from "#app/db/patience.ts";
import { outbox } from "#app/db/tables.server.ts";
import { gatheredNews } from "#app/notifications/tables.server.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import { tellGathered } from "#app/screens/notifications/tell-gathered.server.ts";
import { advancePlans } from "#app/shops/subscriptions.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { openOffer } from "#tests/support/offers.ts";
import { runListingNewsJob } from "#workers/jobs/listing-news.ts";

const DAY = 24 * 60 * 60_000;

/** Runs the job while the database refuses a change (`when`: as in a trigger). Returns its result and its failures. */
async function runWhileRefused<T>(when: string, job: (services: ReturnType<typeof servicesAt>) => Promise<T>) {
  const logged: { event: string }[] = [];
  await env.DB.prepare(`CREATE TRIGGER refuse BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'refused'); END`).run();
  try {
    const result = await job({ ...servicesAt(), log: (event) => void logged.push(event) });
    return { result, failures: logged.filter(({ event }) => event.endsWith("_failed")) };
  } finally {
    await env.DB.prepare("DROP TRIGGER refuse").run();
  }
}

test("both sides are told of an offer behind one that fails", async () => {
  const [broken, other] = [await openOffer(), await openOffer()];
  for (const [n, { offerId }] of [broken, other].entries())
    await db
      .update(offers)
      .set({ state: "ended", endReason: "sold_out", noticeDue: true, updatedAt: n + 1 })
      .where(eq(offers.id, offerId));
  const due = async () => {
    const rows = await db.select({ id: offers.id }).from(offers).where(eq(offers.noticeDue, true));
    return rows.map(({ id }) => id);
  };
  const when = `UPDATE OF notice_due ON offers WHEN NEW.id = '${broken.offerId}'`;
  const { result, failures } = await runWhileRefused(when, advanceOffers);
  expect(result).toBe(1);
  expect(failures).toMatchObject([{ event: "offer_telling_failed", level: "error", offerId: broken.offerId }]);
  expect(await due()).toEqual([broken.offerId]);
  expect(await advanceOffers(servicesAt())).toBe(1);
  expect(await due()).toEqual([]);
});

describe("plans", () => {
  async function plan(endsAt: number): Promise<string> {
    const id = crypto.randomUUID();
    const userId = await makeUser();
    const row = { id, userId, plan: "weekly_featured", amount: 400, status: "active", createdAt: 1 } as const;
    await db.insert(subscriptions).values({ ...row, startsAt: endsAt - 7 * DAY, endsAt, updatedAt: 1 });
    return id;
  }

  test("one ends behind one that can't", async () => {
    const [broken, other] = [await plan(Date.now() - 2_000), await plan(Date.now() - 1_000)];
    const when = `UPDATE ON subscriptions WHEN NEW.id = '${broken}'`;
    const { result, failures } = await runWhileRefused(when, advancePlans);
    expect(result).toEqual({ ended: 1, reminded: 0 });
    expect(failures).toMatchObject([{ event: "plan_failed", planId: broken }]);
    const rows = await db
      .select({ status: subscriptions.status })
      .from(subscriptions)
      .where(inArray(subscriptions.id, [broken, other]))
      .orderBy(asc(subscriptions.endsAt));
    expect(rows.map(({ status }) => status)).toEqual(["active", "ended"]);
    await advancePlans(servicesAt());
  });

  test("an owner is reminded behind one who can't be", async () => {
    const [broken, other] = [await plan(Date.now() + DAY), await plan(Date.now() + DAY + 1_000)];
    const when = `INSERT ON outbox WHEN NEW.dedupe_key = 'plan_ending:${broken}'`;
    const { result, failures } = await runWhileRefused(when, advancePlans);
    expect(result).toEqual({ ended: 0, reminded: 1 });
    expect(failures).toMatchObject([{ event: "plan_failed", planId: broken }]);
    const key = `plan_ending:${other}`;
    expect(await db.$count(outbox, eq(outbox.dedupeKey, key))).toBe(1);
  });
});

describe("gathered news", () => {
  const waiting = { count: 1, listings: {}, firstAt: 1 };
  const dueOf = async (userId: string) => {
    const rows = await db.select().from(gatheredNews).where(eq(gatheredNews.userId, userId));
    return rows.map(({ dueAt }) => dueAt);
  };

  test("somebody's has its turn behind somebody else's that fails", async () => {
    const [broken, other] = [await makeUser(), await makeUser()];
    for (const [n, userId] of [broken, other].entries())
      await db.insert(gatheredNews).values({ userId, kind: "search_found", ...waiting, dueAt: n + 1 });
    const when = `UPDATE ON gathered_news WHEN NEW.user_id = '${broken}'`;
    const { failures } = await runWhileRefused(when, tellGathered);
    expect(failures).toMatchObject([{ event: "gathered_news_failed", userId: broken, kind: "search_found" }]);
    expect([await dueOf(broken), await dueOf(other)]).toEqual([[1], [null]]);
    await tellGathered(servicesAt());
    expect(await dueOf(broken)).toEqual([null]);
  });

  test.each(["kind_of_yesterday", "new_messages"])("of a kind that isn't gathered (%s) is forgotten", async (kind) => {
    const userId = await makeUser();
    await db.insert(gatheredNews).values({ userId, kind, ...waiting, dueAt: 1 });
    const logged: unknown[] = [];
    expect(await tellGathered({ ...servicesAt(), log: (event) => void logged.push(event) })).toBe(0);
    expect([await dueOf(userId), logged]).toEqual([[], []]);
  });
});

test("news of a listing is told behind news that fails", async () => {
  const seller = await makeUser();
  await db.delete(listingNews);
  const [broken, other] = [await makeProduct(seller), await makeProduct(seller)];
  const news = () => db.select({ productId: listingNews.productId }).from(listingNews);
  expect(await news()).toEqual([{ productId: broken }, { productId: other }]);
  const when = `DELETE ON listing_news WHEN OLD.product_id = '${broken}'`;
  const { failures } = await runWhileRefused(when, runListingNewsJob);
  // Once with the other, and once when nothing else was left.
  const failure = { event: "listing_news_failed", productId: broken };
  expect(failures).toMatchObject([failure, failure]);
  expect(await news()).toEqual([{ productId: broken }]);
  await runListingNewsJob(servicesAt());
  expect(await news()).toEqual([]);
});

test("a database that is away stops them", async () => {
  const failed: number[] = [];
  const started: number[] = [];
  const work = async (row: number) => {
    started.push(row);
    if (row === 1) throw new Error("refused");
    if (row === 2) throw new DatabaseAway("the database is away");
  };
  await expect(oneByOne([0, 1, 2, 3], work, (row) => failed.push(row))).rejects.toThrow(DatabaseAway);
  expect([started, failed]).toEqual([[0, 1, 2], [1]]);
});
