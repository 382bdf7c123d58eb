/** Ids in Safaricom's current formats. Readers must treat them as opaque text. */
import { compactTime } from "#app/platform/east-africa-time.ts";
import { dayFirstStampOf } from "./kenya-time.ts";

/** A whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Random numbers for ids. The small bias of the remainder doesn't matter here. */
export function systemRandom(below: number): number {
  const [value] = crypto.getRandomValues(new Uint32Array(1));
  return value! % below;
}

const HEX = "0123456789abcdef";
const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const RECEIPT = DIGITS + LETTERS;
const TOKEN = LETTERS + LETTERS.toLowerCase() + DIGITS;
/** Day of the month in one character: 1–9, then A for 10 up to V for 31. */
const DAYS = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
const FIRST_RECEIPT_YEAR = 2006;

function pick(alphabet: string, length: number, random: Random): string {
  return Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
}

/** `ws_CO_` + DDMMYYYYHHmmss (EAT) + 3 digits + the last 9 digits of the phone. `at` in ms. */
export function checkoutRequestId(at: number, phone: string, random: Random): string {
  return `ws_CO_${dayFirstStampOf(at)}${pick(DIGITS, 3, random)}${phone.slice(-9)}`;
}

/** Four groups of hexadecimal digits and a counter. Also the format of an error's requestId. */
export function requestId(counter: number, random: Random): string {
  const groups = [4, 4, 4, 12].map((length) => pick(HEX, length, random));
  return groups.join("-") + String(counter);
}

/** `AG_` + YYYYMMDD (EAT) + `_` + 20 hexadecimal digits. `at` in ms. */
export function conversationId(at: number, random: Random): string {
  return `AG_${compactTime(at).slice(0, 8)}_${pick(HEX, 20, random)}`;
}

/**
 * A receipt: ten characters. The first three are the year (A = 2006), the month and the day in East Africa Time, as in
 * "RKI9Q95ERN" of 18 November 2023. `at` in ms.
 */
export function receiptNumber(at: number, random: Random): string {
  const stamp = compactTime(at);
  const year = LETTERS[(Number(stamp.slice(0, 4)) - FIRST_RECEIPT_YEAR) % LETTERS.length];
  const month = LETTERS[Number(stamp.slice(4, 6)) - 1];
  const day = DAYS[Number(stamp.slice(6, 8))];
  return `${year}${month}${day}${pick(RECEIPT, 7, random)}`;
}

/** An access token: 28 letters and digits. */
export function accessToken(random: Random): string {
  return pick(TOKEN, 28, random);
}
