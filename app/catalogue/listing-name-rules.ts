/** Names of listings and categories that pretend to be M-Pesa or us, or that lead buyers to pay outside Chuoni. */
import {
  claimsOf,
  mixesAlphabets,
  NAME_CONTACT,
  NAME_RESERVED,
  NAME_SCRIPTS,
  nameError,
  vocabulary,
} from "#app/accounts/name-rules.ts";
import { hasContact } from "#app/platform/public-text.ts";

/** Other places to contact people. No category may be named after them. */
const CONTACT = /whats\s?app|telegram|https?:|www\.|\.(?:com|co|ke|me)\b|@/i;
const CONTACT_ERROR = "Please leave contacts and links out of the name";

/**
 * A brand's products may be sold, such as a Safaricom router. With one of these words, a name looks as if it came from the
 * brand itself.
 */
const OFFICIAL_WORDS = vocabulary(
  "support helpdesk desk help care customer agent agents official officials admin admins payment payments reversal reversals team security",
);
const OFFICIAL_STARTS = [...vocabulary("verif admin refund")];

function claimsToBeOfficial(name: string): boolean {
  const { brand, only, words } = claimsOf(name);
  if (!brand) return only;
  return words.some((word) => OFFICIAL_WORDS.has(word) || OFFICIAL_STARTS.some((start) => word.startsWith(start)));
}

/** The error of a listing's name; null when it is fine. */
export function listingNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  if (claimsToBeOfficial(name)) return NAME_RESERVED;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** The error of a category's name; null when it is fine. */
export function categoryNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  return CONTACT.test(name) ? CONTACT_ERROR : nameError(name);
}
