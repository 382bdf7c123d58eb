import { orderedPrices } from "./read-list-filters.ts";

/** KES, as people say prices. */
const SPOKEN = [1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80].flatMap((one) =>
  [10, 100, 1_000, 10_000].map((unit) => one * unit),
);

/** Fewer prices say too little about what things cost. */
const PRICES_MIN = 8;

/**
 * Price ranges to choose from. They divide a list at the quartiles of its prices, rounded to what people say: up to
 * 500, 500 to 1,000, from 1,000. None where nearly everything costs the same. `prices` in KES.
 */
export function priceChoices(prices: readonly number[]): ReturnType<typeof orderedPrices>[] {
  if (prices.length < PRICES_MIN) return [];
  const sorted = prices.toSorted((one, other) => one - other);
  const borders = [
    ...new Set([0.25, 0.5, 0.75].map((share) => spoken(sorted[Math.floor(share * sorted.length)] ?? 0))),
  ];
  if (borders.length < 2) return [];
  return [null, ...borders].map((border, at) => orderedPrices(border, borders[at] ?? null));
}

function spoken(price: number): number {
  return SPOKEN.reduce((best, one) => (Math.abs(one - price) < Math.abs(best - price) ? one : best));
}
