/** Says when the database is full, and how many visits one primary carries. */
import { ADDED, addedBytes, MONTH, VISITS } from "./bill.ts";
import type { Action, GrowthMeasures, Kind } from "./growth.ts";

const DAY_MS = 24 * 60 * 60_000;

/** D1 takes no more in one database. */
const LIMIT_BYTES = 10 * 1024 ** 3;

const PAGES_A_MONTH = ["open the feed", "next page of the feed", "home", "search", "open a product"] as const;

/** How often the same student does it on a day with a visit. */
const A_DAY: Record<Action, number> = {
  page: PAGES_A_MONTH.reduce((sum, action) => sum + MONTH[action], 0) / VISITS,
  inbox: MONTH.messages / VISITS,
  message: MONTH["send a message"] / VISITS,
  order: MONTH["buy and pay"] / VISITS,
};

/** More calls, which find out who asks. Pages of browsing and messages do so in their own. An order makes several requests. */
const SESSION_TRIPS: Record<Action, number> = { page: 0, inbox: 1, message: 0, order: 10 };

/** The busiest minute against the average of the day. */
const PEAK = 6;
/** The share of its time that a primary may be busy in that minute. */
const BUSY = 0.5;

export function printGrowth({ bytes, tables, trips, archive }: GrowthMeasures): void {
  const kinds = Object.keys(ADDED) as Kind[];
  const monthly = addedBytes(bytes);
  console.log("\nBytes in the database, with indexes and what triggers write:");
  for (const kind of kinds)
    console.log(
      `  ${kind.padEnd(8)} ${bytes[kind].toFixed(0).padStart(6)} bytes, ${(LIMIT_BYTES / bytes[kind] / 1e6).toFixed(1).padStart(5)} million fill 10 GB; ${ADDED[kind]} a student and month, ${((100 * bytes[kind] * ADDED[kind]) / monthly).toFixed(0)} % of the growth (${tables[kind].map(([name, size]) => `${name} ${size.toFixed(0)}`).join(", ")})`,
    );
  console.log(
    `  A student adds ${(monthly / 1000).toFixed(1)} kB a month, ${((12 * monthly) / 1000).toFixed(0)} kB in 12 months. 10 GB last`,
  );
  for (const students of [1000, 10_000, 100_000])
    console.log(
      `    ${students.toLocaleString("en")} students: ${(LIMIT_BYTES / (monthly * students)).toFixed(1)} months`,
    );
  const kept = { ...bytes, message: bytes.message - archive.freedBytes };
  const later = addedBytes(kept);
  console.log(
    `  A message that is archived after a year leaves ${kept.message.toFixed(0)} bytes in the database and ${archive.storedBytes.toFixed(0)} in the bucket. It costs ${archive.rowsRead.toFixed(1)} rows read and ${archive.rowsWritten.toFixed(1)} written (${archive.messages} messages). After the first year, a student adds ${(later / 1000).toFixed(1)} kB a month.`,
  );
  const actions = Object.keys(A_DAY) as Action[];
  const daily = (which: Action[]) =>
    which.reduce((sum, action) => sum + (SESSION_TRIPS[action] + trips[action]) * A_DAY[action], 0);
  console.log("\nCalls to D1, with those that find out who asks:");
  for (const action of actions)
    console.log(
      `  ${action.padEnd(8)} ${(SESSION_TRIPS[action] + trips[action]).toFixed(1)}; ${A_DAY[action].toFixed(2)} a visit`,
    );
  console.log(
    `  ${daily(actions).toFixed(1)} a visit. One primary, busy for ${100 * BUSY} % in the busiest minute (${PEAK} times the average), carries`,
  );
  for (const ms of [1, 2, 5]) {
    const carried = (which: Action[]) =>
      Math.floor((BUSY * DAY_MS) / (PEAK * ms * daily(which)) / 1000).toLocaleString("en");
    console.log(
      `    at ${ms} ms a call: ${carried(actions)},000 visits a day; ${carried(actions.filter((action) => action !== "page"))},000 when replicas answer the pages`,
    );
  }
}
