import fc from "fast-check";
import { expect, test } from "vitest";
import { PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { isFall } from "#app/catalogue/saved/saved-search-rules.ts";
import { loweredPrice, loweredText } from "#app/catalogue/selling/lower-price-rules.ts";

test("the lower price is a round number, about a tenth less, and news to whoever knew the one before", () => {
  expect([0, 10, 15, 50, 100, 199, 850, 1_000, 1_900, 12_500, 60_000].map(loweredPrice)).toEqual([
    null,
    null,
    10,
    45,
    90,
    175,
    760,
    900,
    1_700,
    11_000,
    54_000,
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (price) => {
      const lower = loweredPrice(price);
      expect(lower === null).toBe(price < 12);
      if (lower === null) return;
      expect(lower).toBeGreaterThanOrEqual(PAYOUT_LIMITS.min);
      expect(isFall(price, lower)).toBe(true);
    }),
  );
});

test.each([
  [0, "It costs KES 900 now."],
  [1, "It costs KES 900 now. We're telling the one who saved it."],
  [4, "It costs KES 900 now. We're telling the 4 who saved it."],
])("with %i who saved it: “%s”", (savers, text) => {
  expect(loweredText("KES 900", savers)).toBe(text);
});
