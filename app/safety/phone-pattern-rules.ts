/**
 * Kenyan phone numbers in what people write. Anybody can send a text that makes a careless pattern run for minutes, so
 * every repetition here is short, and no two of them can match the same characters.
 */
import { foldText } from "#app/platform/folded-text.ts";

/** What stands between two digits: nothing, a space, a hyphen between spaces, a parenthesis, a stroke. */
const GAP = "[\\s.()/|*_-]{0,3}";
/** Words that people write without a space before or after a number. */
const WORDS = "(?:call|text|sms|tel|phone|mobile|number|whatsapp|no|namba|nambari|simu|piga|or|on|at|for)";

/**
 * 07…, 01…, or 7… and 1… after 254, with or without +, 00 or (0). Not a part of a longer number, id, decimal, ISBN or
 * date with a time. For folded text.
 */
const PHONE = [
  `(?:(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}]-|\\d[.,]|97[89][\\s.-])|(?<=(?<![\\p{L}\\p{N}_])${WORDS}[#_-]?))`,
  "(?!\\d\\d ?(?<between>[./-]) ?(?:0[1-9]|[12]\\d|3[01]) ?\\k<between> ?(?:20|(?<=/ ?)19)\\d\\d(?!\\d))",
  `(?:(?:00\\s?|\\+\\s?)?2${GAP}5${GAP}4${GAP}0?|0)`,
  `${GAP}[17](?:${GAP}\\d){8}`,
  `(?:(?![\\p{L}\\p{N}_]|[.,-]\\d)|(?=${WORDS}(?![\\p{L}\\p{N}_])))`,
].join("");
/** With a parenthesis that is closed inside the number. */
const ALL_PHONES = new RegExp(`(?:\\((?=[\\d\\s+-]{1,8}\\)[^)]))?${PHONE}`, "gu");

/** Whether a text holds a phone number. */
export function hasPhone(text: string): boolean {
  return !phonesIn(foldText(text).plain).next().done;
}

/** The phone numbers in a folded text. */
export function* phonesIn(plain: string): Generator<RegExpExecArray> {
  const text = withZeros(plain);
  for (const match of text.matchAll(ALL_PHONES)) {
    if (!isIsbn(match[0], text.slice(Math.max(0, match.index - ISBN_WORD_MAX), match.index))) yield match;
  }
}

const ISBN_WORD_MAX = 12;

/**
 * The older ISBNs have ten digits, and some begin as a phone number does. One counts after the word, and with the right
 * check digit: of the phone numbers that somebody hides behind the word, one in eleven has it.
 */
function isIsbn(digits: string, before: string): boolean {
  if (!/isbn(?:[\s-]?10)?[\s:.#-]{0,3}$/i.test(before)) return false;
  const sum = [...digits.replaceAll(/\D/g, "")].reduce((total, digit, at) => total + Number(digit) * (10 - at), 0);
  return sum % 11 === 0;
}

/** The letter O for 0 only hides a number. */
function withZeros(plain: string): string {
  return plain.replaceAll(/(?<=[\d\s])o(?=[\d\s])|\bo(?=\d)/g, "0");
}
