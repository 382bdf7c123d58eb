import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readProfilePrefill } from "#app/accounts/profile/complete-profile.server.ts";
import { storeDocument } from "#app/accounts/trust/documents.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { maskEmail } from "#app/accounts/login/sign-up-rules.ts";
import {
  findReset,
  mayAskForReset,
  resetPassword,
  sendPasswordReset,
} from "#app/accounts/login/password-reset.server.ts";
import { RESET_LINK_LIFE_MS } from "#app/accounts/login/account-rules.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { endedSessions } from "#app/accounts/tables.server.ts";
import { pushSubscriptions } from "#app/notifications/tables.server.ts";
import { saveSubscription } from "#app/notifications/push/push-subscriptions.server.ts";
import { type Account, isAlive, makeAccount, ORIGIN, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { db, servicesAt } from "#tests/support/fixtures.ts";
import { signUpStudent } from "#tests/support/sign-up.ts";
import { visit } from "#tests/support/visit.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 30_000 });

const NEW_PASSWORD = "a-new-password";

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM outbox").run();
});

/** The queued emails, newest last. */
async function waitingMails(): Promise<{ to: string; template: string; data: { name: string; tokenId: string } }[]> {
  const { results } = await env.DB.prepare("SELECT payload FROM outbox ORDER BY created_at").all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as Awaited<ReturnType<typeof waitingMails>>[number]);
}

async function linkFor(account: Account): Promise<string> {
  await sendPasswordReset(servicesAt(), account.email);
  const [mail] = (await waitingMails()).filter(
    ({ to, template }) => to === account.email && template === "password_reset",
  );
  if (!mail) throw new Error("no mail");
  return emailTokenOf(env.PASSWORD_PEPPER, mail.data.tokenId);
}

function trySignIn(account: Account, password: string) {
  return signIn(servicesAt(), { email: account.email, password, address: "41.90.0.1", device: null });
}

test("the link by mail sets a new password, ends every session and signs in", async () => {
  const account = await makeAccount();
  const before = await sessionCookie(account.id);
  const token = await linkFor(account);
  const result = await resetPassword(servicesAt(), { token, password: NEW_PASSWORD });
  const { id: userId, email } = account;
  expect(result).toEqual({ ok: true, userId, email, epoch: 2, profileComplete: true, secondStep: false });
  expect([await isAlive(before), await isAlive(await sessionCookie(account.id, 2))]).toEqual([false, true]);
  expect(await trySignIn(account, NEW_PASSWORD)).toMatchObject({ ok: true });
  expect(await trySignIn(account, "campus-demo")).toEqual({ ok: false, code: "invalid" });
});

test("looking at a link never spends it; using it does, and every other link of the account with it", async () => {
  const account = await makeAccount();
  const first = await linkFor(account);
  await env.DB.prepare("DELETE FROM outbox").run();
  const second = await linkFor(account);
  for (let look = 0; look < 3; look += 1)
    expect(await findReset(servicesAt(), first)).toMatchObject({ userId: account.id, email: maskEmail(account.email) });
  expect((await resetPassword(servicesAt(), { token: second, password: NEW_PASSWORD })).ok).toBe(true);
  const answers = [await findReset(servicesAt(), first), await findReset(servicesAt(), second)];
  expect(answers.map((answer) => answer.ok)).toEqual([false, false]);
  expect(await resetPassword(servicesAt(), { token: first, password: "another-one" })).toMatchObject({ ok: false });
});

test("of several requests with one link at once, one wins", async () => {
  const account = await makeAccount();
  const token = await linkFor(account);
  const passwords = ["first-password", "second-password", "third-password"];
  const results = await Promise.all(passwords.map((password) => resetPassword(servicesAt(), { token, password })));
  const winner = results.findIndex((result) => result.ok);
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  for (const [n, password] of passwords.entries()) expect((await trySignIn(account, password)).ok).toBe(n === winner);
});

test("a link works for an hour and no longer", async () => {
  const account = await makeAccount();
  const token = await linkFor(account);
  expect(await findReset(servicesAt(RESET_LINK_LIFE_MS - 60_000), token)).toMatchObject({ ok: true });
  expect(await findReset(servicesAt(RESET_LINK_LIFE_MS + 1), token)).toEqual({ ok: false, code: "expired" });
  expect(await resetPassword(servicesAt(RESET_LINK_LIFE_MS + 1), { token, password: NEW_PASSWORD })).toEqual({
    ok: false,
    code: "expired",
  });
});

test("a link that was changed or made up opens nothing", async () => {
  const token = await linkFor(await makeAccount());
  const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
  for (const wrong of [changed, "", token.slice(1), `${token}A`, "' OR 1=1 --", "x".repeat(5_000)]) {
    expect(await resetPassword(servicesAt(), { token: wrong, password: NEW_PASSWORD })).toEqual({
      ok: false,
      code: "invalid",
    });
  }
});

test("nobody gets mail but those who have an account that may sign in, and the database holds no token", async () => {
  const [account, suspended] = [await makeAccount(), await makeAccount({ suspended: true })];
  for (const email of [account.email.toUpperCase(), suspended.email, "nobody@campus.test"])
    await sendPasswordReset(servicesAt(), email);
  const mails = await waitingMails();
  expect(mails).toMatchObject([{ to: account.email, template: "password_reset" }]);
  const token = emailTokenOf(env.PASSWORD_PEPPER, mails[0]?.data.tokenId ?? "");
  const { results } = await env.DB.prepare("SELECT * FROM email_tokens").all();
  expect(JSON.stringify([results, mails])).not.toContain(token);
});

test("one address is sent three mails an hour, whoever asks", async () => {
  const account = await makeAccount();
  for (let time = 0; time < 6; time += 1) await sendPasswordReset(servicesAt(), account.email);
  expect(await waitingMails()).toHaveLength(3);
  await sendPasswordReset(servicesAt(60 * 60_000 + 1), account.email);
  expect(await waitingMails()).toHaveLength(4);
});

test("one network may ask three hundred times an hour, and others aren't affected", async () => {
  const asked = await Promise.all(Array.from({ length: 302 }, () => mayAskForReset(servicesAt(), "203.0.113.1")));
  expect(asked.filter(Boolean)).toHaveLength(300);
  expect(await mayAskForReset(servicesAt(), "203.0.113.2")).toBe(true);
});

test("following the link confirms the address, and leaves nothing of whoever signed up with it: no name, no phone, no paper", async () => {
  const { userId, email } = await signUpStudent({ fullName: "Somebody Else" });
  const { documentId, key } = await storeDocument(servicesAt(), userId, {
    documentType: "student_id",
    fileName: "id.pdf",
    kind: "pdf",
    bytes: new TextEncoder().encode("%PDF-1.7"),
  });
  const result = await resetPassword(servicesAt(), {
    token: await linkFor({ id: userId, email }),
    password: NEW_PASSWORD,
  });
  expect(result).toMatchObject({ ok: true, profileComplete: false });
  expect((await readRow("credentials", userId)).email_confirmed_at).not.toBeNull();
  expect(await readRow("profiles", userId)).toMatchObject({
    full_name: "",
    phone: null,
    campus_location: null,
    campus_location_id: null,
  });
  expect((await readProfilePrefill(db, userId)).values).toEqual({
    fullName: "",
    phone: "",
    campusLocation: "",
    isSeller: false,
  });
  expect(
    (await visit(`/documents/${documentId}`, { headers: { Cookie: await sessionCookie(userId, 2) } })).status,
  ).toBe(404);
  const kept = await env.DB.prepare("SELECT attached_at FROM uploads WHERE key = ?").bind(key).first();
  expect(kept).toEqual({ attached_at: null });
});

test("where the address was confirmed before, everything stays", async () => {
  const account = await makeAccount({ name: "Njeri Mwangi" });
  const { documentId } = await storeDocument(servicesAt(), account.id, {
    documentType: "student_id",
    fileName: "id.pdf",
    kind: "pdf",
    bytes: new TextEncoder().encode("%PDF-1.7"),
  });
  await resetPassword(servicesAt(), { token: await linkFor(account), password: NEW_PASSWORD });
  expect(await readRow("profiles", account.id)).toMatchObject({
    full_name: "Njeri Mwangi",
    phone: "254722000020",
    campus_location: "Main Campus",
  });
  expect(
    (await visit(`/documents/${documentId}`, { headers: { Cookie: await sessionCookie(account.id, 2) } })).status,
  ).toBe(200);
});

test("an account that signs in with Google gets its first password the same way and keeps its phone", async () => {
  const account = await makeAccount({ password: null });
  await resetPassword(servicesAt(), { token: await linkFor(account), password: NEW_PASSWORD });
  expect(await trySignIn(account, NEW_PASSWORD)).toMatchObject({ ok: true });
  expect((await readRow("profiles", account.id)).phone).toBe("254722000020");
});

test("somebody who is logged in is asked before a reset link logs them in as somebody else", async () => {
  const [owner, other] = [await makeAccount(), await makeAccount()];
  const token = await linkFor(owner);
  const page = await (await visit(`/auth/reset?token=${token}`, { as: other.id })).text();
  expect(page).toContain(other.email);
  expect(page).toContain("Stay Logged In");

  const form = { token, password: NEW_PASSWORD };
  const withoutConsent = await visit("/auth/reset", { as: other.id, form });
  expect([withoutConsent.status, withoutConsent.headers.getSetCookie()]).toEqual([409, []]);
  expect(await trySignIn(owner, NEW_PASSWORD)).toEqual({ ok: false, code: "invalid" });

  const asked = await visit("/auth/reset", { as: other.id, form: { ...form, switches: "yes" } });
  expect(asked.headers.get("Location")).toBe("/home");
  expect(await trySignIn(owner, NEW_PASSWORD)).toMatchObject({ ok: true });
  const own = await visit(`/auth/reset?token=${await linkFor(other)}`, { as: other.id });
  expect(await own.text()).not.toContain("Stay Logged In");
});

/** A browser in which somebody is logged in and gets notifications. */
async function openBrowserOf({ id }: Account) {
  const Cookie = await sessionCookie(id);
  const read = await servicesAt().sessions.read(new Request(ORIGIN, { headers: { Cookie } }));
  if (!read) throw new Error("no session");
  const browser = { endpoint: `https://push.test/${id}`, p256dh: "p", auth: "a" };
  await saveSubscription(servicesAt(), { ...read.identity, endsAt: Date.now() + 60_000 }, browser, "Phone");
  return { Cookie, sessionId: read.identity.id };
}

test.each([
  ["has", true, "/auth/two-step"],
  ["doesn't have", false, "/home"],
])(
  "whoever was logged in on a browser is told nothing more there once somebody who %s a second step logs in",
  async (_, hasSecondStep, to) => {
    const [owner, other] = [await makeAccount(), await makeAccount()];
    if (hasSecondStep)
      await env.DB.prepare(
        `INSERT INTO authenticators (user_id, secret, started_by, confirmed_at, created_at)
          VALUES (?, 'x', 'session', 1, 1)`,
      )
        .bind(owner.id)
        .run();
    const { Cookie, sessionId } = await openBrowserOf(other);
    const form = { token: await linkFor(owner), password: NEW_PASSWORD, switches: "yes" };
    const asked = await visit("/auth/reset", { headers: { Cookie }, form });
    expect(asked.headers.get("Location")).toBe(to);
    expect(await db.$count(pushSubscriptions, eq(pushSubscriptions.userId, other.id))).toBe(0);
    expect(await db.$count(endedSessions, eq(endedSessions.id, sessionId))).toBe(1);
  },
);

test("a login goes on where the database can't record that the browser's last person has left", async () => {
  const [owner, other] = [await makeAccount(), await makeAccount()];
  const { Cookie } = await openBrowserOf(other);
  const away = databaseThrough(env.DB, () => Promise.reject(new Error("D1_ERROR: the network is gone")));
  const services = { ...servicesAt(), db: openDatabase(away) };
  const carrying = (cookie: string) => new Request(ORIGIN, { headers: { Cookie: cookie } });
  const headers = await signInHeaders(services, carrying(Cookie), { userId: owner.id, epoch: 1, email: owner.email });
  const [session = ""] = headers.getSetCookie().filter((one) => one.startsWith("session="));
  expect(await isAlive(session.split(";")[0] ?? "")).toBe(true);
  expect(await servicesAt().sessions.read(carrying(Cookie))).toBe(null);
});
