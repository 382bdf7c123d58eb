import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { completeProfile, readProfilePrefill } from "#app/accounts/profile/complete-profile.server.ts";
import {
  confirmEmail,
  type ConfirmationResult,
  mayAskForConfirmation,
  type ConfirmationVisitor,
  resendConfirmation,
} from "#app/accounts/login/confirmation.server.ts";
import { correctSignUpEmail } from "#app/accounts/login/correct-sign-up-email.server.ts";
import { issueEmailToken } from "#app/accounts/login/email-tokens.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { wholesalerDetails } from "#app/accounts/tables.server.ts";
import type { Services } from "#app/request/services.ts";
import { isAlive, makeAccount, ORIGIN, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { db, servicesAt, settleDeferred } from "#tests/support/fixtures.ts";
import {
  mailTo,
  makeCode,
  pdf,
  signUpAs,
  signUpStudent,
  studentForm,
  tokenMailedTo,
  uniqueEmail,
  wholesalerForm,
} from "#tests/support/sign-up.ts";
import { slowDatabase } from "#tests/support/faults.ts";
import { visit } from "#tests/support/visit.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 60_000 });

const DAY_MS = 24 * 60 * 60_000;

/** An unconfirmed account, and its link's token. */
async function unconfirmed(): Promise<{ id: string; email: string; token: string }> {
  const account = await makeAccount({ confirmed: false });
  const { token, statements } = issueEmailToken(servicesAt(), {
    userId: account.id,
    purpose: "confirmation",
    lifeMs: DAY_MS,
  });
  await write(db, statements);
  return { ...account, token };
}

/** Opens a link on the device that signed up. `later` in ms. */
async function openInSameBrowser(token: string, later = 0): Promise<ConfirmationResult> {
  const owner = await env.DB.prepare("SELECT user_id AS id FROM email_tokens WHERE token_hash = ?")
    .bind(createHash("sha256").update(token).digest("hex"))
    .first<string>("id");
  return confirmEmail(servicesAt(later), token, { ...UNKNOWN_BROWSER, signedUp: owner });
}

/** A browser that doesn't know of any sign-up. */
const UNKNOWN_BROWSER = {
  signedUp: null,
  signedIn: null,
  password: null,
  switches: false,
  address: "41.90.7.7",
  device: null,
} satisfies ConfirmationVisitor;

async function isConfirmed(id: string): Promise<boolean> {
  return (await readRow("credentials", id)).email_confirmed_at !== null;
}

test("the mailed link confirms the address, signs in and is welcomed once", async () => {
  const { userId, email } = await signUpStudent();
  const token = await tokenMailedTo(email);
  const result = await openInSameBrowser(token);
  expect(result).toEqual({ ok: true, userId, email, epoch: 1, profileComplete: true, secondStep: false });
  expect(await isConfirmed(userId)).toBe(true);
  expect(await isAlive(await sessionCookie(userId))).toBe(true);
  servicesAt().drainOutbox();
  await settleDeferred();
  expect((await mailTo(email)).map((mail) => mail.subject)).toEqual([
    expect.stringContaining("Welcome"),
    expect.stringContaining("Confirm"),
  ]);

  expect(await openInSameBrowser(token)).toEqual({ ok: false, code: "used" });
});

test("a sign-up without a phone is complete, and without a campus is not", async () => {
  const { email } = await signUpStudent({ phone: "" });
  expect(await openInSameBrowser(await tokenMailedTo(email))).toMatchObject({ ok: true, profileComplete: true });
  const { id, token } = await unconfirmed();
  await env.DB.prepare("UPDATE profiles SET campus_location = NULL WHERE id = ?").bind(id).run();
  expect(await openInSameBrowser(token)).toMatchObject({ ok: true, profileComplete: false });
});

test("whoever signs up on the way to a screen arrives there with the confirmation", async () => {
  const to = "/product/0a1b2c3d";
  const page = await visit(`/auth?to=${encodeURIComponent(to)}`);
  expect(await page.text()).toContain(`/auth/signup?to=${encodeURIComponent(to)}`);
  const { id, token } = await unconfirmed();
  const pending = await servicesAt().pendingEmail.write({ userId: id, email: "x@campus.test", warnings: [], to });
  const arrived = await visit("/auth/callback", {
    form: { token },
    headers: { Cookie: pending.split(";")[0] ?? "" },
  });
  expect(arrived.headers.get("Location")).toBe(to);
});

test("of ten requests with one link, one signs in", async () => {
  const { id, token } = await unconfirmed();
  const results = await Promise.all(Array.from({ length: 10 }, () => openInSameBrowser(token)));
  expect(results.filter((result) => result.ok)).toMatchObject([{ userId: id }]);
  expect(results.filter((result) => !result.ok)).toEqual(
    Array.from({ length: 9 }, () => ({ ok: false, code: "used" })),
  );
});

describe("a mistyped address", () => {
  const correct = (userId: string, email: string) =>
    correctSignUpEmail(servicesAt(), { userId, email, address: `10.3.${crypto.randomUUID().slice(0, 2)}` });
  const addressOf = async (userId: string) => (await readRow("credentials", userId)).email;

  test("is mended, keeps what was typed, and only the link to the right one works", async () => {
    const { userId, email: mistyped } = await signUpStudent();
    const first = await tokenMailedTo(mistyped);
    const email = uniqueEmail("right");
    expect(await correct(userId, email.toUpperCase())).toEqual({ ok: true, email });
    servicesAt().drainOutbox();
    await settleDeferred();
    expect(await openInSameBrowser(first)).toEqual({ ok: false, code: "used" });
    expect(await readRow("profiles", userId)).toMatchObject({
      email,
      full_name: "Wanjiku Otieno",
      phone: "254712345678",
    });
    expect(await openInSameBrowser(await tokenMailedTo(email))).toMatchObject({ ok: true, userId, email });
    expect(await correct(userId, uniqueEmail())).toEqual({ ok: false, code: "confirmed" });
    expect(await addressOf(userId)).toBe(email);
  });

  test("gets one answer for a free address and for one that has an account, which gets no email", async () => {
    const { userId, email: mistyped } = await signUpStudent();
    const member = await makeAccount();
    expect(await correct(userId, member.email)).toEqual({ ok: true, email: member.email });
    servicesAt().drainOutbox();
    await settleDeferred();
    expect(await mailTo(member.email)).toEqual([]);
    expect(await addressOf(userId)).toBe(mistyped);
    expect(await openInSameBrowser(await tokenMailedTo(mistyped))).toMatchObject({ ok: true, userId });
  });

  test("is mended only by the browser that signed up, and keeps a wrong address in its field", async () => {
    const { userId, email: mistyped } = await signUpStudent();
    const newEmail = uniqueEmail("right");
    const stranger = await visit("/auth/check-email", { form: { newEmail } });
    expect(stranger.status).toBe(403);
    expect(await addressOf(userId)).toBe(mistyped);
    const cookie = await servicesAt().pendingEmail.write({ userId, email: mistyped, warnings: [], to: "/cart" });
    const own = { headers: { Cookie: cookie.split(";")[0] ?? "" } };
    expect((await visit("/auth/check-email", { form: { email: "wanjiku@" } })).status).toBe(400);
    const refused = await visit("/auth/check-email", { form: { newEmail: "wanjiku@" }, ...own });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/value="wanjiku@"/);
    const mended = await visit("/auth/check-email", { form: { newEmail }, ...own });
    expect(mended.headers.get("Location")).toBe("/auth/check-email");
    expect(await addressOf(userId)).toBe(newEmail);
  });

  const entrances: [string, (services: Services, email: string) => Promise<unknown>][] = [
    ["a new link", resendConfirmation],
    ["a new password", sendPasswordReset],
    [
      "Google",
      (services, email) =>
        signInWithIssuer(services, GOOGLE, { subject: crypto.randomUUID(), email, emailVerified: true, name: "Asha" }),
    ],
  ];
  test.each(entrances)(
    "that is mended while its owner asks for %s gives them no right to the other one",
    async (_, ask) => {
      const { userId, email: own } = await signUpStudent();
      const foreign = uniqueEmail("foreign");
      const slow = slowDatabase(env.DB, () => correct(userId, foreign));
      await ask({ ...servicesAt(), db: openDatabase(slow.db) }, own);
      expect(slow.hasWritten()).toBe(true);
      const links = await env.DB.prepare(
        "SELECT dedupe_key FROM outbox WHERE json_extract(payload, '$.to') = ? AND payload LIKE '%tokenId%'",
      )
        .bind(own)
        .all();
      // Only the first one, which is used up.
      expect(links.results).toHaveLength(1);
      expect(await readRow("credentials", userId)).toMatchObject({
        email: foreign,
        email_confirmed_at: null,
        google_subject: null,
      });
    },
  );

  test("keeps the wholesaler's code with the account, whichever of two corrections comes last", async () => {
    const code = await makeCode();
    const signedUp = await signUpAs(wholesalerForm({ wholesalerCode: code }), pdf());
    if (!signedUp.ok) throw new Error("the sign-up was refused");
    const { userId, email: mistyped } = signedUp;
    await Promise.all([correct(userId, uniqueEmail()), correct(userId, uniqueEmail())]);
    const used = await env.DB.prepare("SELECT used_by FROM wholesaler_codes WHERE code = ?")
      .bind(code)
      .first("used_by");
    expect(used).toBe(await addressOf(userId));
    expect(used).not.toBe(mistyped);
  });

  test("is mended five times a day", async () => {
    const { userId } = await signUpStudent();
    for (let each = 0; each < 5; each++) expect(await correct(userId, uniqueEmail())).toMatchObject({ ok: true });
    expect(await correct(userId, uniqueEmail())).toEqual({ ok: false, code: "busy" });
  });
});

test("a link runs out after 24 hours", async () => {
  const { id, token } = await unconfirmed();
  expect(await openInSameBrowser(token, DAY_MS + 1000)).toEqual({ ok: false, code: "expired" });
  expect(await isConfirmed(id)).toBe(false);
  expect(await openInSameBrowser(token, DAY_MS - 60_000)).toMatchObject({ ok: true });
});

test("a link that was tampered with, or is for something else, opens nothing", async () => {
  const { id, token } = await unconfirmed();
  const reset = issueEmailToken(servicesAt(), { userId: id, purpose: "password_reset", lifeMs: DAY_MS });
  await write(db, reset.statements);
  const swapped = token.startsWith("A") ? `B${token.slice(1)}` : `A${token.slice(1)}`;
  for (const bad of [
    "",
    swapped,
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    `${token}\0`,
    "%",
    "' OR 1=1 --",
    reset.token,
    reset.id,
    "x".repeat(100_000),
  ]) {
    expect(await openInSameBrowser(bad)).toEqual({ ok: false, code: "invalid" });
  }
  expect(await isConfirmed(id)).toBe(false);
});

test("neither the tokens' table nor the outbox holds what a link opens with", async () => {
  const { email } = await signUpStudent();
  const token = await tokenMailedTo(email);
  const tables = await Promise.all(
    ["email_tokens", "outbox", "credentials", "rate_counters"].map((table) =>
      env.DB.prepare(`SELECT * FROM ${table}`).all(),
    ),
  );
  expect(JSON.stringify(tables.map(({ results }) => results))).not.toContain(token);
});

test("a suspended account's link opens nothing", async () => {
  const { id, token } = await unconfirmed();
  await env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(id).run();
  expect(await openInSameBrowser(token)).toEqual({ ok: false, code: "invalid" });
});

test("a resent link works beside the first, and confirming ends both", async () => {
  const { userId, email } = await signUpStudent();
  const first = await tokenMailedTo(email);
  await resendConfirmation(servicesAt(), ` ${email.toUpperCase()} `);
  servicesAt().drainOutbox();
  await settleDeferred();
  const second = await tokenMailedTo(email);
  expect(second).not.toBe(first);
  expect(await openInSameBrowser(first)).toMatchObject({ ok: true, userId });
  expect(await openInSameBrowser(second)).toEqual({ ok: false, code: "used" });
});

let callers = 0;
async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  callers += 1;
  return env.APP.fetch(`${ORIGIN}/api/email${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { Origin: ORIGIN, "CF-Connecting-IP": `10.1.${callers >> 8}.${callers & 255}`, ...headers },
  });
}

async function waitingMails(email: string): Promise<number> {
  return (
    (await env.DB.prepare("SELECT COUNT(*) AS n FROM outbox WHERE instr(payload, ?)").bind(email).first<number>("n")) ??
    0
  );
}

test("a resend answers the same for every email, and writes only to unconfirmed accounts", async () => {
  const waiting = await unconfirmed();
  const confirmed = await makeAccount();
  const answers = [];
  for (const email of [waiting.email, confirmed.email, uniqueEmail("nobody")]) {
    const response = await call("/confirmation/resend", { email });
    answers.push([response.status, JSON.stringify(await response.json()).replace(email, "…")]);
  }
  expect(answers).toEqual(
    Array.from({ length: 3 }, () => [
      200,
      JSON.stringify({
        success: true,
        data: { email: "…" },
        message: "Confirmation email has been resent. Please check your inbox.",
      }),
    ]),
  );
  await eventually(async () => expect(await mailTo(waiting.email)).toHaveLength(1));
  expect(await waitingMails(confirmed.email)).toBe(0);
});

test("three resends a quarter of an hour and address, registered or not", async () => {
  for (const email of [(await unconfirmed()).email, uniqueEmail("nobody")]) {
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await call("/confirmation/resend", { email })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await mayAskForConfirmation(servicesAt(16 * 60_000), email, "10.9.9.9")).toBe(true);
  }
});

/**
 * Asks for a link every 16 minutes, `times` times from `from` (ms from now) on, and is always told that it is on its
 * way.
 */
async function askPatiently(email: string, times: number, from = 0): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const services = servicesAt(from + time * 16 * 60_000);
    expect(await mayAskForConfirmation(services, email, "10.9.9.8")).toBe(true);
    await resendConfirmation(services, email);
  }
}

test("nobody is mailed more than ten links a day, however patiently they are asked for", async () => {
  const { email } = await unconfirmed();
  await askPatiently(email, 14);
  expect(await waitingMails(email)).toBe(10);
  await askPatiently(email, 1, DAY_MS - 60_000);
  expect(await waitingMails(email)).toBe(10);
  await askPatiently(email, 1, DAY_MS + 60_000);
  expect(await waitingMails(email)).toBe(11);
});

test("links that were asked for and not sent take none from the person who signs up later", async () => {
  const email = uniqueEmail("later");
  await askPatiently(email, 12);
  await signUpStudent({ email });
  const before = await waitingMails(email);
  await askPatiently(email, 1, 12 * 16 * 60_000);
  expect(await waitingMails(email)).toBe(before + 1);
});

test("a link is mailed only to the address it was issued for, by who holds it, and once", async () => {
  const { email, token } = await unconfirmed();
  const other = await unconfirmed();
  for (const body of [
    { email: other.email, confirmationToken: token },
    { email, confirmationToken: `${token.slice(0, -1)}_` },
  ]) {
    const refused = await call("/confirmation", { ...body, username: "Njeri" });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { success: false, error: "Invalid or expired token" },
    ]);
  }
  for (let n = 0; n < 3; n += 1) {
    const response = await call("/confirmation", { email, confirmationToken: token, username: "Njeri" });
    expect([response.status, await response.json()]).toEqual([
      200,
      { success: true, data: { email }, message: "Confirmation email sent" },
    ]);
  }
  expect(await waitingMails(email)).toBe(1);
  await eventually(async () => expect(await tokenMailedTo(email)).toBe(token));
  expect((await call("/password-reset", { email, resetToken: token })).status).toBe(400);
});

test("a reset link is mailed with its own token", async () => {
  const { id, email } = await makeAccount();
  const { token, statements } = issueEmailToken(servicesAt(), {
    userId: id,
    purpose: "password_reset",
    lifeMs: DAY_MS,
  });
  await write(db, statements);
  expect(await (await call("/password-reset", { email, resetToken: token })).json()).toMatchObject({ success: true });
  await eventually(async () => expect((await mailTo(email))[0]?.links[0]).toContain(`/auth/reset?token=${token}`));
});

test("a welcome goes to the session's own address, once", async () => {
  const { id, email } = await makeAccount();
  const Cookie = await sessionCookie(id);
  expect(await (await call("/welcome", { email, username: "Njeri" })).json()).toEqual({
    success: false,
    error: "User not authenticated",
  });
  expect((await call("/welcome", { email: uniqueEmail(), username: "Njeri" }, { Cookie })).status).toBe(403);
  for (let n = 0; n < 2; n += 1)
    expect((await call("/welcome", { email, username: "Njeri" }, { Cookie })).status).toBe(200);
  expect(await waitingMails(email)).toBe(1);
});

test("logging in makes a profile where it is missing, with the level of the address", async () => {
  const { id, email } = await makeAccount();
  await env.DB.prepare("DELETE FROM profiles WHERE id = ?").bind(id).run();
  await visit("/auth", { form: { email, password: PASSWORD } });
  expect(await readRow("profiles", id)).toMatchObject({ verified_level: "email" });
});

test("completing a profile makes it where it is missing, from what was said at sign-up", async () => {
  const { id, email } = await makeAccount();
  await env.DB.batch([
    env.DB.prepare("DELETE FROM profiles WHERE id = ?").bind(id),
    env.DB.prepare("UPDATE credentials SET metadata = ? WHERE id = ?").bind(
      JSON.stringify({ full_name: "Njeri Mwangi", campus_location: "City Campus" }),
      id,
    ),
  ]);
  expect(await readProfilePrefill(db, id)).toMatchObject({
    values: { fullName: "Njeri Mwangi", phone: "", campusLocation: "City Campus", isSeller: false },
  });
  expect(
    await completeProfile(servicesAt(), id, { fullName: "", phone: "12", campusLocation: "", isSeller: false }),
  ).toEqual({
    ok: false,
    errors: {
      fullName: "Full name is required",
      campusLocation: "Campus location is required",
      phone: "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX",
    },
  });
  expect(
    await completeProfile(servicesAt(), id, {
      fullName: "Njeri",
      phone: "0712345678",
      campusLocation: "city campus",
      isSeller: true,
    }),
  ).toEqual({ ok: true });
  expect(await readRow("profiles", id)).toMatchObject({
    full_name: "Njeri",
    email,
    phone: "254712345678",
    campus_location: "City Campus",
    campus_location_id: 2,
    is_seller: 1,
    onboarding_completed: 1,
    profile_completed_at: expect.any(Number),
  });
  expect(JSON.parse(String((await readRow("credentials", id)).metadata))).toMatchObject({
    full_name: "Njeri",
    phone: "254712345678",
    campus_location: "City Campus",
    is_seller: true,
  });
});

test("completing a profile takes neither selling away from a wholesaler nor a phone that is known", async () => {
  const { id } = await makeAccount();
  await env.DB.prepare("UPDATE profiles SET account_type = 'wholesaler', is_seller = 1, is_pro = 1 WHERE id = ?")
    .bind(id)
    .run();
  await completeProfile(servicesAt(), id, { fullName: "Otieno", phone: "", campusLocation: "Juja", isSeller: false });
  expect(await readRow("profiles", id)).toMatchObject({
    is_seller: 1,
    is_pro: 1,
    account_type: "wholesaler",
    phone: "254722000020",
    campus_location_id: null,
  });
});

/** Submits the link of a sign-up like the callback's page. */
async function follow(
  token: string,
  { form = {}, as = null, cookie = "" }: { form?: Record<string, string>; as?: string | null; cookie?: string } = {},
) {
  const cookies = [as ? await sessionCookie(as) : "", cookie].filter(Boolean).join("; ");
  const response = await visit("/auth/callback", {
    form: { token, ...form },
    headers: { Cookie: cookies, "CF-Connecting-IP": "41.90.8.8" },
  });
  return {
    status: response.status,
    to: response.headers.get("Location"),
    html: response.status < 300 || response.status >= 400 ? await response.text() : "",
  };
}

function cookieIn(response: Response, name: string): string {
  return (
    response.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.split(";")[0] ?? ""
  );
}

test("a link that is opened where nobody signed up asks for the sign-up's password before it confirms anything", async () => {
  const { id, email, token } = await unconfirmed();
  const asked = await follow(token);
  expect([asked.status, asked.to]).toEqual([200, null]);
  expect(asked.html).toContain("One more step");
  expect(asked.html).toContain(`${email[0]}•••@campus.test`);
  expect(asked.html).not.toContain(email);
  for (const password of ["", "wrong-guess", "x".repeat(500)])
    expect((await follow(token, { form: { password } })).to).toBeNull();
  expect(await isConfirmed(id)).toBe(false);
  expect((await follow(token, { form: { password: PASSWORD } })).to).toBe("/home");
  expect(await isConfirmed(id)).toBe(true);
});

test("a cookie of another sign-up opens nothing, and one's own opens at once, from signing up or from the right password at login", async () => {
  const waiting = await unconfirmed();
  const stranger = await visit("/auth/signup", {
    form: { ...studentForm() },
    headers: { "CF-Connecting-IP": "41.90.8.9" },
  });
  expect((await follow(waiting.token, { cookie: cookieIn(stranger, "pending-email") })).html).toContain(
    "One more step",
  );

  const login = await visit("/auth", {
    form: { email: waiting.email, password: PASSWORD },
    headers: { "CF-Connecting-IP": "41.90.8.10" },
  });
  expect(login.status).toBe(401);
  expect((await follow(waiting.token, { cookie: cookieIn(login, "pending-email") })).to).toBe("/home");

  const values = studentForm();
  const signedUp = await visit("/auth/signup", { form: { ...values }, headers: { "CF-Connecting-IP": "41.90.8.11" } });
  expect((await follow(await tokenMailedTo(values.email), { cookie: cookieIn(signedUp, "pending-email") })).to).toBe(
    "/home",
  );
});

test("passwords typed beside a link are counted with those typed at login", async () => {
  const { id, email, token } = await unconfirmed();
  const fromOtherAddress = { ...UNKNOWN_BROWSER, address: "41.90.7.8" };
  for (let n = 0; n < 10; n += 1)
    expect(await confirmEmail(servicesAt(), token, { ...fromOtherAddress, password: "wrong-guess" })).toMatchObject({
      code: "question",
      refused: "invalid",
    });
  expect(await confirmEmail(servicesAt(), token, { ...fromOtherAddress, password: PASSWORD })).toMatchObject({
    code: "question",
    refused: "paused",
  });
  expect(await signIn(servicesAt(), { email, password: PASSWORD, address: "41.90.7.8", device: null })).toEqual({
    ok: false,
    code: "paused",
  });
  expect(await isConfirmed(id)).toBe(false);
});

test("whoever is signed in keeps their session until they say to go on as somebody else", async () => {
  const { id, token } = await unconfirmed();
  const other = await makeAccount();
  const asked = await follow(token, { as: other.id, form: { password: PASSWORD } });
  expect([asked.status, asked.to]).toEqual([200, null]);
  expect(asked.html).toContain(`You&#x27;re logged in as <strong class="verification__email">${other.email}</strong>`);
  expect(await isConfirmed(id)).toBe(false);
  expect((await follow(token, { as: other.id, form: { password: PASSWORD, switches: "yes" } })).to).toBe("/home");
});

test("the address's owner can drop a sign-up they did not make, which frees the address and a code that was used, and nothing else", async () => {
  const code = await makeCode();
  const values = wholesalerForm({ wholesalerCode: code });
  const signedUp = await signUpAs(values, pdf());
  if (!signedUp.ok) throw new Error("the sign-up was refused");
  const token = await tokenMailedTo(values.email);
  expect((await follow(token, { form: { intent: "disown" } })).html).toContain("Sign-up deleted");
  expect((await follow(token, { form: { password: values.password } })).status).toBe(400);
  expect(
    (await signIn(servicesAt(), { email: values.email, password: values.password, address: null, device: null })).ok,
  ).toBe(false);
  expect(await signUpAs({ ...values, password: "my-own-password" }, pdf())).toMatchObject({ ok: true });

  const settled = await unconfirmed();
  await openInSameBrowser(settled.token);
  const late = issueEmailToken(servicesAt(), { userId: settled.id, purpose: "confirmation", lifeMs: DAY_MS });
  await write(db, late.statements);
  expect((await follow(late.token, { form: { intent: "disown" } })).status).toBe(400);
  expect((await readRow("profiles", settled.id)).deleted_at).toBeNull();
});

test("a reset link for an unconfirmed sign-up erases the details that a stranger may have entered", async () => {
  const { userId, email } = await signUpStudent();
  const token = await tokenMailedTo(email);
  expect((await follow(token, { form: { intent: "forgot" } })).html).toContain(
    "We&#x27;ve sent a link to choose a new password",
  );
  await eventually(async () => expect((await mailTo(email))[0]?.links.join(" ")).toContain("/auth/reset?token="));
  expect(await isConfirmed(userId)).toBe(false);
  const reset = await resetPassword(servicesAt(), { token: await tokenMailedTo(email), password: "my-own-password" });
  expect(reset).toMatchObject({ ok: true, userId });
  expect(await readRow("profiles", userId)).toMatchObject({ phone: null });
  expect(await openInSameBrowser(token)).toEqual({ ok: false, code: "used" });
});

const INSTEAD: [string, (email: string) => Promise<unknown>][] = [
  [
    "a new password",
    async (email) => {
      await sendPasswordReset(servicesAt(), email);
      servicesAt().drainOutbox();
      await settleDeferred();
      const token = await tokenMailedTo(email);
      expect(await (await visit(`/auth/reset?token=${token}`)).text()).toContain(
        "This deletes the business of your sign-up",
      );
      return resetPassword(servicesAt(), { token, password: "my-own-password" });
    },
  ],
  [
    "Google",
    (email) =>
      signInWithIssuer(servicesAt(), GOOGLE, {
        subject: crypto.randomUUID(),
        email,
        emailVerified: true,
        name: "Asha",
      }),
  ],
];
test.each(INSTEAD)(
  "an owner who gets in by %s finds no business of whoever signed up with their email, and the code is free again",
  async (_, enter) => {
    const code = await makeCode();
    const signedUp = await signUpAs(wholesalerForm({ wholesalerCode: code }), pdf());
    if (!signedUp.ok) throw new Error("the sign-up was refused");
    const { userId, email } = signedUp;
    expect(await enter(email)).toMatchObject({ ok: true, userId, profileComplete: false });
    expect(await db.$count(wholesalerDetails, eq(wholesalerDetails.userId, userId))).toBe(0);
    expect(await readRow("profiles", userId)).toMatchObject({ account_type: "student", is_seller: 0 });
    expect(await signUpAs(wholesalerForm({ wholesalerCode: code }), pdf())).toMatchObject({ ok: true });
  },
);
