/** How many deals were protected on a campus, as its public page says it: pure rules. */
import type { ProtectedPeriod } from "#app/db/states/deal.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { formatCount } from "#app/ui/money.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** With fewer, the page says nothing: a small number proves nothing, and could tell of people. */
const FEWEST_SHOWN = 50;

const YEAR_MS = 365 * DAY_MS;
/** No semester is longer. Days that nobody has set anew are those of one that is over. */
const SEMESTER_MS = 180 * DAY_MS;

/** From when deals are counted, ms since 1970. `opensOn`: the first day of a semester, YYYY-MM-DD. */
export function protectedSince(opensOn: string | null, now: number): { period: ProtectedPeriod; from: number } {
  const opened = opensOn === null ? Number.NaN : dayBounds(opensOn).from;
  return opened <= now && now < opened + SEMESTER_MS
    ? { period: "semester", from: opened }
    : { period: "year", from: now - YEAR_MS };
}

const WORDS: Record<ProtectedPeriod, string> = { semester: "this semester", year: "in the last 12 months" };

/** "1,240 protected deals on Main Campus this semester"; null where there are too few. */
export function protectedText(campus: {
  name: string;
  protectedDeals: number;
  protectedPeriod: ProtectedPeriod;
}): string | null {
  if (campus.protectedDeals < FEWEST_SHOWN) return null;
  const { name, protectedDeals, protectedPeriod } = campus;
  return `${formatCount(protectedDeals)} protected deals on ${name} ${WORDS[protectedPeriod]}`;
}
