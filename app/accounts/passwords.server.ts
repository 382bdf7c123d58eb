import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/**
 * OWASP's scrypt parameters that fit an isolate of 128 MB: N = 2^14, r = 8, p = 5 (16 MB, about 150 ms of CPU). They
 * are stored with each hash, so that they can be raised later while old hashes still verify.
 */
const CURRENT = { N: 16_384, r: 8, p: 5 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Returns a self-describing hash: `scrypt$N$r$p$salt$key`, with salt and key in base64url. `pepper` is a secret that is
 * used together with the salt.
 */
export async function hashPassword(password: string, pepper: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, pepper, salt, CURRENT);
  return ["scrypt", CURRENT.N, CURRENT.r, CURRENT.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Whether `password` matches `stored`. A missing or unreadable hash takes as much time as a wrong password. */
export async function verifyPassword(password: string, pepper: string, stored: string | null): Promise<boolean> {
  const parsed = stored === null ? null : parseHash(stored);
  const against = parsed ?? { params: CURRENT, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
  const key = await derive(password, pepper, against.salt, against.params);
  return timingSafeEqual(key, against.key) && parsed !== null;
}

/** Whether a stored hash was made with other parameters than today's. */
export function isOutdatedHash(stored: string): boolean {
  const params = parseHash(stored)?.params;
  return params !== undefined && (params.N !== CURRENT.N || params.r !== CURRENT.r || params.p !== CURRENT.p);
}

interface Params {
  N: number;
  r: number;
  p: number;
}

function parseHash(stored: string): { params: Params; salt: Buffer; key: Buffer } | null {
  const [scheme, N, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !N || !r || !p || !salt || !key) return null;
  const parsed = {
    params: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64url"),
    key: Buffer.from(key, "base64url"),
  };
  return parsed.key.length === KEY_BYTES ? parsed : null;
}

function derive(password: string, pepper: string, salt: Buffer, params: Params): Promise<Buffer> {
  const secret = createHmac("sha256", pepper).update(password.normalize("NFKC")).digest();
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, KEY_BYTES, { ...params, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
