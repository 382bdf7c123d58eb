/** Comparing the number in M-Pesa's answer with the one we know. M-Pesa may mask or hash it (docs/m-pesa.md, "Transaction Status"). */

/** hidden: nothing of it can be compared. */
export type PhoneComparison = "same" | "other" | "hidden";

/** How many digits of a masked number must show at least. "2547 ***** 349" shows seven. */
const DIGITS_SHOWN_MIN = 5;

/** `shown`: as M-Pesa sent it, or null. `phone`: 254XXXXXXXXX. */
export async function comparePhone(shown: string | null, phone: string): Promise<PhoneComparison> {
  const text = (shown ?? "").replaceAll(/[\s+()-]/g, "");
  // A hash may be salted, so only an equal one tells something.
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() === (await sha256(phone)) ? "same" : "hidden";
  const masked = /^(\d*)([*xX•]+)(\d*)$/.exec(text);
  if (masked) {
    const [, first = "", , last = ""] = masked;
    const start = first.replace(/^0/, "254");
    if (start.length + last.length < DIGITS_SHOWN_MIN) return "hidden";
    return phone.startsWith(start) && phone.endsWith(last) ? "same" : "other";
  }
  if (!/^\d{9,15}$/.test(text)) return "hidden";
  return text.slice(-9) === phone.slice(-9) ? "same" : "other";
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
