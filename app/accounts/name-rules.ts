import { plainLetters } from "#app/platform/folded-text.ts";
import { DIGIT_LETTERS, letterLike } from "#app/platform/look-alike-rules.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { DELETED_NAME } from "./account-rules.ts";

/** Names that no person, business, shop or campus may have, because buyers would trust them for the wrong reason. */
export const NAME_RESERVED = "This name is reserved. Please choose another.";
const NAME_MARKED = "Names can't contain check marks or hidden characters";
/** The error of a shop's or listing's name with a phone number or an email. */
export const NAME_CONTACT = "Please leave phone numbers and emails out of the name. Buyers can message you here.";

export const NAME_SCRIPTS = "Please write each word in one alphabet";

/** Payment brands, and our own. A name must not contain them. */
const BRANDS = ["mpesa", "safaricom", "chuoni"].map(folded);

/** Words that claim to speak for a company. No name ends with one, whatever stands before it: "Equity Support". */
const ROLES = vocabulary(
  `support admin admins administrator administrators moderator moderators helpdesk helpline customercare customerservice customersupport
  usaidizi msimamizi`,
);
/** They claim the same only in a name of nothing else: "Official Payments", "Refunds Kenya", but not "Official Barber". */
const CLAIMS = vocabulary(
  "staff system help official refund refunds payment payments verification verified security hotline rasmi malipo msaada huduma wateja",
);
/** Words that make no name of such a name: "Support Kenya", "The Campus Admin Team". */
const NEUTRAL = vocabulary(
  `the team desk center centre line office hq app online customer customers client clients care service services campus student students
  marketplace market account accounts agent agents contact info bot live chat user users of for and at in your our my
  kenya kenyan ke nairobi mombasa kisumu nakuru eldoret africa university uni college
  kwa wa ya za cha la na kitengo timu wanafunzi chuo kampasi`,
);
/** The same kind of claim in several words, with any company beside them. */
const PHRASES = [
  "help desk",
  "help line",
  "help center",
  "help centre",
  "call center",
  "call centre",
  "customer care",
  "customer service",
  "customer services",
  "customer support",
  "huduma kwa wateja",
  "huduma ya wateja",
  "huduma za wateja",
  "huduma wateja",
  "wateja huduma",
].map((phrase) => phrase.split(" ").map(folded).join(" "));
/**
 * A brand's name may stand in one of something else, such as a Safaricom router. With one of these words, it looks as if it came
 * from the brand itself.
 */
const OFFICIAL_WORDS = vocabulary(
  "support helpdesk desk help care customer agent agents official officials admin admins payment payments reversal reversals team security",
);
const OFFICIAL_STARTS = [...vocabulary("verif admin refund")];
const WHOLE = new Set(["deleted user"].map((phrase) => phrase.split(" ").map(folded).join(" ")));

/** Alphabets whose letters look like those of others. */
const ALPHABETS = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Cherokee",
  "Coptic",
  "Lisu",
  "Canadian_Aboriginal",
  "Georgian",
  "Tifinagh",
  "Deseret",
  "Osage",
  "Runic",
  "Old_Italic",
  "Warang_Citi",
].map((script) => new RegExp(`\\p{Script=${script}}`, "u"));

/** Long texts are refused elsewhere. No name is looked at beyond this many characters. */
const LOOKED_AT = 500;

/**
 * The error of a name of a person, business, shop, category, campus or university; null when it is fine. The length is
 * checked elsewhere.
 */
export function nameError(name: string): string | null {
  const { brand, role } = claimsOf(name);
  return writtenError(name, brand || role);
}

/**
 * The error of a meeting point's name. A place may be called after a brand ("Safaricom Shop") or after people who help
 * ("Security Office"), but not after both.
 */
export function placeNameError(name: string): string | null {
  return writtenError(name, isOfBrandsPeople(name));
}

/** A name that passes for somebody else's is refused as such, however it is written. */
function writtenError(name: string, isReserved: boolean): string | null {
  if (name.length > LOOKED_AT) return null;
  // Marks that look like the verified badge, and characters that nobody sees.
  if (/[\u2610-\u2612\u2705\u2713\u2714\u{1F5F8}\u{1F5F9}\u{1F5F5}]/u.test(name) || visibleText(name) !== name)
    return NAME_MARKED;
  if (name.trim() !== "" && !/[\p{L}\p{N}\p{S}]/u.test(name)) return NAME_MARKED;
  if (isReserved) return NAME_RESERVED;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** Whether a word has letters of two alphabets that look alike. Units like kΩ and μF are words of one. */
export function mixesAlphabets(name: string): boolean {
  return name
    .slice(0, LOOKED_AT)
    .replaceAll(/[ΩΩμµΔπλ]/gu, "")
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => ALPHABETS.filter((letters) => letters.test(word)).length > 1);
}

/** The first word of a name, for people who may not see all of it. Empty without a name. */
export function firstName(fullName: string | null): string {
  const name = fullName?.trim() ?? "";
  return name === DELETED_NAME ? name : (name.split(/\s+/, 1)[0] ?? "");
}

/** Whose a name pretends to be. */
interface Claims {
  /** M-Pesa, Safaricom or us. */
  brand: boolean;
  /** The people of any company who help: "Equity Support", "Huduma kwa wateja". */
  role: boolean;
  /** Nothing else but such people: "Support Kenya". */
  only: boolean;
  /** Its words as they are compared: see `folded`. */
  words: string[];
}

/** What a name claims, however it is spelled. */
export function claimsOf(name: string): Claims {
  // "LipaNaMPesa" is split into its words; "M-PESA" stays one word.
  const parts = name.slice(0, LOOKED_AT).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const text = wordsOf(folded(parts)).join(" ");
  // "Safaricorn" is read as the brand.
  const joined = text.replaceAll("rn", "m").replaceAll("vv", "w");
  // A number beside a role is no word: "Support 254".
  const withoutNumbers = parts.replaceAll(/(?<![\p{L}\p{N}])[\p{N}/.,+-]+(?![\p{L}\p{N}])/gu, " ");
  const words = spelledOut(wordsOf(folded(withoutNumbers)).flatMap(apart));
  const isRole = (word: string | undefined) => word !== undefined && ROLES.has(word);
  const only =
    words.some((word) => isRole(word) || CLAIMS.has(word)) &&
    words.every((word) => isRole(word) || CLAIMS.has(word) || NEUTRAL.has(word));
  return {
    brand: BRANDS.some((brand) => text.includes(brand) || isSpelled(text, brand) || isSpelled(joined, brand)),
    role:
      only ||
      isRole(words.at(-1)) ||
      PHRASES.some((known) => ` ${words.join(" ")} `.includes(` ${known} `)) ||
      WHOLE.has(text),
    only,
    words,
  };
}

/** Whether a name is of a brand and of its people: "Safaricom Support". */
export function isOfBrandsPeople(name: string): boolean {
  const { brand, words } = claimsOf(name);
  return (
    brand && words.some((word) => OFFICIAL_WORDS.has(word) || OFFICIAL_STARTS.some((start) => word.startsWith(start)))
  );
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}]+/u).filter(Boolean);
}

/** Whether a brand is in the text as whole words, in one piece or spaced out ("M - P e s a", but not "Tom Pesa"). */
function isSpelled(text: string, brand: string): boolean {
  return new RegExp(`(^| )${[...brand].join(" ?")}( |$)`).test(text);
}

/** "A d m i n" in one word. */
function spelledOut(words: string[]): string[] {
  return words
    .join(" ")
    .replaceAll(/(?<!\S)\S(?: \S){2,}(?!\S)/gu, (letters) => letters.replaceAll(" ", ""))
    .split(" ");
}

/** "supportteam" as its words; any other word as it is. */
function apart(word: string): string[] {
  if (ROLES.has(word)) return [word];
  for (let at = 2; at <= word.length - 2; at += 1) {
    const [one, other] = [word.slice(0, at), word.slice(at)];
    const isKnown = (part: string) => ROLES.has(part) || CLAIMS.has(part) || NEUTRAL.has(part);
    if ((ROLES.has(one) && isKnown(other)) || (ROLES.has(other) && isKnown(one))) return [one, other];
  }
  return [word];
}

/** A list of words, each as `folded` writes it. */
function vocabulary(words: string): Set<string> {
  return new Set(words.split(/\s+/).map(folded));
}

/** The text in lower case, with characters that look alike replaced by one of them. */
function folded(text: string): string {
  const plain = plainLetters(text).replaceAll(/\p{M}/gu, "");
  return [...plain].map((character) => letterOf(character)).join("");
}

/** I is written i, and so is l: they look the same. */
function letterOf(character: string): string {
  const like = letterLike(character);
  const letter = DIGIT_LETTERS.get(like) ?? like;
  return letter === "l" ? "i" : letter;
}
