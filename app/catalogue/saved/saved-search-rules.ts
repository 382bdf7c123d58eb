/** When a saved search tells its owner of a listing (docs/product-rules.md, "Saved searches"). */
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

export const FREQUENCIES = ["at_once", "daily", "never"] as const;

export type Frequency = (typeof FREQUENCIES)[number];

export const FREQUENCY_LABELS: Record<Frequency, string> = { at_once: "At once", daily: "Once a day", never: "Never" };

/** How many searches one person can save. */
export const SAVED_MAX = 50;

/** A price is worth telling again where it is at most so much of the lowest that somebody knows, in percent. */
export const FALL_TO = 95;

/** Whether a price is low enough to tell somebody who knows of another one, KES. */
export function isFall(known: number, price: number): boolean {
  return price < known && 100 * price <= FALL_TO * known;
}

/** What somebody knows of a listing that their saved searches have found before. */
export interface Found {
  /** KES: the lowest price of which they know. */
  price: number;
  /** How often they were told, or will be with the next daily notification. */
  told: number;
  /** It waits for the daily notification. */
  waits: boolean;
}

/**
 * `count`: it is new to them, and they want to be told of nothing. `know`: it costs less than they know, which isn't
 * told.
 */
export type Telling = "tell" | "wait" | "count" | "know" | "nothing";

/** A first time, and once more when it has become cheaper. */
const TOLD_MAX = 2;

/**
 * What to do about a listing that somebody's saved searches find at this price, KES. `frequency`: the soonest of these
 * searches.
 */
export function tellingOf(frequency: Frequency, found: Found | null, price: number): Telling {
  const isNews =
    found === null || (!found.waits && (found.told === 0 || (found.told < TOLD_MAX && isFall(found.price, price))));
  if (isNews && frequency === "at_once") return "tell";
  if (isNews && frequency === "daily") return "wait";
  if (found === null) return "count";
  return price < found.price ? "know" : "nothing";
}

/** The soonest of some frequencies. */
export function soonest(frequencies: readonly Frequency[]): Frequency {
  return FREQUENCIES.find((one) => frequencies.includes(one)) ?? "never";
}

/** Daily notifications come at this hour in East Africa, when lectures are over. */
export const DAILY_HOUR = 18;

/** The latest moment at which daily notifications were due, ms. What has waited since before is told now. */
export function lastDailyTime(now: number): number {
  const today = dayStart(dayOf(now)) + DAILY_HOUR * HOUR_MS;
  return today <= now ? today : dayStart(dayOf(now) - 1) + DAILY_HOUR * HOUR_MS;
}
