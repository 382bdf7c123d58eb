/** Serial numbers and IMEIs, and how they are read (docs/product-rules.md). */
import { asciiDigits } from "#app/platform/digit-rules.ts";

export const SERIAL_LENGTH = { min: 6, max: 24 } as const;

export const SERIAL_ERRORS = {
  length: `A serial number has ${SERIAL_LENGTH.min} to ${SERIAL_LENGTH.max} letters and digits, at least one digit`,
  imei: "An IMEI has 15 digits, and one of these is wrong. Dial *#06# on the phone to see it.",
} as const;

/** Letters and digits alone, in capitals; words have no digit. A text of digits as long as an IMEI must be one. */
export function readSerial(typed: string): { ok: true; serial: string } | { ok: false; error: string } {
  const serial = asciiDigits(typed)
    .normalize("NFKC")
    .toUpperCase()
    .replace(/^\s*(?:IMEI ?[12]?|S\/?N|SERIAL(?: (?:NO|NUMBER))?)[\s:.#]{1,3}/, "")
    .replaceAll(/[\s\p{P}\p{S}\p{Cf}]/gu, "");
  if (!/^[A-Z]*\d[A-Z0-9]*$/.test(serial) || serial.length < SERIAL_LENGTH.min || serial.length > SERIAL_LENGTH.max)
    return { ok: false, error: SERIAL_ERRORS.length };
  if (/^\d{14,17}$/.test(serial) && !isImei(serial)) return { ok: false, error: SERIAL_ERRORS.imei };
  return { ok: true, serial };
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
