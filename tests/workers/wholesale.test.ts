import { acceptPrice, addToCart, clearCart, listCart, setCartQuantity } from "#app/basket/cart.server.ts";
import { changeBasket } from "#app/basket/change-basket.server.ts";
import { cartTotals } from "#app/basket/list-rules.ts";
import { orderCart } from "#app/orders/order-cart.server.ts";
import { cartOrderKey } from "#app/orders/place-order.server.ts";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type PriceStep, unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import { openListing } from "#app/catalogue/selling/listings.server.ts";
import { visit } from "#tests/support/visit.ts";
import { STEPS_OF, unitPriceOf } from "#app/catalogue/selling/wholesale.server.ts";
import { setTerms } from "#app/catalogue/selling/save-wholesale.server.ts";
import { PreconditionFailed, UniqueViolation, write } from "#app/db/batch.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { priceSteps, products } from "#app/catalogue/tables.server.ts";
import type { profiles } from "#app/accounts/tables.server.ts";
import {
  db,
  makeProduct,
  makeUser,
  makeWholesaler,
  orderOne,
  readOrder,
  servicesAt,
  setVerification,
} from "#tests/support/fixtures.ts";

const TERMS = { minQuantity: 6, steps: [{ fromQuantity: 12, price: 85 }] };

/** A listing at KES 100 with a smallest order of 6, and KES 85 from 12 pieces on, KES 70 from 50. */
async function makeWholesaleListing(change: { minQuantity?: number; stock?: number | null } = {}) {
  const sellerId = await makeWholesaler();
  const productId = await makeProduct(sellerId, { price: 100, name: "Pens" });
  const terms = { minQuantity: 6, steps: [...TERMS.steps, { fromQuantity: 50, price: 70 }], ...change };
  await write(db, setTerms({ sellerId, productId }, { terms, sku: null }));
  await db
    .update(products)
    .set({ stock: change.stock ?? null })
    .where(eq(products.id, productId));
  return { sellerId, productId };
}

async function editListing(
  { sellerId, productId }: { sellerId: string; productId: string },
  { price = 100, steps }: { price?: number; steps: PriceStep[] },
): Promise<void> {
  await write(db, [
    sql`UPDATE products SET price = ${price} WHERE id = ${productId}`,
    ...setTerms({ sellerId, productId }, { terms: { minQuantity: 6, steps }, sku: null }),
  ]);
}

async function lineOf(userId: string) {
  const [line] = await listCart({ db, now: Date.now }, userId);
  if (!line) throw new Error("no line");
  return line;
}

/** Orders the cart as its page shows it. */
async function orderAsShown(userId: string) {
  const lines = await listCart({ db, now: Date.now }, userId);
  const placed = await orderCart(servicesAt(), {
    userId,
    idempotencyKey: await cartOrderKey(lines),
    expectedAmount: cartTotals(lines).total,
  });
  if (!placed.ok) return placed.message;
  const [item] = await db.select().from(orderItems).where(eq(orderItems.orderId, placed.orderId));
  const order = await readOrder(placed.orderId);
  return { quantity: item?.quantity, each: item?.pricePerUnit, subtotal: item?.subtotal, amount: order.amount };
}

test("a card adds the smallest order once, then one piece at a time", async () => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing();
  const add = (key: string) =>
    changeBasket(servicesAt(), buyer, { intent: "add-to-cart", productId, quantity: 1, key });
  const key = crypto.randomUUID();
  expect(await add(key)).toMatchObject({ ok: true, message: "Pens added to cart: 6 pieces, the smallest order" });
  await add(key);
  expect(await lineOf(buyer)).toMatchObject({ quantity: 6, price: 100, minQuantity: 6 });
  expect(await add(crypto.randomUUID())).toMatchObject({ ok: true, message: "Pens added to cart" });
  expect(await lineOf(buyer)).toMatchObject({ quantity: 7 });
});

test("a request for fewer pieces than the smallest order says how many are in the cart, also from the wishlist", async () => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing();
  const ask = async (intent: "add-to-cart" | "move-to-cart", quantity: number) => {
    const answer = await changeBasket(servicesAt(), buyer, { intent, productId, quantity, key: crypto.randomUUID() });
    await clearCart(servicesAt(), buyer);
    return answer.message;
  };
  const raised = "6 pieces, the smallest order";
  expect(await ask("add-to-cart", 3)).toBe(`Pens added to cart: ${raised}`);
  expect(await ask("add-to-cart", 6)).toBe("Pens added to cart");
  for (const [quantity, message] of [
    [2, `Pens moved to cart: ${raised}`],
    [7, "Pens moved to cart"],
  ] as const) {
    await changeBasket(servicesAt(), buyer, { intent: "add-to-wishlist", productId });
    expect(await ask("move-to-cart", quantity)).toBe(message);
  }
});

test("a line below the smallest order stays in the cart, says what to do, and can be ordered once it is raised", async () => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing();
  await addToCart(servicesAt(), { userId: buyer, productId, quantity: 6 });
  await setCartQuantity(servicesAt(), { userId: buyer, productId, quantity: 5 });
  expect(await orderAsShown(buyer)).toBe("The smallest order of Pens is 6 pieces. Please raise the quantity.");
  expect(await lineOf(buyer)).toMatchObject({ quantity: 5 });
  await setCartQuantity(servicesAt(), { userId: buyer, productId, quantity: 6 });
  expect(await orderAsShown(buyer)).toEqual({ quantity: 6, each: 100, subtotal: 600, amount: 600 });
});

test("the last pieces can be ordered even if they are fewer than the smallest order", async () => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing({ stock: 4 });
  await addToCart(servicesAt(), { userId: buyer, productId, quantity: 1 });
  expect(await orderAsShown(buyer)).toEqual({ quantity: 4, each: 100, subtotal: 400, amount: 400 });
});

test.each([
  [11, 100],
  [12, 85],
  [50, 70],
  [3_000, 70],
])("an order of %i pieces takes KES %i each from the database", async (quantity, each) => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing();
  await addToCart(servicesAt(), { userId: buyer, productId, quantity });
  const amount = quantity * each;
  expect(await orderAsShown(buyer)).toEqual({ quantity, each, subtotal: amount, amount });
});

test("other listings keep the limit of 99, and an order above M-Pesa's limit is refused in words", async () => {
  const [buyer, seller] = [await makeUser(), await makeUser()];
  const plain = await makeProduct(seller);
  expect(await addToCart(servicesAt(), { userId: buyer, productId: plain, quantity: 100 })).toMatchObject({
    code: "over_limit",
    max: 99,
  });
  const { productId } = await makeWholesaleListing();
  expect(await addToCart(servicesAt(), { userId: buyer, productId, quantity: 9_999 })).toMatchObject({ ok: true });
  expect(await orderAsShown(buyer)).toBe(
    "This order comes to KES 699,930, and M-Pesa takes at most KES 250,000 in one payment. Please order fewer at a time.",
  );
});

const STEPS = [...TERMS.steps, { fromQuantity: 50, price: 70 }];

test.each<[string, { price?: number; steps: PriceStep[] }, number, "confirm" | number]>([
  ["nothing", { steps: STEPS }, 12, 85],
  ["the price, at a step that stays", { price: 95, steps: STEPS }, 12, 85],
  ["the price, below the steps", { price: 95, steps: STEPS }, 6, "confirm"],
  ["another step", { steps: [...TERMS.steps, { fromQuantity: 50, price: 75 }] }, 12, 85],
  ["the step's price, up", { steps: [{ fromQuantity: 12, price: 90 }] }, 12, "confirm"],
  ["the step's price, down", { steps: [{ fromQuantity: 12, price: 80 }] }, 12, "confirm"],
  ["the step's quantity", { steps: [{ fromQuantity: 13, price: 85 }] }, 12, "confirm"],
  ["the steps, to none", { steps: [] }, 12, "confirm"],
  ["the steps, to none, for fewer pieces", { steps: [] }, 6, 100],
  ["the price, to the step's", { price: 85, steps: [] }, 12, 85],
])(
  "when a seller changes %s, %j, a cart of %i pieces asks only if it costs something else",
  async (_what, change, quantity, expected) => {
    const buyer = await makeUser();
    const listing = await makeWholesaleListing();
    await addToCart(servicesAt(), { userId: buyer, productId: listing.productId, quantity });
    await editListing(listing, change);
    const answer = await orderAsShown(buyer);
    if (expected !== "confirm") return expect(answer).toMatchObject({ each: expected, quantity });

    expect(answer).toBe("The price of Pens has changed. Please accept it to continue.");
    const { price } = await lineOf(buyer);
    await acceptPrice(servicesAt(), { userId: buyer, productId: listing.productId, price });
    expect(await orderAsShown(buyer)).toMatchObject({ each: price, quantity });
  },
);

test("another quantity at the steps that the buyer has seen needs no confirmation, one at a changed step does", async () => {
  const buyer = await makeUser();
  const listing = await makeWholesaleListing();
  const { productId } = listing;
  const set = (quantity: number) => setCartQuantity(servicesAt(), { userId: buyer, productId, quantity });
  await addToCart(servicesAt(), { userId: buyer, productId, quantity: 6 });
  for (const [quantity, each] of [
    [12, 85],
    [50, 70],
    [6, 100],
  ] as const) {
    await set(quantity);
    expect(await lineOf(buyer)).toMatchObject({ price: each, priceWhenAdded: each });
  }
  await editListing(listing, { steps: [{ fromQuantity: 12, price: 90 }] });
  expect(await lineOf(buyer)).toMatchObject({ price: 100, priceWhenAdded: 100 });
  await set(12);
  expect(await lineOf(buyer)).toMatchObject({ price: 90, priceWhenAdded: 85 });
  expect(await acceptPrice(servicesAt(), { userId: buyer, productId, price: 85 })).toEqual({ ok: false });
  expect(await acceptPrice(servicesAt(), { userId: buyer, productId, price: 90 })).toEqual({ ok: true });
  await set(6);
  expect(await orderAsShown(buyer)).toMatchObject({ each: 100, quantity: 6 });
});

test("nothing is ordered at a total that the page didn't show", async () => {
  const buyer = await makeUser();
  const { productId } = await makeWholesaleListing();
  const buyNow = (quantity: number, price: number) => orderOne(buyer, productId, { quantity, price });
  expect(await buyNow(12, 100)).toEqual({ ok: false, code: "price_changed", amount: 1_020 });
  expect(await buyNow(5, 100)).toEqual({ ok: false, code: "below_minimum", name: "Pens", min: 6 });
  expect(await buyNow(12, 85)).toMatchObject({ ok: true });
});

test("whatever a seller edits and a buyer does in between, an order costs what the database says and its buyer accepted", async () => {
  const buyer = await makeUser();
  const listing = await makeWholesaleListing();
  const { productId } = listing;
  const editing = fc
    .record({
      price: fc.integer({ min: 80, max: 90 }),
      from: fc.integer({ min: 7, max: 9 }),
      off: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ price, from, off }) => ({
      run: () => editListing(listing, { price, steps: off === 0 ? [] : [{ fromQuantity: from, price: price - off }] }),
    }));
  const set = fc.integer({ min: 6, max: 10 }).map((quantity) => ({
    run: () => setCartQuantity(servicesAt(), { userId: buyer, productId, quantity }),
  }));
  const accept = fc.constant({
    run: async () => acceptPrice(servicesAt(), { userId: buyer, productId, price: (await lineOf(buyer)).price }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(editing, set, accept), { maxLength: 5 }), async (steps) => {
      await clearCart(servicesAt(), buyer);
      await addToCart(servicesAt(), { userId: buyer, productId, quantity: 6 });
      for (const step of steps) await step.run();
      const line = await lineOf(buyer);
      const [truth] = await db.all<{ each: number }>(
        sql`SELECT ${unitPriceOf(sql`${line.quantity}`)} AS each FROM products product_row
          WHERE product_row.id = ${productId}`,
      );
      expect(line.price).toBe(truth?.each);
      const answer = await orderAsShown(buyer);
      if (line.price === line.priceWhenAdded)
        expect(answer).toEqual({
          quantity: line.quantity,
          each: line.price,
          subtotal: line.price * line.quantity,
          amount: line.price * line.quantity,
        });
      else expect(answer).toBe("The price of Pens has changed. Please accept it to continue.");
    }),
    { numRuns: 30 },
  );
});

async function readTermsOf(productId: string) {
  const [listing] = await db.select().from(products).where(eq(products.id, productId));
  const steps = await db.select().from(priceSteps).where(eq(priceSteps.productId, productId));
  return { minQuantity: listing?.minQuantity, wholesale: listing?.wholesale, sku: listing?.sku, steps: steps.length };
}

test("setting terms replaces the earlier ones, and no terms make a plain listing", async () => {
  const sellerId = await makeWholesaler();
  const productId = await makeProduct(sellerId, { price: 100 });
  const listing = { sellerId, productId };
  await write(db, setTerms(listing, { terms: TERMS, sku: "PEN" }));
  await write(db, setTerms(listing, { terms: { ...TERMS, minQuantity: 3 }, sku: "PEN" }));
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 3, wholesale: true, sku: "PEN", steps: 1 });
  await write(db, setTerms(listing, { terms: { minQuantity: 1, steps: [] }, sku: null }));
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 1, wholesale: false, sku: null, steps: 0 });
});

test.each<[string, Partial<typeof profiles.$inferInsert>]>([
  ["a verified student", { accountType: "student" }],
  ["a wholesaler whose document is being checked", { verificationStatus: "pending" }],
  ["a wholesaler who is no longer verified", { verificationStatus: "rejected" }],
])("%s sets no terms", async (_who, profile) => {
  const sellerId = await makeWholesaler(profile);
  const productId = await makeProduct(sellerId);
  await expect(write(db, setTerms({ sellerId, productId }, { terms: TERMS, sku: "PEN" }))).rejects.toThrow(
    PreconditionFailed,
  );
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 1, wholesale: false, sku: null, steps: 0 });
});

test("a seller's SKU names one listing, and other sellers may use it, too", async () => {
  const [sellerId, other] = [await makeWholesaler(), await makeWholesaler()];
  const sku = { terms: TERMS, sku: "PEN" };
  await write(db, setTerms({ sellerId, productId: await makeProduct(sellerId) }, sku));
  await write(db, setTerms({ sellerId: other, productId: await makeProduct(other) }, sku));
  await expect(write(db, setTerms({ sellerId, productId: await makeProduct(sellerId) }, sku))).rejects.toThrow(
    UniqueViolation,
  );
});

test("the database and the browser agree on the price of every quantity", async () => {
  const productId = await makeProduct(await makeUser());
  const here = eq(products.id, productId);
  const steps = fc.uniqueArray(
    fc.record({ fromQuantity: fc.integer({ min: 2, max: 40 }), price: fc.integer({ min: 10, max: 120 }) }),
    { maxLength: 5, selector: ({ fromQuantity }) => fromQuantity },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 120 }), steps, async (price, unsorted) => {
      const rising: PriceStep[] = unsorted.toSorted((one, other) => one.fromQuantity - other.fromQuantity);
      await write(db, [
        db.delete(priceSteps).where(eq(priceSteps.productId, productId)),
        db
          .update(products)
          .set({ price, wholesale: rising.length > 0 })
          .where(here),
        ...(rising.length > 0 ? [db.insert(priceSteps).values(rising.map((step) => ({ productId, ...step })))] : []),
      ]);
      const quantities = Array.from({ length: 42 }, (_, at) => at + 1);
      const rows = await db.all<{ quantity: number; unit: number; steps: string | null }>(
        sql`SELECT asked.value AS quantity, ${unitPriceOf(sql`asked.value`)} AS unit, ${STEPS_OF} AS steps
          FROM products product_row, json_each(${JSON.stringify(quantities)}) asked
          WHERE product_row.id = ${productId} ORDER BY asked.value`,
      );
      expect(rows.map(({ unit }) => unit)).toEqual(
        quantities.map((quantity) => unitPrice({ price, steps: rising }, quantity)),
      );
      expect(JSON.parse(rows[0]?.steps ?? "[]")).toEqual(rising);
    }),
    { numRuns: 40 },
  );
});

const FORM = {
  name: "Pens",
  price: "100",
  description: "A box of blue pens",
  category: "stationery",
  condition: "new",
  stock: "400",
  stockSeen: "1",
};
const TERMS_FORM = { sku: "PEN-1", minQuantity: "6", stepFrom1: "12", stepPrice1: "85" };

/** Sends the listing form of a browser without scripts. */
function sendForm(as: string, path: string, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return visit(path, { as, form: body });
}

async function edit(as: string, productId: string, fields: Record<string, string>) {
  const { stock: _stock, stockSeen: _seen, ...others } = FORM;
  return sendForm(as, `/product/${productId}/edit`, { ...others, ...fields });
}

test("a verified wholesaler lists with terms, and finds them in the form again", async () => {
  const seller = await makeWholesaler({ phone: "254722000020" });
  const productId = crypto.randomUUID();
  const listed = await sendForm(seller, "/add-product", { ...FORM, ...TERMS_FORM, productId });
  expect(listed.status).toBe(302);
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 6, wholesale: true, sku: "PEN-1", steps: 1 });
  const page = await (await visit(`/product/${productId}/edit`, { as: seller })).text();
  expect(page).toContain('name="stepPrice1"');
  expect(page).toContain('name="stepPrice5"');
  expect(await openListing(servicesAt(), seller, productId)).toMatchObject({
    isWholesaler: true,
    editing: { values: { ...TERMS_FORM, stepFrom2: "" } },
  });
  // Sent again, it is the same listing; with other steps it isn't.
  expect((await sendForm(seller, "/add-product", { ...FORM, ...TERMS_FORM, productId })).status).toBe(302);
  const other = await sendForm(seller, "/add-product", { ...FORM, ...TERMS_FORM, stepPrice1: "80", productId });
  expect(await other.text()).toContain("already posted this listing");
});

test("a new listing has at least one piece, whatever the form claims to have shown", async () => {
  const seller = await makeWholesaler({ phone: "254722000020" });
  const productId = crypto.randomUUID();
  const answer = await sendForm(seller, "/add-product", { ...FORM, stock: "0", stockSeen: "0", productId });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Enter a whole number from 1 to 9,999");
  expect(await db.select().from(products).where(eq(products.id, productId))).toEqual([]);
});

test("wrong terms are refused at their fields, and nothing is lost", async () => {
  const seller = await makeWholesaler({ phone: "254722000020" });
  const productId = await makeProduct(seller, { price: 100 });
  const answer = await edit(seller, productId, { ...TERMS_FORM, stepPrice1: "100", stepFrom2: "24" });
  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(page).toContain("Enter less than the price, KES 100");
  expect(page).toContain("Enter the price for one piece");
  expect(page).toContain('value="PEN-1"');
  expect(page).toContain('value="24"');
  expect(await readTermsOf(productId)).toMatchObject({ wholesale: false });
});

test("a SKU of another listing is refused at its field", async () => {
  const seller = await makeWholesaler({ phone: "254722000020" });
  const [one, two] = [await makeProduct(seller), await makeProduct(seller)];
  expect((await edit(seller, one, TERMS_FORM)).status).toBe(302);
  const answer = await edit(seller, two, TERMS_FORM);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Another of your listings has this SKU");
  const added = await sendForm(seller, "/add-product", { ...FORM, ...TERMS_FORM, productId: crypto.randomUUID() });
  expect(await added.text()).toContain("Another of your listings has this SKU");
});

test("others neither see the fields nor get past the server, and a wholesaler who lost verification keeps the terms", async () => {
  const seller = await makeWholesaler({ phone: "254722000020" });
  const productId = await makeProduct(seller, { price: 100 });
  await edit(seller, productId, TERMS_FORM);
  await setVerification(seller, "rejected");

  const page = await (await visit(`/product/${productId}/edit`, { as: seller })).text();
  expect(page).not.toContain('name="minQuantity"');
  expect(page).toContain("Your smallest order, price steps and SKU stay as they are.");
  const refused = await edit(seller, productId, { ...TERMS_FORM, minQuantity: "3" });
  expect(await refused.text()).toContain("Only verified wholesalers can set a smallest order");
  const added = await sendForm(seller, "/add-product", { ...FORM, ...TERMS_FORM, productId: crypto.randomUUID() });
  expect(await added.text()).toContain("Only verified wholesalers can set a smallest order");
  expect((await edit(seller, productId, { name: "Blue pens" })).status).toBe(302);
  expect(await readTermsOf(productId)).toEqual({ minQuantity: 6, wholesale: true, sku: "PEN-1", steps: 1 });
});
