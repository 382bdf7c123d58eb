/**
 * All payments and deals, played from seeds: the real use cases, with an M-PESA that loses, repeats, delays, reorders and
 * contradicts, with people who cancel, complain, guess codes or are silent, and with workers that are stopped between any
 * two steps. When time has run out, every shilling must be accounted for. `npm run simulate -- --seeds 10000` plays more
 * seeds; `npm run simulate -- --seed 4711` plays one again and prints its story.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { auditAdmins } from "#tests/support/simulation/admins.ts";
import { auditCampus } from "#tests/support/simulation/audit.ts";
import { playCampus } from "#tests/support/simulation/campus.ts";
import { EventCount } from "#tests/support/simulation/events.ts";
import { auditOffers } from "#tests/support/simulation/offers.ts";
import { objectDatabase } from "#tests/support/simulation/object-database.ts";

const { first, seeds, story } = JSON.parse(env.SIMULATION) as { first: number; seeds: number; story: boolean };
const AT_ONCE = 20;
const chunks = Array.from(
  { length: Math.ceil(seeds / AT_ONCE) },
  (_, n) => [first + n * AT_ONCE, Math.min(first + seeds, first + (n + 1) * AT_ONCE) - 1] as const,
);

test.each(chunks)(
  "seeds %i to %i: whatever goes wrong, no shilling is lost, paid twice or stuck where nobody looks",
  { timeout: 600_000 },
  async (from, to) => {
    const failures = await inObject(async (d1) => {
      const found: string[] = [];
      for (let seed = from; seed <= to; seed += 1) found.push(...(await play(seed, d1)));
      return found;
    });
    expect(failures).toEqual([]);
  },
);

const events = new EventCount();

/** Plays a seed, and returns what is wrong at its end. */
async function play(seed: number, d1: D1Database): Promise<string[]> {
  try {
    const campus = await playCampus(seed, d1);
    await events.add(campus);
    if (story) console.log(campus.stage.story.join("\n"));
    return [...(await auditCampus(campus)), ...(await auditOffers(d1)), ...(await auditAdmins(d1))].map(withSeed);
  } catch (error) {
    return [withSeed(error instanceof Error ? (error.stack ?? error.message) : String(error))];
  }
  function withSeed(wrong: string): string {
    return `seed ${seed}: ${wrong} (npm run simulate -- --seed ${seed})`;
  }
}

/** The most seeds that are played after the others, until every kind of event has happened. */
const MORE_SEEDS = 300;

// Some kinds are rare, and any change of the app shifts what a seed plays. So more seeds follow while one is missing.
test.runIf(seeds >= 40)("every kind of event has happened", { timeout: 600_000 }, async ({ task }) => {
  const missing = () => [...events.counts].filter(([, times]) => times === 0);
  let next = first + seeds;
  const failures = await inObject(async (d1) => {
    const found: string[] = [];
    for (; missing().length > 0 && next < first + seeds + MORE_SEEDS; next += 1) found.push(...(await play(next, d1)));
    return found;
  });
  expect(failures).toEqual([]);
  expect(missing()).toEqual([]);
  const all = [...events.counts].reduce((sum, [, times]) => sum + times, 0);
  task.meta.counted = `${next - first} simulations with ${all.toLocaleString("en")} events of ${events.counts.size} kinds`;
});

// Seed 1 only: where two payouts fall due in the same millisecond, the database's own ids may decide which goes first.
test.runIf(seeds > 1)("the same seed tells the same story, in the object's database as in D1", async () => {
  const tell = async (d1: D1Database) =>
    (await playCampus(1, d1)).stage.story.map((line) => line.replaceAll(/[0-9a-f]{8}/g, "id"));
  expect(await inObject(tell)).toEqual(await tell(env.DB));
});

/** Does `work` with a database of all tables that is as quick as memory. */
async function inObject<T>(work: (d1: D1Database) => Promise<T>): Promise<T> {
  const object = env.SIMULATION_OBJECT.getByName("simulation");
  return runInDurableObject(object, async (_instance, { storage }) => {
    const d1 = objectDatabase(storage);
    if (storage.sql.databaseSize === 0 || !(await storage.get("migrated"))) {
      for (const { queries } of env.TEST_MIGRATIONS) for (const query of queries) await d1.exec(query);
      await storage.put("migrated", true);
    }
    return work(d1);
  });
}
