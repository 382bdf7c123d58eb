/** The second step of a login: pure rules (docs/product-rules.md, "Two-step login"). */
import { DIGITS, readCode } from "#app/platform/digit-rules.ts";
import { DAY_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

/** For how long somebody who has shown who they are need not do so again before money moves, in ms. */
export const CONFIRMED_FOR_MS = 10 * MINUTE_MS;
/** How long the second step may take after the first, ms. */
export const SECOND_STEP_LIFE_MS = 10 * MINUTE_MS;
/** After so many wrong codes, none counts until `CODE_PAUSE_MS` (ms) have passed since the first of them. */
export const CODE_TRIES = 5;
export const CODE_PAUSE_MS = 15 * MINUTE_MS;
/**
 * After so many wrong codes, none counts until `CODE_DAY_MS` (ms) have passed since the first of them. Three codes are
 * right at a time, so somebody who guesses for a year has a chance of 2 %; with the mailbox 4 %, because once a day a
 * new password makes the count begin anew.
 */
export const CODE_DAY_TRIES = 20;
export const CODE_DAY_MS = DAY_MS;

export const CODE_DIGITS = 6;
export const RECOVERY_CODES = 10;
/** Without letters and digits that look alike: 32 of them, so a code of ten has 50 bits. */
export const RECOVERY_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz";
export const RECOVERY_LENGTH = 10;
export const PASSKEYS_MAX = 10;

/** A typed code, in any form: of the app, or a recovery code. Null for anything else. */
export function readStepCode(typed: string): { kind: "app" | "recovery"; code: string } | null {
  const digits = readCode(typed, DIGITS);
  if (new RegExp(`^[0-9]{${CODE_DIGITS}}$`).test(digits)) return { kind: "app", code: digits };
  const code = readCode(typed, RECOVERY_ALPHABET.toUpperCase()).toLowerCase();
  return code.length === RECOVERY_LENGTH && [...code].every((letter) => RECOVERY_ALPHABET.includes(letter))
    ? { kind: "recovery", code }
    : null;
}

/** "abcde-fghjk". */
export function showRecoveryCode(code: string): string {
  return `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`;
}

export const TWO_STEP_TEXTS = {
  wrong: "That code isn't right. Enter the newest code of your app, or a recovery code that you haven't used.",
  wrong_first: "That code isn't right. Enter the newest code that the app shows.",
  wrong_passkey: "That passkey didn't work. Please try again.",
  wrong_password: "That isn't your password",
  busy_password: "Too many wrong passwords. Wait 15 minutes and try again.",
  missing: "Enter the code",
  busy: "Too many wrong codes. Wait 15 minutes and try again.",
  closed:
    'Too many wrong codes. Use a passkey, or wait a day. Was it somebody else? Log out and choose a new password by "Forgot password?": then codes work again.',
  over: "That took too long. Please log in again.",
  connection: "We couldn't reach the server. Please check your connection and try again.",
  cancelled: "Nothing happened. Press the button to try again.",
  unsupported: "This browser can't use passkeys. Use an authenticator app instead.",
  stale: "This changed while you were looking at it. Here is the latest.",
  stale_app: "This set-up has begun anew or is over. Remove its entry from your app, and use what is here now.",
  app_added: "Your authenticator app is set up. Your other devices are logged out.",
  passkey_added: "Your passkey is added. Your other devices are logged out.",
  removed: "Removed. Your other devices are logged out.",
  needed: "Set up a second step first. Everybody in our team needs one.",
  last_of_admin: "Add another app or passkey before you remove this one. Everybody in our team needs one.",
} as const;
