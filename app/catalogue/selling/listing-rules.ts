/**
 * The rules of the listing form, and its errors. The browser and the server check the same rules. The form loads this
 * file when its seller begins to write, so what it needs before is in listing-form-rules.ts.
 */
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { readPrice } from "./listing-price-rules.ts";
import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { factOfField, type Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { readStock } from "./listing-stock-rules.ts";
import {
  CATEGORY_TEXTS,
  factFieldsIn,
  LISTING_MAX,
  type ListingErrors,
  type ListingValues,
  readListingForm,
  type WholesaleValues,
} from "./listing-form-rules.ts";
import { readWholesale } from "./wholesale-rules.ts";

/** A valid listing. Prices in KES. */
export interface Listing {
  name: string;
  price: number;
  originalPrice: number | null;
  description: string;
  /** A category's id. A plain text name only if the listing had it before. */
  category: string;
  /** What the seller said that it is: a type's id, or "none"; null leaves it to our rules. Checked in the database. */
  chosenType: string | null;
  /** What the seller chose or wrote for each fact, by its id, tidied. `readChosen` checks those of the type. */
  facts: Facts;
  condition: Condition;
  /** Pieces; null means no limit. */
  stock: number | null;
  takesOffers: boolean;
  /** Lower offers are declined at once; null: none are. */
  lowestOffer: number | null;
}

/** A stock as the form holds it. */
export function stockText(stock: number | null): string {
  return stock === null ? "no limit" : String(stock);
}

/** The stock that the form was opened with; null means no limit. */
export function seenStock({ stockSeen }: ListingValues): number | null {
  return /^\d+$/.test(stockSeen) ? Number(stockSeen) : null;
}

type Reading = { ok: true; listing: Listing } | { ok: false; errors: ListingErrors };

/** Returns the listing, tidied, or the error of each field. Whether the category exists is checked in the database. */
export function readListing(values: Omit<ListingValues, keyof WholesaleValues>): Reading {
  const errors: ListingErrors = {};
  const name = tidyLine(values.name);
  const refusedName = nameError(name, "listing");
  const description = tidyText(values.description);
  const category = values.category.trim();
  const price = readPrice(values.price);
  const originalPrice = values.originalPrice.trim() === "" ? null : readPrice(values.originalPrice);

  if (name === "") errors.name = "Product name is required";
  else if ([...name].length > LISTING_MAX.name) errors.name = tooLong(LISTING_MAX.name);
  else if (refusedName) errors.name = refusedName;
  if (values.price.trim() === "") errors.price = "Price is required";
  else if (typeof price === "string") errors.price = price;
  else if (price !== 0 && price < PAYOUT_LIMITS.min)
    errors.price = `Enter 0 to give it away, or at least KES ${PAYOUT_LIMITS.min}: M-Pesa can't pay you less`;
  else if (price > PAYMENT_LIMITS.max)
    errors.price = `Price must be at most KES ${PAYMENT_LIMITS.max.toLocaleString("en")}, the most M-Pesa takes in one payment`;
  if (typeof originalPrice === "string") errors.originalPrice = originalPrice;
  else if (originalPrice !== null && originalPrice > LISTING_MAX.originalPrice)
    errors.originalPrice = "Price must be at most KES 9,999,999";
  else if (originalPrice !== null && typeof price === "number" && originalPrice <= price)
    errors.originalPrice = "The original price must be higher than the price";
  if (description === "") errors.description = "Description is required";
  else if ([...description].length > LISTING_MAX.description) errors.description = tooLong(LISTING_MAX.description);
  if (category === "") errors.category = "Category is required";
  const condition = CONDITIONS.find((known) => known === values.condition);
  if (!condition) errors.condition = "Condition is required";
  // A sold-out listing can be edited without bringing it back.
  const stock = values.madeToOrder === "on" ? null : readStock(values.stock, values.stockSeen === "0" ? 0 : 1);
  if (typeof stock === "string") errors.stock = stock;
  const takesOffers = values.takesOffers === "on";
  const lowestOffer = takesOffers && values.lowestOffer.trim() !== "" ? readPrice(values.lowestOffer) : null;
  if (typeof lowestOffer === "string") errors.lowestOffer = lowestOffer;
  else if (lowestOffer !== null && lowestOffer < PAYOUT_LIMITS.min)
    errors.lowestOffer = `Enter at least KES ${PAYOUT_LIMITS.min}: M-Pesa can't pay you less`;
  else if (lowestOffer !== null && typeof price === "number" && lowestOffer >= price)
    errors.lowestOffer = "Enter less than the price";

  const facts = Object.fromEntries(
    factFieldsIn(values).flatMap((field) => {
      const text = tidyLine(values[field] ?? "");
      return text === "" ? [] : [[factOfField(field) ?? "", text]];
    }),
  );

  if (
    Object.keys(errors).length > 0 ||
    typeof price === "string" ||
    typeof originalPrice === "string" ||
    typeof stock === "string" ||
    typeof lowestOffer === "string" ||
    !condition
  )
    return { ok: false, errors };
  const chosenType = values.type.trim() || null;
  const texts = { name, price, originalPrice, description, category, chosenType, facts, condition };
  return { ok: true, listing: { ...texts, stock, takesOffers, lowestOffer } };
}

/** The errors of a form before it is sent. Those that need the database come with the server's answer. */
export function findListingErrors(form: FormData): ListingErrors {
  const values = readListingForm(form);
  const reading = readListing(values);
  return { ...(reading.ok ? {} : reading.errors), ...readWholesale(form, values).errors };
}

function tooLong(max: number): string {
  return `Please use at most ${max.toLocaleString("en")} characters`;
}

/** One line of text: no control or direction characters, single spaces. */
function tidyLine(text: string): string {
  return text
    .replaceAll(/[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Several lines of text, without two empty lines in a row. */
function tidyText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map(tidyLine)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

export interface CategoryName {
  name: string;
  /** Lower case, because two categories must differ by more than case. */
  nameKey: string;
  /** Readable. Empty when the name has no Latin letter. */
  id: string;
}

/** The name of a new category, tidied; or its error. */
export function readCategoryName(typed: string): { ok: true; category: CategoryName } | { ok: false; error: string } {
  const name = tidyLine(typed);
  if (name === "") return { ok: false, error: CATEGORY_TEXTS.required };
  if ([...name].length > LISTING_MAX.categoryName) return { ok: false, error: tooLong(LISTING_MAX.categoryName) };
  if (!/\p{L}/u.test(name)) return { ok: false, error: "Please use at least one letter" };
  const refused = nameError(name, "category");
  if (refused) return { ok: false, error: refused };
  const nameKey = name.toLowerCase();
  const id = nameKey
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return { ok: true, category: { name, nameKey, id } };
}
