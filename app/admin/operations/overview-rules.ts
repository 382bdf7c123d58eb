/** What needs a person, the most urgent first: pure rules of the admin pages' front page. */
import type { AlarmName } from "#app/db/states/alarm.ts";
import { ALARMS } from "./alarm-rules.ts";
import { ageText } from "#app/team/age-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** The pages with something to decide. */
export type DeskName = "mismatches" | "refunds" | "payouts" | "problems" | "proposals" | "moderation" | "verifications";

/** A desk: what waits there, and within how long somebody should look at it. */
interface Desk {
  /** The page, and which part of it. */
  to: string;
  show?: string;
  /** `count` is at least 1. */
  words: (count: number) => string;
  withinMs: number;
}

const one = (count: number, single: string, many: string) => (count === 1 ? `1 ${single}` : `${count} ${many}`);

/** Each page with something to decide. Whoever waits for money, or stands at a meeting point, waits the shortest. */
export const DESKS: Record<DeskName, Desk> = {
  mismatches: {
    to: "/admin/money",
    words: (count) => `${one(count, "payment doesn't", "payments don't")} match`,
    withinMs: 4 * HOUR_MS,
  },
  refunds: {
    to: "/admin/money",
    show: "refunds",
    words: (count) => one(count, "refund to a buyer waits", "refunds to buyers wait"),
    withinMs: 4 * HOUR_MS,
  },
  payouts: {
    to: "/admin/money",
    show: "payouts",
    words: (count) => one(count, "payout to a seller waits", "payouts to sellers wait"),
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

/** How many payouts and refunds wait, and the oldest of each how long, for the money pages. `oldest`: ms since 1970. */
export function waitingTexts(
  counts: Record<"refunds" | "payouts", number>,
  oldest: Record<"refunds" | "payouts", number | null>,
  now: number,
): { list: "refunds" | "payouts"; text: string }[] {
  return (["refunds", "payouts"] as const).flatMap((list) => {
    const since = oldest[list];
    if (counts[list] === 0 || since === null) return [];
    return [{ list, text: `${DESKS[list].words(counts[list])}, the oldest for ${ageText(now - since)}` }];
  });
}

/** Alarms have a page of their own, and each its own words. */
const ALARMS_PAGE = "/admin/operations";
const ALARM_WITHIN_MS = HOUR_MS / 4;

/** Since when the oldest waits, ms since 1970; null where nothing does. */
export type Oldest = Record<DeskName, number | null>;

export interface WaitingDesk {
  /** The page, for who may open it. */
  page: string;
  to: string;
  text: string;
  /** Since when the oldest waits, ms since 1970. */
  since: number;
  /** It has waited for longer than it should. */
  isLate: boolean;
}

/**
 * The desks with something to do, and each alarm that is on. Those come first that have used up the most of their time.
 */
export function waitingDesks(
  counts: Record<DeskName, number>,
  oldest: Oldest,
  now: number,
  alarms: readonly { name: AlarmName; since: number }[] = [],
): WaitingDesk[] {
  const desks = (Object.keys(DESKS) as DeskName[]).flatMap((name) => {
    const { to: page, show, words, withinMs } = DESKS[name];
    const to = show ? `${page}?show=${show}` : page;
    return counts[name] > 0 ? [{ page, to, text: words(counts[name]), since: oldest[name] ?? now, withinMs }] : [];
  });
  const alerts = alarms.map(({ name, since }) => ({
    page: ALARMS_PAGE,
    to: `${ALARMS_PAGE}#${name}`,
    text: ALARMS[name].title,
    since,
    withinMs: ALARM_WITHIN_MS,
  }));
  return [...alerts, ...desks]
    .map(({ withinMs, ...desk }) => ({ ...desk, used: (now - desk.since) / withinMs }))
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

/** A campus's part of something. `campus`: its id; null for people without one. */
type PartOf<Counts> = { campus: number | null } & Counts;

/**
 * What happened, by the campus of whoever did it: signed up, listed, or ordered. Of orders, items and payments that is
 * the buyer's. One row at most for each campus, and for each end of payments there.
 */
export interface FigureParts {
  signUps: PartOf<{ count: number }>[];
  listings: PartOf<{ count: number }>[];
  orders: PartOf<{ placed: number; paid: number; volume: number }>[];
  items: PartOf<Figures["items"]>[];
  payments: PartOf<Figures["payments"][number]>[];
  /** How long deals took, ms: a sample of the latest, in any order. */
  times: PartOf<{ took: number }>[];
}

/** The figures of one campus, or of all (`undefined`). The most frequent end of payments comes first. */
export function sumFigures(parts: FigureParts, campus?: number | null): Figures {
  const of = <Part extends { campus: number | null }>(rows: readonly Part[]) =>
    campus === undefined ? rows : rows.filter((row) => row.campus === campus);
  const sum = <Part extends { campus: number | null }>(rows: readonly Part[], figure: (row: Part) => number) =>
    of(rows).reduce((total, row) => total + figure(row), 0);
  const ends = Map.groupBy(of(parts.payments), ({ isPaid, reason }) => `${isPaid} ${reason}`);
  const times = of(parts.times)
    .map(({ took }) => took)
    .toSorted((a, b) => a - b);
  return {
    signUps: sum(parts.signUps, ({ count }) => count),
    listings: sum(parts.listings, ({ count }) => count),
    orders: sum(parts.orders, ({ placed }) => placed),
    paidOrders: sum(parts.orders, ({ paid }) => paid),
    volume: sum(parts.orders, ({ volume }) => volume),
    items: {
      paid: sum(parts.items, ({ paid }) => paid),
      completed: sum(parts.items, ({ completed }) => completed),
      returned: sum(parts.items, ({ returned }) => returned),
      withProblem: sum(parts.items, ({ withProblem }) => withProblem),
    },
    payments: [...ends.values()]
      .map((rows) => ({
        isPaid: rows.some(({ isPaid }) => isPaid),
        reason: rows[0]?.reason ?? null,
        count: rows.reduce((total, row) => total + row.count, 0),
      }))
      .toSorted((a, b) => b.count - a.count),
    typicalMs: times[Math.floor(times.length / 2)] ?? null,
  };
}

export interface CampusFigures {
  /** The campus's name. */
  name: string;
  figures: Figures;
}

/**
 * The campuses where something happened, those with the largest volume first; last, what people without a campus did.
 */
export function figuresByCampus(
  parts: FigureParts,
  campuses: readonly { id: number; name: string }[],
): CampusFigures[] {
  const rows = Object.values<{ campus: number | null }[]>({ ...parts }).flat();
  const seen = new Set(rows.map(({ campus }) => campus));
  const known = campuses
    .filter(({ id }) => seen.has(id))
    .map(({ id, name }) => ({ name, figures: sumFigures(parts, id) }))
    .toSorted((a, b) => b.figures.volume - a.figures.volume || b.figures.orders - a.figures.orders);
  return seen.has(null) ? [...known, { name: "No campus", figures: sumFigures(parts, null) }] : known;
}

/** A share in whole percent; null of nothing. */
function shareOf(part: number, whole: number): string | null {
  return whole === 0 ? null : `${Math.round((100 * part) / whole)} %`;
}

/** How a request to pay ended, in words: "insufficient funds". */
function endWords({ isPaid, reason }: Figures["payments"][number]): string {
  return isPaid ? "paid" : (reason ?? "other").replaceAll("_", " ");
}

/** The figures as rows of names and values, for the page and the file. */
export function figureRows(figures: Figures): [name: string, value: string][] {
  const { items, payments } = figures;
  const { asked, paid } = countRequests(figures);
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

/** The figures beside those of the days before: a row of the table on the page. */
export function comparedRows(figures: Figures, before: Figures): { name: string; value: string; before: string }[] {
  const earlier = new Map(figureRows(before));
  return figureRows(figures).map(([name, value]) => ({ name, value, before: earlier.get(name) ?? "0" }));
}

/** How many requests to pay were made, and how many of them paid. */
function countRequests({ payments }: Figures): { asked: number; paid: number } {
  const count = (ends: Figures["payments"]) => ends.reduce((sum, end) => sum + end.count, 0);
  return { asked: count(payments), paid: count(payments.filter(({ isPaid }) => isPaid)) };
}

/** A campus's figures in short, to compare campuses on the page. */
export function campusRow(figures: Figures): [name: string, value: string][] {
  const { asked, paid } = countRequests(figures);
  return [
    ["New accounts", String(figures.signUps)],
    ["New listings", String(figures.listings)],
    ["Orders paid", String(figures.paidOrders)],
    ["Volume", formatKes(figures.volume)],
    ["Items handed over", withShare(figures.items.completed, shareOf(figures.items.completed, figures.items.paid))],
    ["Payment requests paid", shareOf(paid, asked) ?? "–"],
  ];
}

/** The file: a row for each figure, with a column for everything and one for each campus. */
export function figureTable(all: Figures, campuses: readonly CampusFigures[], days: FigureDays): string[][] {
  const columns = campuses.map(({ figures }) => new Map(figureRows(figures)));
  return [
    ["Figure", `Last ${days} days`, ...campuses.map(({ name }) => name)],
    ...figureRows(all).map(([name, value]) => [name, value, ...columns.map((column) => column.get(name) ?? "0")]),
  ];
}

function withShare(count: number, share: string | null): string {
  return share === null ? String(count) : `${count} (${share})`;
}
