import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxQuantity, quantityWarning } from "#app/basket/quantity-rules.ts";
import { RESERVATION_MS, reservedText } from "#app/catalogue/stock/stock-rules.ts";
import { refuseShortage } from "#app/orders/shortage-rules.ts";

const MINUTE = 60_000;
const stocks = fc.option(fc.nat({ max: 9_999 }));

test("one buyer can order at least one, at most 99, and never more than there is", () => {
  fc.assert(
    fc.property(stocks, (stock) => {
      const most = maxQuantity({ stock, wholesale: false });
      expect(most).toBeGreaterThanOrEqual(1);
      expect(most).toBeLessThanOrEqual(99);
      if (stock !== null && stock > 0) expect(most).toBeLessThanOrEqual(stock);
      // Every piece can be ordered that is there, up to 99.
      expect(most).toBe(stock === null ? 99 : Math.min(99, Math.max(1, stock)));
    }),
  );
});

test.each([
  [1, "Only one of this item is available"],
  [2, "Only 2 of this item are available"],
  [98, "Only 98 of this item are available"],
  [99, "Maximum quantity is 99"],
])("a buyer who wants more than %i reads: %s", (most, text) => expect(quantityWarning(most)).toBe(text));

test.each([
  [null, 4 * MINUTE, "Somebody is paying for this right now. Try again in 4 min"],
  [null, 3 * MINUTE + 1, "Somebody is paying for this right now. Try again in 4 min"],
  [null, -1, "Somebody is paying for this right now. Try again in 1 s"],
  [null, 41_500, "Somebody is paying for this right now. Try again in 42 s"],
  ["Kettle", 5 * MINUTE, "Somebody is paying for Kettle right now. Try again in 5 min"],
  [
    "Kettle",
    59 * MINUTE,
    "Kettle is kept for a buyer with an accepted offer. Take it out of your cart to order the rest now, or try again in 59 min",
  ],
  [null, 61 * MINUTE, "This is kept for a buyer with an accepted offer. Try again in 2 h"],
  [null, null, "Somebody is paying for this right now. Try again later"],
])("while %s is reserved for another %s ms", (name, left, text) => expect(reservedText(name, left)).toBe(text));

describe("an order that can't get all its pieces", () => {
  const shortages = fc.record({
    name: fc.constantFrom("Kettle", "Casio fx-991ES"),
    stock: fc.integer({ min: 1, max: 20 }),
    reserved: fc.constantFrom(0, 1),
    reservedUntil: fc.option(fc.integer({ min: 0, max: 100 * MINUTE })),
    lines: fc.integer({ min: 1, max: 5 }),
    hasOffer: fc.constant(false),
  });

  test("waits where others have reserved them, at least a minute, and no longer than until the first may end", () => {
    fc.assert(
      fc.property(shortages, fc.nat({ max: 100 * MINUTE }), (shortage, now) => {
        const refusal = refuseShortage(shortage, now);
        expect(refusal.code).toBe(shortage.reserved === 1 ? "in_progress" : "closed");
        if (refusal.code === "closed") {
          expect(refusal.error).toContain(`Only ${shortage.stock} of ${shortage.name}`);
          expect(refusal.retryAfterMs).toBeNull();
          return;
        }
        const wait = shortage.reservedUntil === null ? RESERVATION_MS : shortage.reservedUntil - now;
        expect(refusal.retryAfterMs).toBe(Math.max(MINUTE, wait));
      }),
    );
  });

  test("names the product only where the order has several", () => {
    const shortage = { name: "Kettle", stock: 1, reserved: 1, reservedUntil: 4 * MINUTE, lines: 1, hasOffer: false };
    expect(refuseShortage(shortage, 0).error).toContain("paying for this right now");
    expect(refuseShortage({ ...shortage, lines: 2 }, 0).error).toContain("paying for Kettle right now");
    expect(refuseShortage({ ...shortage, stock: 1, reserved: 0 }, 0).error).toBe(
      "Only 1 of Kettle is left. Please order again with fewer.",
    );
  });
});
