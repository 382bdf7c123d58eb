/**
 * Rules of the stock of a listing, for its form and its labels (docs/product-rules.md, "Stock"). Null means no limit.
 */
import { readCount, unclearText } from "#app/platform/number-rules.ts";
import type { Condition, ProductStatus } from "#app/catalogue/catalogue-rules.ts";

/** The most pieces that a listing with a limit can have. */
export const STOCK_MAX = 9_999;

export const SOLD_OUT = "Sold out";

/** From here downwards, buyers read how many are left. */
const FEW = 3;

/** The stock of a listing, in pieces. */
export interface Stock {
  /** Pieces that the seller has, including the reserved ones; null means no limit. */
  stock: number | null;
  /** Pieces promised to payments under way and accepted offers. */
  reserved: number;
}

/** How many pieces can be bought now; null means no limit. */
function availableOf({ stock, reserved }: Stock): number | null {
  return stock === null ? null : stock - reserved;
}

/**
 * The number for "Only 2 left"; null where nothing is said: there are enough, there is none, or it is a used product
 * that always was the only one.
 */
export function fewLeft(product: Stock & { condition: Condition }): number | null {
  const { stock } = product;
  const available = availableOf(product);
  if (stock === null || available === null || available < 1 || available > FEW) return null;
  return product.condition !== "new" && stock === 1 ? null : available;
}

/** What buyers read about the stock: "Only 2 left" or "Sold out"; null where there is nothing to say. */
export function stockLabel(product: Stock & { condition: Condition; status: ProductStatus }): string | null {
  if (product.status !== "active") return product.stock === 0 ? SOLD_OUT : null;
  const left = fewLeft(product);
  return left === null ? null : leftText(left);
}

export function leftText(left: number): string {
  return `Only ${left} left`;
}

/** Reads a number of pieces; or returns the error. */
export function readPieces(typed: string, { least, max }: { least: number; max: number }): number | string {
  const reading = readCount(typed);
  if (reading.ok && reading.value >= least && reading.value <= max) return reading.value;
  return unclearText(typed, reading) ?? `Enter a whole number from ${least} to ${max.toLocaleString("en")}`;
}

/** Reads how many pieces a seller has; or returns the error. */
export function readStock(typed: string, least = 1): number | string {
  if (typed.trim() === "") return "Enter how many you have";
  return readPieces(typed, { least, max: STOCK_MAX });
}

/** Why the stock can't be less than what is reserved. */
export function stockReservedText(reserved: number): string {
  const pieces = reserved === 1 ? "1 piece is" : `${reserved.toLocaleString("en")} pieces are`;
  return `${pieces} being paid for or kept for an offer. Enter at least ${reserved}, or try again later.`;
}

/** For a seller whose stock has changed since the page showed it. */
export function stockChangedText(stock: number | null): string {
  return `${stockNowText(stock)}, because of a sale or a change on another page. Please check the number and try again.`;
}

/** "You have 5 now", without a full stop. */
export function stockNowText(stock: number | null): string {
  return stock === null ? "This listing is made to order now" : `You have ${stock.toLocaleString("en")} now`;
}
