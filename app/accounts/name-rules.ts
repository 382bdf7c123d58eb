import { DELETED_NAME } from "./account-rules.ts";

/** Names that no person, business, shop or campus may have, because buyers would trust them for the wrong reason. */
export const NAME_RESERVED = "This name is reserved. Please choose another.";
const NAME_MARKED = "Names can't contain check marks or hidden characters";
/** The error of a shop's or listing's name with a phone number or an email. */
export const NAME_CONTACT = "Please leave phone numbers and emails out of the name. Buyers can message you here.";

/** Characters that look like other characters. */
const LOOK_ALIKES: Record<string, string> = {
  ...pairs("0o 1i 3e 4a 5s 7t 8b @a $s !i |i €e"),
  // A small L looks like a capital i, so both count as one letter.
  l: "i",
  // Cyrillic and Greek letters that look like ours.
  ...pairs("аa сc еe һh іi јj мm оo рp ѕs тt уy хx нh кk пn αa εe ιi μm οo ρp σs τt χx υu νn ıi"),
};

/** Payment brands, and our own. A name must not contain them. */
const BRANDS = ["mpesa", "safaricom", "chuoni"];

/** Words that claim to speak for us. A name must not consist only of these and the neutral words below. */
const ROLES = new Set(
  [
    "support",
    "admin",
    "admins",
    "administrator",
    "administrators",
    "moderator",
    "moderators",
    "helpdesk",
    "staff",
    "system",
    "customercare",
    "customerservice",
  ].map(folded),
);
const COMPANY = new Set(
  [
    "the",
    "team",
    "desk",
    "help",
    "customer",
    "care",
    "service",
    "services",
    "campus",
    "student",
    "students",
    "marketplace",
    "account",
    "accounts",
    "payment",
    "payments",
    "refund",
    "refunds",
    "verification",
    "verified",
    "security",
    "official",
    "online",
  ].map(folded),
);
/** The same kind of claim, in two words. */
const PHRASES = new Set(
  ["help desk", "customer care", "customer service", "customer services", "deleted user"].map((phrase) =>
    phrase.split(" ").map(folded).join(" "),
  ),
);

/** The error of a name of a person, business, shop or campus; null when it is fine. The length is checked elsewhere. */
export function nameError(name: string): string | null {
  if (name.length > 500) return null;
  // Marks that look like the verified badge, and characters that hide the text beside them or change its direction.
  if (
    /[\u2610-\u2612\u2705\u2713\u2714\u{1F5F8}\u{1F5F9}\u{1F5F5}\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u00AD]|[^\P{Cc}\t\n\r]/u.test(
      name,
    )
  )
    return NAME_MARKED;
  return isReserved(name) ? NAME_RESERVED : null;
}

/** The first word of a name, for people who may not see all of it. Empty without a name. */
export function firstName(fullName: string | null): string {
  const name = fullName?.trim() ?? "";
  return name === DELETED_NAME ? name : (name.split(/\s+/, 1)[0] ?? "");
}

function isReserved(name: string): boolean {
  // "LipaNaMPesa" is split into its words; "M-PESA" stays one word.
  const words = folded(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const text = words.join(" ");
  return BRANDS.some((brand) => names(text, folded(brand))) || PHRASES.has(text) || speaksForUs(words);
}

/** Whether a brand is in the text: in one piece, or spaced out over whole words ("M - P e s a", but not "Tom Pesa"). */
function names(text: string, brand: string): boolean {
  return text.includes(brand) || new RegExp(`(^| )${[...brand].join(" ?")}( |$)`).test(text);
}

function speaksForUs(words: string[]): boolean {
  return words.some((word) => ROLES.has(word)) && words.every((word) => ROLES.has(word) || COMPANY.has(word));
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(" ").map((pair) => [...pair] as [string, string]));
}

/** The text in lower case, with look-alike characters replaced by the letters they look like. */
function folded(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...plain].map((letter) => LOOK_ALIKES[letter] ?? letter).join("");
}
