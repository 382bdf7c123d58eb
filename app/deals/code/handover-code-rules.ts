/** The handover code as people type it and as its QR code contains it. */

import { DIGITS, readCode } from "#app/platform/digit-rules.ts";
import { CODE_DIGITS } from "./code-length-rules.ts";

const PREFIX = "CHUONI";

/** The text of an item's QR code. In capitals, which makes a smaller QR code. */
export function writeHandoverQr(itemId: string, code: string): string {
  return `${PREFIX}:${itemId.toUpperCase()}:${code}`;
}

export type ReadCode =
  /** `code`: six digits. */
  { ok: true; code: string } | { ok: false; error: string };

/**
 * Reads a typed code or the text of a QR code, for the item that the seller has open. Only its digits count; an O is a
 * 0, and an l a 1.
 */
export function readHandoverCode(text: string, itemId: string): ReadCode {
  const [prefix, about, scanned, ...rest] = text.trim().toUpperCase().split(":");
  const isQr = prefix === PREFIX && scanned !== undefined && rest.length === 0;
  if (isQr && about !== itemId.toUpperCase())
    return {
      ok: false,
      error: "This code is for another item. Open that item's page, or ask for the code of this one.",
    };
  const code = readCode(isQr ? scanned : text, DIGITS);
  return new RegExp(`^[0-9]{${CODE_DIGITS}}$`).test(code)
    ? { ok: true, code }
    : { ok: false, error: `Enter the ${CODE_DIGITS} digits of the buyer's code` };
}
