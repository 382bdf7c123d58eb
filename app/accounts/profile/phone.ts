/** Kenyan mobile numbers: how people type them, and how they are stored and shown. */

/** The error for a phone that isn't a Kenyan mobile number. */
export const PHONE_FORMAT_ERROR = "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX";
export const PHONE_REQUIRED_ERROR = "Please enter a phone number";

/** What people put between the digits of a number, and what stands unseen in one that was copied. */
const PHONE_SIGNS = /^[\d\s\p{Cf}\p{Pd}+().,/*_]*$/u;

export type PhoneReading = { ok: true; phone: string } | { ok: false; error: string };

/**
 * Reads a phone as people type it into 254XXXXXXXXX. M-Pesa pays only mobile numbers, so the result must match
 * ^254[17]\d{8}$ (docs/m-pesa.md). A letter may be a slip of a finger beside a digit, so what has one is refused.
 */
export function readPhone(typed: string): PhoneReading {
  if (typed.trim() === "") return { ok: false, error: PHONE_REQUIRED_ERROR };
  if (!PHONE_SIGNS.test(typed)) return { ok: false, error: PHONE_FORMAT_ERROR };
  const phone = withCountryCode(typed.replace(/\D/g, ""));
  return /^254[17]\d{8}$/.test(phone) ? { ok: true, phone } : { ok: false, error: PHONE_FORMAT_ERROR };
}

/** People write 00254 for +254, and keep the 0 of their number after either. */
function withCountryCode(digits: string): string {
  return `254${digits.replace(/^(?:00)?254/, "").replace(/^0/, "")}`;
}

/** "254712345678" as people read it: "0712 345 678". Any other text is returned unchanged. */
export function displayPhone(phone: string): string {
  return phone.replace(/^254(\d{3})(\d{3})(\d{3})$/, "0$1 $2 $3");
}

/** Groups the digits typed so far: "0712345" becomes "0712 345". Keeps only digits and a leading plus. */
export function groupPhone(typed: string): string {
  const plus = typed.trimStart().startsWith("+") ? "+" : "";
  const digits = typed.replace(/\D/g, "");
  const first = digits.startsWith("0") ? 4 : 3;
  const groups = [digits.slice(0, first), ...(digits.slice(first).match(/\d{1,3}/g) ?? [])];
  return plus + groups.filter((group) => group !== "").join(" ");
}

/** For logs, and for pages of people who don't need to know the number: "2547•••••678". */
export function maskPhone(phone: string): string {
  return phone.length < 7 ? "•••" : `${phone.slice(0, 4)}${"•".repeat(phone.length - 7)}${phone.slice(-3)}`;
}
