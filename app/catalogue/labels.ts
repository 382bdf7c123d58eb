/** Labels that only some screens need. Not in rules.ts, because every screen loads that. */
import { EXACT_COUNT_MAX } from "./rules.ts";

/** The campuses one can filter by. */
export const CAMPUSES = ["Main Campus", "City Campus", "Parklands Campus", "Westlands Campus"] as const;

/** The categories on the home page. */
export const HOME_CATEGORIES = [
  { id: "textbooks", name: "Textbooks" },
  { id: "electronics", name: "Electronics" },
  { id: "stationery", name: "Stationery" },
  { id: "study-materials", name: "Study Materials" },
] as const;

export type HomeCategory = (typeof HOME_CATEGORIES)[number]["id"];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The category people see: the joined name if there is one; what looks like a UUID is "Other"; else capitalised. */
export function displayCategory(category: string | null, joinedName: string | null): string {
  if (joinedName) return joinedName;
  if (!category || UUID.test(category)) return "Other";
  return category.charAt(0).toUpperCase() + category.slice(1);
}

/** "12", or "1,000+" beyond what is counted. */
export function countLabel(count: number): string {
  return count > EXACT_COUNT_MAX ? "1,000+" : count.toLocaleString("en");
}
