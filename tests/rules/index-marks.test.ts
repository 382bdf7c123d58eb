import fc from "fast-check";
import { expect, test } from "vitest";
import { priceBlocks, priceMarks, textMark } from "#app/catalogue/search/index-marks.ts";

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
  for (const max of [500, 2_000, 15_000, 30_000, 100_000]) expect(priceBlocks(null, max).length).toBeLessThanOrEqual(7);
});

test("Blocks of prices come in the order of their prices", () => {
  fc.assert(
    fc.property(end, end, (min, max) => {
      const firsts = priceBlocks(min, max).map((block) => {
        const [open = 0, start = 0] = block.split("x").map(Number);
        return start * 10 ** open;
      });
      expect(firsts).toEqual(firsts.toSorted((one, other) => one - other));
    }),
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
