/** What is said of a held listing. Apart from the rules that hold it, whose tables no browser needs. */

/** Begins `products.held_for` when a category is the reason. A word never has a colon. */
export const CATEGORY_MARK = "category:";

/** `products.held_for` where somebody reported its serial number as stolen. */
export const SERIAL_MARK = "serial:stolen";

/** Why a listing is held, to end a sentence: "because it mentions “gun”". `heldFor` as the database has it. */
export function heldBecause(heldFor: string): string {
  if (heldFor === SERIAL_MARK) return "because somebody reported its serial number as stolen";
  return heldFor.startsWith(CATEGORY_MARK)
    ? "because we check every listing in its category"
    : `because it mentions “${heldFor}”`;
}

/** What its seller reads about a held listing. */
export function heldSentence(heldFor: string): string {
  return `We're taking a look at your listing before it is published, ${heldBecause(heldFor)}. This usually takes less than a day. We'll email you.`;
}

/** Why a listing that somebody is buying can't be changed so that it would be held. */
export function heldWhileBoughtText(heldFor: string): string {
  return `Somebody is buying this item now, so we can't save this change yet. We'd have to look at it first, ${heldBecause(heldFor)}. Please try again later.`;
}

export const HELD_LABEL = "Being checked";
