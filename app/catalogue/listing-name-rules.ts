/** Names of listings and categories that pretend to be M-Pesa or us, or that lead buyers to pay outside Chuoni. */
import { NAME_CONTACT, NAME_RESERVED, nameError } from "#app/accounts/name-rules.ts";
import { hasContact } from "#app/platform/public-text.ts";

/** Other places to contact people. No category may be named after them. */
const CONTACT = /whats\s?app|telegram|https?:|www\.|\.(?:com|co|ke|me)\b|@/i;
const CONTACT_ERROR = "Please leave contacts and links out of the name";

/**
 * A brand's products may be sold, such as a Safaricom router. With one of these words, a name looks as if it came from the
 * brand itself.
 */
const OFFICIAL_WORDS =
  /\b(?:support|help\s?desk|desk|help|care|customer|agents?|officials?|verif\w*|admin\w*|refund\w*|payments?|reversals?|team|security)\b/i;

/** The error of a listing's name; null when it is fine. */
export function listingNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  return OFFICIAL_WORDS.test(name) && nameError(name) === NAME_RESERVED ? NAME_RESERVED : null;
}

/** The error of a category's name; null when it is fine. */
export function categoryNameError(name: string): string | null {
  if (hasContact(name)) return NAME_CONTACT;
  return CONTACT.test(name) ? CONTACT_ERROR : nameError(name);
}
