/** Names of listings and categories that pretend to be M-Pesa or us, or that lead buyers to pay outside Chuoni. */
import {
  claimsOf,
  hasPair,
  HOLDERS,
  isByUs,
  isOfBrandsPeople,
  markError,
  mixesAlphabets,
  NAME_CONTACT,
  NAME_RESERVED,
  NAME_SCRIPTS,
  NAME_STATUS,
  nameError,
  partsOf,
  SELLERS,
  STATUS,
  VERIFIED,
  VERIFIED_WORD,
} from "#app/accounts/name-rules.ts";
import { hasContact } from "#app/platform/public-text.ts";

/** Other places to contact people. No category may be named after them. */
const CONTACT = /whats\s?app|telegram|https?:|www\.|\.(?:com|co|ke|me)\b|@/i;
const CONTACT_ERROR = "Please leave contacts and links out of the name";

/** A category is a kind of thing. Sellers and ways to pay are none, and its chip would pass for a filter of them. */
const NO_KIND =
  /\b(?:sellers?|vendors?|wauzaji|muuzaji|our picks?)\b|\b(?:pay|lipa|lipia)\b.*\b(?:by|via|with|to|on|at|direct(?:ly)?|outside|later|now|here|kwa|na)\b|\b(?:till|paybill|pochi) (?:number|no|payments?)\b|^(?:till|paybill)s?$/i;
const NO_KIND_ERROR = 'Please name a kind of thing to sell, such as "Bicycles"';

/** The error of a listing's name; null when it is fine. */
export function listingNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  if (isOfBrandsPeople(name) || claimsOf(name).only) return NAME_RESERVED;
  const marked = markError(name);
  if (marked) return marked;
  if (claimsSellerStatus(name)) return NAME_STATUS;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** The error of a category's name; null when it is fine. */
export function categoryNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  if (CONTACT.test(name)) return CONTACT_ERROR;
  return nameError(name) ?? (NO_KIND.test(name.normalize("NFKC")) ? NO_KIND_ERROR : null);
}

/** Whether a listing's name says so of its seller or of itself. What is sold may be official, certified or checked. */
function claimsSellerStatus(name: string): boolean {
  const words = claimsOf(name).words.flatMap((word) => word.replace(VERIFIED_WORD, " $& ").trim().split(" "));
  const isVerified = (word: string | undefined) => word !== undefined && VERIFIED.test(word);
  return (
    isByUs(words) ||
    hasPair(
      words,
      (word) => isVerified(word) || STATUS.has(word),
      (word) => SELLERS.has(word),
    ) ||
    hasPair(words, isVerified, (word) => HOLDERS.has(word)) ||
    partsOf(name).some((part) => part.every((word) => isVerified(word) || word === "approved"))
  );
}
