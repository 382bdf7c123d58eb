/** Catalogue: pure rules (commerce spec §2, §3, §9). */

export type ProductStatus = "active" | "sold" | "out_of_stock";
export type Condition = "new" | "like_new" | "good" | "fair";

export const CONDITION_LABELS: Record<Condition, string> = {
  new: "New",
  like_new: "Used - Like New",
  good: "Used - Good",
  fair: "Used - Fair",
};

export const STATUS_LABELS: Record<ProductStatus, string> = { active: "Active", sold: "Sold", out_of_stock: "Out of Stock" };

/** Products a feed loads at a time. */
export const FEED_PAGE_SIZE = 24;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The category people see: the joined name if there is one; what looks like a UUID is "Other"; else capitalised. */
export function displayCategory(category: string | null, joinedName: string | null): string {
  if (joinedName) return joinedName;
  if (!category || UUID.test(category)) return "Other";
  return category.charAt(0).toUpperCase() + category.slice(1);
}

/** A place in a list sorted newest first. */
export interface Cursor {
  createdAt: number;
  id: string;
}

export function writeCursor(cursor: Cursor): string {
  return `${cursor.createdAt}.${cursor.id}`;
}

/** Null for anything that is not a cursor of ours. */
export function readCursor(text: string | null): Cursor | null {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text ?? "");
  return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : null;
}
