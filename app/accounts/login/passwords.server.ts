import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { PASSWORD_COST } from "./password-cost.ts";

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Returns a self-describing hash: `scrypt$N$r$p$salt$key`, with salt and key in base64url. `pepper` is a secret that is
 * used together with the salt.
 */
export async function hashPassword(password: string, pepper: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, pepper, salt, PASSWORD_COST);
  return [
    "scrypt",
    PASSWORD_COST.N,
    PASSWORD_COST.r,
    PASSWORD_COST.p,
    salt.toString("base64url"),
    key.toString("base64url"),
  ].join("$");
}

/** Whether `password` matches `stored`. A missing or unreadable hash takes as much time as a wrong password. */
export async function verifyPassword(password: string, pepper: string, stored: string | null): Promise<boolean> {
  const parsed = stored === null ? null : parseHash(stored);
  const against = parsed ?? { params: PASSWORD_COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
  const key = await derive(password, pepper, against.salt, against.params);
  return timingSafeEqual(key, against.key) && parsed !== null;
}

/** Whether a stored hash was made with other parameters than today's. */
export function isOutdatedHash(stored: string): boolean {
  const params = parseHash(stored)?.params;
  return (
    params !== undefined &&
    (params.N !== PASSWORD_COST.N || params.r !== PASSWORD_COST.r || params.p !== PASSWORD_COST.p)
  );
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
