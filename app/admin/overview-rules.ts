/** What needs a person, the most urgent first: pure rules of the admin pages' front page. */
import { formatKes } from "#app/ui/money.ts";

const HOUR_MS = 60 * 60_000;

/** The pages with something to decide. */
export type DeskName = "operations" | "money" | "problems" | "proposals" | "moderation" | "verifications";

/** A desk: what waits there, and within how long somebody should look at it. */
interface Desk {
  to: string;
  /** `count` is at least 1. */
  words: (count: number) => string;
  withinMs: number;
}

const one = (count: number, single: string, many: string) => (count === 1 ? `1 ${single}` : `${count} ${many}`);

/** Each page with something to decide. Whoever waits for money, or stands at a meeting point, waits the shortest. */
export const DESKS: Record<DeskName, Desk> = {
  operations: {
    to: "/admin/operations",
    words: (count) => `${one(count, "alarm is", "alarms are")} on`,
    withinMs: HOUR_MS / 4,
  },
  money: {
    to: "/admin/money",
    words: (count) => `${one(count, "payment doesn't", "payments don't")} match`,
    withinMs: 4 * HOUR_MS,
  },
  problems: {
    to: "/admin/problems",
    words: (count) => `${one(count, "problem waits", "problems wait")} for us`,
    withinMs: 24 * HOUR_MS,
  },
  proposals: {
    to: "/admin/proposals",
    words: (count) => `${one(count, "act waits", "acts wait")} for a second admin`,
    withinMs: 24 * HOUR_MS,
  },
  moderation: {
    to: "/admin/moderation",
    words: (count) => `Decide ${one(count, "report or held listing", "reports and held listings")}`,
    withinMs: 24 * HOUR_MS,
  },
  verifications: {
    to: "/admin/verifications",
    words: (count) => `Check ${one(count, "document", "documents")}`,
    withinMs: 48 * HOUR_MS,
  },
};

/** Since when the oldest waits, ms since 1970; null where nothing does. */
export type Oldest = Record<DeskName, number | null>;

export interface WaitingDesk {
  to: string;
  text: string;
  /** Since when the oldest waits, ms since 1970. */
  since: number;
  /** It has waited for longer than it should. */
  isLate: boolean;
}

/** The desks with something to do, those first that have used up the most of their time. */
export function waitingDesks(counts: Record<DeskName, number>, oldest: Oldest, now: number): WaitingDesk[] {
  return (Object.keys(DESKS) as DeskName[])
    .flatMap((name) => {
      const { to, words, withinMs } = DESKS[name];
      const since = oldest[name] ?? now;
      return counts[name] > 0 ? [{ to, text: words(counts[name]), since, used: (now - since) / withinMs }] : [];
    })
    .toSorted((a, b) => b.used - a.used)
    .map(({ used, ...desk }) => ({ ...desk, isLate: used > 1 }));
}

/** Over how many days the figures are. */
export const FIGURE_DAYS = [7, 30, 90] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];

export function readFigureDays(text: string | null): FigureDays {
  return FIGURE_DAYS.find((days) => String(days) === text) ?? 7;
}

/** What became of the orders that were placed in some days, and what else happened then. Amounts in KES. */
export interface Figures {
  signUps: number;
  listings: number;
  orders: number;
  paidOrders: number;
  volume: number;
  items: { paid: number; completed: number; returned: number; withProblem: number };
  /** How requests to pay ended. `reason`: why M-Pesa took nothing. */
  payments: { isPaid: boolean; reason: string | null; count: number }[];
  /** From the payment to the end of a completed deal, ms; the middle one. Null where there is none. */
  typicalMs: number | null;
}

/** A share in whole percent; null of nothing. */
function shareOf(part: number, whole: number): string | null {
  return whole === 0 ? null : `${Math.round((100 * part) / whole)} %`;
}

/** How a request to pay ended, in words: "insufficient funds". */
function endWords({ isPaid, reason }: Figures["payments"][number]): string {
  return isPaid ? "paid" : (reason ?? "other").replaceAll("_", " ");
}

/** How long ago, in the unit that fits: "3 days". */
export function ageText(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return one(Math.max(1, Math.floor(ms / 60_000)), "minute", "minutes");
  return hours < 48 ? one(hours, "hour", "hours") : one(Math.floor(hours / 24), "day", "days");
}

/** The figures as rows of names and values, for the page and the file. */
export function figureRows(figures: Figures): [name: string, value: string][] {
  const { items, payments } = figures;
  const asked = payments.reduce((sum, { count }) => sum + count, 0);
  const paid = payments.filter(({ isPaid }) => isPaid).reduce((sum, { count }) => sum + count, 0);
  const ofItems = (part: number) => shareOf(part, items.paid);
  return [
    ["New accounts", String(figures.signUps)],
    ["New listings", String(figures.listings)],
    ["Orders", String(figures.orders)],
    ["Orders paid", withShare(figures.paidOrders, shareOf(figures.paidOrders, figures.orders))],
    ["Volume", formatKes(figures.volume)],
    ["Items handed over", withShare(items.completed, ofItems(items.completed))],
    ["Items refunded", withShare(items.returned, ofItems(items.returned))],
    ["Items with a problem", withShare(items.withProblem, ofItems(items.withProblem))],
    ["Typical time from payment to handover", figures.typicalMs === null ? "–" : ageText(figures.typicalMs)],
    ["Payment requests", String(asked)],
    ["Payment requests paid", withShare(paid, shareOf(paid, asked))],
    ...payments
      .filter(({ isPaid }) => !isPaid)
      .map((end): [string, string] => [`Not paid: ${endWords(end)}`, withShare(end.count, shareOf(end.count, asked))]),
  ];
}

function withShare(count: number, share: string | null): string {
  return share === null ? String(count) : `${count} (${share})`;
}
