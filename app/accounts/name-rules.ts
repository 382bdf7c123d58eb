import { plainLetters } from "#app/platform/folded-text.ts";
import { DIGIT_LETTERS, letterLike, RATING_STARS, TICKS } from "#app/platform/look-alike-rules.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { DELETED_NAME } from "./account-rules.ts";

/** Names that no person, business, shop or campus may have, because buyers would trust them for the wrong reason. */
export const NAME_RESERVED = "This name is reserved. Please choose another.";
const NAME_MARKED = "Names can't contain check marks or hidden characters";
export const NAME_STATUS = "Only our team can say who is verified or checked. Please leave that out of the name.";
export const NAME_RATING = "Please leave stars and ratings out of the name";
/** The error of a shop's or listing's name with a phone number or an email. */
export const NAME_CONTACT = "Please leave phone numbers and emails out of the name. Buyers can message you here.";

export const NAME_SCRIPTS = "Please write each word in one alphabet";

/** "Verified", as people spell it, also within a word; and what Swahili says of somebody who was verified, approved or checked. */
export const VERIFIED_WORD = /v[ae]r[iy]?f[iy]{0,2}e?d/;
export const VERIFIED = new RegExp(
  [VERIFIED_WORD.source, ...vocabulary("thibitishwa idhinishwa hakikiwa hakikishwa kaguliwa")].join("|"),
);
/** They claim a status beside somebody who has one ("Official seller"), but not in "Official Barber" or "Checked shirts". */
export const STATUS = vocabulary(
  "approved checked certified official authorised authorized vetted trusted confirmed rasmi",
);
/** Whose status the buyer would read. */
export const SELLERS = vocabulary(
  `seller sellers shop shops vendor vendors dealer dealers trader traders merchant merchants supplier suppliers listing listings
  muuzaji wauzaji duka maduka`,
);
export const HOLDERS = vocabulary(
  `store stores account accounts page profile member members user users student students business businesses item items product products
  mwanafunzi wanafunzi biashara bidhaa`,
);
/** No status of people in "Official Student Closet". */
const COMPANY_STATUS = vocabulary("official rasmi");
/** "Checked by our team". */
const BY_US = new RegExp(
  ` (?:${[...STATUS, ...vocabulary("verified removed reviewed rated tested")].join("|")}) (?:by|na) (?:the )?(?:${[...vocabulary("our us admin admins team staff timu moderator moderators chuoni campus")].join("|")}) `,
);

/** "4.9/5", "4.9 stars", "4.9 (120 reviews)", "rated 4.9". */
const RATING =
  /(?<![\d.,])[0-5](?:[.,]\d+)?\s*(?:out of 5|\/\s*5(?![\d.,]|\s*(?:kg|g|l|ml|cm|mm|m)\b))|(?<![\d.,])[0-5][.,]\d+\s*-?\s*(?:stars?\b|rat(?:ed|ing)\b|\([\d,+ ]+re)|\brat(?:ed|ing):?\s*[0-5](?:[.,]\d+)?(?![.,]?[a-z\d])|\d\+?\s*(?:reviews|ratings)\b/i;
/** In a name of people also figures alone: "Kamau Phones 4.9 (120)", but "Njeri 2.0" is a style. */
const RATING_OF_PEOPLE =
  /(?<![\d.,])(?:[345][.,][1-9]|[0-5][.,]\d\s*\([\d,+ ]+\)|5\s*stars? seller)(?![\d.,])|\bnyota [1-5]\b/i;

/** Payment brands, and our own. A name must not contain them. */
const BRANDS = ["mpesa", "safaricom", "chuoni"].map(folded);

/** Words that claim to speak for a company. No name ends with one, whatever stands before it: "Equity Support". */
const ROLES = vocabulary(
  `support admin admins administrator administrators moderator moderators helpdesk helpline customercare customerservice customersupport
  usaidizi msimamizi`,
);
/** They do at the start of a name, too: "Admin Kevin", but not "Admin Block". */
const ROLES_FIRST = vocabulary("admin admins administrator administrators moderator moderators msimamizi");
const PLACES_OF_ADMINS = vocabulary("block building police");
/** What a company does for its people. Beside a unit of one it claims to be ours: "Kamau Payments Department". */
const DUTIES = vocabulary(
  `refund refunds payment payments payout payouts verification security moderation dispute disputes safety protection fraud complaints
  billing support admin claims`,
);
const UNITS = vocabulary(
  "team teams department departments dept desk office officer officers unit division committee section bureau",
);
/** They claim the same only in a name of nothing else: "Official Payments", "Refunds Kenya", but not "Official Barber". */
const CLAIMS = new Set([
  ...DUTIES,
  ...vocabulary(
    "staff system help official verified hotline rasmi malipo msaada huduma wateja usalama marejesho migogoro",
  ),
]);
/** Words that make no name of such a name: "Support Kenya", "The Campus Admin Team". */
const NEUTRAL = new Set([
  ...UNITS,
  ...vocabulary(`the center centre line hq app online customer customers client clients care service services campus student students
  marketplace market account accounts agent agents contact info bot live chat user users of for and at in your our my
  kenya kenyan ke nairobi mombasa kisumu nakuru eldoret africa university uni college manager managers trust buyer buyers seller sellers
  resolution kwa wa ya za cha la na kitengo timu idara afisa wanafunzi chuo kampasi`),
]);
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
  "our team",
  "timu yetu",
  "escrow",
  "trust safety",
  "trust and safety",
  "buyer protection",
  "buyers protection",
  "seller protection",
  "sellers protection",
  "purchase protection",
].map((phrase) => phrase.split(" ").map(folded).join(" "));
/**
 * A brand's name may stand in one of something else, such as a Safaricom router. With one of these words, it looks as if it came
 * from the brand itself.
 */
const OFFICIAL_WORDS = vocabulary(
  "support helpdesk desk help care customer agent agents official officials admin admins payment payments reversal reversals team security",
);
const OFFICIAL_STARTS = [...vocabulary("verif admin refund")];
const WHOLE = new Set(
  ["deleted user", ...Object.values(OWN_LABELS).flatMap((labels) => Object.values<string>(labels))].map((phrase) =>
    wordsOf(folded(phrase)).join(" "),
  ),
);

/** Words between a Swahili noun and what is said of it: "Duka lililo rasmi". */
const LINKS = vocabulary("aliye iliyo lililo ni");

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
  const claims = claimsOf(name);
  const error = writtenError(name, claims.brand || claims.role);
  if (error || name.length > LOOKED_AT) return error;
  if (claimsStatus(name, claims)) return NAME_STATUS;
  return RATING_OF_PEOPLE.test(name.normalize("NFKC")) ? NAME_RATING : null;
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
  if (visibleText(name) !== name) return NAME_MARKED;
  const marked = markError(name);
  if (marked) return marked;
  if (name.trim() !== "" && !/[\p{L}\p{N}\p{S}]/u.test(name)) return NAME_MARKED;
  if (isReserved) return NAME_RESERVED;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** The error of a name with what looks like our badge or a rating; null without. */
export function markError(name: string): string | null {
  const text = name.slice(0, LOOKED_AT);
  if (TICKS.test(text)) return NAME_MARKED;
  return RATING_STARS.test(text) || RATING.test(text.normalize("NFKC")) ? NAME_RATING : null;
}

/** Whether the name of a person, shop, campus or category says that somebody was verified, approved or checked. */
function claimsStatus(name: string, { words }: Claims): boolean {
  if (words.some((word) => VERIFIED.test(word)) || isByUs(words)) return true;
  const isStatus = (word: string | undefined) => word !== undefined && STATUS.has(word);
  const last = words.at(-1);
  if (words.length > 1 && isStatus(last) && !COMPANY_STATUS.has(last ?? "")) return true;
  if (hasPair(words, isStatus, (word) => SELLERS.has(word))) return true;
  if (
    hasPair(
      words,
      (word) => isStatus(word) && !COMPANY_STATUS.has(word),
      (word) => HOLDERS.has(word),
    )
  )
    return true;
  return partsOf(name).some((part) => part.every(isStatus));
}

export function isByUs(words: readonly string[]): boolean {
  return BY_US.test(` ${words.join(" ")} `);
}

/** Whether a word of one kind stands next to one of another, with at most a word of Swahili grammar between. */
export function hasPair(
  words: readonly string[],
  one: (word: string) => boolean,
  other: (word: string) => boolean,
): boolean {
  const plain = words.filter((word) => !LINKS.has(word));
  return plain.some((word, at) => {
    const beside = [plain[at - 1], plain[at + 1]];
    return one(word) && beside.some((next) => next !== undefined && other(next));
  });
}

/** The words of each part that brackets, dots or dashes set off: "Kamau (Approved)". None of a name in one part. */
export function partsOf(name: string): string[][] {
  const parts = name
    .slice(0, LOOKED_AT)
    .split(/[()[\]{}|·•:;,/–—~*]| - /u)
    .map((part) => wordsOf(folded(part)))
    .filter((words) => words.length > 0);
  return parts.length > 1 ? parts : [];
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
      (ROLES_FIRST.has(words[0] ?? "") && !PLACES_OF_ADMINS.has(words[1] ?? "")) ||
      hasPair(
        words,
        (word) => DUTIES.has(word),
        (word) => UNITS.has(word),
      ) ||
      PHRASES.some((known) => ` ${words.join(" ")} `.includes(` ${known} `)) ||
      WHOLE.has(text) ||
      WHOLE.has(text.replace(/ oniy$/, "")),
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
