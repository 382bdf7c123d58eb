/** Names of listings and categories that pretend to be M-Pesa or us, or that lead buyers to pay outside Chuoni. */
import {
  claimsOf,
  isOfBrandsPeople,
  mixesAlphabets,
  NAME_CONTACT,
  NAME_RESERVED,
  NAME_SCRIPTS,
  nameError,
} from "#app/accounts/name-rules.ts";
import { hasContact } from "#app/platform/public-text.ts";

/** Other places to contact people. No category may be named after them. */
const CONTACT = /whats\s?app|telegram|https?:|www\.|\.(?:com|co|ke|me)\b|@/i;
const CONTACT_ERROR = "Please leave contacts and links out of the name";

/** The error of a listing's name; null when it is fine. */
export function listingNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  if (isOfBrandsPeople(name) || claimsOf(name).only) return NAME_RESERVED;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** The error of a category's name; null when it is fine. */
export function categoryNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  return CONTACT.test(name) ? CONTACT_ERROR : nameError(name);
}
