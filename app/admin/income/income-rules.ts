/** What the platform takes and pays in a month: pure rules. Amounts in KES, months as YYYY-MM in East Africa Time. */
import { monthName, monthsUpTo } from "#app/platform/east-africa-time.ts";

/**
 * What M-Pesa takes from our account for sending money to a number ("M-PESA Bulk Payment Tariff Form" of 2025; above
 * KES 20,000 as The East African reported of 1 January 2023). Each row holds up to its amount.
 */
export const SENDING_TARIFF = [
  { upTo: 100, cost: 0 },
  { upTo: 1_500, cost: 5 },
  { upTo: 5_000, cost: 9 },
  { upTo: 20_000, cost: 11 },
  { upTo: 250_000, cost: 13 },
] as const;

/** How many months the page shows, with the current one. */
const INCOME_MONTHS = 12;

/** The money of a month. */
export interface IncomeMonth {
  month: string;
  /** Service fees of deals that ended. */
  fees: number;
  /** What sellers paid for plans, less what went back. */
  plans: number;
  /** What M-Pesa took for payouts, and for refunds to a number, by `SENDING_TARIFF`. */
  sending: number;
  /** What an owner entered: hosting, emails, the paybill. Null where nobody has. */
  entered: number | null;
}

/** The last `INCOME_MONTHS` months up to that of `now` (ms since 1970), the newest first. */
export function incomeMonths(now: number): string[] {
  return monthsUpTo(monthName(now), INCOME_MONTHS);
}

/** The months without the oldest ones in which nothing came in or went out; at least the newest two. */
export function withoutEmpty(months: readonly IncomeMonth[]): IncomeMonth[] {
  const last = months.findLastIndex((row) => row.fees !== 0 || row.plans !== 0 || row.sending !== 0 || row.entered);
  return months.slice(0, Math.max(2, last + 1));
}

/** What came in, and what it cost. */
export function totalsOf({ fees, plans, sending, entered }: IncomeMonth): { income: number; costs: number } {
  return { income: fees + plans, costs: sending + (entered ?? 0) };
}

/** The months as a table for a file, with a header row. */
export function incomeTable(months: readonly IncomeMonth[]): string[][] {
  return [
    ["Month", "Service fees (KES)", "Plans (KES)", "M-Pesa sending (KES)", "Other costs (KES)", "Left (KES)"],
    ...months.map((row) => {
      const { income, costs } = totalsOf(row);
      const entered = row.entered === null ? "" : String(row.entered);
      return [row.month, String(row.fees), String(row.plans), String(row.sending), entered, String(income - costs)];
    }),
  ];
}
