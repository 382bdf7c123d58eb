/** Rules of the catalogue (docs/product-rules.md, "Marketplace"). */

import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** "unconfirmed": its seller didn't answer whether it is still available. Only time makes a listing so. */
export type ProductStatus = "active" | "sold" | "out_of_stock" | "unconfirmed";
export type Condition = "new" | "like_new" | "good" | "fair";

export const CONDITION_LABELS: Record<Condition, string> = OWN_LABELS.conditions;

export const STATUS_LABELS: Record<ProductStatus, string> = OWN_LABELS.statuses;

export const STATUS_TONES = { active: "green", sold: "red", out_of_stock: "orange", unconfirmed: "orange" } as const;

/** For a buyer who opens a listing that has left the lists. */
export const UNCONFIRMED_TEXT = "The seller hasn't said lately whether this is still available. You can ask them.";

/** The location of a listing whose seller has no campus. */
export const UNKNOWN_CAMPUS = "Unknown";

/** How many products a list loads at a time. */
export const FEED_PAGE_SIZE = 24;

/** How many of the newest products the home page shows. */
export const NEWEST_ON_HOME = 8;

/** How many of the seller's other products a product's page shows. */
export const MORE_FROM_SELLER = 4;

/** A position in a list sorted newest first. */
export interface Cursor {
  createdAt: number;
  id: string;
}

export function writeCursor(cursor: Cursor): string {
  return writePlace({ at: cursor.createdAt, id: cursor.id });
}

/** Returns null for an unreadable cursor. */
export function readCursor(text: string | null): Cursor | null {
  const place = readPlace(text);
  return place && { createdAt: place.at, id: place.id };
}

/** A position in a list sorted by a number: a time (ms) or a price (KES). */
export interface Place {
  at: number;
  id: string;
}

export function writePlace(place: Place): string {
  return `${place.at}.${place.id}`;
}

/** Returns null for an unreadable cursor. */
export function readPlace(text: string | null): Place | null {
  const match = /^(\d{1,15})\.([0-9a-f-]{32,36})$/.exec(text ?? "");
  return match?.[1] && match[2] ? { at: Number(match[1]), id: match[2] } : null;
}

/** The address of a category's products, by its id or, for plain text, by its name. */
export function categoryPath(idOrName: string): string {
  return `/category/${encodeURIComponent(idOrName)}`;
}

/** Where the forms of a listing's owner are sent, with and without scripts. */
export function managePath(productId: string): string {
  return `/product/${productId}/manage`;
}

/** How long after its last change a listing's seller is asked whether it is still available, ms (`app/upkeep`). */
export const ASK_AFTER_MS = 30 * DAY_MS;
