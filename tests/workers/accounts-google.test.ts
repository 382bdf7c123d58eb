import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { RouterContextProvider } from "react-router";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { newMeter } from "#app/db/meter.ts";
import { type GoogleIdentity, GoogleRefused } from "#app/accounts/login/google.ts";
import { signInWithGoogle } from "#app/accounts/login/google-sign-in.server.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { action as leaveForGoogle } from "#app/routes/visitor/google.ts";
import { loader as comeBack } from "#app/routes/visitor/google-callback.ts";
import type { Services } from "#app/request/services.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { isAlive, makeAccount, ORIGIN, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { servicesAt } from "#tests/support/fixtures.ts";
import { createGoogleSignIn } from "#workers/google/google-sign-in.ts";
import { createServices } from "#workers/services.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 30_000 });

const CLIENT = "chuoni-client";
const REDIRECT = `${ORIGIN}/auth/google/callback`;

interface Key {
  pair: CryptoKeyPair;
  kid: string;
}

let ours: Key;
let foreign: Key;

async function makeKey(kid: string): Promise<Key> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  return { kid, pair: (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair };
}

beforeAll(async () => {
  [ours, foreign] = [await makeKey("k1"), await makeKey("k1")];
});

interface Issuer {
  /** Changes to a valid identity token. */
  claims?: Record<string, unknown>;
  signer?: Key;
  unsigned?: boolean;
  /** Replaces the answer to the code. */
  tokenAnswer?: () => Response;
}

let issuers = 0;

/** A fake issuer: discovery, keys, and a token endpoint that checks the code's PKCE challenge. */
function makeGoogle(behaviour: Issuer = {}) {
  issuers += 1;
  const issuer = `https://issuer-${issuers}.example`;
  const codes = new Map<string, { challenge: string; nonce: string }>();
  const asked: string[] = [];

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === "/.well-known/openid-configuration") {
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (pathname === "/keys") {
      const jwk = (await crypto.subtle.exportKey("jwk", ours.pair.publicKey)) as JsonWebKey;
      return Response.json({ keys: [{ ...jwk, kid: ours.kid, alg: "RS256", use: "sig" }] });
    }
    if (behaviour.tokenAnswer) return behaviour.tokenAnswer();
    const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
    const code = codes.get(form.get("code") ?? "");
    const verified =
      code &&
      createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url") === code.challenge;
    if (!verified || form.get("client_secret") !== "secret" || form.get("redirect_uri") !== REDIRECT)
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    codes.delete(form.get("code") ?? "");
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      expires_in: 3600,
      id_token: await identityToken(issuer, code.nonce, behaviour),
    });
  }

  const fetchFromIssuer: typeof fetch = (input, init) => answer(new Request(input, init));
  const google = createGoogleSignIn(
    { clientId: CLIENT, clientSecret: "secret", issuer, redirectUri: REDIRECT },
    { fetch: fetchFromIssuer, now: Date.now },
  );

  /** The person consents at Google and returns with a code. */
  function consent(url: string): URL {
    const request = new URL(url).searchParams;
    codes.set("c0de", { challenge: request.get("code_challenge") ?? "", nonce: request.get("nonce") ?? "" });
    return new URL(
      `${REDIRECT}?${new URLSearchParams({ code: "c0de", state: request.get("state") ?? "" }).toString()}`,
    );
  }
  return { google, consent, asked };
}

async function identityToken(
  issuer: string,
  nonce: string,
  { claims = {}, signer = ours, unsigned }: Issuer,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const payload = {
    iss: issuer,
    aud: CLIENT,
    sub: "g-1",
    email: "Achieng@Gmail.com",
    email_verified: true,
    name: "Achieng Odhiambo",
    nonce,
    iat: now,
    exp: now + 600,
    ...claims,
  };
  const body = `${encode({ alg: unsigned ? "none" : "RS256", kid: signer.kid })}.${encode(payload)}`;
  if (unsigned) return `${body}.`;
  const signature = await crypto.subtle.sign(
    "RSASSA-PKCS1-v1_5",
    signer.pair.privateKey,
    new TextEncoder().encode(body),
  );
  return `${body}.${Buffer.from(signature).toString("base64url")}`;
}

test("a person who consents comes back with the identity that Google signed", async () => {
  const { google, consent, asked } = makeGoogle();
  const { url, pending } = await google.start();
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "openid email profile",
    code_challenge_method: "S256",
  });
  expect(url).not.toContain(pending.codeVerifier);
  expect(await google.finish(consent(url), pending)).toEqual({
    subject: "g-1",
    email: "Achieng@Gmail.com",
    emailVerified: true,
    name: "Achieng Odhiambo",
  });
  expect(asked).toEqual(["/.well-known/openid-configuration", "/token", "/keys"]);
});

const HOUR = 3600;
test.each<[string, Issuer]>([
  [
    "signed by somebody else",
    {
      get signer() {
        return foreign;
      },
    },
  ],
  ["not signed at all", { unsigned: true }],
  ["for another client", { claims: { aud: "another-client" } }],
  ["of another issuer", { claims: { iss: "https://evil.example" } }],
  ["with another nonce", { claims: { nonce: "another" } }],
  ["without a nonce", { claims: { nonce: undefined } }],
  [
    "that is over",
    { claims: { exp: Math.floor(Date.now() / 1000) - HOUR, iat: Math.floor(Date.now() / 1000) - 2 * HOUR } },
  ],
  ["without an address", { claims: { email: undefined } }],
])("an identity token %s signs nobody in", async (_case, behaviour) => {
  const { google, consent } = makeGoogle(behaviour);
  const { url, pending } = await google.start();
  await expect(google.finish(consent(url), pending)).rejects.toBeInstanceOf(GoogleRefused);
});

test.each([
  ["another state", (callback: URL) => callback.searchParams.set("state", "another")],
  ["no state", (callback: URL) => callback.searchParams.delete("state")],
  ["another code", (callback: URL) => callback.searchParams.set("code", "stolen")],
  ["two codes", (callback: URL) => callback.searchParams.append("code", "second")],
])("a return with %s signs nobody in", async (_case, change) => {
  const { google, consent } = makeGoogle();
  const { url, pending } = await google.start();
  const callback = consent(url);
  change(callback);
  await expect(google.finish(callback, pending)).rejects.toBeInstanceOf(GoogleRefused);
});

test("a code is worth nothing without the verifier of the browser that asked for it", async () => {
  const { google, consent } = makeGoogle();
  const { url, pending } = await google.start();
  const other = await google.start();
  await expect(
    google.finish(consent(url), { ...pending, codeVerifier: other.pending.codeVerifier }),
  ).rejects.toBeInstanceOf(GoogleRefused);
});

test("somebody who changes their mind at Google has cancelled", async () => {
  const { google } = makeGoogle();
  const { pending } = await google.start();
  const callback = new URL(`${REDIRECT}?error=access_denied&state=${pending.state}`);
  await expect(google.finish(callback, pending)).rejects.toMatchObject({ name: "GoogleRefused", cancelled: true });
});

test.each([
  ["an error page", () => new Response("<h1>502</h1>", { status: 502, headers: { "Content-Type": "text/html" } })],
  ["something that is no token", () => Response.json({ hello: "world" })],
])("a token endpoint that answers with %s signs nobody in", async (_case, tokenAnswer) => {
  const { google, consent } = makeGoogle({ tokenAnswer });
  const { url, pending } = await google.start();
  await expect(google.finish(consent(url), pending)).rejects.toBeInstanceOf(GoogleRefused);
});

let people = 0;
function somebody(change: Partial<GoogleIdentity> = {}): GoogleIdentity {
  people += 1;
  return {
    subject: `subject-${people}`,
    email: `person-${people}@gmail.com`,
    emailVerified: true,
    name: "Achieng Odhiambo",
    ...change,
  };
}

test("somebody new gets a confirmed account of Google's with a profile to complete, and comes back to the same one", async () => {
  const identity = somebody({ email: "Fresh.Person@Gmail.com" });
  const first = await signInWithGoogle(servicesAt(), identity);
  if (!first.ok) throw new Error(first.code);
  expect(first).toMatchObject({ email: "fresh.person@gmail.com", epoch: 1, profileComplete: false });
  expect(await readRow("profiles", first.userId)).toMatchObject({
    is_google_user: 1,
    full_name: "Achieng Odhiambo",
    campus_location: null,
  });
  expect((await readRow("credentials", first.userId)).email_confirmed_at).not.toBeNull();
  // Google's id stays when the email changes.
  expect(await signInWithGoogle(servicesAt(), { ...identity, email: "renamed@gmail.com" })).toMatchObject({
    ok: true,
    userId: first.userId,
  });
});

test("of two windows that come back at once, both enter the one new account", async () => {
  const identity = somebody();
  const results = await Promise.all([1, 2, 3].map(() => signInWithGoogle(servicesAt(), identity)));
  expect(new Set(results.map((result) => result.ok && result.userId)).size).toBe(1);
  expect(results.every((result) => result.ok)).toBe(true);
});

test("a confirmed account of the same address is linked, and keeps its password, phone and sessions", async () => {
  const account = await makeAccount();
  const cookie = await sessionCookie(account.id);
  const result = await signInWithGoogle(servicesAt(), somebody({ email: account.email.toUpperCase() }));
  expect(result).toMatchObject({ ok: true, userId: account.id, profileComplete: true });
  expect(await isAlive(cookie)).toBe(true);
  expect(await readRow("profiles", account.id)).toMatchObject({ is_google_user: 1, phone: "254722000020" });
  expect(
    await signIn(servicesAt(), { email: account.email, password: PASSWORD, address: null, device: null }),
  ).toMatchObject({ ok: true });
});

test("somebody who registered another's address beforehand loses their way in, and where the payouts would go", async () => {
  const account = await makeAccount({ confirmed: false });
  const earlierSession = await sessionCookie(account.id);
  const result = await signInWithGoogle(servicesAt(), somebody({ email: account.email }));
  expect(result).toMatchObject({ ok: true, userId: account.id, epoch: 2, profileComplete: false });
  expect([await isAlive(earlierSession), await isAlive(await sessionCookie(account.id, 2))]).toEqual([false, true]);
  expect(await signIn(servicesAt(), { email: account.email, password: PASSWORD, address: null, device: null })).toEqual(
    { ok: false, code: "invalid" },
  );
  expect(await readRow("profiles", account.id)).toMatchObject({
    full_name: "Achieng Odhiambo",
    phone: null,
    campus_location: null,
  });
});

test.each([true, false])("an address that Google has not verified opens no account (taken: %j)", async (taken) => {
  const account = await makeAccount();
  const email = taken ? account.email : `unverified-${account.id}@example.com`;
  expect(await signInWithGoogle(servicesAt(), somebody({ email, emailVerified: false }))).toEqual({
    ok: false,
    code: "unverified",
  });
  expect((await readRow("credentials", account.id)).google_subject).toBeNull();
  const { results } = await env.DB.prepare("SELECT id FROM credentials WHERE email = ?").bind(email).all();
  expect(results).toHaveLength(taken ? 1 : 0);
});

test("an address whose account belongs to another Google account is not handed over", async () => {
  const account = await makeAccount();
  await signInWithGoogle(servicesAt(), somebody({ email: account.email }));
  expect(await signInWithGoogle(servicesAt(), somebody({ email: account.email }))).toEqual({
    ok: false,
    code: "taken",
  });
});

test("a suspended account stays shut, linked or not", async () => {
  const account = await makeAccount({ suspended: true });
  const identity = somebody({ email: account.email });
  expect(await signInWithGoogle(servicesAt(), identity)).toEqual({ ok: false, code: "suspended" });
  await env.DB.prepare("UPDATE credentials SET google_subject = ? WHERE id = ?")
    .bind(identity.subject, account.id)
    .run();
  expect(await signInWithGoogle(servicesAt(), identity)).toEqual({ ok: false, code: "suspended" });
});

test("Google login exists only when its id and secret are set, and only then may forms lead there", async () => {
  const occasion = { waitUntil: () => {}, requestId: "test", meter: newMeter() };
  const configured = (change: object) => createServices({ ...env, ...change }, occasion).google !== null;
  expect([
    configured({}),
    configured({ GOOGLE_CLIENT_ID: "id" }),
    configured({ GOOGLE_CLIENT_SECRET: "s" }),
    configured({ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "s" }),
  ]).toEqual([false, false, false, true]);
  const answer = await env.APP.fetch(`${ORIGIN}/api/nothing`);
  expect(answer.headers.get("Content-Security-Policy")).toContain("form-action 'self';");
});

/** The arguments of the routes. The router adds more that they don't read. */
function routeArgs<A>(services: Services, request: Request): A {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(requestContext, { id: "test", nonce: "n", address: "41.90.0.1", publicPage: false, plain: false });
  return { request, context, params: {} } as A;
}

/** Presses the Google button; returns the target and the cookie. */
async function leave(services: Services, to: string): Promise<{ url: string; cookie: string }> {
  const request = new Request(`${ORIGIN}/auth/google`, { method: "POST", body: new URLSearchParams({ to }) });
  const answer = await leaveForGoogle(routeArgs(services, request));
  return { url: answer.headers.get("Location") ?? "", cookie: answer.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
}

async function returnWith(
  services: Services,
  callback: URL,
  cookie: string,
): Promise<{ to: string | null; said: string | undefined; session: string }> {
  const answer = await comeBack(routeArgs(services, new Request(callback, { headers: { Cookie: cookie } })));
  const cookies = answer.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const flash = await services.flash.read(new Request(ORIGIN, { headers: { Cookie: cookies.join("; ") } }));
  return {
    to: answer.headers.get("Location"),
    said: flash?.text,
    session: cookies.find((one) => one.startsWith("session=")) ?? "",
  };
}

test("the button leads to Google, and the way back signs in and goes on to where the person wanted to go", async () => {
  const account = await makeAccount();
  const { google, consent } = makeGoogle({ claims: { email: account.email, sub: `s-${account.id}` } });
  const services = { ...servicesAt(), google };
  const { url, cookie } = await leave(services, "/cart");
  const callback = consent(url);
  // A session that was planted here, or is over, isn't the one that begins.
  const before = await sessionCookie((await makeAccount()).id);
  const arrived = await returnWith(services, callback, `${cookie}; ${before}`);
  expect(arrived).toMatchObject({ to: "/cart", said: "Welcome back!" });
  expect(await isAlive(arrived.session)).toBe(true);
  expect(await isAlive(before)).toBe(false);
  const told = await env.DB.prepare("SELECT COUNT(*) AS n FROM outbox WHERE instr(dedupe_key, ?) = 1")
    .bind(`google_linked:${account.id}:`)
    .first();
  expect(told).toEqual({ n: 1 });
  // The code is used up, the other browser has no cookie, and nobody is led to another site.
  expect(await returnWith(services, callback, cookie)).toMatchObject({
    to: "/auth",
    said: "Authentication failed. Please try again.",
    session: "",
  });
  expect(await returnWith(services, callback, "")).toMatchObject({ to: "/auth", session: "" });
  const toForeignSite = await leave(services, "//evil.example");
  expect(await returnWith(services, consent(toForeignSite.url), toForeignSite.cookie)).toMatchObject({ to: "/home" });
});

test("an account with a second step is asked for it after Google, too, and what the browser carried is used up", async () => {
  const account = await makeAccount();
  await env.DB.prepare(
    `INSERT INTO authenticators (user_id, secret, started_by, confirmed_at, created_at)
      VALUES (?, 'x', 'session', 1, 1)`,
  )
    .bind(account.id)
    .run();
  const { google, consent } = makeGoogle({ claims: { email: account.email, sub: `s-${account.id}` } });
  const services = { ...servicesAt(), google };
  const { url, cookie } = await leave(services, "/cart");
  const back = new Request(consent(url), { headers: { Cookie: cookie } });
  const answer = await comeBack(routeArgs(services, back));
  expect(answer.headers.get("Location")).toBe("/auth/two-step?to=%2Fcart");
  const cookies = new Map(answer.headers.getSetCookie().map((one) => [one.split("=")[0], one]));
  expect([...cookies.keys()].toSorted()).toEqual(["first-step", "google", "session"]);
  for (const name of ["google", "session"]) expect(cookies.get(name)).toMatch(/^\w+=;/);
});

test("somebody new comes back to complete their profile, and somebody who cancelled to the login", async () => {
  const { google, consent } = makeGoogle({
    claims: { email: `new-${crypto.randomUUID()}@gmail.com`, sub: crypto.randomUUID() },
  });
  const services = { ...servicesAt(), google };
  const { url, cookie } = await leave(services, "/cart");
  const arrived = await returnWith(services, consent(url), cookie);
  expect(arrived.to).toMatch(/^\/complete-profile/);
  expect(arrived.said).toBe("Please complete your profile to get started");

  const again = await leave(services, "/cart");
  const refused = new URL(
    `${REDIRECT}?${new URLSearchParams({ error: "access_denied", state: new URL(again.url).searchParams.get("state") ?? "" }).toString()}`,
  );
  expect(await returnWith(services, refused, again.cookie)).toEqual({
    to: "/auth",
    said: "Google login was cancelled.",
    session: "",
  });
});

test("where Google cannot be reached, the login says so", async () => {
  const unreachable = {
    start: () => Promise.reject(new TypeError("network")),
    finish: () => Promise.reject(new TypeError("network")),
  };
  const { url } = await leave({ ...servicesAt(), google: unreachable }, "/cart");
  expect(url).toBe("/auth");
});

test("what the browser carries while it is at Google cannot be changed or made up", async () => {
  const { googleCookie } = servicesAt();
  const pending = { state: "s", nonce: "n", codeVerifier: "v", to: "/cart" };
  const cookie = (await googleCookie.write(pending)).split(";")[0] ?? "";
  const read = (text: string) => googleCookie.read(new Request(ORIGIN, { headers: { Cookie: text } }));
  expect(await read(cookie)).toEqual(pending);
  expect([await read(`${cookie}x`), await read(""), await read("google=eyJzdGF0ZSI6InMifQ==")]).toEqual([
    null,
    null,
    null,
  ]);
});
