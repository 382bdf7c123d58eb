/**
 * A pretend university that logs people in (OpenID Connect): its discovery document, keys and tokens. The person types
 * any address on its page, /sandbox/university. What its page decided is in the code, so nothing is kept.
 */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import type { SandboxEnv } from "./env.ts";

/** Only a service binding can use this host. */
export const UNIVERSITY_HOST = "university.sandbox.internal";
const ISSUER = `https://${UNIVERSITY_HOST}`;
const KEY_ID = "sandbox";
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const TOKEN_SECONDS = 300;

/** What an app asks for, as far as the pretend university needs it. */
export const askedSchema = z.object({
  client_id: z.string().min(1),
  redirect_uri: z.url(),
  state: z.string().min(1),
  nonce: z.string().min(1),
  code_challenge: z.string().min(1),
});
export type Asked = z.infer<typeof askedSchema>;

const codeSchema = z.object({ client: z.string(), nonce: z.string(), challenge: z.string(), email: z.string() });

/** Where the browser goes with a code for somebody, or without one. */
export function returnAddress(asked: Asked, email: string | null): string {
  const url = new URL(asked.redirect_uri);
  const { client_id: client, nonce, code_challenge: challenge, state } = asked;
  const code = Buffer.from(JSON.stringify({ client, nonce, challenge, email })).toString("base64url");
  const answer = email === null ? { error: "access_denied", state } : { code, state };
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url.href;
}

let keys: Promise<CryptoKeyPair> | undefined;

function ownKeys(): Promise<CryptoKeyPair> {
  keys ??= crypto.subtle.generateKey(
    { ...ALGORITHM, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  ) as Promise<CryptoKeyPair>;
  return keys;
}

export const universityRoutes = new Hono<{ Bindings: SandboxEnv }>();

universityRoutes.get("/.well-known/openid-configuration", (c) =>
  c.json({
    issuer: ISSUER,
    authorization_endpoint: `${c.env.APP_ORIGIN}/sandbox/university`,
    token_endpoint: `${ISSUER}/token`,
    jwks_uri: `${ISSUER}/keys`,
    id_token_signing_alg_values_supported: ["RS256"],
  }),
);

universityRoutes.get("/keys", async (c) => {
  const jwk = (await crypto.subtle.exportKey("jwk", (await ownKeys()).publicKey)) as JsonWebKey;
  return c.json({ keys: [{ ...jwk, kid: KEY_ID, alg: "RS256", use: "sig" }] });
});

universityRoutes.post("/token", async (c) => {
  const form = z
    .object({ code: z.string(), code_verifier: z.string() })
    .safeParse(Object.fromEntries(new URLSearchParams(await c.req.text())));
  const code = codeSchema.safeParse(form.success ? parsed(form.data.code) : null);
  const challenge = form.success && createHash("sha256").update(form.data.code_verifier).digest("base64url");
  if (!code.success || code.data.challenge !== challenge) return c.json({ error: "invalid_grant" }, 400);
  const { client, nonce, email } = code.data;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: ISSUER, aud: client, sub: email, email, nonce, iat: now, exp: now + TOKEN_SECONDS };
  return c.json({ access_token: "sandbox", token_type: "Bearer", id_token: await sign(claims) });
});
universityRoutes.all("*", (c) => c.json({ error: "See /.well-known/openid-configuration" }, 404));

function parsed(code: string): unknown {
  try {
    return JSON.parse(Buffer.from(code, "base64url").toString());
  } catch {
    return null;
  }
}

async function sign(claims: object): Promise<string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${encode({ alg: "RS256", kid: KEY_ID })}.${encode(claims)}`;
  const { privateKey } = await ownKeys();
  const signature = await crypto.subtle.sign(ALGORITHM.name, privateKey, new TextEncoder().encode(body));
  return `${body}.${Buffer.from(signature).toString("base64url")}`;
}
