import fc from "fast-check";
import { expect, test } from "vitest";
import { nextPriceStep, type PriceStep, shownSteps, unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import { EMPTY_WHOLESALE, type WholesaleValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { isWholesale, readSku, readTerms, writeTerms } from "#app/catalogue/selling/wholesale-rules.ts";

const PENS = {
  price: 100,
  steps: [
    { fromQuantity: 12, price: 85 },
    { fromQuantity: 50, price: 70 },
  ],
};

function errorsOf(values: Partial<WholesaleValues>, price: number | null = 100) {
  const reading = readTerms({ ...EMPTY_WHOLESALE, ...values }, price);
  return reading.ok ? {} : reading.errors;
}

test.each([
  [1, 100],
  [11, 100],
  [12, 85],
  [49, 85],
  [50, 70],
  [9_999, 70],
])("%i pieces cost the price of the highest step that they reach: KES %i each", (quantity, expected) => {
  expect(unitPrice(PENS, quantity)).toBe(expected);
});

test("a step that isn't below the listing's price has no effect, and isn't shown", () => {
  const cheap = { ...PENS, price: 80 };
  expect([11, 12, 50].map((quantity) => unitPrice(cheap, quantity))).toEqual([80, 80, 70]);
  expect(shownSteps(cheap)).toEqual([{ fromQuantity: 50, price: 70 }]);
  expect(nextPriceStep(cheap, 6)).toEqual({ more: 44, price: 70 });
});

test("the next step says how many more pieces make each cheaper", () => {
  expect(nextPriceStep(PENS, 9)).toEqual({ more: 3, price: 85 });
  expect(nextPriceStep(PENS, 12)).toEqual({ more: 38, price: 70 });
  expect(nextPriceStep(PENS, 50)).toBeNull();
});

test("empty fields are no terms, and a smallest order or a step makes a listing wholesale", () => {
  const none = readTerms(EMPTY_WHOLESALE, 100);
  expect(none).toEqual({ ok: true, terms: { minQuantity: 1, steps: [] } });
  expect(isWholesale({ minQuantity: 1, steps: [] })).toBe(false);
  expect(isWholesale({ minQuantity: 2, steps: [] })).toBe(true);
  expect(isWholesale({ minQuantity: 1, steps: PENS.steps })).toBe(true);
});

test("rows between the steps may stay empty", () => {
  expect(
    readTerms(
      {
        ...EMPTY_WHOLESALE,
        minQuantity: "6",
        stepFrom2: "12",
        stepPrice2: "KES 85",
        stepFrom5: "1,000",
        stepPrice5: "70",
      },
      100,
    ),
  ).toEqual({
    ok: true,
    terms: {
      minQuantity: 6,
      steps: [
        { fromQuantity: 12, price: 85 },
        { fromQuantity: 1_000, price: 70 },
      ],
    },
  });
});

test.each<[string, Partial<WholesaleValues>, Partial<WholesaleValues>]>([
  ["a smallest order of 0", { minQuantity: "0" }, { minQuantity: "Enter a whole number from 1 to 999" }],
  ["a smallest order of 1,000", { minQuantity: "1000" }, { minQuantity: "Enter a whole number from 1 to 999" }],
  ["half a piece", { minQuantity: "1.5" }, { minQuantity: "Enter a whole number from 1 to 999" }],
  [
    "a first step at the smallest order",
    { minQuantity: "12", stepFrom1: "12", stepPrice1: "85" },
    { stepFrom1: "Enter more than 12, the smallest order" },
  ],
  [
    "quantities that don't rise",
    { stepFrom1: "12", stepPrice1: "85", stepFrom2: "12", stepPrice2: "80" },
    { stepFrom2: "Enter more than 12, as in the step before" },
  ],
  [
    "prices that don't fall",
    { stepFrom1: "12", stepPrice1: "85", stepFrom2: "24", stepPrice2: "85" },
    { stepPrice2: "Enter less than KES 85, as in the step before" },
  ],
  ["a step at the price", { stepFrom1: "12", stepPrice1: "100" }, { stepPrice1: "Enter less than the price, KES 100" }],
  ["a step below KES 10", { stepFrom1: "12", stepPrice1: "9" }, { stepPrice1: "Enter at least KES 10" }],
  ["a step without a price", { stepFrom1: "12" }, { stepPrice1: "Enter the price for one piece" }],
  ["a step without a quantity", { stepPrice3: "85" }, { stepFrom3: "Enter from how many pieces" }],
  [
    "a step from 10,000 pieces",
    { stepFrom1: "10000", stepPrice1: "20" },
    { stepFrom1: "Enter a whole number up to 9,999" },
  ],
  [
    "a step above what M-Pesa takes",
    { stepFrom1: "5000", stepPrice1: "85" },
    { stepFrom1: "Nobody can reach this step: M-Pesa takes at most KES 250,000 in one payment" },
  ],
])("%s is refused at its field", (_case, values, errors) => {
  expect(errorsOf(values)).toEqual(errors);
});

test("a smallest order that nobody can pay for is refused", () => {
  expect(errorsOf({ minQuantity: "6" }, 50_000)).toEqual({
    minQuantity: "The smallest order would cost KES 300,000. M-Pesa takes at most KES 250,000 in one payment",
  });
  expect(errorsOf({ minQuantity: "5" }, 50_000)).toEqual({});
});

test("while the price is unknown, nothing is compared with it", () => {
  expect(errorsOf({ minQuantity: "6", stepFrom1: "12", stepPrice1: "85" }, null)).toEqual({});
});

test("a SKU is one tidy line of up to 40 characters", () => {
  expect(readSku("  PEN\n 12 ")).toEqual({ ok: true, sku: "PEN 12" });
  expect(readSku(" ")).toEqual({ ok: true, sku: null });
  expect(readSku("x".repeat(41))).toEqual({ ok: false, error: "Please use at most 40 characters" });
});

/** Any terms that the form accepts for a price. */
const terms = fc
  .record({
    price: fc.integer({ min: 30, max: 2_000 }),
    minQuantity: fc.integer({ min: 1, max: 50 }),
    gaps: fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 4 })), { maxLength: 5 }),
  })
  .map(({ price, minQuantity, gaps }) => {
    const steps: PriceStep[] = [];
    let last = { fromQuantity: minQuantity, price };
    for (const [pieces, shillings] of gaps) {
      last = { fromQuantity: last.fromQuantity + pieces, price: last.price - shillings };
      steps.push(last);
    }
    return { price, minQuantity, steps };
  });

test("terms that are written into the form are read back the same", () => {
  fc.assert(
    fc.property(terms, ({ price, minQuantity, steps }) => {
      expect(readTerms(writeTerms({ minQuantity, steps }, "A1"), price)).toEqual({
        ok: true,
        terms: { minQuantity, steps },
      });
    }),
  );
});

test("more pieces never cost more each", () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 1, max: 120 }), (pricing, quantity) => {
      expect(unitPrice(pricing, quantity + 1)).toBeLessThanOrEqual(unitPrice(pricing, quantity));
      const next = nextPriceStep(pricing, quantity);
      if (next) expect(unitPrice(pricing, quantity + next.more)).toBe(next.price);
    }),
  );
});

test("the form never throws, and what it accepts keeps the rules", () => {
  const text = fc.oneof(fc.string({ maxLength: 8 }), fc.integer({ min: 0, max: 12_000 }).map(String));
  const values = fc.record(
    Object.fromEntries(Object.keys(EMPTY_WHOLESALE).map((field) => [field, text])),
  ) as unknown as fc.Arbitrary<WholesaleValues>;
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 250_000 }), (typed, price) => {
      const reading = readTerms(typed, price);
      if (!reading.ok) return;
      let last = { fromQuantity: reading.terms.minQuantity, price };
      for (const step of reading.terms.steps) {
        expect(step.fromQuantity).toBeGreaterThan(last.fromQuantity);
        expect(step.price).toBeLessThan(last.price);
        expect(step.price).toBeGreaterThanOrEqual(10);
        last = step;
      }
    }),
  );
});
