/** What a search says above results that are merely the nearest. */
import type { Nearest } from "./search-query.ts";

/** `things`: the plural of the type that all of them have ("Laptops"); null where they have none in common. */
export interface NearestFound extends Omit<Nearest, "type" | "category"> {
  things: string | null;
}

export function nearestText({ without, withoutFilters, by, things }: NearestFound): string {
  const missing = without.map((word) => `“${word}”`).join(" and ");
  const within = withoutFilters ? "with your filters " : "";
  const outside = withoutFilters ? ", without your filters" : "";
  if (by === "type" && things !== null)
    return `Nothing ${within}has ${missing}. These are ${inSentence(things)}${outside}.`;
  if (by === "words" && without.length === 0) return "Nothing fits your filters. These are the results without them.";
  if (by === "words") return `Nothing ${within}has all your words. These don't have ${missing}${outside}.`;
  if (by === "category") return `Nothing ${within}fits your words. These are in the same category${outside}.`;
  return `Nothing ${within}fits your words. These are the newest listings${outside}.`;
}

/** "Laptops" is "laptops", and "TVs" stays. */
function inSentence(things: string): string {
  return /^\p{Lu}\p{Ll}/u.test(things) ? things.charAt(0).toLowerCase() + things.slice(1) : things;
}
