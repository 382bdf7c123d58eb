import fc from "fast-check";
import { expect, test } from "vitest";
import { distributionOf, RATED_FROM, ratingOf, type StarCounts } from "#app/accounts/trust/rating-rules.ts";

const some = fc.integer({ min: 0, max: 5_000 });
const anyCounts: fc.Arbitrary<StarCounts> = fc.tuple(some, some, some, some, some);
const sumOf = (counts: StarCounts) => counts.reduce((sum, count) => sum + count, 0);

test("a seller is new below three reviews, and then has an average to one decimal", () => {
  expect(ratingOf([0, 0, 0, 0, 0])).toBeNull();
  expect(ratingOf([0, 0, 0, 0, 2])).toBeNull();
  expect(ratingOf([0, 0, 1, 0, 2])).toEqual({ average: 4.3, count: 3 });
  expect(ratingOf([0, 1, 0, 2, 9])).toEqual({ average: 4.6, count: 12 });
});

test("an average lies between the fewest and the most stars that anybody gave", () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const rating = ratingOf(counts);
      if (!rating) return expect(sumOf(counts)).toBeLessThan(RATED_FROM);
      expect(rating.count).toBe(sumOf(counts));
      expect(rating.average).toBeGreaterThanOrEqual(counts.findIndex((count) => count > 0) + 1);
      expect(rating.average).toBeLessThanOrEqual(counts.findLastIndex((count) => count > 0) + 1);
      expect(Number.isInteger(Math.round(rating.average * 1e6) / 1e5)).toBe(true);
    }),
  );
});

test("the distribution has every review once, 5 stars first, and shares that make the whole", () => {
  expect(distributionOf([0, 1, 0, 0, 3])).toEqual([
    { stars: 5, count: 3, percent: 75 },
    { stars: 4, count: 0, percent: 0 },
    { stars: 3, count: 0, percent: 0 },
    { stars: 2, count: 1, percent: 25 },
    { stars: 1, count: 0, percent: 0 },
  ]);
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const shares = distributionOf(counts);
      expect(shares.map(({ count }) => count).toReversed()).toEqual(counts);
      const percent = shares.reduce((sum, share) => sum + share.percent, 0);
      expect(Math.abs(percent - (sumOf(counts) === 0 ? 0 : 100))).toBeLessThanOrEqual(2);
    }),
  );
});
