import fc from "fast-check";
import { expect, test } from "vitest";
import { priceBands, priceMarks, textMark } from "#app/catalogue/search/index-marks.ts";

/** The marks of a listing with a price, as the index writes them. */
function marksOf(price: number): string[] {
  return [0, 1, 2, 3, 4, 5].map((digits) => `\u{E0F7}${digits}x${Math.floor(price / 10 ** digits)}`);
}

const price = fc.oneof(fc.nat({ max: 999_999 }), fc.nat({ max: 300 }), fc.constantFrom(0, 999, 1_000, 24_500, 999_999));
const end = fc.option(price);

test("A listing has exactly one of the marks of a range where its price is in it, and none elsewhere", () => {
  fc.assert(
    fc.property(price, end, end, (at, min, max) => {
      const marks = new Set(priceMarks(min, max));
      const isInRange = at >= (min ?? 0) && at <= (max ?? 999_999);
      expect(marksOf(at).filter((mark) => marks.has(mark))).toHaveLength(isInRange ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});

test("A price that people ask for needs few marks", () => {
  for (const max of [500, 2_000, 15_000, 30_000, 100_000]) expect(priceMarks(null, max).length).toBeLessThanOrEqual(7);
});

test("A listing is in exactly one band of the range that its price is in, and dearer ones are in later bands", () => {
  fc.assert(
    fc.property(price, price, end, end, (one, other, min, max) => {
      const bands = priceBands(min, max);
      const bandsOf = (at: number) =>
        bands.flatMap((marks, n) => (marksOf(at).some((m) => marks.includes(m)) ? [n] : []));
      for (const at of [one, other])
        expect(bandsOf(at)).toHaveLength(at >= (min ?? 0) && at <= (max ?? 999_999) ? 1 : 0);
      const [cheap, dear] = one <= other ? [one, other] : [other, one];
      expect(bandsOf(cheap)[0] ?? 0).toBeLessThanOrEqual(bandsOf(dear)[0] ?? Infinity);
    }),
    { numRuns: 1_000 },
  );
});

test("Different texts have different marks, each one word of the index", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
      expect(textMark("type", one) === textMark("type", other)).toBe(one === other);
      expect(textMark("campus", one)).toMatch(/^\p{Co}[0-9a-f]*$/u);
    }),
  );
});
