/**
 * A change of something that was copied, in words. Apart from copy-changes.ts, because screens need no table of facts.
 */

export interface Change {
  label: string;
  /** What it was when it was copied, and what it is now. */
  was: string;
  is: string;
  isLong: boolean;
}

const LONG_PLURALS = ["Photos", "Shop policies", "Words about the shop"];

/** A change in a sentence: `condition was "New", is now "Fair"`. */
export function changeWords({ label, was, is, isLong }: Change): string {
  const name = label.toLowerCase();
  if (isLong) return `the ${name} ${LONG_PLURALS.includes(label) ? "are" : "is"} different`;
  return `${name} was "${was || "empty"}", is now "${is || "empty"}"`;
}
