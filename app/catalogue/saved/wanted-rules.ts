/** "3 people look for this at KES 2,000 or less": what a seller reads of saved searches (docs/product-rules.md). */
import { formatKes } from "#app/ui/money.ts";

/** Of one person alone a seller could guess who it is, above all if they have just written. */
const WANTED_LEAST = 2;

/** A search for less than this share of a listing's price is for something else. */
export const WANTED_FROM = 0.5;

export interface Wanted {
  people: number;
  /** KES: what each of them would still pay. */
  limit: number;
}

/**
 * The highest price at which several people would find a listing. `limits`: what each of them would pay at most, in
 * KES; null where fewer would.
 */
export function wantedAt(limits: readonly number[]): Wanted | null {
  const limit = limits.toSorted((one, other) => other - one)[WANTED_LEAST - 1];
  return limit === undefined ? null : { limit, people: limits.filter((one) => one >= limit).length };
}

export function wantedText({ people, limit }: Wanted): string {
  return `${people} people look for this at ${formatKes(limit)} or less`;
}
