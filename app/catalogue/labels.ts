/** Labels that only some screens need. They aren't in catalogue-rules.ts, because every screen loads that file. */
import { UUID } from "#app/platform/uuid-rules.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import { type Condition, CONDITION_LABELS } from "./catalogue-rules.ts";

export const CONDITIONS = Object.keys(CONDITION_LABELS) as Condition[];

/**
 * My Shop counts exactly up to here. Above it a count reads "1,000+", so that counting never reads everything that a
 * seller has.
 */
export const EXACT_COUNT_MAX = 1_000;

/**
 * A list's count is exact up to here, so that counting costs little more than a page. The numbers of a whole category
 * and of a type are kept, and always exact.
 */
export const LIST_COUNT_MAX = 50;

/** The categories on the home page. */
export const HOME_CATEGORIES = [
  { id: "textbooks", name: "Textbooks" },
  { id: "electronics", name: "Electronics" },
  { id: "stationery", name: "Stationery" },
  { id: "study-materials", name: "Study Materials" },
] as const;

export type HomeCategory = (typeof HOME_CATEGORIES)[number]["id"];

/**
 * A category's name for display: the joined name if there is one, "Other" for text that looks like a UUID, else the
 * text, capitalized.
 */
export function displayCategory(category: string | null, joinedName: string | null): string {
  if (joinedName) return joinedName;
  if (!category || UUID.test(category.toLowerCase())) return "Other";
  return capitalized(category);
}

/** A category's name as `categories.name_key` has it. */
export function nameKeyOf(category: string): string {
  return category.trim().toLowerCase();
}

/** "12", or "1,000+" above the highest exact count. */
export function countLabel(count: number): string {
  return count > EXACT_COUNT_MAX ? `${EXACT_COUNT_MAX.toLocaleString("en")}+` : count.toLocaleString("en");
}

/** How many characters of a description a card shows in its one line. */
export const LINE_LENGTH = 48;

/**
 * The beginning of a description, for one line. Needs more than LINE_LENGTH characters, because spaces and blank lines
 * go.
 */
export function toLine(text: string): string {
  const characters = [...text.trim().replaceAll(/\s+/g, " ")];
  return characters.length > LINE_LENGTH
    ? `${characters.slice(0, LINE_LENGTH).join("").trimEnd()}…`
    : characters.join("");
}
