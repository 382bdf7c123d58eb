/** Takes the place of a phone number or an email. */
const HIDDEN = "(log in to see this)";

/** A Kenyan number as people write it, with single spaces, dots or hyphens anywhere. */
const PHONES = /(?<![\p{L}\p{N}])(?:\+?\s?254|0)[\s.-]?[17](?:[\s.-]?\d){8}(?!\d)/gu;
/** Bounded, so that a long text takes no longer than its length. */
const EMAILS = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

/** What people wrote about themselves or an item, for public pages: crawlers would collect phone numbers and emails. */
export function withoutContacts(text: string): string {
  return text.replaceAll(PHONES, HIDDEN).replaceAll(EMAILS, HIDDEN);
}
