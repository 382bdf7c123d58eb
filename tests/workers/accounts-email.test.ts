import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askForEmailChange, changeEmail, findEmailLink } from "#app/accounts/login/email-change.server.ts";
import { findTakingBack, takeBack } from "#app/accounts/login/take-back.server.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import {
  emailTokenOf,
  findEmailToken,
  issueEmailToken,
  type TokenPurpose,
} from "#app/accounts/login/email-tokens.server.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { changePassword, showEmail } from "#app/accounts/profile/settings.server.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { write } from "#app/db/batch.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import {
  type Account,
  isAlive,
  makeAccount,
  ORIGIN,
  PASSWORD,
  readRow,
  sessionCookie,
} from "#tests/support/accounts.ts";
import { servicesAt, setVerification } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 30_000 });

const DAY_MS = 24 * 60 * 60_000;

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM outbox").run();
});

/** The queued emails, by receiver and template. */
async function mails(): Promise<string[]> {
  return (await readMails()).map(({ to, template }) => `${template} to ${to}`);
}

async function readMails(): Promise<Mail[]> {
  const { results } = await env.DB.prepare("SELECT payload FROM outbox ORDER BY rowid").all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as Mail);
}

async function tokenIn(template: "email_change"): Promise<string> {
  const found = (await readMails()).find((mail) => mail.template === template);
  const data = found?.data as KindData[typeof template] | undefined;
  return emailTokenOf(env.PASSWORD_PEPPER, data?.tokenId ?? "none");
}

/** The link that undoes, in the first email of this kind to an address. */
async function undoIn(template: "email_changing" | "email_changed", to: string): Promise<string> {
  const found = (await readMails()).find((mail) => mail.template === template && mail.to === to);
  const data = found?.data as KindData[typeof template] | undefined;
  return emailTokenOf(env.PASSWORD_PEPPER, data?.undo?.tokenId ?? "none");
}

const undo = (services: ReturnType<typeof servicesAt>, token: string) => takeBack(services, token, lookAgainAtNumber);

async function linkToken(template: "password_reset" | "confirmation"): Promise<string> {
  const mail = (await readMails()).find((one) => one.template === template);
  const data = mail?.data as KindData[typeof template] | undefined;
  return emailTokenOf(env.PASSWORD_PEPPER, data?.tokenId ?? "none");
}

let addresses = 0;
function freshAddress(domain = "mail.test"): string {
  addresses += 1;
  return `new-${addresses}@${domain}`;
}

function ask(account: Account, email: string, password = PASSWORD) {
  return askForEmailChange(servicesAt(), account.id, { email, currentPassword: password });
}

function trySignIn(email: string, password = PASSWORD) {
  return signIn(servicesAt(), { email, password, address: "41.90.0.1", device: null });
}

test("a new address counts once its link is pressed by the person who asked, and both addresses are told", async () => {
  const account = await makeAccount();
  const other = await makeAccount();
  const email = freshAddress();
  expect(await ask(account, ` ${email.toUpperCase()} `)).toEqual({ ok: true });
  expect(await mails()).toEqual([`email_changing to ${account.email}`, `email_change to ${email}`]);
  expect(await trySignIn(email)).toMatchObject({ ok: false });

  const token = await tokenIn("email_change");
  // Looking changes nothing, and a stranger with the mailbox gets nothing.
  expect(await findEmailLink(servicesAt(), token)).toMatchObject({ email });
  expect(await changeEmail(servicesAt(), other.id, token)).toEqual({ ok: false, code: "over" });
  expect((await visit(`/settings/email?token=${token}`)).headers.get("Location")).toContain("/auth?to=");

  await showEmail(servicesAt(), account.id, true);
  const before = await sessionCookie(account.id);
  const made = await visit("/settings/email", { as: account.id, form: { token } });
  expect(made.headers.get("Location")).toBe("/profile?tab=settings");
  expect(await isAlive(before)).toBe(false);
  const [session] = made.headers.getSetCookie().filter((cookie) => cookie.startsWith("session="));
  expect(await isAlive(session?.split(";")[0] ?? "")).toBe(true);
  // The choice to show an address to members was about the other one.
  expect(await readRow("profiles", account.id)).toMatchObject({ email, shows_email: 0 });
  expect(await trySignIn(email)).toMatchObject({ ok: true, userId: account.id });
  expect(await trySignIn(account.email)).toMatchObject({ ok: false });
  expect(await changeEmail(servicesAt(), account.id, token)).toEqual({ ok: false, code: "done" });
});

test("both addresses hear of a change, and the old one undoes it for 7 days, with everything that a thief knows", async () => {
  const account = await makeAccount();
  const email = freshAddress();
  await ask(account, email);
  await changeEmail(servicesAt(), account.id, await tokenIn("email_change"));
  expect((await mails()).slice(2)).toEqual([`email_changed to ${account.email}`, `email_changed to ${email}`]);
  const link = await undoIn("email_changed", account.email);
  expect(link).toBe(await undoIn("email_changing", account.email));
  expect(await undoIn("email_changed", email)).toBe(emailTokenOf(env.PASSWORD_PEPPER, "none"));
  expect(await findTakingBack(servicesAt(7 * DAY_MS + 60_000), link)).toBe(null);
  expect(await findTakingBack(servicesAt(6 * DAY_MS), link)).toMatchObject({ email: account.email });

  // The thief keeps the old address busy with a sign-up that they can't confirm, and has a link to a new password.
  const squatter = await makeAccount({ confirmed: false });
  await env.DB.prepare("UPDATE credentials SET email = ? WHERE id = ?").bind(account.email, squatter.id).run();
  await sendPasswordReset(servicesAt(), email);
  const reset = await linkToken("password_reset");
  expect(await resetPassword(servicesAt(), { token: reset, password: "the-thief-knows" })).toMatchObject({ ok: true });
  await sendPasswordReset(servicesAt(), email);
  const session = await sessionCookie(account.id, 3);
  expect(await isAlive(session)).toBe(true);

  // Opening the link does nothing.
  expect(await (await visit(`/auth/undo?token=${link}`)).text()).toContain("Take your account back?");
  expect(await isAlive(session)).toBe(true);
  const undone = await visit("/auth/undo", { form: { token: link } });
  const next = undone.headers.get("Location") ?? "";
  expect(next).toContain("/auth/reset?token=");
  expect(await (await visit(next)).text()).toContain("Your account is as it was, and everybody is logged out.");
  expect(await isAlive(session)).toBe(false);
  expect(await readRow("credentials", account.id)).toMatchObject({ email: account.email, password_hash: null });
  expect(await trySignIn(email)).toMatchObject({ ok: false });
  expect(await trySignIn(account.email)).toMatchObject({ ok: false });
  const open = await env.DB.prepare("SELECT purpose FROM email_tokens WHERE user_id = ? AND used_at IS NULL")
    .bind(account.id)
    .all();
  expect(open.results).toEqual([{ purpose: "password_reset" }]);
  expect(await undo(servicesAt(), link)).toEqual({ ok: false, code: "over" });
  expect((await visit("/auth/undo", { form: { token: link } })).status).toBe(409);

  const token = new URL(next, ORIGIN).searchParams.get("token") ?? "";
  expect(await resetPassword(servicesAt(), { token, password: "mine-again" })).toMatchObject({ ok: true });
  expect(await trySignIn(account.email, "mine-again")).toMatchObject({ ok: true });
});

test("whoever took an account and changes its email again can't end the first address's way back, which ends theirs", async () => {
  const HOUR_MS = 60 * 60_000;
  const account = await makeAccount();
  const [taken, next] = [freshAddress(), freshAddress()];
  const undoOf = (address: string) => undoIn("email_changing", address);
  await ask(account, taken);
  await changeEmail(servicesAt(), account.id, await tokenIn("email_change"));
  const later = servicesAt(HOUR_MS);
  await askForEmailChange(later, account.id, { email: next, currentPassword: PASSWORD });
  const [first, second] = [await undoOf(account.email), await undoOf(taken)];

  const emailOf = async ({ id }: Account) => (await readRow("credentials", id)).email;
  expect(await undo(later, second)).toMatchObject({ ok: true });
  expect(await emailOf(account)).toBe(taken);
  expect(await undo(later, first)).toMatchObject({ ok: true });
  expect(await emailOf(account)).toBe(account.email);

  // The other way round: the first address has the last word.
  const other = await makeAccount();
  const [theirs, afterwards] = [freshAddress(), freshAddress()];
  await env.DB.prepare("DELETE FROM outbox").run();
  await ask(other, theirs);
  await changeEmail(servicesAt(), other.id, await tokenIn("email_change"));
  await askForEmailChange(later, other.id, { email: afterwards, currentPassword: PASSWORD });
  const [back, newer] = [await undoOf(other.email), await undoOf(theirs)];
  expect(await undo(later, back)).toMatchObject({ ok: true });
  expect(await undo(later, newer)).toEqual({ ok: false, code: "over" });
  expect(await emailOf(other)).toBe(other.email);
});

test("what has an earlier address goes along with the account, and goes when the account is deleted", async () => {
  const account = await makeAccount({ name: "Wanjala Simiyu" });
  await env.DB.prepare(
    `INSERT INTO wholesaler_codes (id, code, is_used, used_by, used_at, created_at)
      VALUES ('wanjala', 'WANJALA1', 1, ?, 1, 1)`,
  )
    .bind(account.email)
    .run();
  await sendPasswordReset(servicesAt(), account.email);
  const email = freshAddress();
  await ask(account, email);
  await changeEmail(servicesAt(), account.id, await tokenIn("email_change"));
  const copy = await visit("/settings/my-data", { headers: { Cookie: await sessionCookie(account.id, 2) } });
  expect(await copy.text()).toContain("WANJALA1");
  expect(await deleteAccount(servicesAt(), account.id)).toMatchObject({ ok: true });
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox UNION ALL SELECT used_by FROM wholesaler_codes",
  ).all();
  for (const trace of ["Wanjala", account.email, email]) expect(JSON.stringify(results)).not.toContain(trace);
});

test("the old address stops a change before it happens", async () => {
  const account = await makeAccount();
  await ask(account, freshAddress());
  const change = await tokenIn("email_change");
  expect(await undo(servicesAt(), await undoIn("email_changing", account.email))).toMatchObject({ ok: true });
  expect(await changeEmail(servicesAt(), account.id, change)).toEqual({ ok: false, code: "over" });
});

test("an address that has an account gets the same answer and no link", async () => {
  const [account, owner] = [await makeAccount(), await makeAccount()];
  expect(await ask(account, owner.email)).toEqual(await ask(account, freshAddress()));
  expect((await mails()).filter((mail) => mail === `email_change to ${owner.email}`)).toEqual([]);
  // Somebody signs up with it between the email and the press.
  const email = freshAddress();
  await env.DB.prepare("DELETE FROM outbox").run();
  await ask(account, email);
  await env.DB.prepare("UPDATE credentials SET email = ? WHERE id = ?").bind(email, owner.id).run();
  expect(await changeEmail(servicesAt(), account.id, await tokenIn("email_change"))).toEqual({
    ok: false,
    code: "taken",
  });
  expect((await readRow("credentials", account.id)).email).toBe(account.email);
});

test("a change needs the password, another address, and patience", async () => {
  const account = await makeAccount();
  expect(await ask(account, freshAddress(), "wrong")).toEqual({ ok: false, code: "wrong" });
  expect(await ask(account, account.email)).toEqual({ ok: false, code: "same" });
  expect(await ask(await makeAccount({ password: null }), freshAddress(), "")).toEqual({ ok: false, code: "none" });
  for (let time = 0; time < 5; time += 1) await ask(account, freshAddress());
  expect(await ask(account, freshAddress())).toEqual({ ok: false, code: "often" });
  expect(await mails()).toHaveLength(10);
  const refused = await visit("/settings", {
    as: account.id,
    form: { intent: "email", newEmail: freshAddress(), currentPassword: "wrong" },
  });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Wrong current password")]);
});

test("of two presses at once one makes the change, and only the newest link works", async () => {
  const account = await makeAccount();
  await ask(account, freshAddress());
  const older = await tokenIn("email_change");
  await env.DB.prepare("DELETE FROM outbox").run();
  const email = freshAddress();
  await ask(account, email);
  const newer = await tokenIn("email_change");
  expect(await changeEmail(servicesAt(), account.id, older)).toEqual({ ok: false, code: "over" });
  const pressed = await Promise.all([1, 2, 3].map(() => changeEmail(servicesAt(), account.id, newer)));
  expect(pressed.filter(({ ok }) => ok)).toMatchObject([{ email }]);
});

/** Which links that were sent to the address before still work after the change. */
const LINKS_LEFT: Record<TokenPurpose, boolean> = {
  confirmation: false,
  password_reset: false,
  email_change: false,
  account_undo: true,
};

test.each(Object.entries(LINKS_LEFT) as [TokenPurpose, boolean][])(
  "a change of the address ends the links to the old one (%s), except the way back: %s",
  async (purpose, isLeft) => {
    const account = await makeAccount();
    const services = servicesAt();
    const issued = issueEmailToken(services, { userId: account.id, purpose, lifeMs: 3 * DAY_MS, email: account.email });
    await write(services.db, issued.statements);
    await ask(account, freshAddress());
    expect(await changeEmail(services, account.id, await tokenIn("email_change"))).toMatchObject({ ok: true });
    expect(await findEmailToken(services, { token: issued.token, purpose })).toMatchObject(
      isLeft ? { ok: true } : { ok: false, code: "used" },
    );
  },
);

test("what a university address proved goes with it, unless our team has approved a student ID", async () => {
  const levelOf = async ({ id }: Account) => (await readRow("profiles", id)).verified_level;
  for (const [approved, level] of [
    [false, "email"],
    [true, "student"],
  ] as const) {
    const account = await makeAccount();
    const [university, later] = [freshAddress("students.uonbi.ac.ke"), freshAddress()];
    await env.DB.prepare("DELETE FROM outbox").run();
    await ask(account, university);
    await changeEmail(servicesAt(), account.id, await tokenIn("email_change"));
    expect(await levelOf(account)).toBe("student");
    if (approved) await setVerification(account.id, "approved");
    const settings = await visit("/profile?tab=settings", { headers: { Cookie: await sessionCookie(account.id, 2) } });
    expect((await settings.text()).includes("because of your university email")).toBe(!approved);
    await env.DB.prepare("DELETE FROM outbox").run();
    await ask({ ...account, email: university }, later);
    await changeEmail(servicesAt(), account.id, await tokenIn("email_change"));
    expect(await levelOf(account)).toBe(level);
  }
});

/** Each way to log in: what it sends over somebody else's session. */
const WAYS = {
  "/auth": { email: "somebody@campus.test", password: "wrong" },
  "/auth/signup": { email: "somebody@campus.test" },
  "/auth/forgot": { email: "somebody@campus.test" },
};

test.each(Object.entries(WAYS))(
  "%s over somebody else's session changes nothing and says whose it is",
  async (path, form) => {
    const { id, email } = await makeAccount();
    const answer = await visit(path, { as: id, form });
    expect([answer.headers.get("Location"), answer.headers.getSetCookie()]).toEqual(["/auth/other-account", []]);
    const page = await (await visit("/auth/other-account", { as: id })).text();
    expect(page).toContain(`You are logged in as <strong class="verification__email">${email}</strong>`);
    expect(page).toContain("Log out to use another account.");
    expect(page).toContain('action="/logout"');
  },
);

test("a login that is pressed twice arrives at home", async () => {
  const account = await makeAccount();
  const again = await visit("/auth", { as: account.id, form: { email: account.email, password: PASSWORD } });
  expect(again.headers.get("Location")).toBe("/home");
});

test("a return from Google over somebody else's session says so, and a reload of it doesn't", async () => {
  const { id } = await makeAccount();
  const left = await servicesAt().issuerCookie.write({
    issuer: "google",
    state: "s",
    nonce: "n",
    codeVerifier: "v",
    to: null,
  });
  const session = await sessionCookie(id);
  const returned = (cookie: string) => visit("/auth/google/callback?code=c&state=s", { headers: { Cookie: cookie } });
  expect((await returned(`${session}; ${left.split(";")[0]}`)).headers.get("Location")).toBe("/auth/other-account");
  expect((await returned(session)).headers.get("Location")).toBe("/home");
});

/**
 * Every way to log in that `visit` can go: the request carries the session of somebody else, which has just ended or
 * agreed to end.
 */
const LOGINS: Record<string, (account: Account, cookie: string) => Promise<Response>> = {
  "with a password": (account, cookie) =>
    visit("/auth", { form: { email: account.email, password: PASSWORD }, headers: { Cookie: cookie } }),
  "by a link to a new password": async (account, cookie) => {
    await sendPasswordReset(servicesAt(), account.email);
    const form = { token: await linkToken("password_reset"), password: "a-new-password", switches: "yes" };
    return visit("/auth/reset", { form, headers: { Cookie: cookie } });
  },
  "by confirming an email": async (account, cookie) => {
    await env.DB.prepare("UPDATE credentials SET email_confirmed_at = NULL WHERE id = ?").bind(account.id).run();
    await visit("/auth/check-email", { form: { email: account.email } });
    const token = await linkToken("confirmation");
    const form = { token, password: PASSWORD, switches: "yes", intent: "confirm" };
    return visit("/auth/callback", { form, headers: { Cookie: cookie } });
  },
};

test.each(Object.entries(LOGINS))(
  "after a login %s, the cookie that was sent before reads as nobody",
  async (_way, logIn) => {
    const [account, earlier] = [await makeAccount(), await makeAccount()];
    const { sessions } = servicesAt();
    const cookie = await sessionCookie(earlier.id);
    // A session that is over is still in KV: whoever planted it must not share the one that begins.
    await env.DB.prepare("UPDATE credentials SET session_epoch = 2 WHERE id = ?").bind(earlier.id).run();
    const carrying = (one: string) => new Request(ORIGIN, { headers: { Cookie: one } });
    expect((await sessions.read(carrying(cookie)))?.identity.userId).toBe(earlier.id);
    const answer = await logIn(account, cookie);
    const [session = ""] = answer.headers.getSetCookie().filter((one) => one.startsWith("session="));
    expect((await sessions.read(carrying(session.split(";")[0] ?? "")))?.identity.userId).toBe(account.id);
    expect(await sessions.read(carrying(cookie))).toBe(null);
  },
);

test("a password that is changed or reset is told to its owner", async () => {
  const account = await makeAccount();
  const changed = await changePassword(servicesAt(), account.id, {
    currentPassword: PASSWORD,
    newPassword: "a-new-password",
  });
  expect(changed.ok).toBe(true);
  expect(await mails()).toEqual([`password_changed to ${account.email}`]);
  await LOGINS["by a link to a new password"]?.(account, "");
  expect(await mails()).toEqual([
    `password_changed to ${account.email}`,
    `password_reset to ${account.email}`,
    `password_changed to ${account.email}`,
  ]);
});

test("a change that waits shows in the settings, and is sent again or cancelled there", async () => {
  const account = await makeAccount();
  const settings = async () => (await visit("/profile?tab=settings", { as: account.id })).text();
  const press = (intent: string) => visit("/settings", { as: account.id, form: { intent } });
  expect(await settings()).not.toContain("Your email isn");
  expect((await press("email-again")).status).toBe(409);
  const email = freshAddress();
  await ask(account, email);
  expect(await settings()).toContain(email);
  const older = await tokenIn("email_change");
  await env.DB.prepare("DELETE FROM outbox").run();
  expect((await press("email-again")).status).toBe(302);
  expect(await mails()).toEqual([`email_change to ${email}`]);
  expect(await changeEmail(servicesAt(), account.id, older)).toEqual({ ok: false, code: "over" });
  const newer = await tokenIn("email_change");
  expect((await press("email-cancel")).status).toBe(302);
  expect(await changeEmail(servicesAt(), account.id, newer)).toEqual({ ok: false, code: "over" });
  expect(await settings()).not.toContain(email);
  for (let time = 0; time < 5; time += 1) await ask(account, freshAddress());
  expect((await press("email-again")).status).toBe(429);
});

test("a link that has changed the email says so, and never that nothing has changed", async () => {
  const account = await makeAccount();
  const other = await makeAccount();
  const email = freshAddress();
  await ask(account, email);
  const token = await tokenIn("email_change");
  const open = async (as: string) => (await visit(`/settings/email?token=${token}`, { as })).text();
  // Of two presses at once, the later one hears of the earlier one, too.
  const presses = await Promise.all([1, 2].map(() => changeEmail(servicesAt(), account.id, token)));
  expect(presses.map((press) => (press.ok ? "changed" : press.code)).toSorted()).toEqual(["changed", "done"]);
  const started = await servicesAt().sessions.start(new Request(ORIGIN), {
    userId: account.id,
    epoch: Number((await readRow("credentials", account.id)).session_epoch),
  });
  const headers = { Cookie: started.split(";")[0] ?? "" };
  const shown = await (await visit(`/settings/email?token=${token}`, { headers })).text();
  expect(shown).toContain("Your email is changed already");
  const again = await visit("/settings/email", { headers, form: { token } });
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("Your email is changed already")]);
  expect(await open(other.id)).toContain("Nothing has changed");
});

test("a used link to a new password says that the password has changed", async () => {
  const account = await makeAccount();
  await sendPasswordReset(servicesAt(), account.email);
  const token = await linkToken("password_reset");
  await visit("/auth/reset", { form: { token, password: "a-new-password" } });
  const used = await (await visit(`/auth/reset?token=${token}`)).text();
  expect(used).toContain("Your password or email has changed since we sent it.");
  const again = await visit("/auth/reset", { form: { token, password: "a-new-password" } });
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining("Your password or email has changed since we sent it."),
  ]);
  expect(await (await visit("/auth/reset?token=none")).text()).toContain("it did nothing");
});

test("the file with somebody's data asks who it is after ten minutes, and leads back to its button", async () => {
  const { id } = await makeAccount();
  const started = await servicesAt(-11 * 60_000).sessions.start(new Request(ORIGIN), { userId: id, epoch: 1 });
  const headers = { Cookie: started.split(";")[0] ?? "" };
  const asked = await visit("/settings/my-data", { headers });
  expect(asked.headers.get("Location")).toBe("/auth/confirm?to=%2Fsettings%3Ffor%3Dmy-data");
  const back = await visit("/settings?for=my-data", { headers });
  expect(back.headers.get("Location")).toBe("/profile?tab=settings&section=my-data");
  expect((await visit("/settings/my-data", { as: id })).status).toBe(200);
});

test("a form that another site sends without an origin is refused", async () => {
  const account = await makeAccount();
  const send = (site: string | null) =>
    env.APP.fetch(`${ORIGIN}/auth`, {
      method: "POST",
      body: new URLSearchParams({ email: account.email, password: PASSWORD }),
      headers: site === null ? {} : { "Sec-Fetch-Site": site },
      redirect: "manual",
    });
  for (const site of ["cross-site", "same-site"]) expect((await send(site)).status).toBe(403);
  for (const site of ["same-origin", "none", null]) expect((await send(site)).status).toBe(302);
});
