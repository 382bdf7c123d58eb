import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atQuantity, cartAfter, cartTotals, isSettled, leftOutText, wishlistAfter } from "#app/basket/list-rules.ts";
import { maxQuantity, smallestOrder } from "#app/basket/quantity-rules.ts";
import { unreadableText } from "#app/basket/failed-texts.ts";
import { type BasketChange, contentsAfter, targetOf } from "#app/basket/basket-rules.ts";
import { basketChangeSchema } from "#app/basket/change-form.ts";

function line(productId: string, quantity: number, price: number, change: { accepted?: number; gone?: boolean } = {}) {
  const accepted = change.accepted ?? price;
  return {
    productId,
    quantity,
    minQuantity: 1,
    price,
    priceWhenAdded: accepted,
    pricing: { price, steps: [] },
    accepted: { price: accepted, steps: [] },
    revision: 3,
    revisionWhenAdded: 3,
    available: !change.gone,
  };
}

const lines = [
  line("desk", 2, 4_000),
  line("pen", 9, 20, { accepted: 25 }),
  line("lamp", 1, 700, { gone: true }),
  line("notes", 3, 0),
];

test("the total counts what can be bought, giveaways included, and nothing else", () => {
  expect(cartTotals(lines)).toEqual({ total: 8_180, fees: 0, items: 3, quantity: 14 });
  expect(cartTotals([])).toEqual({ total: 0, fees: 0, items: 0, quantity: 0 });
  expect(cartTotals([{ price: null, quantity: 5, available: true }])).toEqual({
    total: 0,
    fees: 0,
    items: 1,
    quantity: 5,
  });
});

test("the total of any cart is the sum of its lines, in whole shillings", () => {
  const anyLine = fc.record({
    price: fc.integer({ min: 0, max: 10_000_000 }),
    quantity: fc.integer({ min: 1, max: 99 }),
    available: fc.constant(true),
  });
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 200 }), (cart) => {
      const { total } = cartTotals(cart);
      expect(total).toBe(cart.map((entry) => cartTotals([entry]).total).reduce((sum, part) => sum + part, 0));
      expect(Number.isSafeInteger(total)).toBe(true);
    }),
  );
});

test("a line is settled at the price the buyer knows, and what can't be bought stops nothing", () => {
  expect(lines.map(isSettled)).toEqual([true, false, true, true]);
});

test("the cart says what its order leaves out, and how much is left to pay for", () => {
  const named = (name: string, change: object = {}) => ({ ...line(name, 1, 100), name, ...change });
  const gone = { available: false };
  expect(leftOutText([named("Desk"), named("Pen")])).toBeNull();
  expect(leftOutText([named("Desk"), named("Pen"), named("Lamp", gone)])).toBe(
    "You can't buy Lamp now. Pay for the other 2.",
  );
  expect(leftOutText([named("Desk"), named("Pen", { awayUntil: 5 }), named("Lamp", gone)])).toBe(
    "You can't buy Pen and Lamp now. Pay for the other one.",
  );
  expect(leftOutText([named("Desk"), named("Pen"), named("Lamp", { ...gone, soldOut: true })])).toBe(
    "Sold out: Lamp. Pay for the other 2.",
  );
  expect(leftOutText(["Pen", "Lamp", "Bag", "Cup"].map((name) => named(name, gone)))).toBe(
    "You can't buy Pen, Lamp, and 2 more now.",
  );
});

test("a line with an accepted offer is paid by itself: it isn't in the total, and stops nothing", () => {
  const offered = { ...line("desk", 1, 4_000, { accepted: 3_000 }), offer: { id: "o", amount: 2_000 } };
  expect(isSettled(offered)).toBe(true);
  expect(cartTotals([offered, line("notes", 3, 5)])).toEqual({ total: 15, fees: 0, items: 1, quantity: 3 });
});

test("a line whose listing says something else isn't settled until the buyer accepts it", () => {
  const changed = { ...line("desk", 1, 4_000), revisionWhenAdded: 2 };
  expect(isSettled(changed)).toBe(false);
  const accept = { intent: "accept-price", productId: "desk", price: 4_000 } as const;
  expect(cartAfter([changed], [accept]).map(isSettled)).toEqual([false]);
  expect(cartAfter([changed], [{ ...accept, revision: 3 }]).map(isSettled)).toEqual([true]);
});

test("a line below the smallest order isn't settled", () => {
  const pens = { ...line("pens", 5, 100), minQuantity: 6 };
  expect([isSettled(pens), isSettled(atQuantity(pens, 6))]).toEqual([false, true]);
});

test("another quantity shows its own price at once, next to the price of that quantity that was accepted", () => {
  const steps = [{ fromQuantity: 12, price: 85 }];
  const pens = {
    ...line("pens", 6, 100),
    pricing: { price: 100, steps },
    accepted: { price: 100, steps: [{ fromQuantity: 12, price: 80 }] },
  };
  const at = (quantity: number) => {
    const [changed] = cartAfter([pens], [{ intent: "set-quantity", productId: "pens", quantity }]);
    return [changed?.price, changed?.priceWhenAdded];
  };
  expect([at(11), at(12)]).toEqual([
    [100, 100],
    [85, 80],
  ]);
});

test.each([
  [{ stock: null, wholesale: false, minQuantity: 1 }, 99, 1],
  [{ stock: null, wholesale: true, minQuantity: 6 }, 9_999, 6],
  [{ stock: 40, wholesale: true, minQuantity: 6 }, 40, 6],
  [{ stock: 4, wholesale: true, minQuantity: 6 }, 4, 4],
])("of %j, a buyer orders at most %i and at least %i", (product, most, least) => {
  expect([maxQuantity(product), smallestOrder(product)]).toEqual([most, least]);
});

describe("changes that are still on their way", () => {
  const after = (...changes: BasketChange[]) =>
    cartAfter(lines, changes).map(({ productId, quantity }) => `${quantity} ${productId}`);

  test("show in the cart as if they were done", () => {
    expect(after({ intent: "set-quantity", productId: "desk", quantity: 5 })).toEqual([
      "5 desk",
      "9 pen",
      "1 lamp",
      "3 notes",
    ]);
    expect(after({ intent: "set-quantity", productId: "desk", quantity: 0 })).toEqual(["9 pen", "1 lamp", "3 notes"]);
    expect(
      after({ intent: "remove-from-cart", productId: "pen" }, { intent: "move-to-wishlist", productId: "lamp" }),
    ).toEqual(["2 desk", "3 notes"]);
    expect(after({ intent: "clear-cart" })).toEqual([]);
    expect(after({ intent: "set-quantity", productId: "gone", quantity: 5 })).toHaveLength(4);
    expect(cartAfter(lines, [{ intent: "accept-price", productId: "pen", price: 20 }]).filter(isSettled)).toHaveLength(
      4,
    );
  });

  test("show on the wishlist", () => {
    const items = [{ productId: "desk" }, { productId: "pen" }];
    expect(wishlistAfter(items, [{ intent: "move-to-cart", productId: "desk", quantity: 1 }])).toEqual([
      { productId: "pen" },
    ]);
    expect(wishlistAfter(items, [{ intent: "remove-from-wishlist", productId: "pen" }])).toEqual([
      { productId: "desk" },
    ]);
    expect(wishlistAfter(items, [{ intent: "clear-wishlist" }])).toEqual([]);
  });

  test("count on the badges, each product once", () => {
    const saved = { cart: ["desk"], wishlist: ["pen"] };
    const count = (...changes: BasketChange[]) => {
      const { cart, wishlist } = contentsAfter(saved, changes);
      return [cart.size, wishlist.size];
    };
    expect(
      count({ intent: "add-to-cart", productId: "desk", quantity: 3 }, { intent: "add-to-wishlist", productId: "pen" }),
    ).toEqual([1, 1]);
    expect(
      count(
        { intent: "add-to-cart", productId: "lamp", quantity: 3 },
        { intent: "add-to-wishlist", productId: "lamp" },
      ),
    ).toEqual([2, 2]);
    expect(count({ intent: "move-to-cart", productId: "pen", quantity: 1 })).toEqual([2, 0]);
    expect(count({ intent: "move-to-wishlist", productId: "desk" })).toEqual([0, 2]);
    expect(
      count(
        { intent: "set-quantity", productId: "desk", quantity: 0 },
        { intent: "remove-from-wishlist", productId: "pen" },
      ),
    ).toEqual([0, 0]);
    expect(count({ intent: "clear-cart" }, { intent: "clear-wishlist" })).toEqual([0, 0]);
    expect(
      count(
        { intent: "accept-price", productId: "desk", price: 1 },
        { intent: "set-quantity", productId: "desk", quantity: 2 },
      ),
    ).toEqual([1, 1]);
  });
});

test("changes of the same thing share a target, and accepting a price is not dropped for a new quantity", () => {
  expect(targetOf({ intent: "set-quantity", productId: "desk" })).toBe(
    targetOf({ intent: "remove-from-cart", productId: "desk" }),
  );
  expect(targetOf({ intent: "add-to-wishlist", productId: "desk" })).toBe(
    targetOf({ intent: "remove-from-wishlist", productId: "desk" }),
  );
  expect(targetOf({ intent: "accept-price", productId: "desk" })).not.toBe(
    targetOf({ intent: "set-quantity", productId: "desk" }),
  );
  expect(targetOf({ intent: "set-quantity", productId: "desk" })).not.toBe(
    targetOf({ intent: "set-quantity", productId: "pen" }),
  );
});

test.each([
  { intent: "set-quantity", quantity: "10000" },
  { intent: "set-quantity", quantity: "-1" },
  { intent: "set-quantity", quantity: "1.5" },
  { intent: "set-quantity", quantity: "", productId: "not-an-id" },
  { intent: "move-to-cart", quantity: "0" },
  { intent: "add-to-cart", quantity: "many" },
  { intent: "add-to-cart", quantity: "1e1" },
  { intent: "add-to-cart", quantity: "0x2" },
  { intent: "add-to-cart", quantity: "0b11" },
  { intent: "add-to-cart", quantity: " 2 " },
  { intent: "add-to-cart", quantity: "+2" },
  { intent: "add-to-cart", quantity: "2.0" },
  { intent: "set-quantity", quantity: "1e1" },
  { intent: "move-to-cart", quantity: "0x2" },
  { intent: "accept-price", price: "1e3" },
  { intent: "add-to-cart" },
  { intent: "empty-everything" },
  {},
])("a form that asks for nonsense is refused: %o", (fields) => {
  expect(basketChangeSchema.safeParse({ productId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", ...fields }).success).toBe(
    false,
  );
});

test("a request that nobody can read is answered for the list it was about", () => {
  expect(["add-to-cart", "clear-wishlist", "sell-the-wishlist", "__proto__", ""].map(unreadableText)).toEqual([
    "Failed to add to cart",
    "Failed to clear wishlist",
    "Failed to update wishlist",
    "Failed to update cart",
    "Failed to update cart",
  ]);
});
