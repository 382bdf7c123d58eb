/** Names that buyers would trust for the wrong reason, or that lead them away from here. */
import { NAME_CONTACT, type Named, namesContact } from "#app/safety/name-contact-rules.ts";
import { plainLetters } from "#app/platform/folded-text.ts";
import { DIGIT_LETTERS, letterLike, RATING_STARS, TICKS } from "#app/platform/look-alike-rules.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { visibleText } from "#app/platform/visible-text.ts";
import { DELETED_NAME } from "#app/accounts/login/account-rules.ts";
import { type Claim, CLAIMS, RESEMBLING } from "./role-word-rules.ts";

export const NAME_RESERVED = "This name is reserved. Please choose another.";
const NAME_MARKED = "Names can't contain check marks or hidden characters";
export const NAME_STATUS = "Only our team can say who is verified or checked. Please leave that out of the name.";
export const NAME_RATING = "Please leave stars and ratings out of the name";
export const NAME_SCRIPTS = "Please write each word in one alphabet";
const NAME_NO_KIND = 'Please name a kind of thing to sell, such as "Bicycles"';

/** What is named. */
export const NAME_KINDS = ["person", "shop", "campus", "university", "type", "category", "listing", "place"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

interface Rules {
  /** What it may hold of numbers and words of the net. */
  contacts: Named;
  /**
   * What it may not claim to be. "people": somebody's people; "brand": a brand's people, because things and places are
   * named after brands.
   */
  claims: "people" | "brand";
  /** Whether it may be named after a bank, the police or a university. */
  bodies: boolean;
}

const PEOPLE: Rules = { contacts: "shop", claims: "people", bodies: false };
const KINDS: Rules = { contacts: "kinds", claims: "people", bodies: true };
const RULES: Readonly<Record<NameKind, Rules>> = {
  person: { ...PEOPLE, contacts: "person" },
  shop: PEOPLE,
  campus: KINDS,
  university: KINDS,
  type: KINDS,
  category: KINDS,
  listing: { contacts: "things", claims: "brand", bodies: true },
  /** A meeting point: "Safaricom Shop", "Security Office". */
  place: { contacts: "things", claims: "brand", bodies: true },
};

/** More accents on one letter than any writing has. They would cover the lines above and below. */
const STACKED = /\p{M}{5}/u;

/** Long texts are refused elsewhere. No name is looked at beyond this many characters. */
const LOOKED_AT = 500;

/** The error of a name; null when it is fine. The length is checked elsewhere. */
export function nameError(name: string, kind: NameKind): string | null {
  if (name.length > LOOKED_AT) return null;
  const rules = RULES[kind];
  const words = readWords(name);
  const reserved = isReserved(words, kind);
  // "M-Pesa 5112345" is refused for the name that it bears.
  if (!reserved && namesContact(name, rules.contacts)) return NAME_CONTACT;
  // A listing's name loses what nobody sees when it is tidied.
  if (kind !== "listing" && visibleText(name) !== name) return NAME_MARKED;
  if (TICKS.test(name) || STACKED.test(name) || (name.trim() !== "" && !/[\p{L}\p{N}\p{S}]/u.test(name)))
    return NAME_MARKED;
  if (isRated(name, kind) || (rules.claims === "people" && words.says("rating"))) return NAME_RATING;
  if (reserved) return NAME_RESERVED;
  if (kind !== "place" && claimsStatus(name, words, kind)) return NAME_STATUS;
  if (kind === "category" && NO_KIND.test(name.normalize("NFKC"))) return NAME_NO_KIND;
  return mixesAlphabets(name) ? NAME_SCRIPTS : null;
}

/** The first word of a name, for people who may not see all of it. Empty without a name. */
export function firstName(fullName: string | null): string {
  const name = fullName?.trim() ?? "";
  return name === DELETED_NAME ? name : (name.split(/\s+/, 1)[0] ?? "");
}

/** Whether a name passes for somebody else's. */
function isReserved(words: Words, kind: NameKind): boolean {
  const { claims, bodies } = RULES[kind];
  if (claims === "brand")
    return (
      (words.hasBrand && words.saysOneOf("duty", "unit", "helper", "ours", "alone", "verified")) ||
      (kind === "listing" && words.areOnlyRoles)
    );
  return (
    words.hasBrand ||
    words.says("ours") ||
    words.areOnlyRoles ||
    words.areOnlyUnits ||
    words.are("helper", words.count - 1) ||
    words.are("title", 0) ||
    (kind === "person" && (words.are("officer", 0) || words.saysOneOf("helper", "title"))) ||
    words.pair(["duty"], ["unit"]) ||
    (!bodies && (words.says("body") || words.areOnlyBanks || words.endsAsUniversity)) ||
    words.isLabel
  );
}

/** Whether a name says that somebody was verified, approved or checked. What is sold may be. */
function claimsStatus(name: string, words: Words, kind: NameKind): boolean {
  if (words.isByUs || words.pair(["verified", "status"], ["seller"]) || words.pair(["verified"], ["holder"]))
    return true;
  const parts = partsOf(name);
  if (kind === "listing") return parts.some((part) => part.areAll(["verified"], "approved"));
  if (words.says("verified") || words.pair(["status"], ["holder"], "official")) return true;
  return (
    (words.count > 1 && words.are("status", words.count - 1, "official")) ||
    parts.some((part) => part.areAll(["status"]))
  );
}

/** A category is a kind of thing. Sellers and ways to pay are none, and its chip would pass for a filter of them. */
const NO_KIND =
  /\b(?:sellers?|vendors?|wauzaji|muuzaji|our picks?)\b|\b(?:pay|lipa|lipia)\b.*\b(?:by|via|with|to|on|at|direct(?:ly)?|outside|later|now|here|kwa|na)\b|\b(?:till|paybill|pochi) (?:number|no|payments?)\b|^(?:till|paybill)s?$/i;

/** "4.9/5", "4.9 stars", "4.9 (120 reviews)", "rated 4.9". */
const RATING =
  /(?<![\d.,])[0-5](?:[.,]\d+)?\s*(?:out of 5|\/\s*5(?![\d.,]|\s*(?:kg|g|l|ml|cm|mm|m)\b))|(?<![\d.,])[0-5][.,]\d+\s*-?\s*(?:stars?\b|rat(?:ed|ing)\b|\([\d,+ ]+re)|\brat(?:ed|ing):?\s*[0-5](?:[.,]\d+)?(?![.,]?[a-z\d])|\d\+?\s*(?:reviews|ratings)\b/i;
/** In a name of people also figures alone: "Kamau Phones 4.9 (120)", but "Njeri 2.0" is a style. */
const RATING_OF_PEOPLE =
  /(?<![\d.,])(?:[345][.,][1-9]|[0-5][.,]\d\s*\([\d,+ ]+\)|5\s*stars? seller)(?![\d.,])|\bnyota [1-5]\b|\b(?:number|no\.?) ?1 (?:seller|vendor|shop|dealer)\b|\*{3}/i;

function isRated(name: string, kind: NameKind): boolean {
  const plain = name.normalize("NFKC");
  return (
    RATING_STARS.test(name) || RATING.test(plain) || (RULES[kind].claims === "people" && RATING_OF_PEOPLE.test(plain))
  );
}

/** A word of the list as it is compared, with what it says. */
interface Entry {
  letters: string;
  claims: ReadonlySet<Claim>;
  resembles: boolean;
}

const LIST = readList();

function readList(): Map<string, Entry> {
  const list = new Map<string, { letters: string; claims: Set<Claim>; resembles: boolean }>();
  for (const [claim, words] of Object.entries(CLAIMS) as [Claim, string][])
    for (const word of words.split(/\s+/)) {
      const letters = folded(word).replaceAll("-", "");
      const entry = list.get(letters) ?? { letters, claims: new Set(), resembles: true };
      entry.claims.add(claim);
      entry.resembles &&= RESEMBLING.has(claim);
      list.set(letters, entry);
    }
  return list;
}

const ENTRIES = [...LIST.values()];
/** By the word without doubled letters, from four letters on. */
const UNDOUBLED = new Map(
  ENTRIES.filter(({ letters }) => letters.length >= 4).map((entry) => [undoubled(entry.letters), entry]),
);
const LONGEST = Math.max(...ENTRIES.map(({ letters }) => letters.length));

const BRANDS = CLAIMS.brand.split(" ").map(folded);
/** No entry is spelled by more words than this, one letter a word. */
const RUN_MAX = 14;
const NOTHING: ReadonlySet<Claim> = new Set();

/** Our labels, and what stands in the place of a deleted account's name. */
const LABELS = new Set(
  [DELETED_NAME, ...Object.values(OWN_LABELS).flatMap((labels) => Object.values<string>(labels))].map((label) =>
    wordsOf(folded(label)).join(" "),
  ),
);

/** Words between a Swahili noun and what is said of it: "Duka lililo rasmi". */
const LINKS = new Set(["aliye", "iliyo", "lililo", "ni"].map(folded));

/** What the words of a name say, however they are spelled. */
interface Words {
  /** Of the claims below, how many words or runs of words there are. */
  count: number;
  hasBrand: boolean;
  /** Nothing but roles: "Support Kenya". */
  areOnlyRoles: boolean;
  /** Nothing but a bank and words of a company: "Equity Kenya Agent". */
  areOnlyBanks: boolean;
  /** Nothing but units: "The Department". */
  areOnlyUnits: boolean;
  endsAsUniversity: boolean;
  isLabel: boolean;
  /** "Checked by our team". */
  isByUs: boolean;
  says(claim: Claim): boolean;
  saysOneOf(...claims: Claim[]): boolean;
  /** Whether the word at a place says it. */
  are(claim: Claim, at: number, but?: string): boolean;
  areAll(claims: Claim[], ...others: string[]): boolean;
  /** Whether words of two kinds stand next to each other. */
  pair(one: Claim[], other: Claim[], but?: string): boolean;
}

function readWords(name: string): Words {
  // "LipaNaMPesa" is split into its words; "M-PESA" stays one word. A number is none: "Support 254".
  const parts = name.slice(0, LOOKED_AT).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const text = wordsOf(folded(parts)).join(" ");
  const withoutNumbers = parts.replaceAll(/(?<![\p{L}\p{N}])[\p{N}/.,+-]+(?![\p{L}\p{N}])/gu, " ");
  const read = readClaims(wordsOf(folded(withoutNumbers)));
  const plain = read.filter(({ word }) => !LINKS.has(word));
  const has = (at: { claims: ReadonlySet<Claim> } | undefined, claims: readonly Claim[]) =>
    at !== undefined && claims.some((claim) => at.claims.has(claim));
  const isOther = (word: string, but?: string) => but === undefined || word !== folded(but);
  const saysOneOf = (...claims: Claim[]) => read.some((one) => has(one, claims));
  const isRole = (one: { claims: ReadonlySet<Claim> }) => has(one, ["duty", "helper", "alone", "ours"]);
  const isKnown = (one: { claims: ReadonlySet<Claim> }) => isRole(one) || has(one, ["unit", "plain", "place"]);
  const areKnown = read.every(isKnown);
  return {
    count: read.length,
    hasBrand: BRANDS.some((brand) => hasBrand(text, brand)) || saysOneOf("brand"),
    areOnlyRoles: areKnown && read.some(isRole),
    areOnlyBanks: saysOneOf("bank") && read.every((one) => has(one, ["bank"]) || isKnown(one)),
    areOnlyUnits: areKnown && saysOneOf("unit") && saysOneOf("plain"),
    endsAsUniversity: read.length > 1 && read.at(-1)?.word === folded("university"),
    isLabel: LABELS.has(text) || LABELS.has(text.replace(/ oniy$/, "")),
    isByUs: read.some(
      (one, at) =>
        (has(one, ["status", "verified"]) || CHECKED.has(one.word)) &&
        BY.has(read[at + 1]?.word ?? "") &&
        read
          .slice(at + 2, at + 4)
          .some(({ word, claims }) => US.has(word) || has({ claims }, ["brand", "title", "ours"])),
    ),
    says: (claim) => saysOneOf(claim),
    saysOneOf,
    are: (claim, at, but) => has(read[at], [claim]) && isOther(read[at]?.word ?? "", but),
    areAll: (claims, ...others) =>
      read.length > 0 && read.every((one) => has(one, claims) || others.map(folded).includes(one.word)),
    pair: (one, other, but) =>
      plain.some(
        (word, at) =>
          has(word, one) &&
          isOther(word.word, but) &&
          [plain[at - 1], plain[at + 1]].some((beside) => has(beside, other)),
      ),
  };
}

const [CHECKED, BY, US] = ["removed reviewed rated tested", "by na", "our us staff team timu campus"].map(
  (words) => new Set(words.split(" ").map(folded)),
) as [Set<string>, Set<string>, Set<string>];

/** The words of a name, those that spell one entry of the list together in one piece, each with what it says. */
function readClaims(words: readonly string[]): { word: string; claims: ReadonlySet<Claim> }[] {
  const read: { word: string; claims: ReadonlySet<Claim> }[] = [];
  for (let at = 0; at < words.length;) {
    const run = longestRun(words.slice(at, at + RUN_MAX));
    if (run) read.push(run);
    else read.push(...apart(words[at] ?? ""));
    at += run?.length ?? 1;
  }
  return read;
}

/** The longest run of words from the first on that spells an entry: "customer care", "a d m i n". */
function longestRun(words: readonly string[]) {
  for (let length = words.length; length > 1; length -= 1) {
    const word = words.slice(0, length).join("");
    if (word.length > LONGEST + 2) continue;
    const claims = VERIFIED_ALONE.test(word) ? SAYS_VERIFIED : claimsOf(word, word.length >= LONG);
    if (claims.size > 0 && !(length === 2 && word.length < 5)) return { word, claims, length };
  }
  return null;
}

/** "supportteam" and "verifiedseller" as their words; any other word as it is. */
function apart(word: string): { word: string; claims: ReadonlySet<Claim> }[] {
  const [verified] = VERIFIED.exec(word) ?? [];
  if (verified !== undefined) {
    const rest = word.replace(verified, "");
    const claims = claimsOf(rest, false);
    return [{ word: verified, claims: SAYS_VERIFIED }, ...(claims.size > 0 ? [{ word: rest, claims }] : [])];
  }
  const claims = claimsOf(word, true);
  if (claims.size === 0)
    for (let at = 3; at <= word.length - 3; at += 1) {
      const [one, other] = [word.slice(0, at), word.slice(at)].map((part) => ({
        word: part,
        claims: claimsOf(part, false),
      }));
      if (one && other && one.claims.size > 0 && other.claims.size > 0) return [one, other];
    }
  return [{ word, claims }];
}

/** What a word says; also one with a doubled letter or, if it is long, a mistake. */
function claimsOf(word: string, alsoNear: boolean): ReadonlySet<Claim> {
  const known = LIST.get(word) ?? LIST.get(word.replace(/s$/, "")) ?? LIST.get(unjoined(word));
  if (known) return known.claims;
  if (!alsoNear) return NOTHING;
  return UNDOUBLED.get(undoubled(word))?.claims ?? ENTRIES.find((entry) => isNear(word, entry))?.claims ?? NOTHING;
}

/** "Verified", as people spell it, also within a word; and what Swahili says of somebody who was verified. */
const VERIFIED = new RegExp(`v[ae]r[iy]?f[iy]{0,2}e?d|${CLAIMS.verified.split(" ").map(folded).join("|")}`);

const VERIFIED_ALONE = new RegExp(`^(?:${VERIFIED.source})$`);
const SAYS_VERIFIED: ReadonlySet<Claim> = new Set(["verified"]);

/**
 * Shorter words resemble too many others by chance, "Amin" and "Admin"; some of the list do up to the second length:
 * "Polite".
 */
const MEDIUM = 6;
const LONG = 8;

/** Whether a word is a known one with one letter added, left out, changed or swapped after the first. */
function isNear(word: string, { letters, resembles }: Entry): boolean {
  return letters[0] === word[0] && letters.length >= (resembles ? LONG : MEDIUM) && isOneEditAway(word, letters);
}

/** "Tearn" is read as "team", "vv" as a w. */
function unjoined(word: string): string {
  return word.replaceAll("rn", "m").replaceAll("vv", "w");
}

function undoubled(word: string): string {
  return word.replaceAll(/(.)\1+/gu, "$1");
}

function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(at + from);
  if (long.length - short.length > 1) return false;
  if (long.length > short.length) return rest(short, 0) === rest(long, 1);
  if (rest(short, 1) === rest(long, 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && rest(short, 2) === rest(long, 2);
}

/**
 * Whether a folded text has a brand: within a word, or as whole words, in pieces ("M - P e s a", but not "Tom Pesa").
 */
function hasBrand(text: string, brand: string): boolean {
  // "Safaricorn" and "Mpezza" are read as the brands.
  const spellings = [text, unjoined(text), undoubled(text)];
  if (spellings.some((one) => one.includes(brand))) return true;
  const words = text.split(" ");
  const sound = sounds(brand);
  return words.some((_, from) =>
    words.slice(from, from + brand.length + 2).some((_one, length) => {
      const joined = words.slice(from, from + length + 1).join("");
      return joined === brand || sounds(joined) === sound || passesForBrand(joined, brand);
    }),
  );
}

/** With one mistake, but not "Pesa", "Mpera" or "Choni". */
function passesForBrand(word: string, brand: string): boolean {
  if (word[0] !== brand[0] || !isOneEditAway(word, brand)) return false;
  const isSwapped = [...word].toSorted().join("") === [...brand].toSorted().join("");
  return word.length > brand.length || isSwapped || brand.length >= (word.length < brand.length ? LONG : MEDIUM);
}

/** "M-Peza" and "Mpisa" sound like M-Pesa. */
function sounds(word: string): string {
  return undoubled(
    word
      .replaceAll(/[zcxj]/g, "s")
      .replaceAll(/[iy]/g, "e")
      .replaceAll("sh", "s")
      .replaceAll("ph", "p"),
  );
}

/** The words of each part that brackets, dots or dashes set off: "Kamau (Approved)". None of a name in one part. */
function partsOf(name: string): Words[] {
  const parts = name
    .split(/[()[\]{}|·•:;,/–—~*]| - /u)
    .filter((part) => wordsOf(folded(part)).length > 0)
    .map(readWords);
  return parts.length > 1 ? parts : [];
}

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

/** Whether a word has letters of two alphabets that look alike. Units like kΩ and μF are words of one. */
function mixesAlphabets(name: string): boolean {
  return name
    .replaceAll(/[ΩΩμµΔπλ]/gu, "")
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => ALPHABETS.filter((letters) => letters.test(word)).length > 1);
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}]+/u).filter(Boolean);
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
