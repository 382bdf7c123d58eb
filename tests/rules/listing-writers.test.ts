/**
 * One module writes `products`, and what follows from a change of listings, reservations and sales is in the batch of
 * each use case.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const app = resolve(import.meta.dirname, "../../app");
const files = globSync("**/*.ts", { cwd: app }).map((file) => ({ file, text: readFileSync(join(app, file), "utf8") }));

const WRITERS = [
  "accounts/trust/verified-effects.server.ts",
  "catalogue/write-listings.server.ts",
  "catalogue/listing-effects.server.ts",
  "catalogue/stock/stock-effects.server.ts",
];

/** Terms are part of a listing that is saved; and one statement lowers a price, in two use cases. */
const PARTS = ["catalogue/selling/lower-price.server.ts", "catalogue/selling/save-wholesale.server.ts"];

test("no other file writes products", () => {
  const writes = /\.(update|insert|delete)\(products\)|insertEach\(\s*products\b|\b(UPDATE|INTO) products\b/;
  expect(
    files
      .filter(({ text }) => writes.test(text))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(WRITERS.toSorted());
});

test("whoever changes listings lets follow what follows from it", () => {
  const callers = files.filter(({ text }) => text.includes("catalogue/write-listings.server.ts"));
  expect(callers.length).toBeGreaterThan(8);
  const forgetful = callers.filter(({ text }) => !text.includes("...afterListingsChanged("));
  expect(forgetful.map(({ file }) => file).toSorted()).toEqual(PARTS);
});

/** Who changes the state of an offer or of a payment under way, which reserve pieces. */
const RESERVING =
  /\.update\((?:offers|paymentAttempts)\)\s*\.set\((?:ended\(|\{\s*(?:[^{}]*\b)?(?:state|reservesStock)\b)/;

test("whoever changes what reserves pieces counts them", () => {
  const changing = files.filter(({ text }) => RESERVING.test(text));
  expect(changing.map(({ file }) => file).toSorted()).toEqual([
    "catalogue/end-offers.server.ts",
    "offers/offer-steps.server.ts",
    "offers/offer-timers.server.ts",
    "payments/collect/availability.server.ts",
    "payments/collect/settlement.server.ts",
  ]);
  const forgetful = changing.filter(({ text }) => !/afterReservationsChanged\(|countReserved\(/.test(text));
  expect(forgetful).toEqual([]);
});

const ITEM_STATUS = /\.update\(orderItems\)\s*\.set\(\{\s*(?:[^{}]*\b)?status\b/;

test("whoever moves items that were paid lets their seller's record follow", () => {
  const moving = files.filter(({ text }) => ITEM_STATUS.test(text));
  const forgetful = moving.filter(({ text }) => !/markSelfPaid\(|afterSalesEnded\(/.test(text));
  expect(moving).toHaveLength(3);
  // It closes what nobody paid for.
  expect(forgetful.map(({ file }) => file)).toEqual(["orders/close-orders.server.ts"]);
});

test("whoever opens or names a shop lets searches find it", () => {
  const naming = files.filter(({ text }) => /\.insert\(shops\)|\.update\(shops\)\s*\.set\(\{[^}]*shopName/.test(text));
  expect(naming.map(({ file }) => file).toSorted()).toEqual([
    "catalogue/selling/listings.server.ts",
    "shops/shop-settings.server.ts",
    "shops/subscriptions.server.ts",
  ]);
  expect(naming.filter(({ text }) => !text.includes("...indexShops("))).toEqual([]);
  const leaving = files.filter(({ text }) => text.includes(".delete(shops)"));
  expect(leaving.filter(({ text }) => !text.includes("forgetShops("))).toEqual([]);
  expect(leaving).not.toEqual([]);
});
