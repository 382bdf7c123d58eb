import fc from "fast-check";
import { expect, test } from "vitest";
import { findListingErrors, readCategoryName, readListing } from "#app/catalogue/selling/listing-rules.ts";
import { firstShopName } from "#app/catalogue/selling/first-shop-name.ts";
import {
  CATEGORY_TEXTS,
  changedFields,
  EMPTY_LISTING,
  type ListingValues,
  mergeDraft,
  readListingForm,
  sellingWords,
} from "#app/catalogue/selling/listing-form-rules.ts";
import { hasArrived } from "#app/catalogue/selling/components/listing-changes.ts";
import { fewLeft, readStock } from "#app/catalogue/selling/listing-stock-rules.ts";
import { readPrice } from "#app/catalogue/selling/listing-price-rules.ts";
import { displayCategory } from "#app/catalogue/labels.ts";

const GOOD: ListingValues = {
  ...EMPTY_LISTING,
  name: "Casio fx-991ES",
  price: "1900",
  originalPrice: "",
  description: "Works, with cover",
  category: "stationery",
  condition: "good",
  stock: "1",
  madeToOrder: "",
  stockSeen: "1",
  takesOffers: "",
  lowestOffer: "",
};

function errorsOf(change: Partial<ListingValues>) {
  const reading = readListing({ ...GOOD, ...change } as ListingValues);
  return reading.ok ? {} : reading.errors;
}

test("an empty form is told everything that is missing, in the words of the specification", () => {
  const reading = readListing({ ...EMPTY_LISTING, condition: "" });
  expect(reading).toEqual({
    ok: false,
    errors: {
      name: "Product name is required",
      price: "Price is required",
      description: "Description is required",
      category: "Category is required",
      condition: "Condition is required",
    },
  });
});

test.each([
  ["1500", 1500],
  ["1,500", 1500],
  ["1,234,567", 1_234_567],
  [" KES 1 500 ", 1500],
  ["Ksh. 900", 900],
  ["2500/=", 2500],
  ["1500.00", 1500],
  ["0", 0],
  ["007", 7],
  ["-5", "Price must be positive"],
  ["19.99", "Price must be a whole number of shillings"],
  ["1.5", "Price must be a whole number of shillings"],
  ["a lot", "Price must be a whole number of shillings"],
  ["1e5", "A spreadsheet has shortened '1e5'. Write all its digits."],
  ["0x10", "Price must be a whole number of shillings"],
  ["٣٠٠", "Price must be a whole number of shillings"],
])("a price of %j reads %j", (typed, expected) => {
  expect(readPrice(typed)).toBe(expected);
});

test.each([
  ["0", undefined],
  ["1", "Enter 0 to give it away, or at least KES 10: M-Pesa can't pay you less"],
  ["9", "Enter 0 to give it away, or at least KES 10: M-Pesa can't pay you less"],
  ["10", undefined],
  ["250,000", undefined],
  ["250,001", "Price must be at most KES 250,000, the most M-Pesa takes in one payment"],
  ["9".repeat(400), "Price must be at most KES 250,000, the most M-Pesa takes in one payment"],
])("a price of %s that M-Pesa cannot move is refused when listing, with the reason", (price, error) => {
  expect(errorsOf({ price, originalPrice: "" }).price).toBe(error);
});

test("whatever is typed, a listing that is accepted is whole: tidy texts, whole shillings, a known condition", () => {
  const typed = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), {
    weight: 6,
    arbitrary: fc.constantFrom("12", "1,000", "good", "new", "Desk\r\n\r\n\r\n\r\nfor you", "e\u200e\u0301\u202e"),
  });
  fc.assert(
    fc.property(
      fc.record({
        name: typed,
        price: typed,
        originalPrice: typed,
        description: typed,
        category: typed,
        type: typed,
        condition: typed,
        stock: typed,
        madeToOrder: fc.constantFrom("", "on"),
        stockSeen: fc.constantFrom("no limit", "0", "1", "7"),
        takesOffers: fc.constantFrom("", "on"),
        lowestOffer: typed,
      }),
      (values) => {
        const reading = readListing(values);
        if (!reading.ok) {
          expect(Object.values(reading.errors).filter((error) => error === "")).toEqual([]);
          return;
        }
        const { listing } = reading;
        expect(Number.isInteger(listing.price) && listing.price >= 0).toBe(true);
        expect(listing.originalPrice === null || listing.originalPrice > listing.price).toBe(true);
        expect(listing.name).toMatch(/^\S/u);
        expect(`${listing.name}${listing.description.replaceAll("\n", "")}`).not.toMatch(
          /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(listing.description).not.toContain("\n\n\n");
        // An accepted listing is accepted again unchanged.
        expect(listing.stock === null || (listing.stock >= 0 && listing.stock <= 9_999)).toBe(true);
        const again = {
          ...listing,
          type: listing.chosenType ?? "",
          stock: String(listing.stock),
          madeToOrder: listing.stock === null ? "on" : "",
          stockSeen: values.stockSeen,
          price: String(listing.price),
          originalPrice: listing.originalPrice === null ? "" : String(listing.originalPrice),
          takesOffers: listing.takesOffers ? "on" : "",
          lowestOffer: listing.lowestOffer === null ? "" : String(listing.lowestOffer),
        };
        expect(readListing(again)).toEqual(reading);
      },
    ),
    { numRuns: 500 },
  );
});

test("an original price must be above the price, and texts must be of a reasonable length", () => {
  expect(errorsOf({ originalPrice: "1900" })).toEqual({
    originalPrice: "The original price must be higher than the price",
  });
  expect(errorsOf({ originalPrice: "2,400" })).toEqual({});
  expect(errorsOf({ originalPrice: "2.5" })).toEqual({ originalPrice: "Price must be a whole number of shillings" });
  expect(errorsOf({ name: "x".repeat(101) })).toEqual({ name: "Please use at most 100 characters" });
  expect(errorsOf({ name: "🎧".repeat(100) })).toEqual({});
  expect(errorsOf({ description: "x".repeat(2001) })).toEqual({ description: "Please use at most 2,000 characters" });
  expect(errorsOf({ condition: "Used - Good" })).toEqual({ condition: "Condition is required" });
});

test("a form with files where texts belong, or without fields, reads as empty", () => {
  const form = new FormData();
  form.set("name", new File(["x"], "name.txt"));
  expect(readListingForm(form)).toEqual({ ...EMPTY_LISTING, condition: "" });
});

test("the browser finds the errors of a form, with those of the wholesale fields where it has them", () => {
  const form = new FormData();
  for (const [field, value] of Object.entries(GOOD)) form.set(field, value);
  expect(findListingErrors(form)).toEqual({});
  form.set("name", " ");
  form.set("minQuantity", "0");
  expect(Object.keys(findListingErrors(form))).toEqual(["name", "minQuantity"]);
  form.delete("minQuantity");
  expect(Object.keys(findListingErrors(form))).toEqual(["name"]);
});

test.each([
  [
    "  Musical   Instruments ",
    { name: "Musical Instruments", nameKey: "musical instruments", id: "musical-instruments" },
  ],
  ["Café & Snacks", { name: "Café & Snacks", nameKey: "café & snacks", id: "cafe-snacks" }],
  ["书", { name: "书", nameKey: "书", id: "" }],
])("a category suggested as %j is known as %j", (typed, category) => {
  expect(readCategoryName(typed)).toEqual({ ok: true, category });
});

test.each([
  ["", CATEGORY_TEXTS.required],
  ["   ", "Category name is required"],
  ["123", "Please use at least one letter"],
  ["x".repeat(41), "Please use at most 40 characters"],
])("a category suggested as %j is refused", (typed, error) => {
  expect(readCategoryName(typed)).toEqual({ ok: false, error });
});

test("a category shows its name; what looks like an id shows as Other, and plain text is capitalized", () => {
  expect(displayCategory("study-materials", "Study Materials")).toBe("Study Materials");
  expect(displayCategory("0b5e2c3a-1111-4222-8333-944455556666", null)).toBe("Other");
  expect(displayCategory("books", null)).toBe("Books");
  expect(displayCategory(null, null)).toBe("Other");
});

test("a shop that opens with its first listing is called after its owner", () => {
  expect([firstShopName("Wanjiku Otieno"), firstShopName("  ")]).toEqual(["Wanjiku's Shop", "My Shop"]);
});

test.each([
  "M-PESA Refund desk",
  "Chuoni Support",
  "Safaricom customer care",
  "Mpesa reversal payments",
  "iPhone 11, call 0712345678",
  "Laptop 0712 345 678",
  "Fridge +254 712-345-678",
])("a listing is not called %j", (name) => {
  expect(errorsOf({ name }).name).toMatch(/reserved|phone and till numbers/);
});

test.each([
  "Safaricom 4G router",
  "Safaricom Neon phone",
  "Calculus, ISBN 978-0-17-123456-7",
  "ISBN 9780171234567",
  "Casio fx-991ES 0 to 10 scale",
  "Desk with 3 drawers",
  "Help! Statistics notes",
])("a listing may be called %j", (name) => {
  expect(errorsOf({ name })).toEqual({});
});

test.each([
  "M-PESA Refund desk",
  "Chuoni Support",
  "Safaricom",
  "Pay 0700000000 via WhatsApp",
  "WhatsApp me",
  "www.deals.co.ke",
  "Verified ✔ deals",
  "Admin",
])("no category is called %j", (name) => {
  expect(readCategoryName(name)).toMatchObject({ ok: false });
});

test.each(["Musical Instruments", "Desks and chairs", "3D printing", "Help with statistics", "Phones & tablets"])(
  "a category may be called %j",
  (name) => {
    expect(readCategoryName(name)).toMatchObject({ ok: true, category: { name } });
  },
);

test.each([
  ["1", 1],
  [" 12 ", 12],
  ["9,999", 9_999],
  ["007", 7],
  ["", "Enter how many you have"],
  ["0", "Enter a whole number from 1 to 9,999"],
  ["10000", "Enter a whole number from 1 to 9,999"],
  ["-1", "Enter a whole number from 1 to 9,999"],
  ["2.5", "Enter a whole number from 1 to 9,999"],
  ["many", "Enter a whole number from 1 to 9,999"],
])("a stock of %j reads %j", (typed, expected) => {
  expect(readStock(typed)).toBe(expected);
});

test("a listing has one piece where the form says nothing, no limit where it is made to order, and 0 only if it is sold out", () => {
  const form = new FormData();
  for (const [field, value] of Object.entries(GOOD)) if (!/stock|order/i.test(field)) form.set(field, value);
  expect(readListing(readListingForm(form))).toMatchObject({ listing: { stock: 1 } });
  form.set("madeToOrder", "on");
  form.set("stock", "many");
  expect(readListing(readListingForm(form))).toMatchObject({ listing: { stock: null } });
  expect(errorsOf({ stock: "0" })).toHaveProperty("stock");
  expect(errorsOf({ stock: "0", stockSeen: "0" })).toEqual({});
});

test.each<[Parameters<typeof fewLeft>[0], number | null]>([
  [{ stock: 4, reserved: 0, condition: "new" }, null],
  [{ stock: 3, reserved: 0, condition: "new" }, 3],
  [{ stock: 4, reserved: 2, condition: "good" }, 2],
  [{ stock: 1, reserved: 0, condition: "new" }, 1],
  [{ stock: 1, reserved: 0, condition: "good" }, null],
  [{ stock: 2, reserved: 1, condition: "good" }, 1],
  [{ stock: 2, reserved: 2, condition: "new" }, null],
  [{ stock: 0, reserved: 0, condition: "new" }, null],
  [{ stock: null, reserved: 2, condition: "new" }, null],
])("of %j, buyers read that %j are left", (product, left) => {
  expect(fewLeft(product)).toBe(left);
});

test("the lowest price of offers is below the price, and counts only while buyers can make offers", () => {
  const offers = { takesOffers: "on", lowestOffer: "1,500" };
  expect(readListing({ ...GOOD, ...offers })).toMatchObject({ listing: { takesOffers: true, lowestOffer: 1_500 } });
  expect(readListing({ ...GOOD, ...offers, takesOffers: "" })).toMatchObject({
    listing: { takesOffers: false, lowestOffer: null },
  });
  expect(readListing({ ...GOOD, ...offers, lowestOffer: " " })).toMatchObject({
    listing: { takesOffers: true, lowestOffer: null },
  });
  for (const lowestOffer of ["1900", "2000", "9", "a lot"])
    expect([lowestOffer, ...Object.keys(errorsOf({ ...offers, lowestOffer }))]).toEqual([lowestOffer, "lowestOffer"]);
});

test("a draft fills in what nobody has typed in yet, and the stock goes with the number that its seller saw", () => {
  const first = { ...EMPTY_LISTING, stock: "4", stockSeen: "4", description: "Red\r\nand new" };
  const now = { ...first, name: "Kettle", description: "Red\nand new" };
  const draft = { ...first, name: "Toaster", price: "950", stock: "5", stockSeen: "5" };
  const typed = changedFields(first, now);
  expect(typed).toEqual(["name"]);
  expect(mergeDraft(draft, now, typed)).toEqual({ ...draft, name: "Kettle" });
  const sold = { ...now, stock: "3" };
  expect(mergeDraft(draft, sold, changedFields(first, sold))).toEqual({
    ...draft,
    name: "Kettle",
    stock: "3",
    stockSeen: "4",
  });
});

test.each([
  [{}, "1 piece · no offers"],
  [{ stock: " " }, "1 piece · no offers"],
  [{ stock: "12", takesOffers: "on" }, "12 pieces · takes offers"],
  [{ madeToOrder: "on", takesOffers: "on", lowestOffer: "Ksh 900" }, "Made to order · offers from KES 900"],
  [{ originalPrice: "2500", lowestOffer: "900" }, "1 piece · was KES 2,500 · no offers"],
  [{ stock: "40", minQuantity: "6" }, "40 pieces · no offers · at least 6 an order"],
])("the closed part of the form says what it holds: %o", (values, words) => {
  expect(sellingWords({ ...EMPTY_LISTING, ...values })).toBe(words);
});

test("a status change is over once the server has answered and reports another status; a deletion never is", () => {
  const sold = { from: "active", to: "sold", madeAt: 1 } as const;
  expect(hasArrived(sold, "active")).toBe(false);
  expect(hasArrived(sold, "sold")).toBe(true);
  // Somebody else may have changed it again.
  expect(hasArrived(sold, "out_of_stock")).toBe(true);
  expect(hasArrived({ ...sold, madeAt: null }, "sold")).toBe(false);
  expect(hasArrived({ ...sold, to: null }, "sold")).toBe(false);
});
