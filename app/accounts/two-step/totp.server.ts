/** Time-based one-time passwords as authenticator apps make them: RFC 6238 with SHA-1, six digits and 30 seconds. */
import { createHmac } from "node:crypto";
import { CODE_DIGITS } from "./two-step-rules.ts";

const PERIOD_MS = 30_000;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** Bytes, as RFC 4226 recommends. */
const SECRET_LENGTH = 20;

export function newSecret(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SECRET_LENGTH));
}

/** A secret as people type it: Base32 without padding. Its length in bits is a multiple of five. */
export function toBase32(secret: Uint8Array): string {
  const bits = Array.from(secret, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
}

/** The address in the QR code. `account`: how the app names it. */
export function otpAddress(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

export function periodAt(now: number): number {
  return Math.floor(now / PERIOD_MS);
}

export function codeAt(secret: Uint8Array, period: number, digits = CODE_DIGITS): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(period));
  const hash = createHmac("sha1", secret).update(new Uint8Array(counter.buffer)).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(at) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The period whose code it is: the present one, or one beside it, because clocks differ. Null for none. */
export function periodOf(secret: Uint8Array, code: string, now: number): number | null {
  const at = periodAt(now);
  return [at, at - 1, at + 1].find((period) => codeAt(secret, period) === code) ?? null;
}
