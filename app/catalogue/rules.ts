/** Rules of the catalogue (docs/product-rules.md, "Marketplace"). */

export type ProductStatus = "active" | "sold" | "out_of_stock";
export type Condition = "new" | "like_new" | "good" | "fair";

export const CONDITION_LABELS: Record<Condition, string> = {
  new: "New",
  like_new: "Used - Like New",
  good: "Used - Good",
  fair: "Used - Fair",
};

/** A used thing exists once. */
export function isUsed(product: { condition: Condition }): boolean {
  return product.condition !== "new";
}

export const CONDITIONS = Object.keys(CONDITION_LABELS) as Condition[];

export const STATUS_LABELS: Record<ProductStatus, string> = {
  active: "Active",
  sold: "Sold",
  out_of_stock: "Out of Stock",
};

export const PRODUCT_STATUSES = Object.keys(STATUS_LABELS) as ProductStatus[];

/** Products a list loads at a time. */
export const FEED_PAGE_SIZE = 24;

/** The newest products on the home page. */
export const NEWEST_ON_HOME = 8;

/** What a product's page shows of the same seller's other products. */
export const MORE_FROM_SELLER = 4;

/** A count is exact up to here; beyond it reads "1,000+", so that counting never reads a whole category. */
export const EXACT_COUNT_MAX = 1_000;

/** Categories in the row of chips on phones. */
export const CHIP_COUNT = 10;

/** A place in a list sorted newest first. */
export interface Cursor {
  createdAt: number;
  id: string;
}

export function writeCursor(cursor: Cursor): string {
  return writePlace({ at: cursor.createdAt, id: cursor.id });
}

/** Null for anything that is not a cursor of ours. */
export function readCursor(text: string | null): Cursor | null {
  const place = readPlace(text);
  return place && { createdAt: place.at, id: place.id };
}

/** A place in a list sorted by a number: a time (ms) or a price (KES). */
export interface Place {
  at: number;
  id: string;
}

export function writePlace(place: Place): string {
  return `${place.at}.${place.id}`;
}

/** Null for anything that is not a place of ours. */
export function readPlace(text: string | null): Place | null {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text ?? "");
  return match?.[1] && match[2] ? { at: Number(match[1]), id: match[2] } : null;
}

/** Where a category's products are; by its id, or by its name where it is plain text. */
export function categoryPath(idOrName: string): string {
  return `/category/${encodeURIComponent(idOrName)}`;
}
