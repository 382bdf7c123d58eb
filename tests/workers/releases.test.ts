/**
 * A database of each release, with a month of a simulated campus in it, is brought to the newest schema. What people
 * see stays, and the release's own statements go on working, so that one can go back to its code
 * (docs/upgrading.md).
 */
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { databaseThrough } from "#tests/support/faults.ts";
import { findLost, makeReleased, readRows, readSeen, type ReleasedCampus } from "#tests/support/released-campus.ts";
import { emptyDatabase } from "#tests/support/restored.ts";
import { playCampus } from "#tests/support/simulation/campus.ts";
import { inObject } from "#tests/support/simulation/object-database.ts";

/**
 * What later releases changed on purpose, by the beginning of its place: "people.", the person's id, and where it
 * stands in a list are left out. Each has its reason. A test that fails for another place has found a loss.
 */
const WANTED: readonly { place: string; why: string }[] = [
  { place: "orderItems.paidBySeller", why: "our mark against self-made records isn't told to whom it is about" },
  { place: "payoutItems", why: "a buyer's copy held what the seller was paid; my-data.test.ts holds a seller's" },
];

/** Of the seeds with many people, the one in which most kinds of events happen. */
const SEED = 71;

test.runIf(env.RELEASE)("the campus of this release is kept", { timeout: 600_000 }, async ({ task }) => {
  const statements = new Set<string>();
  const noting = databaseThrough(env.DB, (call, queries) => {
    for (const query of queries) statements.add(query);
    return call();
  });
  const { stage } = await inObject((inNewDatabase) => inNewDatabase((_, storage) => playCampus(SEED, noting, storage)));
  task.meta.kept = JSON.stringify({
    rows: await readRows(env.DB),
    at: stage.now,
    seen: await readSeen(env.DB, stage.now),
    statements: [...statements].toSorted(),
  } satisfies ReleasedCampus);
});

afterEach(() => emptyDatabase(env.RESTORED));

test.skipIf(env.RELEASE).for(env.TEST_RELEASES)("$version can be updated, and gone back to", async (release) => {
  const campus = JSON.parse(release.campus) as ReleasedCampus;
  await makeReleased(env.RESTORED, release.schema, campus.rows);
  for (const statement of release.later) await env.RESTORED.prepare(statement).run();
  const lost = findLost(campus.seen, await readSeen(env.RESTORED, campus.at));
  const placeOf = (line: string) => line.replace(/^people\.[^.]+\./, "").replace(/\.\d+(?=\.)/, "");
  const isWanted = (line: string) => WANTED.some(({ place }) => placeOf(line).startsWith(place));
  expect(lost.filter((line) => !isWanted(line))).toEqual([]);
  expect(await refusedOf(env.RESTORED, campus.statements)).toEqual([]);
});

/** The statements that the database doesn't take any more, each with its reason. */
async function refusedOf(d1: D1Database, statements: string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const statement of statements) {
    // It isn't run, and has no values. That a value is missing is said of a statement that was understood.
    const reason = await d1
      .prepare(`EXPLAIN ${statement}`)
      .run()
      .then(() => "", String);
    if (reason !== "" && !reason.includes("Wrong number of parameter bindings"))
      refused.push(`${reason}: ${statement}`);
  }
  return refused;
}
