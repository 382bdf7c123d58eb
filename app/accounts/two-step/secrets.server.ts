/** What the database keeps of a second step can't be used without the pepper, which it doesn't have. */
import { createHmac } from "node:crypto";
import { RECOVERY_ALPHABET, RECOVERY_CODES, RECOVERY_LENGTH } from "./two-step-rules.ts";

const NONCE_LENGTH = 12;

async function keyFrom(pepper: string): Promise<CryptoKey> {
  const text = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", text.encode(pepper), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: text.encode("authenticator") };
  return crypto.subtle.deriveKey(derivation, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** The algorithm, for one account: what is encrypted for it opens for no other one. */
function algorithm(userId: string, nonce: Uint8Array) {
  return { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(userId) };
}

export async function encryptFor(userId: string, secret: Uint8Array<ArrayBuffer>, pepper: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
  const sealed = await crypto.subtle.encrypt(algorithm(userId, nonce), await keyFrom(pepper), secret);
  return Buffer.concat([nonce, new Uint8Array(sealed)]).toString("base64url");
}

/** Null if it was encrypted for another account or with another pepper. */
export async function decryptFor(
  userId: string,
  sealed: string,
  pepper: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(Buffer.from(sealed, "base64url"));
  const nonce = bytes.slice(0, NONCE_LENGTH);
  const key = await keyFrom(pepper);
  return crypto.subtle.decrypt(algorithm(userId, nonce), key, bytes.slice(NONCE_LENGTH)).then(
    (opened) => new Uint8Array(opened),
    () => null,
  );
}

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(
      crypto.getRandomValues(new Uint8Array(RECOVERY_LENGTH)),
      (byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length],
    ).join(""),
  );
}

export function hashRecoveryCode(userId: string, code: string, pepper: string): string {
  return createHmac("sha256", pepper).update(`recovery:${userId}:${code}`).digest("base64url");
}
