import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ComparedThing,
  GUIDE_DAYS,
  type GuideSale,
  guideText,
  priceGuide,
  RESTS_DAYS,
} from "#app/screens/price-guide/price-guide-rules.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOW = 300 * DAY_MS;
const CALCULATOR: ComparedThing = { name: "Casio fx-991ES Plus", facts: { model: "fx-991" }, isBook: false };

function sale(at: number, change: Partial<GuideSale> = {}): GuideSale {
  return {
    name: CALCULATOR.name,
    facts: CALCULATOR.facts,
    sellerId: `seller ${at}`,
    buyerId: `buyer ${at}`,
    payerPhone: `payer ${at}`,
    payeePhone: `payee ${at}`,
    price: 1_700,
    paidAt: NOW - (RESTS_DAYS + at) * DAY_MS,
    ...change,
  };
}

const sales = fc.array(
  fc
    .record({
      seller: fc.nat(11),
      buyer: fc.nat(11),
      payer: fc.option(fc.nat(20)),
      payee: fc.option(fc.nat(20)),
      price: fc.integer({ min: 0, max: 4_000 }),
      days: fc.nat(GUIDE_DAYS + 20),
    })
    .map(({ seller, buyer, payer, payee, price, days }) =>
      sale(days, {
        sellerId: `person ${seller}`,
        buyerId: `person ${buyer}`,
        payerPhone: payer === null ? null : `phone ${payer}`,
        payeePhone: payee === null ? null : `phone ${payee}`,
        price,
        paidAt: NOW - days * DAY_MS,
      }),
    ),
  { maxLength: 30 },
);

describe("a price guide", () => {
  test("never comes from fewer than eight people within the time", () => {
    fc.assert(
      fc.property(sales, (all) => {
        if (priceGuide(CALCULATOR, all, NOW) === null) return;
        const [from, to] = [NOW - GUIDE_DAYS * DAY_MS, NOW - RESTS_DAYS * DAY_MS];
        const counted = all.filter(({ paidAt, price }) => paidAt >= from && paidAt <= to && price > 0);
        const people = counted.flatMap(({ sellerId, buyerId }) => [sellerId, buyerId]);
        expect(new Set(people).size).toBeGreaterThanOrEqual(8);
      }),
    );
  });

  test("doesn't come from friends who sell to each other in a ring, also beside strangers", () => {
    for (let size = 2; size <= 7; size += 1) {
      const ring = Array.from({ length: size }, (_, at) =>
        sale(at, { sellerId: `friend ${at}`, buyerId: `friend ${(at + 1) % size}` }),
      );
      expect(priceGuide(CALCULATOR, ring, NOW)).toBeNull();
    }
    const [one, other] = [
      sale(1, { sellerId: "one", buyerId: "other" }),
      sale(2, { sellerId: "other", buyerId: "one" }),
    ];
    expect(priceGuide(CALCULATOR, [one, other, sale(3), sale(4)], NOW)).toBeNull();
    expect(priceGuide(CALCULATOR, [one, other, sale(3), sale(4), sale(5)], NOW)).not.toBeNull();
    // The number that paid one sale got the money of another.
    const shared = [sale(1, { payerPhone: "shared" }), sale(2, { payeePhone: "shared" }), sale(3), sale(4)];
    expect(priceGuide(CALCULATOR, shared, NOW)).toBeNull();
  });

  test("is the same in any order, lies among the prices, and never spans more than its double", () => {
    fc.assert(
      fc.property(sales, fc.nat(), (all, turn) => {
        // Of two sales at the same moment either may count.
        const apart = all.map((one, at) => ({ ...one, paidAt: one.paidAt + at }));
        const guide = priceGuide(CALCULATOR, apart, NOW);
        const turned = apart.map((_, at) => apart[(at + turn) % apart.length]).filter((one) => one !== undefined);
        expect(priceGuide(CALCULATOR, turned, NOW)).toEqual(guide);
        if (!guide) return;
        const prices = apart.flatMap(({ price }) => (price > 0 ? price : []));
        expect(guide.low).toBeLessThanOrEqual(guide.high);
        expect(guide.high).toBeLessThanOrEqual(2 * guide.low);
        expect(guide.low).toBeGreaterThanOrEqual(Math.min(...prices) * 0.95 - 5);
        expect(guide.high).toBeLessThanOrEqual(Math.max(...prices) * 1.05 + 10);
      }),
    );
  });

  test("doesn't change with what one person sells or buys again", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 4_000 }), { maxLength: 20 }), (prices) => {
        const four = [sale(1), sale(2, { price: 1_500 }), sale(3, { price: 1_900 }), sale(4)];
        const again = prices.flatMap((price, at) => [
          sale(10 + at, { sellerId: "seller 1", price }),
          sale(40 + at, { buyerId: "buyer 2", price }),
          sale(70 + at, { payerPhone: "payer 3", price }),
          sale(100 + at, { sellerId: "buyer 4", price }),
          sale(130 + at, { buyerId: "seller 1", price }),
        ]);
        expect(priceGuide(CALCULATOR, [...again, ...four], NOW)).toEqual(priceGuide(CALCULATOR, four, NOW));
      }),
    );
  });

  test("tells no price of four sales", () => {
    const prices = [1_000, 1_200, 1_300, 1_500];
    const { low, high } =
      priceGuide(
        CALCULATOR,
        prices.map((price, at) => sale(at, { price })),
        NOW,
      ) ?? {};
    expect(prices).not.toContain(low);
    expect(prices).not.toContain(high);
  });
});

const guideOf = (thing: ComparedThing, change: Partial<GuideSale>) =>
  priceGuide(
    thing,
    [1, 2, 3, 4].map((at) => sale(at, change)),
    NOW,
  );
const laptop = { name: "HP EliteBook 840 G3 8GB 256 SSD", facts: { memory: "8", storage: "256" }, isBook: false };
const book = { name: "Campbell Biology 11th edition", facts: { edition: "11th" }, isBook: true };

test.each<[ComparedThing, Partial<GuideSale>, boolean]>([
  [CALCULATOR, {}, true],
  [CALCULATOR, { name: "casio 991 es plus, clean" }, true],
  [CALCULATOR, { name: "Casio fx-991EX" }, false],
  [CALCULATOR, { facts: {} }, false],
  [CALCULATOR, { price: 0 }, false],
  [CALCULATOR, { paidAt: NOW - RESTS_DAYS * DAY_MS + 1 }, false],
  [CALCULATOR, { paidAt: NOW - (GUIDE_DAYS + 1) * DAY_MS }, false],
  [{ ...CALCULATOR, name: "Casio calculator", facts: {} }, { name: "Casio fx-82" }, true],
  [laptop, { name: "Elitebook 840 G3", facts: { ...laptop.facts, color: "silver" } }, true],
  [laptop, { name: "Elitebook 840 G5", facts: laptop.facts }, false],
  [laptop, { name: "Elitebook 840 G3", facts: { memory: "4", storage: "256" } }, false],
  [book, { name: "Biology by Campbell", facts: book.facts }, true],
  [book, { name: "Organic chemistry 11th edition", facts: book.facts }, false],
  [book, { name: "Campbell Biology", facts: { edition: "9th" } }, false],
])("%o is compared with %o: %s", (thing, change, isAlike) => {
  expect(guideOf(thing, change) !== null).toBe(isAlike);
});

test.each([
  [{ low: 1_500, high: 1_900, lastAt: NOW - 8 * DAY_MS }, "Usually goes for KES 1,500 to 1,900 · last one last week"],
  [{ low: 800, high: 800, lastAt: NOW - 7 * DAY_MS }, "Usually goes for about KES 800 · last one last week"],
  [{ low: 800, high: 850, lastAt: NOW - 22 * DAY_MS }, "Usually goes for KES 800 to 850 · last one 3 weeks ago"],
  [{ low: 800, high: 850, lastAt: NOW - 40 * DAY_MS }, "Usually goes for KES 800 to 850 · last one a month ago"],
  [{ low: 800, high: 850, lastAt: NOW - 170 * DAY_MS }, "Usually goes for KES 800 to 850 · last one 5 months ago"],
])("%o reads “%s”", (guide, text) => {
  expect(guideText(guide, NOW)).toBe(text);
});
