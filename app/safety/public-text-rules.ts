/**
 * Texts and names that people wrote, for pages that everybody can open: crawlers would collect phone numbers and
 * emails.
 */
import { foldText, replaceFolded } from "#app/platform/folded-text.ts";
import { hasPhone, phonesIn } from "./phone-pattern-rules.ts";

/** Takes the place of a phone number or an email in a text, and in a name. */
const HIDDEN = "(log in to see this)";
const HIDDEN_IN_NAME = "…";

/** Bounded, so that a long text takes no longer than its length. For folded text. */
const EMAIL = /[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,24}(?![\w-])/;
const ALL_EMAILS = new RegExp(EMAIL, "g");

/** Whether a name holds a phone number or an email, which no public page may show. */
export function hasContact(name: string): boolean {
  return hasPhone(name) || EMAIL.test(foldText(name).plain);
}

/** What people wrote about themselves or an item, without phone numbers and emails. */
export function withoutContacts(text: string): string {
  return hideContacts(text, HIDDEN);
}

/** The name of a product or a shop without phone numbers and emails. Empty when it has nothing else. */
export function publicName(name: string): string {
  const shown = hideContacts(name, HIDDEN_IN_NAME).trim();
  return /[\p{L}\p{N}]/u.test(shown) ? shown : "";
}

function hideContacts(text: string, by: string): string {
  const withoutPhones = replaceFolded(text, phonesIn, by);
  return replaceFolded(withoutPhones, (plain) => plain.matchAll(ALL_EMAILS), by);
}
