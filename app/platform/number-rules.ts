/**
 * Reads numbers as people write them: amounts of money and numbers of pieces. Every form, file and address of ours uses
 * this reader, in the browser and on the server. What could be two numbers is refused, because a guess would be silent.
 */

/** Why what was typed isn't a number that we take. */
type Refusal =
  | { code: "empty" | "negative" | "not_whole" }
  /** A spreadsheet has replaced digits by a power of ten: "6.16E+12". */
  | { code: "shortened" }
  /**
   * As a fraction, or with its mark between groups of digits. Both are numbers as people write them: "25", "25,000".
   */
  | { code: "two_readings"; readings: readonly [string, string] };

export type NumberReading = { ok: true; value: number } | ({ ok: false } & Refusal);

const CURRENCY = String.raw`(?:kes|kshs?|k\.?sh|shs?|shillings?|bob)\.?`;
const BEFORE = new RegExp(`^${CURRENCY}:?\\s*(?=\\S)`, "iu");
const AFTER = new RegExp(`\\s*(?:${CURRENCY})$`, "iu");
/** "500/=", "500/-", "500=". */
const STROKE = /\s*(?:\/\s*[-–=]?|=\/?)$/u;

/** Reads an amount in KES: "25000", "25,000", "25 000", "KES 25,000", "Ksh 25,000/=", "25k". */
export function readAmount(typed: string): NumberReading {
  const text = plain(typed).replace(BEFORE, "").replace(STROKE, "").replace(AFTER, "").replace(STROKE, "");
  const thousands = /^(\d{1,3}(?:\.\d{1,2})?)\s?k$/i.exec(text);
  // In thousands a fraction is whole shillings: "2.5k" can't be anything but 2,500.
  if (thousands?.[1]) return { ok: true, value: Math.round(Number(thousands[1]) * 1_000) };
  return readPlain(text);
}

/** Reads a number of pieces: "12", "1,200", "1 200". */
export function readCount(typed: string): NumberReading {
  return readPlain(plain(typed));
}

/**
 * The whole number of a field that our own page filled in; null for anything but plain digits, because `Number` also
 * reads "1e1" and "0x2", which nobody means as 10 and 2 pieces.
 */
export function readDigits(sent: string): number | null {
  const number = /^\d{1,16}$/.test(sent) ? Number(sent) : null;
  return Number.isSafeInteger(number) ? number : null;
}

/** Every space as one plain space, and no invisible characters. */
function plain(typed: string): string {
  return typed
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** No number of ours is longer, and long texts would take long to read. */
const LONGEST = 500;

function readPlain(text: string): NumberReading {
  if (text === "") return { ok: false, code: "empty" };
  if (/^[-−–]\s?[\d.,]/.test(text)) return { ok: false, code: "negative" };
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) return { ok: false, code: "shortened" };
  if (text.length > LONGEST) return { ok: false, code: "not_whole" };
  const whole = wholePart(text);
  if (whole !== null) return { ok: true, value: Number(whole) };
  return readTwice(text) ?? { ok: false, code: "not_whole" };
}

/** The digits of a number that can be read in one way only and has no fraction but zeros; null for any other text. */
function wholePart(text: string): string | null {
  const [, digits] =
    /^(\d+)(?:\.0{0,2})?$/.exec(text) ??
    /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.0{0,2})?$/.exec(text) ??
    /^([1-9]\d{0,2}(?: \d{3})+)(?:\.0{0,2})?$/.exec(text) ??
    // Points between groups are read where there are several, or a comma follows: nothing else is meant.
    /^([1-9]\d{0,2}(?:\.\d{3}){2,})$/.exec(text) ??
    /^([1-9]\d{0,2}(?:\.\d{3})+),00?$/.exec(text) ??
    [];
  return digits?.replaceAll(/[ ,.]/g, "") ?? null;
}

/**
 * Both readings of a number whose last mark may stand before a fraction or between groups: "25.000", "9,50", "2,5000".
 * Null where there is one reading, such as "9.50", which is a fraction.
 */
function readTwice(text: string): NumberReading | null {
  const parts = /^(\d+(?:,\d+)*),(\d+)$/.exec(text) ?? /^(\d+)\.(\d{3,})$/.exec(text);
  const [, before, after] = parts ?? [];
  if (before === undefined || after === undefined) return null;
  const start = before.replaceAll(",", "");
  // "1.500 or 1,500" would look the same twice.
  const digits = after.replace(/0+$/, "");
  const fraction = digits === "" ? "" : `.${digits}`;
  return { ok: false, code: "two_readings", readings: [`${grouped(start)}${fraction}`, grouped(start + after)] };
}

/** "25000" as people read it, "25,000". */
function grouped(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "").replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The longest text that a sentence repeats. */
const QUOTED_MAX = 24;

/**
 * What somebody reads whose number has two readings or was shortened by a spreadsheet; null for every other reading.
 * What else is wrong, the form says in its own words.
 */
export function unclearText(typed: string, reading: NumberReading): string | null {
  if (reading.ok) return null;
  const text = plain(typed);
  const quoted = `'${[...text].length > QUOTED_MAX ? `${[...text].slice(0, QUOTED_MAX).join("")}…` : text}'`;
  if (reading.code === "shortened") return `A spreadsheet has shortened ${quoted}. Write all its digits.`;
  if (reading.code !== "two_readings") return null;
  const [fraction, whole] = reading.readings;
  const write = [fraction, whole].filter((read) => !read.includes(".")).map((read) => read.replaceAll(",", ""));
  return `${quoted} could mean ${fraction} or ${whole}. Write ${write.join(" or ")}${write.length === 1 ? ", or another whole number" : ""}.`;
}
