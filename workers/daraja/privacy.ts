/** Keeps what Safaricom echoes at us (access tokens, phone numbers) out of logs and out of stored messages. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;
const ECHOED_TOKEN = /(access token)\s*[-:]\s*\S+/gi;
const LONG_SECRET = /[A-Za-z0-9+/_=-]{20,}/g;
const PHONE = /\+?\d[\d\s*()-]{7,}\d/g;
const CODE = /^[A-Za-z0-9._-]{1,80}$/;
const REQUEST_ID = /^[A-Za-z0-9-]{1,64}$/;
const PHONE_DIGITS = /\d{9}/;
const SECRET_SEGMENT = /(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}/;

/**
 * A provider's sentence without tokens, phone numbers (masked ones too) and control characters, at most 200 characters.
 * `401.002.01` echoes the access token it refuses (Daraja facts §2).
 */
export function scrubMessage(text: string): string {
  return text
    .replace(CONTROL, " ")
    .replace(ECHOED_TOKEN, "$1")
    .replace(LONG_SECRET, "[hidden]")
    .replace(PHONE, "[number]")
    .trim()
    .slice(0, 200);
}

/** A provider's code if it is safe to log and store, else "unreadable". */
export function scrubCode(code: string): string {
  const safe = CODE.test(code) && !PHONE_DIGITS.test(code) && !SECRET_SEGMENT.test(code);
  return safe ? code : "unreadable";
}

/** The provider's request id, for talking to its support, or null where it is absent or could hold a phone number. */
export function scrubRequestId(id: string | null): string | null {
  if (id === null || !REQUEST_ID.test(id) || PHONE_DIGITS.test(id)) return null;
  return id;
}
