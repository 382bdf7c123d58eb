/** Short ids for addresses that people type, and the UUIDs that they stand for. */

/** Hexadecimal digits of a UUID that a short id stands for: 48 bits. */
const DIGITS = 12;

const SHORT_ID_LENGTH = 10;

/** The first 48 bits of a UUID as ten characters of 0–9 and a–z, which can also be typed from a notice board. */
export function shortIdOf(uuid: string): string {
  const bits = Number.parseInt(uuid.replaceAll("-", "").slice(0, DIGITS), 16);
  return bits.toString(36).padStart(SHORT_ID_LENGTH, "0");
}

/**
 * The UUIDs that a short id stands for: from `first` to `last`, in the order of text. Two UUIDs hardly ever share one,
 * but a UUID can come from a browser, so the older row must win. Null for a text that is no short id.
 */
export function uuidsOf(shortId: string): { first: string; last: string } | null {
  if (!/^[0-9a-z]{10}$/.test(shortId)) return null;
  const hex = Number.parseInt(shortId, 36).toString(16).padStart(DIGITS, "0");
  if (hex.length > DIGITS) return null;
  const start = `${hex.slice(0, 8)}-${hex.slice(8)}`;
  return { first: `${start}-0000-0000-000000000000`, last: `${start}-ffff-ffff-ffffffffffff` };
}
