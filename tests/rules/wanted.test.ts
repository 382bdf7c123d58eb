import fc from "fast-check";
import { expect, test } from "vitest";
import { wantedAt, wantedText } from "#app/catalogue/saved/wanted-rules.ts";

const limits = fc.array(fc.integer({ min: 100, max: 250_000 }), { maxLength: 12 });

test("what is wanted is never of fewer than three people, who all pay so much, in hundreds", () => {
  fc.assert(
    fc.property(limits, (all) => {
      const wanted = wantedAt(all);
      expect(wanted === null).toBe(all.length < 3);
      if (!wanted) return;
      expect(wanted.people).toBeGreaterThanOrEqual(3);
      expect(wanted.limit % 100).toBe(0);
      expect(all.filter((one) => one >= wanted.limit)).toHaveLength(wanted.people);
      expect(all.filter((one) => one >= wanted.limit + 100).length).toBeLessThan(3);
    }),
  );
});

test("a seller reads how many, and for how much", () => {
  const wanted = wantedAt([1_500, 2_500, 2_040, 2_080]);
  expect(wanted).toEqual({ people: 3, limit: 2_000 });
  expect(wantedAt([90, 95, 99])).toBeNull();
  expect(wanted && wantedText(wanted)).toBe("3 people look for this at KES 2,000 or less");
});
