/** Names of people, businesses and shops that nobody may take, because buyers would trust them for what they are not. */
export const NAME_RESERVED = "This name is reserved. Please choose another.";
const NAME_MARKED = "Please leave check marks and hidden characters out of the name";

/** What is read as what. */
const LOOK_ALIKES: Record<string, string> = {
  ...pairs("0o 1i 3e 4a 5s 7t 8b @a $s !i |i €e"),
  // A small L looks like a capital i; both are read as one.
  l: "i",
  // Cyrillic and Greek letters that look like ours.
  ...pairs("аa сc еe һh іi јj мm оo рp ѕs тt уy хx нh кk пn αa εe ιi μm οo ρp σs τt χx υu νn ıi"),
};

/** Whose names stand for money and for us: not as part of a name either. */
const BRANDS = ["mpesa", "safaricom", "chuoni"];

/** Words that speak for the house, where nothing but these and their company is in a name. */
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
/** What says the same in two words. */
const PHRASES = new Set(
  ["help desk", "customer care", "customer service", "customer services", "deleted user"].map((phrase) =>
    phrase.split(" ").map(folded).join(" "),
  ),
);

/** What is wrong with a name for somebody, a business or a shop; null where nothing is. Names that are too long are for others to refuse. */
export function nameError(name: string): string | null {
  if (name.length > 500) return null;
  // Marks that pass for the badge of the verified, and characters that turn or hide what stands beside them.
  if (
    /[\u2610-\u2612\u2705\u2713\u2714\u{1F5F8}\u{1F5F9}\u{1F5F5}\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u00AD]|[^\P{Cc}\t\n\r]/u.test(
      name,
    )
  )
    return NAME_MARKED;
  return isReserved(name) ? NAME_RESERVED : null;
}

function isReserved(name: string): boolean {
  // "LipaNaMPesa" is read as its words; "M-PESA" stays one.
  const words = folded(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"))
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const text = words.join(" ");
  return BRANDS.some((brand) => names(text, folded(brand))) || PHRASES.has(text) || speaksForUs(words);
}

/** Whether a brand is in the text: as letters in a row, or drawn apart over whole words ("M - P e s a", never "Tom Pesa"). */
function names(text: string, brand: string): boolean {
  return text.includes(brand) || new RegExp(`(^| )${[...brand].join(" ?")}( |$)`).test(text);
}

function speaksForUs(words: string[]): boolean {
  return words.some((word) => ROLES.has(word)) && words.every((word) => ROLES.has(word) || COMPANY.has(word));
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(" ").map((pair) => [...pair] as [string, string]));
}

/** In small plain letters, look-alikes read as what they look like. */
function folded(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...plain].map((letter) => LOOK_ALIKES[letter] ?? letter).join("");
}
