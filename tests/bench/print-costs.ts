import { type ActionName, type ActionUse, billOf, JOB, type Measured, MONTH, PLAN_USD, PRICES } from "./bill.ts";
import { printMarkdown } from "./table.ts";

const COLUMNS = [
  ["requests", "requests"],
  ["rows read", "rowsRead"],
  ["rows written", "rowsWritten"],
  ["D1 trips", "trips"],
  ["KV reads", "kvReads"],
  ["KV writes", "kvWrites"],
  ["R2 B", "r2Reads"],
  ["R2 A", "r2Writes"],
  ["DO", "hubRequests"],
  ["emails", "emails"],
  ["log lines", "logLines"],
  ["CPU ms", "cpuMs"],
] as const satisfies [string, keyof ActionUse][];

/** Prints both tables, as Markdown. */
export function printCosts(measured: Measured): void {
  const { uses } = measured;
  const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
  printMarkdown(
    ["action", "a month", ...COLUMNS.map(([title]) => title)],
    (Object.keys(uses) as ActionName[]).map((name) => [
      name,
      name === JOB ? "each minute" : number(MONTH[name]),
      ...COLUMNS.map(([, item]) => number(uses[name][item])),
    ]),
  );
  const bills = [1_000, 100_000, 1_000_000].map((students) => billOf(students, measured));
  const [largest] = bills.slice(-1);
  const usd = (value: number) => `$${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 })}`;
  printMarkdown(
    [
      "a month, US dollars",
      ...bills.map(({ students }) => `${students.toLocaleString("en")} students`),
      "pieces, at 1,000,000",
    ],
    [
      ...(largest?.lines ?? []).map(({ item, amount }) => [
        PRICES[item].name,
        ...bills.map(({ lines }) => usd(lines.find((line) => line.item === item)?.usd ?? 0)),
        number(amount),
      ]),
      ["Plan", ...bills.map(() => usd(PLAN_USD)), ""],
      ["**Total**", ...bills.map((bill) => usd(bill.usd)), ""],
      ["a student", ...bills.map((bill) => `$${(bill.usd / bill.students).toFixed(4)}`), ""],
    ],
  );
}
