/** No job reads history again, but for those in READS_EVERYTHING: a hundred times as much of it costs nothing. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { continueDigest } from "#app/digest/digest.server.ts";
import { deleteOldEffects } from "#app/db/outbox.ts";
import type { Services } from "#app/request/services.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import {
  makeDeal,
  makeProduct,
  makeUser,
  readAttempts,
  servicesAt,
  uniquePhone,
  changeListing,
} from "#tests/support/fixtures.ts";
import { addHistory, type People } from "#tests/support/history.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { JOBS } from "#workers/jobs/schedule.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";

const SMALL = 40;
const LARGE = 100 * SMALL;
const DAY_MS = 24 * 60 * 60_000;

interface Case {
  /** Makes something for the job to do. `round` differs each time. */
  prepare(round: number): Promise<void>;
  run?(services: Services): Promise<unknown>;
}

/**
 * Once an hour the books are added up from every entry (docs/decisions/books-are-added-up.md), and the listings of all
 * categories; four times a day the protected deals of a year. A new listing asks every saved query
 * (docs/decisions/plain-search.md).
 */
const READS_EVERYTHING = ["books", "categories", "protected_deals", "listing_news"];

let people: People;

async function write(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

/** A paid item of the seller with all the history. */
async function paidItem(): Promise<string> {
  const deal = await makeDeal({ sellerId: people.sellerId });
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(deal.orderId);
  const receipt = `TGROW${deal.itemId.slice(0, 5).toUpperCase()}`;
  const paid = { event: "paid", receipt, paidAt: null, checkoutRequestId: null } as const;
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paid);
  return deal.itemId;
}

const now = Date.now();
/** 10:00 in East Africa. */
const SATURDAY = Date.UTC(2026, 10, 28, 7);
const old = now - 50 * DAY_MS;
const lately = now - 2 * DAY_MS;

/** Something due in a deal, an unpaid order, an unknown callback, and no summary of yesterday. */
async function preparePayments(round: number): Promise<void> {
  const item = await paidItem();
  await write(
    `UPDATE passes SET after = '${dayName(now - 2 * DAY_MS)}' WHERE job = 'summaries'`,
    `INSERT INTO orders (id, user_id, amount, idempotency_key, created_at, updated_at)
      VALUES ('due-${round}', '${people.buyerId}', 100, 'due-${round}', ${lately}, ${lately})`,
    `INSERT INTO order_items (id, order_id, product_id, seller_id, product_name, quantity, price_per_unit, subtotal,
      created_at, updated_at)
      VALUES ('due-${round}', 'due-${round}', '${people.productId}', '${people.sellerId}', 'x', 1, 100, 100, ${lately},
        ${lately})`,
    `INSERT INTO payment_callbacks (id, kind, token, body, received_at, applied_at, outcome)
      VALUES ('due-${round}', 'push', 'x', '', ${old}, ${old}, 'unknown_token')`,
    `UPDATE order_items SET status = 'delivered', delivered_at = ${lately} WHERE id = '${item}'`,
    `UPDATE payment_attempts SET confirmed_at = ${lately}
      WHERE order_id = (SELECT order_id FROM order_items WHERE id = '${item}')`,
    `INSERT INTO deal_timers (order_item_id, kind, due_at) VALUES ('${item}', 'inspection_ended', ${lately}) ON CONFLICT
      DO UPDATE SET due_at = excluded.due_at`,
  );
}

async function continueWholePass(): Promise<void> {
  let place: unknown;
  for (let before: unknown = null; before !== place || before === null;) {
    before = place;
    await continueTypePass(servicesAt());
    place = await env.DB.prepare("SELECT after FROM passes WHERE job = 'types'").first("after");
  }
}

/** Every job of the schedule. */
const CASES: Record<string, Case> = {
  deals: { prepare: preparePayments },
  payments: { prepare: preparePayments },
  pull: { prepare: preparePayments },
  books: { prepare: preparePayments },
  plans: {
    prepare: (round) =>
      write(
        `INSERT INTO subscriptions (id, user_id, plan, amount, status, starts_at, ends_at, created_at, updated_at)
          VALUES ('due-${round}', '${people.sellerId}', 'weekly_featured', 100, 'active', ${old}, ${lately}, ${old},
            ${old})`,
      ),
  },
  offers: {
    prepare: (round) =>
      write(
        `INSERT INTO offers (id, product_id, buyer_id, seller_id, amount, listing_price, revision, expires_at,
          created_at, updated_at)
          VALUES ('due-${round}', '${people.productId}', '${people.buyerId}', '${people.sellerId}', 50, 100, 0,
            ${lately}, ${old}, ${old})`,
      ),
  },
  reviews: {
    prepare: (round) =>
      write(
        `INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, publish_at, created_at)
          VALUES ('due-${round}', 'item-${round}', '${people.sellerId}', '${people.buyerId}', 'buyer', 5, ${lately},
            ${old})`,
      ),
  },
  meetings: {
    async prepare() {
      const item = await paidItem();
      await write(
        `INSERT INTO meetings (order_item_id, place, starts_at, proposed_by, state, remind_at, created_at, updated_at)
          VALUES ('${item}', 'Gate A', ${now + DAY_MS}, '${people.sellerId}', 'accepted', ${lately}, ${old}, ${old})`,
      );
    },
  },
  removed_photos: {
    prepare: (round) =>
      write(
        `INSERT INTO uploads (key, owner_id, bucket, image, attached_at, removal_case_id, created_at)
          VALUES ('img/removed-${round}', '${people.sellerId}', 'media',
            '{"key":"img/removed-${round}","widths":[320]}', ${old}, 'case', ${old})`,
      ),
  },
  waiting_lists: {
    prepare: (round) => write(`UPDATE stock_waits SET free_at = ${lately} WHERE product_id = 'product-${round}'`),
  },
  message_notices: {
    async prepare(round) {
      const { buyerId, sellerId } = people;
      await giveMessage({ senderId: buyerId, recipientId: sellerId, orderItemId: `item-${round}`, createdAt: lately });
      await write(
        `UPDATE conversations SET notice_due_at = ${lately}, notice_since = ${lately}
          WHERE user_id = '${people.sellerId}' AND other_id = '${people.buyerId}'`,
      );
    },
  },
  listing_news: {
    async prepare(round) {
      await saveSearch(servicesAt(), {
        userId: people.buyerId,
        saved: { words: `kettle${round}`, filters: NO_LIST_FILTERS },
      });
      const productId = await makeProduct(people.sellerId, { name: `Kettle${round}` });
      await changeListing(productId, { price: 1 });
      await write(
        `INSERT INTO found_listings (user_id, product_id, reason, price, told, waits_since, created_at)
          VALUES ('${people.otherSellerId}', '${productId}', 'shop', 100, 1, ${old}, ${old})`,
      );
    },
  },
  gathered_news: {
    async prepare(round) {
      const productId = await makeProduct(people.sellerId, { name: `Lamp${round}` });
      const waiting = `{"${productId}":{"productId":"${productId}","productName":"Lamp","price":5,"at":${lately}}}`;
      await write(
        `INSERT OR REPLACE INTO gathered_news (user_id, kind, count, listings, first_at, due_at)
          VALUES ('${people.buyerId}', 'stock_free', 1, '${waiting}', ${lately}, ${lately})`,
      );
    },
  },
  // The payments of the last half hour are those that the other cases made.
  alarms: {
    prepare: (round) =>
      write(
        `UPDATE payment_attempts SET settled_at = ${lately} WHERE settled_at > ${lately}`,
        `INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, last_error, fault, created_at)
          VALUES ('failed-${round}', 'mail', 'failed-${round}', '{}', 1, ${now + DAY_MS}, 'x', 'away', ${lately})`,
      ),
  },
  emails: {
    prepare: (round) =>
      write(
        `INSERT INTO outbox (id, topic, dedupe_key, payload, available_at, created_at)
          VALUES ('due-${round}', 'mail', 'due-${round}', '{}', ${lately}, ${lately})`,
      ),
    run: (services) => drainOutbox(services, { mailer: { send: async () => {} }, push: null }),
  },
  // A pass that is over: the new listing is all that is left.
  categories: { prepare: async () => {} },
  protected_deals: { prepare: async () => {} },
  types: {
    async prepare() {
      await continueWholePass();
      await makeProduct(people.sellerId);
    },
  },
  students: {
    prepare: () =>
      write(`UPDATE profiles SET verified_level = 'student', student_until = ${lately} WHERE id = '${people.buyerId}'`),
  },
  upkeep: {
    async prepare() {
      const productId = await makeProduct(people.sellerId);
      await write(
        `UPDATE products SET created_at = ${old}, updated_at = ${old}, check_at = ${lately} WHERE id = '${productId}'`,
      );
    },
  },
  // One whole batch of people, in a week of its own.
  digest: {
    async prepare() {
      await Promise.all(Array.from({ length: 20 }, () => makeUser()));
    },
    run: (services) => continueDigest({ ...services, now: () => SATURDAY + rounds * 7 * DAY_MS }),
  },
  sweep: {
    prepare: (round) =>
      write(
        ...[people.buyerId, people.sellerId].map(
          (owner, n) =>
            `INSERT INTO uploads (key, owner_id, bucket, image, created_at)
              VALUES ('p/due-${round}-${n}', '${owner}', 'media',
                '{"key":"p/due-${round}-${n}","widths":[320]}', ${lately})`,
        ),
        `INSERT INTO uploads (key, owner_id, bucket, created_at)
          VALUES ('d/due-${round}', '${people.buyerId}', 'documents', ${lately})`,
        `INSERT INTO email_tokens (id, token_hash, user_id, purpose, expires_at, created_at)
          VALUES ('old-${round}', 'old-${round}', '${people.buyerId}', 'confirmation', ${old}, ${old})`,
        `INSERT INTO outbox (rowid, id, topic, dedupe_key, payload, available_at, done_at, created_at)
          VALUES (${-round}, 'old-${round}', 'mail', 'old-${round}', '{}', 1, 1, 1)`,
        `INSERT INTO rate_counters (key, window_start, count) VALUES ('old-${round}', ${old}, 1)`,
        `INSERT INTO ended_sessions (id, ended_at) VALUES ('old-${round}', ${old})`,
      ),
  },
};

/** Rows read by statement. */
type Reads = Map<string, number>;

/** Counts every row that is read, also by single statements that drizzle reads as arrays. */
function countingDatabase() {
  const reads: Reads = new Map();
  const read = <T extends { meta: D1Meta }>(query: string, result: T) => {
    reads.set(query, (reads.get(query) ?? 0) + result.meta.rows_read);
    return result;
  };
  const inner = new WeakMap<object, { query: string; statement: D1PreparedStatement }>();
  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values)),
      run: async () => read(query, await statement.run()),
      all: async () => read(query, await statement.all()),
      raw: async () => read(query, await statement.all<Record<string, unknown>>()).results.map(Object.values),
      first: () => statement.first(),
    };
    inner.set(wrapped, { query, statement });
    return wrapped as unknown as D1PreparedStatement;
  };
  const d1 = {
    prepare: (query: string) => wrap(query, env.DB.prepare(query)),
    batch: async (wrapped: D1PreparedStatement[]) => {
      const statements = wrapped.flatMap((each) => inner.get(each) ?? []);
      const results = await env.DB.batch(statements.map(({ statement }) => statement));
      return results.map((result, n) => read(statements[n]?.query ?? "", result));
    },
  };
  return { db: openDatabase(d1 as unknown as D1Database), reads };
}

function sumOf(reads: Reads | undefined): number {
  return [...(reads?.values() ?? [])].reduce((sum, rows) => sum + rows, 0);
}

/** The statements that read most, for the message of a failure. */
function largest(reads: Reads | undefined): string {
  const most = [...(reads ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  return most.map(([query, rows]) => `\n${rows}: ${query.replaceAll(/\s+/g, " ").slice(0, 300)}`).join("");
}

let rounds = 0;

/** The rows that each job reads when it has one thing of each kind to do. */
async function measure(): Promise<Map<string, Reads>> {
  const found = new Map<string, Reads>();
  for (const [name, run] of JOBS) {
    const { prepare, run: other } = CASES[name] ?? { prepare: async () => {} };
    rounds += 1;
    await prepare(rounds);
    await write("DELETE FROM leases", "DELETE FROM write_marks");
    const { db, reads } = countingDatabase();
    await (other ?? run)({ ...servicesAt(), db });
    found.set(name, reads);
  }
  return found;
}

beforeAll(async () => {
  const [buyerId, sellerId, otherSellerId] = [await makeUser(), await makeUser(), await makeUser()];
  people = { buyerId, sellerId, otherSellerId, productId: await makeProduct(sellerId) };
});

test("the sweep deletes what was sent long ago, and keeps the rest", async () => {
  const email = (id: string, at: number) =>
    `INSERT INTO outbox (id, topic, dedupe_key, payload, available_at, done_at, created_at)
      VALUES ('${id}', 'mail', '${id}', '{}', ${at}, ${at}, ${at})`;
  const older = now - 200 * DAY_MS;
  await write("DELETE FROM outbox", email("first", older), email("second", older), email("recent", lately));
  await write(`UPDATE outbox SET done_at = NULL WHERE id = 'second'`);
  expect(await deleteOldEffects(servicesAt())).toBe(1);
  const { results } = await env.DB.prepare("SELECT id FROM outbox ORDER BY id").all<{ id: string }>();
  expect(results.map(({ id }) => id)).toEqual(["recent", "second"]);

  // It keeps up with more emails than one statement deletes.
  await write(
    "DELETE FROM outbox",
    email("waiting", older),
    "UPDATE outbox SET done_at = NULL",
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5999)
      INSERT INTO outbox (id, topic, dedupe_key, payload, available_at, done_at, created_at)
        SELECT n, 'mail', n, '{}', ${older}, ${older}, ${older} FROM numbers`,
  );
  expect(await deleteOldEffects(servicesAt())).toBe(6_000);
  await write("DELETE FROM outbox");
});

test("every job of the schedule is measured", () => {
  expect(Object.keys(CASES)).toEqual(JOBS.map(([name]) => name));
});

test("a hundred times the history costs no job more rows", { timeout: 300_000 }, async () => {
  await addHistory(people, 0, SMALL);
  await measure();
  const small = await measure();
  await addHistory(people, SMALL, LARGE);
  await measure();
  const large = await measure();
  for (const [name, reads] of small) {
    if (READS_EVERYTHING.includes(name)) continue;
    const after = large.get(name);
    expect.soft(sumOf(after), `${name}${largest(after)}`).toBeLessThanOrEqual(1.5 * sumOf(reads) + 20);
  }
});
