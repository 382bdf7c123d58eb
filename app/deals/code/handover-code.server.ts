/**
 * The handover code: six digits that a buyer gives the seller when they have the item. It is derived from a key that
 * only the server has, and never stored, so a copy of the database doesn't reveal it.
 */
import { CODE_DIGITS } from "./code-length-rules.ts";

/** The code of an item: six digits. Only the item's buyer may see it. */
export async function handoverCode(codeKey: string, itemId: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(codeKey), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`handover:${itemId}`));
  const number = new DataView(mac).getBigUint64(0) % BigInt(10 ** CODE_DIGITS);
  return String(number).padStart(CODE_DIGITS, "0");
}
