/** The service fee: what it comes to, how it is divided when a deal ends, and from when one holds. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { incomeForm } from "#app/admin/income/income-forms.ts";
import { incomeMonths, incomeTable, withoutEmpty } from "#app/admin/income/income-rules.ts";
import {
  agreedFeeText,
  buyerFeeText,
  earliestStart,
  feesAfter,
  feesAt,
  feesOf,
  feeWords,
  newFeeText,
  sellerFeesText,
  sellerFeeText,
  typedFeeText,
} from "#app/catalogue/fees/fee-rules.ts";
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { refusePart } from "#app/deals/deal-rules.ts";
import { FEE_PAYERS } from "#app/db/states/fee.ts";
import { divideMoney, earnedFor, paidFor } from "#app/orders/item-price-rules.ts";
import { dayName } from "#app/platform/east-africa-time.ts";

const DAY = 24 * 60 * 60_000;
/** 3 May 2026, 12:00 in Nairobi. */
const NOW = Date.UTC(2026, 4, 3, 9, 0);

const rules = fc
  .record({
    payer: fc.constantFrom(...FEE_PAYERS),
    share: fc.integer({ min: 0, max: 2_000 }),
    smallest: fc.integer({ min: 0, max: 500 }),
    more: fc.integer({ min: 0, max: 20_000 }),
  })
  .map(({ more, ...rule }) => ({ ...rule, largest: rule.smallest + more }));
const prices = fc.oneof(
  fc.constant(0),
  fc.integer({ min: PAYOUT_LIMITS.min, max: 60 }),
  fc.integer({ min: PAYOUT_LIMITS.min, max: PAYMENT_LIMITS.max }),
);

const FIVE = { payer: "seller" as const, share: 500, smallest: 10, largest: 200 };

test.each([
  [FIVE, 1_000, { buyerFee: 0, sellerFee: 50 }],
  [FIVE, 100, { buyerFee: 0, sellerFee: 10 }],
  [FIVE, 90_000, { buyerFee: 0, sellerFee: 200 }],
  [FIVE, 15, { buyerFee: 0, sellerFee: 5 }],
  [FIVE, 0, { buyerFee: 0, sellerFee: 0 }],
  [{ ...FIVE, payer: "buyer" as const }, 1_010, { buyerFee: 51, sellerFee: 0 }],
  [{ ...FIVE, payer: "buyer" as const }, 300_000, { buyerFee: 0, sellerFee: 0 }],
  [{ ...FIVE, payer: "buyer" as const }, 250_000, { buyerFee: 0, sellerFee: 0 }],
  [null, 1_000, { buyerFee: 0, sellerFee: 0 }],
])("%j of KES %i comes to %j", (rule, price, fees) => {
  expect(feesOf(rule, price)).toEqual(fees);
});

test("a fee leaves M-Pesa what it can take, and the seller what M-Pesa can pay out", () => {
  fc.assert(
    fc.property(rules, prices, (rule, subtotal) => {
      const fees = feesOf(rule, subtotal);
      const price = { subtotal, ...fees };
      expect(fees.buyerFee).toBeGreaterThanOrEqual(0);
      expect(fees.sellerFee).toBeGreaterThanOrEqual(0);
      expect(paidFor(price)).toBeLessThanOrEqual(PAYMENT_LIMITS.max);
      if (subtotal > 0) expect(earnedFor(price)).toBeGreaterThanOrEqual(PAYOUT_LIMITS.min);
    }),
  );
});

describe("what the buyer paid", () => {
  test("is divided without a remainder, whatever goes back", () => {
    fc.assert(
      fc.property(rules, prices, fc.nat({ max: PAYMENT_LIMITS.max }), (rule, subtotal, typed) => {
        const price = { subtotal, ...feesOf(rule, subtotal) };
        const returned = Math.min(typed, subtotal);
        const shares = divideMoney(price, returned);
        expect(shares.buyer + shares.seller + shares.fee).toBe(paidFor(price));
        expect(Math.min(shares.buyer, shares.seller, shares.fee)).toBeGreaterThanOrEqual(0);
        expect(shares.buyer).toBeGreaterThanOrEqual(returned);
        expect(shares.fee).toBeLessThanOrEqual(price.buyerFee + price.sellerFee);
        if (refusePart(returned, subtotal) === null) expect(shares.seller).toBeGreaterThanOrEqual(PAYOUT_LIMITS.min);
      }),
    );
  });

  test("goes back as a whole with the fee, and is earned as a whole without it", () => {
    fc.assert(
      fc.property(rules, prices, (rule, subtotal) => {
        const price = { subtotal, ...feesOf(rule, subtotal) };
        expect(divideMoney(price, subtotal)).toEqual({ buyer: paidFor(price), seller: 0, fee: 0 });
        expect(divideMoney(price, 0)).toEqual({
          buyer: 0,
          seller: earnedFor(price),
          fee: price.buyerFee + price.sellerFee,
        });
      }),
    );
  });

  test("costs a fee for the part that the seller earns", () => {
    expect(divideMoney({ subtotal: 1_000, buyerFee: 0, sellerFee: 50 }, 400)).toEqual({
      buyer: 400,
      seller: 570,
      fee: 30,
    });
    expect(divideMoney({ subtotal: 1_000, buyerFee: 50, sellerFee: 0 }, 400)).toEqual({
      buyer: 420,
      seller: 600,
      fee: 30,
    });
  });
});

describe("the fee that holds", () => {
  const set = (category: string | null, startsAt: number, confirmedAt = startsAt) => ({
    ...FIVE,
    category,
    categoryName: category,
    asOthers: false,
    startsAt,
    confirmedAt,
  });

  test("is the last of its category that has begun; of two that begin together, the one confirmed last", () => {
    const fees = [set(null, NOW - DAY), set(null, NOW - 2 * DAY), set("books", NOW - DAY, NOW), set(null, NOW + DAY)];
    expect(feesAt(fees, NOW)).toEqual(expect.arrayContaining([fees[0], fees[2]]));
    expect(feesAt(fees, NOW)).toHaveLength(2);
    expect(feesAfter(fees, NOW)).toEqual([fees[3]]);
    expect(feesAt([set(null, NOW, 1), set(null, NOW, 2)], NOW)).toEqual([set(null, NOW, 2)]);
  });

  test("begins two weeks later, so that sellers read it; no fee begins tomorrow", () => {
    expect(dayName(earliestStart({ ...FIVE, asOthers: false }, NOW))).toBe("2026-05-17");
    expect(dayName(earliestStart({ ...FIVE, largest: 0, asOthers: false }, NOW))).toBe("2026-05-04");
    expect(dayName(earliestStart({ ...FIVE, largest: 0, asOthers: true }, NOW))).toBe("2026-05-17");
  });

  const newTextOf = (fee: Parameters<typeof newFeeText>[0], others: Parameters<typeof newFeeText>[1]) =>
    newFeeText(fee, [...others, fee]);

  test("is told as it will be then, whatever else begins before it or with it", () => {
    const [soon, later] = [NOW + 15 * DAY, NOW + 20 * DAY];
    const ofBooks = { ...set("books", NOW), categoryName: "Books", share: 200 };
    const asOthers = { ...set("books", later, NOW), categoryName: "Books", asOthers: true, share: 0, largest: 0 };
    for (const startsAt of [soon, later])
      expect(newFeeText(asOthers, [ofBooks, set(null, startsAt), asOthers])).toContain("on new sales in Books is 5%");
    expect(newFeeText(asOthers, [ofBooks, set(null, later + DAY), asOthers])).toContain("you pay no service fee");
    const noneOfBooks = { ...ofBooks, share: 0, smallest: 0, largest: 0 };
    expect(newFeeText(asOthers, [noneOfBooks, set(null, soon), asOthers])).toContain("on new sales in Books is 5%");
    expect(newTextOf(set(null, soon), [noneOfBooks])).toContain("the service fee on new sales except in Books is 5%");
    const none = { ...set(null, later), share: 0, smallest: 0, largest: 0 };
    expect(newTextOf(none, [set(null, soon), noneOfBooks])).toContain("on new sales except in Books. What was ordered");
  });

  test("is that of all others again, once a category has none of its own", () => {
    const ended = { ...set("books", NOW, NOW), asOthers: true, share: 0, smallest: 0, largest: 0 };
    const [others, own] = [set(null, NOW - DAY), set("books", NOW - DAY)];
    expect(feesAt([others, own, ended], NOW - 1)).toEqual([others, own]);
    expect(feesAt([others, own, ended], NOW)).toEqual([others]);
    const ten = { ...own, share: 1_000 };
    expect(newTextOf(ended, [others, ten])).toContain("the service fee on new sales in books is 5%");
    expect(newTextOf(ended, [ten])).toContain("you pay no service fee on new sales in books");
    expect(newTextOf(ended, [])).toBeNull();
  });

  test("is told to sellers as far as it concerns them", () => {
    const none = { ...set(null, NOW + DAY), share: 0, smallest: 0, largest: 0 };
    const ofBuyers = { ...set(null, NOW + DAY), payer: "buyer" as const };
    expect(newTextOf(set(null, NOW + DAY), [])).toBe(
      "the service fee on new sales is 5%, at least KES 10 and at most KES 200. What was ordered before keeps its fee.",
    );
    expect(newTextOf(set("Books", NOW + DAY), [])).toContain("new sales in Books");
    expect(newTextOf(none, [set(null, NOW)])).toContain("you pay no service fee");
    expect(newTextOf(none, [])).toBeNull();
    const noneOfBooks = { ...none, category: "books", categoryName: "Books" };
    expect(newTextOf(noneOfBooks, [set(null, NOW)])).toContain("no service fee on new sales in Books");
    expect(newTextOf({ ...ofBuyers, category: "books", categoryName: "Books" }, [set(null, NOW)])).toContain(
      "you pay no service fee",
    );
    expect(newTextOf(noneOfBooks, [set(null, NOW), { ...noneOfBooks, startsAt: NOW }])).toBeNull();
    expect(newTextOf(ofBuyers, [])).toBeNull();
    expect(newTextOf(ofBuyers, [set(null, NOW)])).toContain("you pay no service fee");
  });

  test("stands in words beside a price", () => {
    const ofBuyer = { ...FIVE, payer: "buyer" as const };
    expect(feeWords({ share: 0, smallest: 20, largest: 20 })).toBe("KES 20");
    expect(feeWords({ share: 250, smallest: 0, largest: 200 })).toBe("2.5%, at most KES 200");
    expect(buyerFeeText(ofBuyer)).toBe("Plus a service fee: 5%, at least KES 10 and at most KES 200");
    expect([buyerFeeText(FIVE), buyerFeeText(null), sellerFeeText(ofBuyer, 1_000), sellerFeeText(FIVE, 0)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(agreedFeeText("buyer", 1_000, feesOf({ ...FIVE, payer: "buyer" }, 1_000))).toBe(
      "You pay KES 1,050, with a service fee of KES 50.",
    );
    expect(agreedFeeText("seller", 1_000, feesOf({ ...FIVE, payer: "buyer" }, 1_000))).toBeNull();
    expect(typedFeeText(FIVE)).toBe("Service fee when it sells: 5%, at least KES 10 and at most KES 200");
    expect([typedFeeText({ ...FIVE, payer: "buyer" }), typedFeeText(null)]).toEqual([null, null]);
    expect(sellerFeeText(FIVE, 1_000)).toBe("You get KES 950 when it sells, after a service fee of KES 50.");
    expect(sellerFeesText([set(null, 0), { ...set("Books", 0), largest: 0 }])).toBe(
      "5%, at least KES 10 and at most KES 200; Books: none",
    );
    expect(sellerFeesText([{ ...set("Books", 0), share: 100, smallest: 0 }])).toBe("Books: 1%, at most KES 200");
    expect(sellerFeesText([{ ...set(null, 0), payer: "buyer" }])).toBeNull();
  });
});

describe("the form of a fee", () => {
  const typed = {
    intent: "propose-fee",
    payer: "seller",
    share: "2.5",
    smallest: "5",
    largest: "200",
    startsOn: "2026-06-01",
  };

  test.each([
    ["2.5", 250],
    ["5", 500],
    ["0,25 %", 25],
    [" 20% ", 2_000],
  ])("reads the share %j", (share, read) => {
    expect(incomeForm.parse({ ...typed, share })).toMatchObject({ share: read, smallest: 5, largest: 200 });
  });

  test.each([
    ["share", { share: "20.01" }],
    ["share", { share: "five" }],
    ["share", { share: "" }],
    ["smallest", { smallest: "-5" }],
    ["largest", { largest: "30000" }],
    ["largest", { smallest: "50", largest: "20" }],
    ["payer", { payer: "nobody" }],
  ])("refuses a wrong %s", (field, wrong) => {
    const read = incomeForm.safeParse({ ...typed, ...wrong });
    expect(read.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});

test("months before the first with any money are left out", () => {
  const month = (name: string, fees: number) => ({ month: name, fees, plans: 0, sending: 0, entered: null });
  expect(withoutEmpty([month("c", 0), month("b", 5), month("a", 0)])).toHaveLength(2);
  expect(withoutEmpty([month("c", 0), month("b", 0), month("a", 5)])).toHaveLength(3);
  expect(withoutEmpty([month("c", 0), month("b", 0), month("a", 0)])).toHaveLength(2);
});

test("the file has twelve months, and what is left of each", () => {
  const months = incomeMonths(NOW);
  expect([months.length, months[0], months.at(-1)]).toEqual([12, "2026-05", "2025-06"]);
  expect(incomeTable([{ month: "2026-05", fees: 500, plans: 1_000, sending: 45, entered: null }])[1]).toEqual([
    "2026-05",
    "500",
    "1000",
    "45",
    "",
    "1455",
  ]);
});
