/** Serial numbers and IMEIs, and how they are read (docs/product-rules.md). */
import { asciiDigits } from "#app/platform/digit-rules.ts";

export const SERIAL_LENGTH = { min: 7, max: 24 } as const;

export const SERIAL_ERRORS = {
  length: `A serial number has ${SERIAL_LENGTH.min} to ${SERIAL_LENGTH.max} letters and digits, with at least 2 digits, like 5CD1234XYZ`,
  made_up: "This is no serial number. On a phone, dial *#06#; on a laptop, look underneath.",
  imei: "An IMEI has 15 digits, and one of these is wrong. Dial *#06# on the phone to see it.",
} as const;

/** What people type who don't know the number: the name of the thing. */
const MODEL =
  /^(?:ACER|APPLE|ASUS|DELL|GALAXY|HUAWEI|INFINIX|IPAD|IPHONE|ITEL|LENOVO|MACBOOK|NOKIA|OPPO|PIXEL|REALME|REDMI|SAMSUNG|TECNO|THINKPAD|UNKNOWN|VIVO|XIAOMI)/;

/**
 * Letters and digits alone, in capitals. What many people would make up is none, or else one report would hold all
 * their listings. A text of digits as long as an IMEI must be one.
 */
export function readSerial(typed: string): { ok: true; serial: string } | { ok: false; error: string } {
  const serial = asciiDigits(typed)
    .normalize("NFKC")
    .toUpperCase()
    .replace(/^\s*(?:IMEI ?[12]?|S\/?N|SERIAL(?: (?:NO|NUMBER))?)[\s:.#]{1,3}/, "")
    .replaceAll(/[\s\p{P}\p{S}\p{Cf}]/gu, "");
  if (
    !/^(?:[A-Z]*\d){2}[A-Z0-9]*$/.test(serial) ||
    serial.length < SERIAL_LENGTH.min ||
    serial.length > SERIAL_LENGTH.max
  )
    return { ok: false, error: SERIAL_ERRORS.length };
  if (/^\d{14,17}$/.test(serial) && !isImei(serial)) return { ok: false, error: SERIAL_ERRORS.imei };
  if (MODEL.test(serial) || isCounted(serial)) return { ok: false, error: SERIAL_ERRORS.made_up };
  return { ok: true, serial };
}

/** One digit again and again, or digits that count up or down: 0000000, 1234567, 9876543210. */
function isCounted(serial: string): boolean {
  if (!/^\d+$/.test(serial)) return false;
  const steps = new Set([...serial].slice(1).map((digit, at) => (Number(digit) - Number(serial[at]) + 10) % 10));
  return steps.size === 1 && [0, 1, 9].some((step) => steps.has(step));
}

/** Fifteen digits, of which the last one is the check digit of the others (Luhn). */
export function isImei(digits: string): boolean {
  if (!/^\d{15}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The last characters, by which its owner knows it again and nobody else finds it. */
export function serialEnding(serial: string): string {
  return serial.slice(-4);
}
