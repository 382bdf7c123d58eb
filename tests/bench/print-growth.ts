/** Says when the database is full, and how many visits one primary carries. */
import { ADDED, addedBytes, MONTH, VISITS } from "./bill.ts";
import type { Action, GrowthMeasures, Kind } from "./growth.ts";
import { printMarkdown } from "./table.ts";

const DAY_MS = 24 * 60 * 60_000;
const YEAR = 12;

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

/** Calls that only find out who asks. Pages of browsing and messages need none. An order makes several requests. */
const SESSION_TRIPS: Record<Action, number> = { page: 0, inbox: 1, message: 0, order: 10 };

/** The busiest minute against the average of the day. */
const PEAK = 6;
/** The share of its time that a primary may be busy in that minute. */
const BUSY = 0.5;

/** The words of the tables. */
const KINDS: Record<Kind, string> = {
  user: "user",
  product: "listing",
  message: "message",
  order: "order of one item, with its payment, ledger, history and payout",
  callback: "callback",
  review: "review",
  email: "email",
};
const ACTIONS: Record<Action, string> = {
  page: "page of browsing",
  inbox: "inbox",
  message: "message sent",
  order: "order, from placing it to the payout, with its part of the jobs",
};

const whole = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });
const tenth = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** Prints the tables of docs/growth.md. */
export function printGrowth({ bytes, tables, trips }: GrowthMeasures): void {
  const kinds = Object.keys(ADDED) as Kind[];
  const monthly = addedBytes(bytes);
  console.log("\nBytes in the database, with indexes and what triggers write:");
  printMarkdown(
    ["one", "bytes", "millions that fill 10 GB", "a month", "share of the growth"],
    kinds.map((kind) => [
      KINDS[kind],
      whole(bytes[kind]),
      tenth(LIMIT_BYTES / bytes[kind] / 1e6),
      String(ADDED[kind]),
      `${whole((100 * bytes[kind] * ADDED[kind]) / monthly)} %`,
    ]),
  );
  for (const kind of kinds)
    console.log(`  ${kind}: ${tables[kind].map(([name, size]) => `${name} ${whole(size)}`).join(", ")}`);
  console.log(
    `\nA student adds ${tenth(monthly / 1000)} kB a month, ${whole((YEAR * monthly) / 1000)} kB a year. 10 GB last:\n`,
  );
  printMarkdown(
    ["active students", "10 GB last"],
    [10_000, 25_000, 50_000, 100_000].map((students) => {
      const months = LIMIT_BYTES / students / monthly;
      return [whole(students), lastingFor(months)];
    }),
  );
  printCalls(trips);
}

function lastingFor(months: number): string {
  return months < 2 * YEAR ? `${tenth(months)} months` : `${tenth(months / YEAR)} years`;
}

function printCalls(trips: GrowthMeasures["trips"]): void {
  const actions = Object.keys(A_DAY) as Action[];
  const calls = (action: Action) => SESSION_TRIPS[action] + trips[action];
  const daily = (which: Action[]) => which.reduce((sum, action) => sum + calls(action) * A_DAY[action], 0);
  console.log("Calls to D1, with those that find out who asks:");
  printMarkdown(
    ["action", "calls", "a visit"],
    actions.map((action) => [
      ACTIONS[action],
      whole(calls(action)),
      A_DAY[action] < 0.1 ? `one in ${whole(1 / A_DAY[action])} visits` : String(A_DAY[action]),
    ]),
  );
  console.log(
    `${whole(daily(actions))} calls a visit. One primary, busy for ${100 * BUSY} % in the busiest minute (${PEAK} times the average), carries\n`,
  );
  printMarkdown(
    ["ms a call", "visits a day", "when replicas answer the pages"],
    [1, 2, 5].map((ms) => {
      const carried = (which: Action[]) =>
        `${whole(Math.floor((BUSY * DAY_MS) / (PEAK * ms * daily(which)) / 1000))},000`;
      return [String(ms), carried(actions), carried(actions.filter((action) => action !== "page"))];
    }),
  );
}
