import { eq } from "drizzle-orm";
import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { RouterContextProvider } from "react-router";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { newMeter } from "#app/db/meter.ts";
import { type IssuerIdentity, IssuerRefused, type IssuerSignIn } from "#app/accounts/login/issuer.ts";
import { issuerPath } from "#app/accounts/login/account-rules.ts";
import { isPublicHttps, NO_ISSUER_TEXT, secretName } from "#app/accounts/login/issuer-rules.ts";
import { findIssuer, listIssuers } from "#app/accounts/login/find-issuers.server.ts";
import { LOGIN_TEXTS } from "#app/admin/people/university-rules.ts";
import { addUniversity, removeLogin, removeUniversity, turnLogin } from "#app/admin/people/universities.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { loader as leaveForIssuer } from "#app/routes/visitor/issuer-start.ts";
import { loader as comeBack } from "#app/routes/visitor/issuer-callback.ts";
import type { Services } from "#app/request/services.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { isAlive, makeAccount, ORIGIN, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { db, servicesAt } from "#tests/support/fixtures.ts";
import { createIssuerSignIn } from "#workers/issuers/issuer-sign-in.ts";
import { visit } from "#tests/support/visit.ts";
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

interface Behavior {
  /** Changes to a valid identity token. */
  claims?: Record<string, unknown>;
  signer?: Key;
  /** The key that it publishes. */
  published?: Key;
  unsigned?: boolean;
  /** Replaces the answer to the code. */
  tokenAnswer?: () => Response;
  /** Changes to the discovery document. */
  discovery?: Record<string, unknown>;
  /** The app is a client without a secret. */
  isPublic?: boolean;
  /** What the issuer tells of a person only when it is asked. */
  person?: Record<string, unknown>;
}

let issuers = 0;

/** A fake issuer: discovery, keys, and a token endpoint that checks the code's PKCE challenge. */
function makeGoogle(behavior: Behavior = {}) {
  issuers += 1;
  const issuer = `https://login-${issuers}.uonbi.ac.ke`;
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
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        ...behavior.discovery,
      });
    }
    if (pathname === "/keys") {
      const { pair, kid } = behavior.published ?? ours;
      const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey;
      return Response.json({ keys: [{ ...jwk, kid, alg: "RS256", use: "sig" }] });
    }
    if (pathname === "/person") return Response.json(behavior.person);
    if (behavior.tokenAnswer) return behavior.tokenAnswer();
    const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
    const code = codes.get(form.get("code") ?? "");
    const verified =
      code &&
      createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url") === code.challenge;
    const basic = request.headers.get("Authorization")?.replace(/^Basic /, "");
    const secret = basic === undefined ? form.get("client_secret") : decodeURIComponent(atob(basic)).split(":")[1];
    const wanted = behavior.isPublic ? null : "secret";
    if (!verified || secret !== wanted || form.get("redirect_uri") !== REDIRECT)
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    codes.delete(form.get("code") ?? "");
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      expires_in: 3600,
      id_token: await identityToken(issuer, code.nonce, behavior),
    });
  }

  const fetchFromIssuer: typeof fetch = (input, init) => answer(new Request(input, init));
  const google = createIssuerSignIn(
    { url: issuer, clientId: CLIENT, clientSecret: behavior.isPublic ? null : "secret", redirectUri: REDIRECT },
    { fetch: fetchFromIssuer, now: Date.now, mayAsk: isPublicHttps },
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
  { claims = {}, signer = ours, unsigned }: Behavior,
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
test.each<[string, Behavior]>([
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
  ["of another issuer", { claims: { iss: "https://evil.co.ke" } }],
  ["with another nonce", { claims: { nonce: "another" } }],
  ["without a nonce", { claims: { nonce: undefined } }],
  [
    "that is over",
    { claims: { exp: Math.floor(Date.now() / 1000) - HOUR, iat: Math.floor(Date.now() / 1000) - 2 * HOUR } },
  ],
  ["without an address", { claims: { email: undefined } }],
])("an identity token %s signs nobody in", async (_case, behavior) => {
  const { google, consent } = makeGoogle(behavior);
  const { url, pending } = await google.start();
  await expect(google.finish(consent(url), pending)).rejects.toBeInstanceOf(IssuerRefused);
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
  await expect(google.finish(callback, pending)).rejects.toBeInstanceOf(IssuerRefused);
});

test("a code is worth nothing without the verifier of the browser that asked for it", async () => {
  const { google, consent } = makeGoogle();
  const { url, pending } = await google.start();
  const other = await google.start();
  await expect(
    google.finish(consent(url), { ...pending, codeVerifier: other.pending.codeVerifier }),
  ).rejects.toBeInstanceOf(IssuerRefused);
});

test("somebody who changes their mind at Google has cancelled", async () => {
  const { google } = makeGoogle();
  const { pending } = await google.start();
  const callback = new URL(`${REDIRECT}?error=access_denied&state=${pending.state}`);
  await expect(google.finish(callback, pending)).rejects.toMatchObject({ name: "IssuerRefused", cancelled: true });
});

test.each([
  ["an error page", () => new Response("<h1>502</h1>", { status: 502, headers: { "Content-Type": "text/html" } })],
  ["something that is no token", () => Response.json({ hello: "world" })],
])("a token endpoint that answers with %s signs nobody in", async (_case, tokenAnswer) => {
  const { google, consent } = makeGoogle({ tokenAnswer });
  const { url, pending } = await google.start();
  await expect(google.finish(consent(url), pending)).rejects.toBeInstanceOf(IssuerRefused);
});

test.each<[string, Behavior]>([
  ["a client without a secret", { isPublic: true }],
  // The standard's own way to send the secret, where the issuer names none.
  ["an issuer that takes the secret in a header", { discovery: { token_endpoint_auth_methods_supported: undefined } }],
  [
    "an issuer that tells the address only when it is asked",
    {
      get discovery() {
        return { userinfo_endpoint: "https://people.uonbi.ac.ke/person" };
      },
      claims: { email: undefined, email_verified: undefined },
      person: { sub: "g-1", email: "Achieng@Gmail.com", email_verified: true, name: "Achieng Odhiambo" },
    },
  ],
])("%s identifies people, too", async (_case, behavior) => {
  const { google, consent } = makeGoogle(behavior);
  const { url, pending } = await google.start();
  expect(await google.finish(consent(url), pending)).toMatchObject({ subject: "g-1", email: "Achieng@Gmail.com" });
});

test("an address that is told of somebody else isn't taken", async () => {
  const { google, consent } = makeGoogle({
    discovery: { userinfo_endpoint: "https://people.uonbi.ac.ke/person" },
    claims: { email: undefined },
    person: { sub: "g-2", email: "other@gmail.com" },
  });
  const { url, pending } = await google.start();
  await expect(google.finish(consent(url), pending)).rejects.toBeInstanceOf(IssuerRefused);
});

test("an issuer that changes its keys locks nobody out", async () => {
  const behavior: Behavior = {};
  const { google, consent } = makeGoogle(behavior);
  for (const key of [ours, foreign, { ...foreign, kid: "k2" }]) {
    behavior.signer = key;
    behavior.published = key;
    const { url, pending } = await google.start();
    expect(await google.finish(consent(url), pending)).toMatchObject({ subject: "g-1" });
  }
});

test.each([
  ["authorization_endpoint", "http://login.uonbi.ac.ke/authorize"],
  ["token_endpoint", "https://169.254.169.254/token"],
  ["jwks_uri", "https://keys.internal/keys"],
])("an issuer whose %s is %s is asked nothing there", async (endpoint, address) => {
  const { google, consent, asked } = makeGoogle({ discovery: { [endpoint]: address } });
  const enter = async () => {
    const { url, pending } = await google.start();
    return google.finish(consent(url), pending);
  };
  await expect(enter()).rejects.toThrow(/no authorization endpoint|refused/);
  expect(asked).not.toContain(new URL(address).pathname);
});

test("an issuer whose answer has no end is not read to its end", async () => {
  const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(64 * 1024)) });
  const login = createIssuerSignIn(
    { url: "https://login.long.ac.ke", clientId: CLIENT, clientSecret: null, redirectUri: REDIRECT },
    { fetch: () => Promise.resolve(new Response(endless)), now: Date.now, mayAsk: isPublicHttps },
  );
  await expect(login.start()).rejects.toThrow("too long");
});

let people = 0;
function somebody(change: Partial<IssuerIdentity> = {}): IssuerIdentity {
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
  const first = await signInWithIssuer(servicesAt(), GOOGLE, identity);
  if (!first.ok) throw new Error(first.code);
  expect(first).toMatchObject({ email: "fresh.person@gmail.com", epoch: 1, profileComplete: false });
  expect(await readRow("profiles", first.userId)).toMatchObject({
    is_google_user: 1,
    full_name: "Achieng Odhiambo",
    campus_location: null,
  });
  expect((await readRow("credentials", first.userId)).email_confirmed_at).not.toBeNull();
  // Google's id stays when the email changes.
  expect(await signInWithIssuer(servicesAt(), GOOGLE, { ...identity, email: "renamed@gmail.com" })).toMatchObject({
    ok: true,
    userId: first.userId,
  });
});

test("of two windows that come back at once, both enter the one new account", async () => {
  const identity = somebody();
  const results = await Promise.all([1, 2, 3].map(() => signInWithIssuer(servicesAt(), GOOGLE, identity)));
  expect(new Set(results.map((result) => result.ok && result.userId)).size).toBe(1);
  expect(results.every((result) => result.ok)).toBe(true);
});

test("a confirmed account of the same address is linked, and keeps its password, phone and sessions", async () => {
  const account = await makeAccount();
  const cookie = await sessionCookie(account.id);
  const result = await signInWithIssuer(servicesAt(), GOOGLE, somebody({ email: account.email.toUpperCase() }));
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
  const result = await signInWithIssuer(servicesAt(), GOOGLE, somebody({ email: account.email }));
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
  expect(await signInWithIssuer(servicesAt(), GOOGLE, somebody({ email, emailVerified: false }))).toEqual({
    ok: false,
    code: "unverified",
  });
  expect((await readRow("credentials", account.id)).google_subject).toBeNull();
  const { results } = await env.DB.prepare("SELECT id FROM credentials WHERE email = ?").bind(email).all();
  expect(results).toHaveLength(taken ? 1 : 0);
});

test("an address whose account belongs to another Google account is not handed over", async () => {
  const account = await makeAccount();
  await signInWithIssuer(servicesAt(), GOOGLE, somebody({ email: account.email }));
  expect(await signInWithIssuer(servicesAt(), GOOGLE, somebody({ email: account.email }))).toEqual({
    ok: false,
    code: "taken",
  });
});

test("a suspended account stays shut, linked or not", async () => {
  const account = await makeAccount({ suspended: true });
  const identity = somebody({ email: account.email });
  expect(await signInWithIssuer(servicesAt(), GOOGLE, identity)).toEqual({ ok: false, code: "suspended" });
  await env.DB.prepare("UPDATE credentials SET google_subject = ? WHERE id = ?")
    .bind(identity.subject, account.id)
    .run();
  expect(await signInWithIssuer(servicesAt(), GOOGLE, identity)).toEqual({ ok: false, code: "suspended" });
});

test("Google login exists only when its id and secret are set, and only then may forms lead there", async () => {
  const occasion = { waitUntil: () => {}, requestId: "test", meter: newMeter() };
  const configured = (change: object) => createServices({ ...env, ...change }, occasion).issuers.google !== null;
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
function routeArgs<A>(services: Services, request: Request, issuer: string): A {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(requestContext, { id: "test", nonce: "n", address: "41.90.0.1", publicPage: false, plain: false });
  return { request, context, params: { issuer } } as A;
}

/** Services whose Google is this pretend one. */
function servicesWith(login: IssuerSignIn): Services {
  const services = servicesAt();
  return { ...services, issuers: { ...services.issuers, google: GOOGLE, open: () => login } };
}

/** Presses the button of an issuer; returns the target and the cookie. */
async function leave(services: Services, to: string, issuer = "google"): Promise<{ url: string; cookie: string }> {
  const request = new Request(`${ORIGIN}${issuerPath(issuer, "start")}?to=${encodeURIComponent(to)}`);
  const answer = await leaveForIssuer(routeArgs(services, request, issuer));
  return { url: answer.headers.get("Location") ?? "", cookie: answer.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
}

async function returnWith(
  services: Services,
  callback: URL,
  cookie: string,
  issuer = "google",
): Promise<{ to: string | null; said: string | undefined; session: string }> {
  const answer = await comeBack(routeArgs(services, new Request(callback, { headers: { Cookie: cookie } }), issuer));
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
  const services = servicesWith(google);
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
  const services = servicesWith(google);
  const { url, cookie } = await leave(services, "/cart");
  const back = new Request(consent(url), { headers: { Cookie: cookie } });
  const answer = await comeBack(routeArgs(services, back, "google"));
  expect(answer.headers.get("Location")).toBe("/auth/two-step?to=%2Fcart");
  const cookies = new Map(answer.headers.getSetCookie().map((one) => [one.split("=")[0], one]));
  expect([...cookies.keys()].toSorted()).toEqual(["first-step", "issuer", "session"]);
  for (const name of ["issuer", "session"]) expect(cookies.get(name)).toMatch(/^\w+=;/);
});

test("somebody new comes back to complete their profile, and somebody who cancelled to the login", async () => {
  const { google, consent } = makeGoogle({
    claims: { email: `new-${crypto.randomUUID()}@gmail.com`, sub: crypto.randomUUID() },
  });
  const services = servicesWith(google);
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
  const { url } = await leave(servicesWith(unreachable), "/cart");
  expect(url).toBe("/auth");
});

test("what the browser carries while it is at Google cannot be changed or made up", async () => {
  const { issuerCookie } = servicesAt();
  const pending = { issuer: "google", state: "s", nonce: "n", codeVerifier: "v", to: "/cart" };
  const cookie = (await issuerCookie.write(pending)).split(";")[0] ?? "";
  const read = (text: string) => issuerCookie.read(new Request(ORIGIN, { headers: { Cookie: text } }));
  expect(await read(cookie)).toEqual(pending);
  expect([await read(`${cookie}x`), await read(""), await read("issuer=eyJzdGF0ZSI6InMifQ==")]).toEqual([
    null,
    null,
    null,
  ]);
});

let universities = 0;

/** A university with a login on a campus, as the admins' pages add both. */
async function addUniversityWithLogin() {
  universities += 1;
  const domain = `chuo-${universities}.ac.ke`;
  const { id: campusId } = await oneRow("SELECT id FROM campus_locations WHERE name = 'Main Campus'");
  await env.DB.batch([
    env.DB.prepare("INSERT INTO university_domains (domain, name, created_at) VALUES (?, 'Chuo Kipya', 1)").bind(
      domain,
    ),
    env.DB.prepare(
      "INSERT INTO login_issuers (domain, issuer, client_id, campus_id, is_on, created_at) VALUES (?, ?, ?, ?, 1, 1)",
    ).bind(domain, `https://login.${domain}`, CLIENT, campusId),
  ]);
  const issuer = await findIssuer(servicesAt(), domain);
  if (!issuer) throw new Error("no issuer");
  return issuer;
}

async function oneRow(query: string, ...values: string[]): Promise<Record<string, unknown>> {
  return (
    (await env.DB.prepare(query)
      .bind(...values)
      .first()) ?? {}
  );
}

const fresh = (domain: string) => `person-${crypto.randomUUID()}@${domain}`;

test("a student who logs in by their university is a verified student at once, on its campus", async () => {
  const issuer = await addUniversityWithLogin();
  const email = fresh(`students.${issuer.domain}`);
  // Universities often don't say whether they have verified their own addresses.
  const entered = await signInWithIssuer(servicesAt(), issuer, somebody({ email, emailVerified: null }));
  if (!entered.ok) throw new Error(entered.code);
  expect(await readRow("profiles", entered.userId)).toMatchObject({
    verified_level: "student",
    campus_location: "Main Campus",
    full_name: "Achieng Odhiambo",
    is_google_user: 0,
  });
});

test("an account may be opened by Google and by the university, each by its own id", async () => {
  const issuer = await addUniversityWithLogin();
  const email = fresh(issuer.key);
  const account = await makeAccount({ email });
  const [google, own] = [somebody({ email }), somebody({ email, emailVerified: null })];
  expect(await signInWithIssuer(servicesAt(), GOOGLE, google)).toMatchObject({ ok: true, userId: account.id });
  expect(await signInWithIssuer(servicesAt(), issuer, own)).toMatchObject({ ok: true, userId: account.id });
  expect(await readRow("credentials", account.id)).toMatchObject({
    google_subject: google.subject,
    issuer_subject: `${issuer.key}:${own.subject}`,
  });
  const { results } = await env.DB.prepare("SELECT payload FROM outbox WHERE instr(dedupe_key, ?) = 1")
    .bind(`google_linked:${account.id}:`)
    .all<{ payload: string }>();
  expect(results.map(({ payload }) => /"issuer":"([^"]+)"/.exec(payload)?.[1]).toSorted()).toEqual([
    "Chuo Kipya",
    "Google",
  ]);
});

test("a university opens only what is its own", async () => {
  const issuer = await addUniversityWithLogin();
  const enter = (change: Partial<IssuerIdentity>) =>
    signInWithIssuer(servicesAt(), issuer, somebody({ emailVerified: null, ...change }));
  const elsewhere = await makeAccount();
  for (const email of [elsewhere.email, fresh("gmail.com"), fresh(`not${issuer.key}`), `me@${issuer.key}.evil.co.ke`])
    expect(await enter({ email, emailVerified: true })).toEqual({ ok: false, code: "other_domain" });
  expect(await enter({ email: fresh(issuer.key), emailVerified: false })).toEqual({ ok: false, code: "unverified" });

  // Whose address has left the university isn't opened by it, whatever id it tells.
  const email = fresh(issuer.key);
  const entered = await enter({ email, subject: "leaver" });
  if (!entered.ok) throw new Error(entered.code);
  await env.DB.prepare("UPDATE credentials SET email = ? WHERE id = ?").bind(fresh("gmail.com"), entered.userId).run();
  await write(db, afterVerifiedChanged(idList(entered.userId), Date.now()));
  expect(await enter({ email: fresh(issuer.key), subject: "leaver" })).toEqual({ ok: false, code: "moved" });
  // Another university's id of the same text is another person's.
  const other = await addUniversityWithLogin();
  const second = await signInWithIssuer(
    servicesAt(),
    other,
    somebody({ email: fresh(other.key), subject: "leaver", emailVerified: null }),
  );
  expect(second.ok && second.userId !== entered.userId).toBe(true);
});

test("a university opens no admin's account, and makes no owner", async () => {
  const issuer = await addUniversityWithLogin();
  const [email, listed] = [fresh(issuer.key), fresh(issuer.key)];
  const admin = await makeAccount({ email });
  const identity = somebody({ email, emailVerified: null });
  const enter = (who: IssuerIdentity) => signInWithIssuer({ ...servicesAt(), adminEmails: [listed] }, issuer, who);
  // Also where it was linked before.
  expect(await enter(identity)).toMatchObject({ ok: true, userId: admin.id });
  await env.DB.prepare("UPDATE profiles SET admin_role = 'support' WHERE id = ?").bind(admin.id).run();
  expect(await enter(identity)).toEqual({ ok: false, code: "admin" });
  expect(await enter(somebody({ email, emailVerified: null }))).toEqual({ ok: false, code: "admin" });
  expect(await enter(somebody({ email: listed, emailVerified: null }))).toEqual({ ok: false, code: "admin" });
});

test("a login that is turned off opens nothing, and one that an admin removes forgets whom it knew", async () => {
  const issuer = await addUniversityWithLogin();
  const admin = await makeOwner();
  const email = fresh(issuer.key);
  const entered = await signInWithIssuer(servicesAt(), issuer, somebody({ email, subject: "one" }));
  if (!entered.ok) throw new Error(entered.code);
  expect(await listIssuers(servicesAt())).toContainEqual({ key: issuer.key, name: "Chuo Kipya" });

  expect(await turnLogin(servicesAt(), admin, issuer.key, false)).toEqual({ ok: true });
  expect(await turnLogin(servicesAt(), admin, issuer.key, false)).toEqual({ ok: false, code: "stale" });
  expect(await listIssuers(servicesAt())).not.toContainEqual({ key: issuer.key, name: "Chuo Kipya" });
  const { cookie } = await leave(servicesAt(), "/cart", issuer.key);
  expect(await returnWith(servicesAt(), new URL(REDIRECT), cookie, issuer.key)).toMatchObject({ said: NO_ISSUER_TEXT });

  expect(await removeUniversity(servicesAt(), admin, issuer.key)).toEqual({ ok: false, code: "has_login" });
  expect(await removeLogin(servicesAt(), admin, issuer.key)).toEqual({ ok: true });
  expect(await removeLogin(servicesAt(), admin, issuer.key)).toEqual({ ok: false, code: "stale" });
  expect((await readRow("credentials", entered.userId)).issuer_subject).toBeNull();
  expect(await removeUniversity(servicesAt(), admin, issuer.key)).toEqual({ ok: true });
});

test("a return from another issuer than the browser went to opens nothing", async () => {
  const issuer = await addUniversityWithLogin();
  const { google, consent } = makeGoogle({ claims: { email: fresh(issuer.key) } });
  const services = servicesWith(google);
  const { url, cookie } = await leave(services, "/cart", issuer.key);
  expect(await returnWith(services, consent(url), cookie, "google")).toMatchObject({
    said: "Authentication failed. Please try again.",
    session: "",
  });
});

test("an owner adds a login by its form, which refuses an issuer that can't be read", async () => {
  universities += 1;
  const domain = `chuo-${universities}.ac.ke`;
  const [owner, other] = [await makeOwner(), await makeOwner()];
  await addUniversity(servicesAt(), owner, { domain, name: "Chuo Kipya" });
  const send = async (form: Record<string, string>) => {
    const answer = await visit("/admin/universities", {
      as: owner.id,
      form: { intent: "add-login", subject: `add-login:${domain}`, id: domain, clientId: CLIENT, campus: "", ...form },
    });
    return [answer.status, await answer.text()] as const;
  };
  for (const issuer of [
    "http://login.uonbi.ac.ke",
    "https://localhost",
    "https://10.0.0.1",
    "https://a.ac.ke/?x=1",
    "",
  ])
    expect(await send({ issuer })).toEqual([400, expect.stringContaining(LOGIN_TEXTS.issuer)]);
  expect(await send({ issuer: "https://nobody.sandbox.co.ke" })).toEqual([
    400,
    expect.stringContaining("read this issuer"),
  ]);
  const issuer = "https://university.sandbox.internal";
  expect((await send({ issuer, campus: "999999" }))[0]).toBe(302);
  expect(await findIssuer(servicesAt(), domain)).toBeNull();
  expect((await send({ issuer: `${issuer}/.well-known/openid-configuration` }))[0]).toBe(302);
  expect(await findIssuer(servicesAt(), domain)).toMatchObject({ url: issuer, clientId: CLIENT, domain, campus: null });
  // The other owners learn who opens accounts from now on, and who let them.
  const toldOf = async (userId: string) =>
    (await db.select().from(notifications).where(eq(notifications.userId, userId)))
      .filter(({ kind }) => kind === "login_added")
      .map(({ data }) => data);
  expect(await toldOf(other.id)).toEqual([expect.objectContaining({ domain, issuer })]);
  expect(await toldOf(owner.id)).toEqual([]);
  expect(await send({ issuer })).toEqual([409, expect.stringContaining(LOGIN_TEXTS.listed)]);
  const page = await (await visit(`/admin/universities?q=${domain}`, { as: owner.id })).text();
  expect(page).toContain(`/auth/${domain}/callback`);
  expect(page).toContain(`set ${secretName(domain)}`);
  expect(await (await visit("/auth")).text()).toContain(`href="/auth/${domain}/start"`);
});

async function makeOwner(): Promise<{ id: string; email: string }> {
  const { id, email } = await makeAccount();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(id).run();
  return { id, email };
}
