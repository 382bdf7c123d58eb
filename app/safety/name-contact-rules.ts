/**
 * Finds contacts and ways to pay in names. A name travels further than any other text: into lists, titles of links and
 * the subjects of our emails, where no warning stands below it. So a name with one is refused, however it is spelled.
 */
import { asciiDigits } from "#app/platform/digit-rules.ts";
import { foldText } from "#app/platform/folded-text.ts";
import { leadsAway, withPlainSigns } from "./leads-away-rules.ts";
import { letterLike } from "#app/platform/look-alike-rules.ts";
import { hasContact } from "./public-text-rules.ts";

/** The error of a name with a contact or a way to pay. */
export const NAME_CONTACT =
  "Please leave phone and till numbers, emails, links and @names out of the name. People can message you here.";

/** Names are shorter, and no pattern runs on more. */
const LOOKED_AT = 500;

/** What is named: people, shops, kinds of things and places, or things, which alone have long numbers ("10000mAh"). */
export type Named = "person" | "shop" | "kinds" | "things";

/** Whether a name says how to reach or to pay somebody, or asks for a code. */
export function namesContact(name: string, named: Named): boolean {
  const text = name.slice(0, LOOKED_AT);
  if (hasContact(text) || leadsAway(foldText(text).plain) !== null) return true;
  const plain = spelledOut(text);
  if (leadsAway(plain) !== null || FOUND.some((pattern) => pattern.test(plain))) return true;
  if (named === "things") return false;
  if (LONG_NUMBERS.some((pattern) => pattern.test(plain))) return true;
  if (named === "kinds") return false;
  if (OF_PEOPLE.some((pattern) => pattern.test(plain)) || HANDLE.test(text.replaceAll(SHORT_FORMS, " "))) return true;
  return named === "person" && OF_A_PERSON.test(plain);
}

const DIGIT_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "zero oh nil sifuri",
    "one moja",
    "two mbili",
    "three tatu",
    "four nne",
    "five tano",
    "six sita",
    "seven saba",
    "eight nane",
    "nine tisa",
  ].flatMap((words, digit) => words.split(" ").map((word) => [word, String(digit)] as const)),
);
const DIGIT_WORD = `(?:${Object.keys(DIGIT_WORDS).join("|")})`;
/** "seven one two", with plain digits among them. Fewer than four are a count. */
const DIGITS_IN_WORDS = new RegExp(
  String.raw`(?<![a-z0-9])(?:(?:${DIGIT_WORD}|double|triple|\d{1,9})[^a-z0-9]{1,3}){3,}(?:${DIGIT_WORD}|\d{1,9})(?![a-z0-9])`,
  "g",
);

/**
 * The name in small letters of ours, with digits for words of digits, and words whose letters stand apart in one piece.
 */
function spelledOut(text: string): string {
  const letters = [...foldText(asciiDigits(text)).plain].map((one) => (one === "@" ? one : letterLike(one))).join("");
  return (
    withPlainSigns(letters)
      .replaceAll(DIGITS_IN_WORDS, (words) =>
        words
          .replaceAll(/(double|triple)[^a-z0-9]+(\S+)/g, (_, times: string, one: string) =>
            `${one} `.repeat(times === "double" ? 2 : 3),
          )
          .replaceAll(/[a-z]+/g, (word) => DIGIT_WORDS[word] ?? word),
      )
      // "t.i.l.l", "p a y b i l l".
      .replaceAll(/(?<![a-z0-9])[a-z](?:[ ._*/-][a-z]){2,}(?![a-z0-9])/g, (apart) => apart.replaceAll(/[^a-z]/g, ""))
      // "O7l2 345 678".
      .replaceAll(/(?<![a-z])[oil\d][oil\d]*\d[oil\d]*(?![a-z])/g, (number) =>
        number.replaceAll("o", "0").replaceAll(/[il]/g, "1"),
      )
  );
}

/** Between the digits of one number. A comma stands between thousands. */
const GAP = "[^a-z0-9,]{0,3}";
const DATE = String.raw`\d\d ?(?<between>[./-]) ?(?:0[1-9]|[12]\d|3[01]) ?\k<between> ?20\d\d(?!\d)`;
const PHONE = String.raw`(?<![a-z0-9]|\d[.,-]|97[89][ -])(?!${DATE})(?:(?:00)?2${GAP}5${GAP}4${GAP}0?|0)${GAP}[17](?:${GAP}\d){8}(?![a-z0-9]|[.,-]\d)`;
/** Five digits and more, in groups or one by one. */
const NUMBER = String.raw`(?:\d(?:[ .*-]?\d){4,})(?![a-z0-9])`;
const TILL = String.raw`(?<![a-z0-9])(?:t[i1l!|][l1i!|]{2}|pay ?-?b[i1l!|][l1i!|]{2}|buy ?-?goods|pochi|lipa|tuma|nitumie|nilipe|send|pay|deposit|transfer|m-?pesa|account|acc|a\/c)(?![a-z])`;
const CHAT = "(?:w?h?at[sz] ?[au]p+|wh?as+[au]p+|wsp)";
const DOMAIN_END = "(?:com|net|org|co ?\\. ?ke|(?:ac|or|go|me) ?\\. ?ke)";
const SHORT_END = "(?:ke|co|me|io|ly|gd|link|info|biz|app|shop|store|site|online|xyz|africa|top|page|bio)";

/** In the name of anything. */
const FOUND = [
  // "Send me your code".
  /(?<![a-z])(?:send|give|tell|share|tuma|nitumie|nipe|niambie|leta)(?: \S+){0,4} (?:handover )?(?:code|otp|pin|six digits|6 digits?)(?![a-z])/,
  new RegExp(`(?<!isbn[^a-z]{0,6})${PHONE}`),
  // "Pay 500 to till 5112345", "5112345 is my till".
  new RegExp(`${TILL}.{0,40}?(?<![a-z0-9.,])${NUMBER}`),
  new RegExp(String.raw`(?<![a-z])t[i1l!|][l1i!|]{2}[^a-z0-9]{0,3}(?:\d[ .*-]?){5,}`),
  new RegExp(`(?<![a-z0-9.,])${NUMBER}[^a-z0-9]{0,3}(?:is |ni |my |the )*(?:till|paybill|pay bill|pochi)(?![a-z])`),
  // Emails and domains, also with words for their signs.
  /\S ?@ ?(?:[a-z0-9-]+ ?\. ?)+[a-z]{2,}/,
  /(?<![a-z])(?:gmail|yahoo|ymail|hotmail|outlook|icloud) ?(?:\.|dot)? ?com|(?: at | ?@ ?)(?:gmail|yahoo|hotmail|outlook|icloud)(?![a-z])/,
  new RegExp(String.raw`(?:https?|hxxp) ?:|(?<![a-z0-9])www(?![a-z0-9])|:\/\/`),
  new RegExp(String.raw`(?<!(?:asp|vb|ado|ml))(?<=[a-z0-9-]{2}) ?\. ?${DOMAIN_END}(?![a-z0-9])`),
  new RegExp(String.raw`[a-z0-9-]{2}\.${SHORT_END}(?![a-z0-9.])`),
  new RegExp(
    String.raw`(?<!(?<![a-z])(?:the|a))(?<=[a-z0-9]) dot (?:${DOMAIN_END}|co dot ke|${SHORT_END})(?![a-z0-9])`,
  ),
  /(?<![a-z0-9])(?:wa|t|m|ig|fb) ?(?:\.|dot) ?me(?![a-z0-9])/,
  // Handles. "3 pieces @KES 200" is a price.
  /@(?!(?:kes|kshs?|sh|shs|bob)(?![a-z]))[a-z_]/,
  /(?<![a-z0-9])(?:ig|insta|instagram|tiktok|tik tok|telegram|tg|snapchat|twitter|facebook|fb|x) ?(?::|handle|page ?:|is )/,
  new RegExp(
    `(?<![a-z])${CHAT}(?: only|:| ?\\d{4}| (?:me|us|on|at|number|no|namba|line|group|is|ni|kwa|moja)(?![a-z]))|(?<![a-z])(?:on|via|by|kwa|call|text|dm|sms|inbox)(?: or| and| ?[/&+,-])? ?${CHAT}(?![a-z])`,
  ),
  /(?<![a-z])(?:dm|inbox|sms|text|nipigie|nitext|nicall|niinbox|nidm)(?: (?:me|us)| kwa| 4| for)(?![a-z])|(?<![a-z])(?:nipigie|nicall|nitext)(?![a-z])/,
];

/** In the names of people, shops, places and kinds of things. */
const LONG_NUMBERS = [
  /\d{5}/,
  /(?<!\d)\d(?:[^a-z0-9]{1,2}\d){4,}(?!\d)/,
  new RegExp(`(?<![a-z])(?:${CHAT}|telegram)(?![a-z])`),
];

/** Ends of addresses that stand after a full stop in a thing's name, too: "128 GB.pro version". */
const FURTHER_END = "(?:club|live|dev|vip|fun|pro|tech|world|art|blog|chat|life|style|fashion|mobi|tv|us|uk|tz|ug)";

/** In the names of people and shops. */
const OF_PEOPLE = [
  /(?<![a-z0-9])(?:t[i1l!|][l1i!|]{2}|pay ?-?b[i1l!|][l1i!|]{2}|pochi la biashara|buy ?-?goods)(?![a-z])/,
  // "Njeri on Facebook", "Njeri Kicks IG".
  /(?<![a-z0-9])(?:(?:instagram|tik ?tok|snapchat|facebook|twitter)(?![a-z])|(?:ig|fb|insta|snap)[^a-z0-9]*$)/,
  new RegExp(String.raw`[a-z0-9-]{2}(?:\.| dot )${FURTHER_END}(?![a-z0-9.])`),
];

/** "ig njeri". "Insta Cuts" and "Snap Studio" are shops, and nobody's name. */
const OF_A_PERSON = /(?<![a-z0-9.])(?:ig|fb|tg|insta|snap)(?![a-z0-9.'])/;

/** "njeri_kicks", "njeri.kicks". Looked for in the name as it was typed: "Njeri.Kamau" forgot a space. */
const HANDLE = /[\p{L}\p{N}]_+[\p{L}\p{N}]|(?<=\p{L}{2})\.(?!(?:js|net|ltd|inc|jr)(?!\p{L}))\p{Ll}{2}/u;
/** Short forms that a name goes on behind without a space: "dr.otieno". */
const SHORT_FORMS = /(?<!\p{L})(?:mr|mrs|ms|dr|st|prof|eng|rev|hon|fr|sr|bro|no|co)\./giu;
