/** A seller's holiday: until it ends nobody can order from them or make them offers. */
import { dayBounds, dayName } from "#app/platform/east-africa-time.ts";
import { formatDayOfYear } from "#app/ui/dates.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** The last day of a holiday is at most this many days ahead. */
export const HOLIDAY_MAX_DAYS = 90;

/**
 * When a holiday ends (ms since 1970): at midnight after its last day, `day` as YYYY-MM-DD. Or the error of the field.
 */
export function readHoliday(day: string, now: number): { ok: true; until: number } | { ok: false; error: string } {
  const { until } = dayBounds(day.trim());
  // A day that doesn't exist, such as 31 April, is read as another day or as no number.
  if (Number.isNaN(until) || dayName(until - 1) !== day.trim())
    return { ok: false, error: "Choose the last day of your holiday" };
  if (until <= now) return { ok: false, error: "That day is over. Choose today or a later day." };
  const latest = now + HOLIDAY_MAX_DAYS * DAY_MS;
  if (until > dayBounds(dayName(latest)).until)
    return {
      ok: false,
      error: `Choose a day up to ${formatDayOfYear(latest)}. A holiday lasts at most ${HOLIDAY_MAX_DAYS} days.`,
    };
  return { ok: true, until };
}

/** The last day of a holiday as a date field has it: YYYY-MM-DD. */
export function lastDayOf(until: number): string {
  return dayName(until - 1);
}

/** "holiday until 5 December". */
export function holidayText(until: number): string {
  return `holiday until ${formatDayOfYear(until - 1)}`;
}

/** An order or an offer that a holiday prevents. */
export interface SellerAway {
  /** The product's name. */
  name: string;
  seller: string;
  /** When the holiday ends, ms since 1970. */
  until: number;
}

/** For a buyer who can't buy a product now. */
export function productAwayText({ seller, until }: Pick<SellerAway, "seller" | "until">): string {
  return `${seller} is on ${holidayText(until)}. You can save this to your wishlist.`;
}

/** The same on public pages, which have no wishlist. `seller` may be a shop. */
export function publicAwayText({ seller, until }: Pick<SellerAway, "seller" | "until">): string {
  return `${seller} is on ${holidayText(until)}. You can order again after that.`;
}

/** For a buyer whose order or payment was refused. Names the line, because an order may have several. */
export function orderAwayText({ name, seller, until }: SellerAway): string {
  return `${seller} is on ${holidayText(until)}, so you can't buy ${name} now.`;
}
