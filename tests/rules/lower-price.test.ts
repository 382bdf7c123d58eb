import fc from "fast-check";
import { expect, test } from "vitest";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { isFall } from "#app/catalogue/saved/saved-search-rules.ts";
import { loweredPrice, loweredText } from "#app/catalogue/selling/lower-price-rules.ts";

test("a lowered price can be paid out, is whole, takes at least a tenth off, and is news to whoever knew the old one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: PAYMENT_LIMITS.max }), (price) => {
      const lower = loweredPrice(price);
      if (lower === null) {
        expect(Math.floor(0.9 * price)).toBeLessThan(PAYOUT_LIMITS.min);
        return;
      }
      expect(lower).toBeGreaterThanOrEqual(PAYOUT_LIMITS.min);
      expect(Number.isInteger(lower)).toBe(true);
      expect(10 * lower).toBeLessThanOrEqual(9 * price);
      expect(lower).toBeGreaterThan(0.9 * price - 10);
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
