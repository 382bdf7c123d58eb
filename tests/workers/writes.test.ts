/** What `read` and `write` promise (app/db/batch.ts): once, although answers are lost, and each answer by its name. */
import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { expectThat, PreconditionFailed, read, tryWrite, write } from "#app/db/batch.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { build, named } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { isAway, PAGE_PATIENCE } from "#app/db/patience.ts";
import { leases, rateCounters } from "#app/db/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { makeDeal } from "#tests/support/fixtures.ts";

/** A database that loses the answer of its first call, which did its work. */
function losingDatabase() {
  let calls = 0;
  const d1 = databaseThrough(env.DB, async (call) => {
    calls += 1;
    const isLost = calls === 1;
    const answer = await call();
    if (isLost) throw new Error("D1_ERROR: Network connection lost.");
    return answer;
  });
  return openDatabase(d1, { ...PAGE_PATIENCE, wait: async () => {}, tryMs: Infinity });
}

const countOf = (key: string) =>
  build.select({ count: rateCounters.count }).from(rateCounters).where(eq(rateCounters.key, key));
const countOne = (key: string) =>
  build
    .insert(rateCounters)
    .values({ key, windowStart: 1, count: 1 })
    .onConflictDoUpdate({ target: rateCounters.key, set: { count: sql`${rateCounters.count} + 1` } });

test("a write happens once, although its answer was lost", async () => {
  const [key, db] = [crypto.randomUUID(), losingDatabase()];
  await write(db, [countOne(key)]);
  expect(await read(db, countOf(key))).toEqual([{ count: 1 }]);
});

test("of a lost answer, what only reads is read again, and the rest throws where it is taken", async () => {
  const key = crypto.randomUUID();
  const answers = await write(losingDatabase(), {
    before: [countOf("none"), countOf("nobody")],
    counted: countOne(key).returning({ count: rateCounters.count }),
    others: [countOf(key), countOne("others")],
    after: countOf(key),
  });
  expect([answers.before, answers.after]).toEqual([[[], []], [{ count: 1 }]]);
  for (const name of ["counted", "others"] as const) expect(lost(() => answers[name])).toBe(true);
});

function lost(take: () => unknown): boolean {
  try {
    take();
    return false;
  } catch (error) {
    return isAway(error);
  }
}

test("answers come by the names of their steps", async () => {
  const [key, db] = [crypto.randomUUID(), openDatabase(env.DB)];
  const { counted, both, none, left } = await write(db, {
    counted: countOne(key).returning({ count: rateCounters.count }),
    none: [],
    both: [countOne(key), countOf(key)],
    left: build.delete(rateCounters).where(eq(rateCounters.key, key)),
  });
  expect([counted, none, both[1], left.meta.changes]).toEqual([[{ count: 1 }], [], [{ count: 2 }], 1]);
});

test("a guard that doesn't hold undoes all of it", async () => {
  const [key, db] = [crypto.randomUUID(), openDatabase(env.DB)];
  const steps = [countOne(key), expectThat(sql`1 = 2`)];
  await expect(write(db, steps)).rejects.toThrow(PreconditionFailed);
  expect(await tryWrite(db, steps)).toBe(false);
  expect(await read(db, countOf(key))).toEqual([]);
  expect(await tryWrite(db, [countOne(key)])).toBe(true);
});

test("nothing is written by a read", async () => {
  const [name, db] = [crypto.randomUUID(), openDatabase(env.DB)];
  // @ts-expect-error: the types refuse it, too.
  await expect(read(db, build.insert(leases).values({ name, until: 1 }))).rejects.toThrow("Use write");
  await expect(read(db, { a: countOf("none"), b: [sql`DELETE FROM ${leases}`] })).rejects.toThrow("Use write");
});

test("two columns of one name need another name in SQL", async () => {
  const [{ itemId, productId }, db] = [await makeDeal(), openDatabase(env.DB)];
  const isOrdered = and(eq(products.id, orderItems.productId), eq(orderItems.id, itemId));
  const unnamed = { id: orderItems.id, product: products.id };
  await expect(read(db, build.select(unnamed).from(orderItems).innerJoin(products, isOrdered))).rejects.toThrow(
    "two columns of a query have one name: id, product",
  );
  const fields = { id: orderItems.id, ...named({ product: products.id }), state: orderItems.status };
  const rows = await read(db, build.select(fields).from(orderItems).innerJoin(products, isOrdered));
  expect(rows).toEqual([{ id: itemId, product: productId, state: "pending_payment" }]);
});
