/** Keeps what Safaricom repeats in its answers (access tokens, phone numbers) out of logs and stored messages. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;
const ECHOED_TOKEN = /(access token)\s*[-:]\s*\S+/gi;
const LONG_RUN = /[A-Za-z0-9+/_=-]{20,}/g;
/** A part of a name such as "OriginalTransactionID": capital and small letters, or an abbreviation. */
const NAME_PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const PHONE = /\+?\d[\d\s*()-]{7,}\d/g;
/**
 * "400.002.02", "SFC_IC0003", "policies.ratelimit.SpikeArrestViolation": words and short numbers, without room for a
 * token or a phone number.
 */
const CODE = /^(\d{1,8}|[A-Za-z_]{1,60}\d{0,8})(\.(\d{1,8}|[A-Za-z_]{1,60}\d{0,8})){0,4}$/;
/** "16813-1590513-1" or groups of hexadecimal digits. */
const REQUEST_ID = /^[0-9a-f]{1,20}(-[0-9a-f]{1,20}){1,6}$/;
const PHONE_DIGITS = /\d{9}/;

/**
 * A provider's message without tokens, phone numbers (including masked ones) and control characters, at most 200
 * characters. `401.002.01` repeats the access token that it refuses (docs/m-pesa.md, "Access tokens").
 */
export function scrubMessage(text: string): string {
  return text
    .replace(CONTROL, " ")
    .replace(ECHOED_TOKEN, "$1")
    .replace(LONG_RUN, (run) => (isName(run) ? run : "[hidden]"))
    .replace(PHONE, "[number]")
    .trim()
    .slice(0, 200);
}

/**
 * Whether a long run of characters is a name that people read: only letters, in parts as long as words. In a token
 * letters are mixed with digits, or capitals with small ones every second letter.
 */
function isName(run: string): boolean {
  if (!/^[A-Za-z]+([_/-][A-Za-z]+)*$/.test(run)) return false;
  const parts = run.match(NAME_PART) ?? [];
  const letters = parts.reduce((sum, part) => sum + part.length, 0);
  return letters / parts.length >= 4 && parts.every((part) => part.length <= 24);
}

/** A provider's code if it looks like one and is therefore safe to log and store, else "unreadable". */
export function scrubCode(code: string): string {
  return CODE.test(code) ? code : "unreadable";
}

/** The provider's request id, for its support; null when it is missing or could contain a phone number. */
export function scrubRequestId(id: string | null): string | null {
  if (id === null || !REQUEST_ID.test(id) || PHONE_DIGITS.test(id)) return null;
  return id;
}
