/** "3 people look for this at KES 2,000 or less": what a seller reads of saved searches (docs/product-rules.md). */
import { formatKes } from "#app/ui/money.ts";

/** Of fewer people a seller could guess who they are, above all if they have just written. */
const WANTED_LEAST = 3;

/** KES. To the shilling the price would be one person's own. */
const LIMIT_STEP = 100;

/** A search for less than this share of a listing's price is for something else. */
export const WANTED_FROM = 0.5;

export interface Wanted {
  people: number;
  /** KES, rounded down: what each of them would still pay. */
  limit: number;
}

/**
 * The highest price at which several people would find a listing. `limits`: what each of them would pay at most, in
 * KES; null where fewer would.
 */
export function wantedAt(limits: readonly number[]): Wanted | null {
  const highest = limits.toSorted((one, other) => other - one)[WANTED_LEAST - 1] ?? 0;
  const limit = highest - (highest % LIMIT_STEP);
  return limit === 0 ? null : { limit, people: limits.filter((one) => one >= limit).length };
}

export function wantedText({ people, limit }: Wanted): string {
  return `${people} people look for this at ${formatKes(limit)} or less`;
}
