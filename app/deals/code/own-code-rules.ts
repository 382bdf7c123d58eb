/**
 * Finds a handover code in what its buyer is about to send, however it is written: with spaces or dashes, in words, in
 * digits of another script, or one digit a message. It is compared with the buyer's own codes, so other numbers don't
 * matter.
 */
import { asciiDigits } from "#app/platform/digit-rules.ts";

/**
 * Whether sending `text` gives away one of `codes`. `earlier`: what its sender wrote to the same person just before,
 * oldest first. A code that was complete before isn't found again.
 */
export function revealsCode(text: string, codes: readonly string[], earlier: readonly string[] = []): boolean {
  const own = digitsIn(text);
  if (own === "" || codes.length === 0) return false;
  const before = earlier.map(digitsIn);
  // Other numbers between the digits of a code would hide it, so messages of nothing but digits are also read alone.
  const bare = earlier.filter(isBare).map(digitsIn);
  return [before, bare].some((parts) => {
    const said = parts.join("");
    return codes.some((code) => (said + own).includes(code, Math.max(0, said.length - code.length + 1)));
  });
}

/** Whether the text may hold a part of a code at all. */
export function hasDigits(text: string): boolean {
  return digitsIn(text) !== "";
}

/** The text says a few digits and next to nothing else. */
function isBare(text: string): boolean {
  const words = tokensOf(text);
  return words.length > 0 && words.every((word) => /^[\d,;]+$/.test(word) || word in UNITS || isGlue(word));
}

const UNITS: Record<string, number> = {
  zero: 0, oh: 0, nil: 0, nought: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9,
  sifuri: 0, ziro: 0, moja: 1, mbili: 2, tatu: 3, nne: 4, tano: 5, sita: 6, saba: 7, nane: 8, tisa: 9,
}; // prettier-ignore
const TEENS: Record<string, number> = {
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
};
const TENS: Record<string, number> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  kumi: 10,
  ishirini: 20,
  thelathini: 30,
  arobaini: 40,
  hamsini: 50,
  sitini: 60,
  sabini: 70,
  themanini: 80,
  tisini: 90,
};
const REPEATS: Record<string, number> = { double: 2, triple: 3 };

const NUMBER_WORD = [UNITS, TEENS, TENS, REPEATS]
  .flatMap((numbers) => Object.keys(numbers))
  .concat("hundred", "thousand", "mia")
  .toSorted((one, other) => other.length - one.length);
const GLUED = new RegExp(`^(?:${NUMBER_WORD.join("|")})+$`);
const EACH_WORD = new RegExp(NUMBER_WORD.join("|"), "g");

function isGlue(word: string): boolean {
  return word === "and" || word === "na" || word === "then";
}

/**
 * Runs of digits, words in lower case, and commas, which end a number. A word of glued numbers ("threetwo") comes in
 * its parts.
 */
function tokensOf(text: string): string[] {
  const plain = asciiDigits(text)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    // Letters that pass for digits, beside a digit.
    .replaceAll(/(?<=\d[\s._-]?)o(?![a-z])|(?<![a-z])o(?=[\s._-]?\d)/g, "0")
    .replaceAll(/(?<=\d)[il|](?![a-z])|(?<![a-z])[il|](?=\d)/g, "1");
  return (plain.match(/\d+|[a-z]+|[,;]/g) ?? []).flatMap((word) =>
    GLUED.test(word) ? (word.match(EACH_WORD) ?? []) : [word],
  );
}

/** All digits of a text in order, also those of numbers in words: "thirty-two, double five" is 3255. */
function digitsIn(text: string): string {
  let digits = "";
  /** The number in words that is being read; null between numbers. */
  let value: number | null = null;
  /** How much may still be added to `value`: a unit to 30, tens and units to 300. */
  let room = 0;
  let repeat = 1;
  const say = (said: string) => {
    digits += said.repeat(repeat);
    repeat = 1;
  };
  const end = () => {
    if (value !== null) say(String(value));
    value = null;
    room = 0;
  };
  const add = (amount: number, next: number) => {
    if (value !== null && amount > 0 && amount < room) value += amount;
    else {
      end();
      value = amount;
    }
    room = next;
  };
  const words = tokensOf(text);
  for (const [at, word] of words.entries()) {
    if (/^\d/.test(word)) {
      end();
      say(word);
    } else if (word in REPEATS) {
      end();
      repeat = REPEATS[word] ?? 1;
    } else if (word in UNITS) {
      // "mia tatu" is three hundred.
      if (words[at - 1] === "mia") {
        end();
        value = (UNITS[word] ?? 0) * 100;
        room = 100;
      } else add(UNITS[word] ?? 0, 0);
    } else if (word in TEENS) add(TEENS[word] ?? 0, 0);
    else if (word in TENS) add(TENS[word] ?? 0, 10);
    else if (word === "hundred" && value !== null && value % 1000 > 0 && value % 1000 < 10) {
      value += (value % 1000) * 99;
      room = 100;
    } else if (word === "thousand" && value !== null && value < 1000) {
      value *= 1000;
      room = 1000;
    } else if (!isGlue(word) && word !== "mia") end();
  }
  end();
  return digits;
}
