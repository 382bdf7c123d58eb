/** The other ends of Web Push: how a push service knows its sender, and how a browser reads what it gets. */
import { z } from "zod";

/** A browser's own keys, as JSON keeps them. */
export interface BrowserKeys {
  privateKey: JsonWebKey;
  /** The public key and the secret that the sender is told, as base64url. */
  p256dh: string;
  auth: string;
}

const CURVE = { name: "ECDH", namedCurve: "P-256" };
/** RFC 8188: the salt, the size of a record, and the length of the key's id, which here is the sender's public key. */
const SALT = 16;
const HEADER = 21;

export async function newBrowserKeys(): Promise<BrowserKeys> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair;
  return {
    privateKey: (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey,
    p256dh: base64url(new Uint8Array((await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer)),
    auth: base64url(crypto.getRandomValues(new Uint8Array(16))),
  };
}

/** Decrypts a message of one record, as RFC 8291 says. Throws if it wasn't encrypted for these keys. */
export async function readMessage(body: Uint8Array<ArrayBuffer>, keys: BrowserKeys): Promise<string> {
  const senderEnd = HEADER + (body[HEADER - 1] ?? 0);
  const [salt, sender] = [body.slice(0, SALT), body.slice(HEADER, senderEnd)];
  const own = await crypto.subtle.importKey("jwk", keys.privateKey, CURVE, false, ["deriveBits"]);
  const secret = await crypto.subtle.deriveBits(
    { name: "ECDH", public: await crypto.subtle.importKey("raw", sender, CURVE, false, []) },
    own,
    256,
  );
  const info = [...bytesOf("WebPush: info\0"), ...bytesFrom(keys.p256dh), ...sender];
  const keying = await derive(secret, bytesFrom(keys.auth), new Uint8Array(info), 32);
  const key = await derive(keying, salt, bytesOf("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await derive(keying, salt, bytesOf("Content-Encoding: nonce\0"), 12);
  const padded = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: nonce },
    await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]),
    body.slice(senderEnd),
  );
  // A byte 2 ends the last record, and zeros may follow.
  const text = new Uint8Array(padded);
  const end = text.findLastIndex((byte) => byte !== 0);
  if (text[end] !== 2) throw new Error("the last record has no end");
  return new TextDecoder().decode(text.slice(0, end));
}

async function derive(
  from: ArrayBuffer,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey("raw", from, "HKDF", false, ["deriveBits"]);
  return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, length * 8);
}

const claimsSchema = z.object({ aud: z.string(), exp: z.number(), sub: z.string().optional() });
/** RFC 8292: a token is valid for a day at most. */
const MAX_LIFE_S = 24 * 60 * 60;

/** Whether an Authorization header is signed by this public key for this push service (RFC 8292). `now` in ms. */
export async function isVapid(
  header: string | undefined,
  expected: { publicKey: string; origin: string; now: number },
): Promise<boolean> {
  const [, token, publicKey] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token?.split(".") ?? [];
  if (publicKey !== expected.publicKey) return false;
  const key = await crypto.subtle.importKey(
    "raw",
    bytesFrom(publicKey),
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["verify"],
  );
  const isSigned = await crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    key,
    bytesFrom(signature),
    bytesOf(`${head}.${claims}`),
  );
  if (!isSigned) return false;
  const { aud, exp } = claimsSchema.parse(JSON.parse(new TextDecoder().decode(bytesFrom(claims))));
  const now = expected.now / 1000;
  return aud === expected.origin && exp > now && exp <= now + MAX_LIFE_S;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function bytesFrom(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
