import { expect, test } from "vitest";
import { newMeter } from "#app/db/meter.ts";
import {
  type ActionName,
  type ActionUse,
  ADDED,
  addedBytes,
  billOf,
  type Item,
  JOB,
  MONTH,
  PAYOUT_EMAILS,
  PLAN_USD,
  priceOf,
  PRICES,
  MESSAGE_EMAILS,
  READS_SOON,
} from "#tests/bench/bill.ts";

/** Nothing is kept. */
const BYTES = { user: 0, product: 0, message: 0, order: 0, callback: 0, review: 0, email: 0 };
const NAMES = [...Object.keys(MONTH), JOB] as ActionName[];

/** Every action uses this. */
function everyAction(use: Partial<ActionUse>): Record<ActionName, ActionUse> {
  const one = { ...newMeter(), requests: 0, logLines: 0, cpuMs: 0, ...use };
  return Object.fromEntries(NAMES.map((name) => [name, one])) as Record<ActionName, ActionUse>;
}

test("only what exceeds the included pieces costs something", () => {
  for (const item of Object.keys(PRICES) as Item[]) {
    const { included, per, usd } = PRICES[item];
    expect(priceOf(item, included)).toBe(0);
    expect(priceOf(item, included + per)).toBeCloseTo(usd);
  }
});

test("a site that hardly anybody uses costs the plan", () => {
  expect(billOf(10, { bytes: BYTES, uses: everyAction({ requests: 1, logLines: 1, rowsWritten: 1 }) }).usd).toBe(
    PLAN_USD,
  );
});

test("an action is charged as often as a student does it, and the job once a minute", () => {
  const uses = everyAction({});
  const students = 1_000_000;
  const before = billOf(students, { bytes: BYTES, uses: everyAction({ kvReads: 1 }) }).usd;
  uses["open a product"] = { ...uses["open a product"], kvReads: 1 };
  const reads = students * MONTH["open a product"];
  expect(billOf(students, { bytes: BYTES, uses }).lines.find(({ item }) => item === "kvReads")).toMatchObject({
    amount: reads,
    usd: priceOf("kvReads", reads),
  });
  uses[JOB] = { ...uses[JOB], kvReads: 1 };
  expect(billOf(students, { bytes: BYTES, uses }).lines.find(({ item }) => item === "kvReads")?.amount).toBe(
    reads + 60 * 24 * 30,
  );
  expect(billOf(students, { bytes: BYTES, uses }).usd).toBeLessThan(before);
});

test("the emails that the benchmark doesn't see are added: to those who read late, and to sellers who were paid", () => {
  const { lines } = billOf(1_000_000, { bytes: BYTES, uses: everyAction({}) });
  const unseen = 1_000_000 * (MONTH["hand over"] * (1 - READS_SOON + PAYOUT_EMAILS) + MESSAGE_EMAILS);
  expect(lines.find(({ item }) => item === "emails")?.amount).toBe(unseen);
});

test("the lines add up, the dearest first", () => {
  const { lines, usd } = billOf(1_000_000, {
    bytes: BYTES,
    uses: everyAction({ requests: 2, logLines: 2, rowsWritten: 5, emails: 1 }),
  });
  expect(lines.reduce((sum, line) => sum + line.usd, PLAN_USD)).toBeCloseTo(usd);
  expect(lines.map((line) => line.usd)).toEqual(lines.map((line) => line.usd).toSorted((a, b) => b - a));
});

test("what a student has added in a year is stored", () => {
  const students = 1_000_000;
  const { lines } = billOf(students, { bytes: { ...BYTES, message: 600, email: 500 }, uses: everyAction({}) });
  const added = ADDED.message * 600 + ADDED.email * 500;
  expect(addedBytes({ ...BYTES, message: 600, email: 500 })).toBe(added);
  expect(lines.find(({ item }) => item === "d1Gb")?.amount).toBeCloseTo((students * 12 * added) / 1e9);
});

test("every price names its page", () => {
  for (const { source } of Object.values(PRICES)) expect(source).toMatch(/^[a-z0-9-]+(\/[a-z0-9-]+)+$/);
});
