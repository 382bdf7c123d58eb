/** What WebAuthn asks of a server that trusts any authenticator (attestation "none"): W3C WebAuthn, 7.1 and 7.2. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { z } from "zod";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How long somebody may take at their authenticator, ms. */
const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;

const bytes = z
  .string()
  .max(4000)
  .regex(/^[\w-]+$/);

/** What the browser sends of a new passkey, with everything in base64url. */
export const newPasskey = z.object({ id: bytes, clientData: bytes, authenticatorData: bytes, publicKey: bytes });
export type NewPasskey = z.infer<typeof newPasskey>;

/** What the browser sends when a passkey was used. */
export const usedPasskey = z.object({ id: bytes, clientData: bytes, authenticatorData: bytes, signature: bytes });
export type UsedPasskey = z.infer<typeof usedPasskey>;

/** Where a passkey belongs. */
export interface PasskeySite {
  origin: string;
  passwordPepper: string;
}

type Purpose = "webauthn.create" | "webauthn.get";

function macOf(pepper: string, userId: string, purpose: Purpose, issued: string): string {
  return createHmac("sha256", pepper).update(`passkey:${purpose}:${userId}:${issued}`).digest("base64url");
}

/**
 * A challenge for one account and purpose, as base64url. It says itself when it was issued, so nothing has to be
 * stored.
 */
export function newChallenge({ passwordPepper }: PasskeySite, userId: string, purpose: Purpose, now: number): string {
  const issued = `${now}.${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url")}`;
  return Buffer.from(`${issued}.${macOf(passwordPepper, userId, purpose, issued)}`).toString("base64url");
}

/**
 * When the answer's challenge was issued, in ms; null if it isn't ours, is too old, or the answer is for another site.
 */
function issuedAt(
  site: PasskeySite,
  userId: string,
  purpose: Purpose,
  answer: { clientData: string; authenticatorData: string },
  now: number,
): number | null {
  const client = clientDataOf(answer.clientData);
  if (client?.type !== purpose || client.origin !== site.origin) return null;
  const authenticator = Buffer.from(answer.authenticatorData, "base64url");
  const isForUs = authenticator.subarray(0, 32).equals(sha256(new URL(site.origin).hostname));
  if (authenticator.length < 37 || !isForUs || !hasFlag(authenticator, "userPresent")) return null;
  if (hasFlag(authenticator, "backedUp") && !hasFlag(authenticator, "backupEligible")) return null;
  const [at = "", nonce = "", mac = ""] = Buffer.from(client.challenge, "base64url").toString().split(".");
  const expected = Buffer.from(macOf(site.passwordPepper, userId, purpose, `${at}.${nonce}`));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return now < Number(at) + CHALLENGE_LIFE_MS ? Number(at) : null;
}

/** The bits of the byte behind the hash of the site: WebAuthn, 6.1. */
const FLAGS = { userPresent: 0x01, backupEligible: 0x08, backedUp: 0x10, attestedData: 0x40 } as const;

function hasFlag(authenticator: Buffer, flag: keyof typeof FLAGS): boolean {
  return ((authenticator[32] ?? 0) & FLAGS[flag]) !== 0;
}

const clientDataSchema = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  // We are in no frame of another site.
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
});

function clientDataOf(encoded: string): z.infer<typeof clientDataSchema> | null {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(encoded, "base64url").toString()));
  } catch {
    return null;
  }
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

function signCountOf(authenticatorData: string): number {
  return Buffer.from(authenticatorData, "base64url").readUInt32BE(33);
}

/** The count of a new passkey, if it answers our challenge and its key is one that we can check. Null otherwise. */
export function checkNewPasskey(
  site: PasskeySite,
  userId: string,
  passkey: NewPasskey,
  now: number,
): { signCount: number } | null {
  if (issuedAt(site, userId, "webauthn.create", passkey, now) === null) return null;
  const authenticator = Buffer.from(passkey.authenticatorData, "base64url");
  const idLength = authenticator.length > 55 ? authenticator.readUInt16BE(53) : 0;
  const id = authenticator.subarray(55, 55 + idLength);
  // Letters at the end of base64url may differ in bits that mean nothing, so the bytes are written anew.
  const isNamed = hasFlag(authenticator, "attestedData") && id.length > 0 && id.toString("base64url") === passkey.id;
  return isNamed && keyOf(passkey.publicKey) ? { signCount: signCountOf(passkey.authenticatorData) } : null;
}

/** The kinds that the browser is asked for (passkey-browser.ts): ES256, RS256 and Ed25519. Null for any other key. */
function keyOf(publicKey: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64url"), format: "der", type: "spki" });
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isKnown =
      (key.asymmetricKeyType === "ec" && namedCurve === "prime256v1") ||
      (key.asymmetricKeyType === "rsa" && modulusLength >= 2048) ||
      key.asymmetricKeyType === "ed25519";
    return isKnown ? key : null;
  } catch {
    return null;
  }
}

/**
 * When the challenge was issued that a stored passkey has signed, and its new count. Null if the answer is not to be
 * trusted.
 */
export function checkUsedPasskey(
  site: PasskeySite,
  userId: string,
  used: UsedPasskey,
  stored: { publicKey: string; signCount: number },
  now: number,
): { issuedAt: number; signCount: number } | null {
  const issued = issuedAt(site, userId, "webauthn.get", used, now);
  const key = keyOf(stored.publicKey);
  if (issued === null || !key) return null;
  const signed = Buffer.concat([
    Buffer.from(used.authenticatorData, "base64url"),
    sha256(Buffer.from(used.clientData, "base64url")),
  ]);
  const algorithm = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  if (!verify(algorithm, signed, key, Buffer.from(used.signature, "base64url"))) return null;
  const signCount = signCountOf(used.authenticatorData);
  // A count that stands still means that somebody has copied the authenticator.
  const isCopy = (signCount > 0 || stored.signCount > 0) && signCount <= stored.signCount;
  return isCopy ? null : { issuedAt: issued, signCount };
}
