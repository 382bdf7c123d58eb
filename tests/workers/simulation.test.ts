/**
 * All payments, played from seeds: the real use cases on real D1 with an M-PESA that loses, repeats, delays, reorders
 * and contradicts, and with workers that are stopped between any two steps. When time has run out, every shilling must
 * be accounted for. `npm run simulate -- --seeds 10000` plays more seeds; `npm run simulate -- --seed 4711` plays one
 * again and prints its story.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { auditCampus } from "#tests/support/simulation/audit.ts";
import { playCampus } from "#tests/support/simulation/campus.ts";
import { EventCount } from "#tests/support/simulation/events.ts";

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
    const failures: string[] = [];
    for (let seed = from; seed <= to; seed += 1) {
      for (const wrong of await play(seed))
        failures.push(`seed ${seed}: ${wrong} (npm run simulate -- --seed ${seed})`);
    }
    expect(failures).toEqual([]);
  },
);

const events = new EventCount();

async function play(seed: number): Promise<string[]> {
  try {
    const campus = await playCampus(seed);
    events.add(campus);
    if (story) console.log(campus.stage.story.join("\n"));
    return await auditCampus(campus);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

// If a change of the simulation loses a kind of event, start from another seed (vitest.config.ts).
test.runIf(seeds >= 60)("every kind of event has happened", ({ task }) => {
  const counts = [...events.counts];
  expect(counts.filter(([, times]) => times === 0)).toEqual([]);
  const all = counts.reduce((sum, [, times]) => sum + times, 0);
  task.meta.counted = `${seeds} simulations with ${all.toLocaleString("en")} events of ${counts.length} kinds`;
});

test.runIf(seeds > 1)("the same seed tells the same story", async () => {
  const tell = async () => (await playCampus(first)).stage.story.map((line) => line.replaceAll(/[0-9a-f]{8}/g, "id"));
  expect(await tell()).toEqual(await tell());
});
