/** The second step of a login: codes of an app, passkeys and recovery codes, and who is asked for them. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { newChallenge } from "#app/accounts/two-step/passkey-checks.server.ts";
import { codeAt, periodAt } from "#app/accounts/two-step/totp.server.ts";
import { CODE_DAY_TRIES, CODE_PAUSE_MS, CODE_TRIES } from "#app/accounts/two-step/two-step-rules.ts";
import {
  addApp,
  addPasskey,
  findSecondSteps,
  findStartedApp,
  removeStep,
  renewRecoveryCodes,
  resetSteps,
  spendCode,
  spendPasskey,
  startApp,
} from "#app/accounts/two-step/two-step.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { changePassword } from "#app/accounts/profile/settings.server.ts";
import { storeDocument } from "#app/accounts/trust/documents.server.ts";
import { ASKING_FORMS } from "#app/team/asking-form-rules.ts";
import { completeSignIn } from "#app/accounts/login/sign-in.server.ts";
import { write } from "#app/db/batch.ts";
import { type Account, makeAccount, ORIGIN, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { openAuthenticator } from "#tests/support/authenticator.ts";
import { servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const MINUTE = 60_000;
const PERIOD = 30_000;
/** Admins need a second step, as in production. */
const STRICT = { ADMIN_TWO_STEP: "required" };

/** A browser that keeps its cookies, and answers a redirect 307 as browsers do. */
function openBrowser(bindings: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  async function go(path: string, form?: Record<string, string>): Promise<Response> {
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await visit(path, { form, bindings, headers: { Cookie } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response.status === 307 ? go(response.headers.get("Location") ?? "", form) : response;
  }
  return { go, jar, logIn: (email: string) => go("/auth?to=/cart", { email, password: PASSWORD }) };
}

/** The secret of the app whose set-up began in a browser. */
async function startedIn(jar: Map<string, string>, userId: string): Promise<Uint8Array> {
  const headers = { Cookie: `session=${jar.get("session")}` };
  const session = await servicesAt().sessions.read(new Request(ORIGIN, { headers }));
  return (await findStartedApp(servicesAt(), userId, session?.identity.id ?? "none"))?.secret ?? new Uint8Array();
}

const target = (response: Response) => response.headers.get("Location");

/** An account with an app. Its codes of periods to come can be used. */
async function makeGuarded(account?: Account) {
  const owner = account ?? (await makeAccount());
  await startApp(servicesAt(), owner.id, "session");
  const secret = (await findStartedApp(servicesAt(), owner.id, "session"))?.secret ?? new Uint8Array();
  const code = (offset = 0) => codeAt(secret, periodAt(Date.now()) + offset);
  const added = await addApp(servicesAt(), owner.id, code(-1));
  if (!added.ok || !added.codes) throw new Error("no app");
  return { ...owner, secret, code, recovery: added.codes };
}

async function mailsOf({ email }: Account): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT json_extract(payload, '$.data.change') AS change FROM outbox
      WHERE json_extract(payload, '$.to') = ? AND json_extract(payload, '$.template') = 'two_step_changed'
        ORDER BY created_at, rowid`,
  )
    .bind(email)
    .all<{ change: string }>();
  return results.map(({ change }) => change);
}

/** Chooses a password by the link of an email. */
async function choosePassword(services: ReturnType<typeof servicesAt>, { email }: Account): Promise<void> {
  await sendPasswordReset(services, email);
  const mail = await env.DB.prepare(
    `SELECT json_extract(payload, '$.data.tokenId') AS tokenId FROM outbox
      WHERE json_extract(payload, '$.to') = ? AND json_extract(payload, '$.template') = 'password_reset'
        ORDER BY rowid DESC LIMIT 1`,
  )
    .bind(email)
    .first<{ tokenId: string }>();
  const token = emailTokenOf(env.PASSWORD_PEPPER, mail?.tokenId ?? "");
  expect(await resetPassword(services, { token, password: "another-password" })).toMatchObject({ ok: true });
}

// ---------------------------------------------------------------- the login

test("after the password, a login asks for a code, and only then there is a session", async () => {
  const owner = await makeGuarded();
  const { go, jar, logIn } = openBrowser();
  const first = await logIn(owner.email);
  expect([first.status, target(first)]).toEqual([302, "/auth/two-step?to=%2Fcart"]);
  expect(jar.has("session")).toBe(false);
  expect(target(await go("/cart"))).toContain("/auth");
  expect(await (await go("/auth/two-step?to=/cart")).text()).toContain("6 digits");
  const wrong = await go("/auth/two-step?to=/cart", { "confirm-code": "000000" });
  expect([wrong.status, jar.has("session")]).toEqual([401, false]);
  const right = await go("/auth/two-step?to=/cart", { "confirm-code": owner.code() });
  expect([right.status, target(right)]).toEqual([302, "/cart"]);
  expect((await go("/cart")).status).toBe(200);
});

test("the second step without a first one, or ten minutes after it, begins anew", async () => {
  const owner = await makeGuarded();
  const { go } = openBrowser();
  expect(target(await go("/auth/two-step", { "confirm-code": owner.code() }))).toBe("/auth");
  const first = { userId: owner.id, email: owner.email, epoch: 1, profileComplete: true };
  const browser = openBrowser();
  const old = await servicesAt().firstStep.write({ ...first, at: Date.now() - 10 * MINUTE });
  browser.jar.set("first-step", /=([^;]*)/.exec(old)?.[1] ?? "");
  expect(target(await browser.go("/auth/two-step", { "confirm-code": owner.code() }))).toBe("/auth");
});

test("every way to log in says that there is a second step", async () => {
  const owner = await makeGuarded();
  const { session_epoch: epoch } = await readRow("credentials", owner.id);
  const signedIn = await completeSignIn(servicesAt(), { ...owner, sessionEpoch: Number(epoch) });
  expect(signedIn.secondStep).toBe(true);
  const other = await makeAccount();
  expect((await completeSignIn(servicesAt(), { ...other, sessionEpoch: 1 })).secondStep).toBe(false);
});

// ---------------------------------------------------------------- the codes

test("a code works once, also of two requests at the same moment, and no older one works after it", async () => {
  const { id, code } = await makeGuarded();
  const typed = code();
  const both = await Promise.all([spendCode(servicesAt(), id, typed), spendCode(servicesAt(), id, typed)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await spendCode(servicesAt(), id, typed)).toEqual({ ok: false, code: "wrong" });
  expect(await spendCode(servicesAt(), id, code(-1))).toEqual({ ok: false, code: "wrong" });
  expect(await spendCode(servicesAt(), id, code(1))).toEqual({ ok: true });
});

test("after five wrong codes no code counts for 15 minutes, not even the right one", async () => {
  const owner = await makeGuarded();
  const { id, code } = owner;
  for (let tries = 0; tries < CODE_TRIES; tries += 1)
    expect(await spendCode(servicesAt(), id, "000000")).toEqual({ ok: false, code: "wrong" });
  for (let tries = 0; tries < 3; tries += 1)
    expect(await spendCode(servicesAt(), id, code())).toEqual({ ok: false, code: "busy" });
  // Somebody has got past the password, so the owner is told: once a day, however often it happens.
  expect(await mailsOf(owner)).toEqual(["app_added", "codes_wrong"]);
  const later = servicesAt(15 * MINUTE);
  expect(await spendCode(later, id, code((15 * MINUTE) / PERIOD))).toEqual({ ok: true });
});

test("who guesses on is stopped for a day, and the owner is told; a new password lets codes work again", async () => {
  const owner = await makeGuarded();
  const { id, code } = owner;
  const at = (ms: number) => servicesAt(ms);
  for (let tries = 0; tries < CODE_DAY_TRIES; tries += 1)
    expect(await spendCode(at(tries * CODE_PAUSE_MS), id, "000000")).toEqual({ ok: false, code: "wrong" });
  const last = CODE_DAY_TRIES * CODE_PAUSE_MS;
  for (let tries = 0; tries < 3; tries += 1)
    expect(await spendCode(at(last), id, code(last / PERIOD))).toEqual({ ok: false, code: "closed" });
  expect(await mailsOf(owner)).toEqual(["app_added", "codes_closed"]);
  // A changed password helps nobody who knows it; one by an emailed link helps once a day.
  expect(
    await changePassword(at(last), id, { currentPassword: PASSWORD, newPassword: "a-new-password" }),
  ).toMatchObject({
    ok: true,
  });
  expect(await spendCode(at(last), id, code(last / PERIOD))).toEqual({ ok: false, code: "closed" });
  await choosePassword(at(last), owner);
  expect(await spendCode(at(last), id, code(last / PERIOD))).toEqual({ ok: true });
  for (let tries = 0; tries < CODE_TRIES; tries += 1) await spendCode(at(last), id, "000000");
  await choosePassword(at(last), owner);
  expect(await spendCode(at(last), id, code(last / PERIOD + 1))).toEqual({ ok: false, code: "busy" });
});

test("a code that is sent during the 15 minutes doesn't count for the day", async () => {
  const { id, code } = await makeGuarded();
  for (let tries = 0; tries < CODE_DAY_TRIES + CODE_TRIES; tries += 1) await spendCode(servicesAt(), id, "000000");
  expect(await spendCode(servicesAt(), id, "000000")).toEqual({ ok: false, code: "busy" });
  expect(await spendCode(servicesAt(CODE_PAUSE_MS), id, code(CODE_PAUSE_MS / PERIOD))).toEqual({ ok: true });
});

test("codes of a new second step count where the last one was turned off after wrong ones", async () => {
  const owner = await makeGuarded();
  for (let tries = 0; tries < CODE_TRIES + 1; tries += 1) await spendCode(servicesAt(), owner.id, "000000");
  await write(servicesAt().db, resetSteps(owner.id, servicesAt()));
  expect(await spendCode(servicesAt(), owner.id, "000000")).toEqual({ ok: false, code: "wrong" });
});

test("a recovery code works once, also of two requests at the same moment, and its owner is told", async () => {
  const owner = await makeGuarded();
  const [first = "", second = ""] = owner.recovery;
  const both = await Promise.all([spendCode(servicesAt(), owner.id, first), spendCode(servicesAt(), owner.id, first)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await findSecondSteps(servicesAt().db, owner.id)).codesLeft).toBe(9);
  const other = await makeGuarded();
  expect(await spendCode(servicesAt(), other.id, second)).toEqual({ ok: false, code: "wrong" });
  expect(await mailsOf(owner)).toEqual(["app_added", "recovery_used"]);
});

test("after another pepper, codes are wrong and a set-up begins anew", async () => {
  const [guarded, started] = [await makeGuarded(), await makeAccount()];
  await startApp(servicesAt(), started.id, "session");
  const lines: object[] = [];
  const services = { ...servicesAt(), passwordPepper: "another-pepper", log: (line: object) => void lines.push(line) };
  for (const code of [guarded.code(), guarded.recovery[0] ?? ""])
    expect(await spendCode(services, guarded.id, code)).toEqual({ ok: false, code: "wrong" });
  expect(lines).toEqual([{ event: "app_secret_unreadable", level: "error", userId: guarded.id }]);
  expect(await findStartedApp(services, started.id, "session")).toBeNull();
  expect(await addApp(services, started.id, "123456")).toEqual({ ok: false, code: "stale" });
  expect(await startApp(services, started.id, "session")).toBe(true);
  expect(await findStartedApp(services, started.id, "session")).not.toBeNull();
});

test("a half-way login after a changed password uses up no recovery code, and begins anew", async () => {
  const owner = await makeGuarded();
  const { go, logIn, jar } = openBrowser();
  await logIn(owner.email);
  const newPassword = "another-password";
  expect(await changePassword(servicesAt(), owner.id, { currentPassword: PASSWORD, newPassword })).toMatchObject({
    ok: true,
  });
  const [code = ""] = owner.recovery;
  expect(target(await go("/auth/two-step", { "confirm-code": code }))).toBe("/auth");
  expect(jar.has("session")).toBe(false);
  expect((await findSecondSteps(servicesAt().db, owner.id)).codesLeft).toBe(10);
  // Nor where it changes at the same moment.
  expect(await spendCode(servicesAt(), owner.id, code, 1)).toEqual({ ok: false, code: "wrong" });
  expect((await findSecondSteps(servicesAt().db, owner.id)).codesLeft).toBe(10);
});

test("right codes in any digits are right, however often", async () => {
  const owner = await makeGuarded();
  const arabic = (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
  for (let time = 0; time <= CODE_TRIES; time += 1) {
    const services = servicesAt(time * PERIOD);
    const code = codeAt(owner.secret, periodAt(services.now()));
    const typed = [arabic(code), `${code.slice(0, 3)}-${code.slice(3)}`, `${code.slice(0, 3)}\u2013${code.slice(3)}`][
      time % 3
    ];
    expect(await spendCode(services, owner.id, typed ?? "")).toEqual({ ok: true });
  }
  const [recovery = ""] = owner.recovery;
  const dashed = `${recovery.slice(0, 5)}\u2013${recovery.slice(5)}`;
  expect(await spendCode(servicesAt(), owner.id, dashed.toUpperCase())).toEqual({ ok: true });
});

test("a set-up that begins again in another tab keeps its secret, and nobody else's session sees it", async () => {
  const account = await makeAccount();
  const inSession = async (session: string) =>
    (await findStartedApp(servicesAt(), account.id, session))?.secret ?? null;
  await startApp(servicesAt(), account.id, "mine");
  const first = await inSession("mine");
  expect(await startApp(servicesAt(), account.id, "mine")).toBe(true);
  expect(await inSession("mine")).toEqual(first);
  // A thief who is logged in, too, neither reads it nor leaves theirs to be found.
  expect(await inSession("thief's")).toBeNull();
  await startApp(servicesAt(), account.id, "thief's");
  expect(await inSession("mine")).toBeNull();
  await startApp(servicesAt(), account.id, "mine");
  expect(await inSession("mine")).not.toEqual(first);
});

test("a code for a set-up that has begun anew since says so, also after the session was confirmed", async () => {
  const account = await makeAccount();
  const { go, jar, logIn } = openBrowser();
  await logIn(account.email);
  const start = () => go("/settings/two-step", { intent: "start-app" });
  const shown = async () =>
    /name="startedAt" value="(\d+)"/.exec(await (await go("/settings/two-step")).text())?.[1] ?? "";
  const add = (startedAt: string, secret: Uint8Array) =>
    go("/settings/two-step", { intent: "add-app", startedAt, code: codeAt(secret, periodAt(Date.now()) - 1) });
  await start();
  const [first, firstSecret] = [await shown(), await startedIn(jar, account.id)];
  // Confirming in another tab gives the browser another session, which begins anew.
  await go("/auth/confirm?to=/settings", { "confirm-sent": "yes", "confirm-password": PASSWORD });
  await start();
  const [second, secondSecret] = [await shown(), await startedIn(jar, account.id)];
  const late = await add(first, firstSecret);
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining("has begun anew")]);
  // The code of a set-up that was confirmed meanwhile still counts.
  await go("/auth/confirm?to=/settings", { "confirm-sent": "yes", "confirm-password": PASSWORD });
  expect((await add(second, secondSecret)).status).toBe(200);
});

test("new recovery codes replace the earlier ones", async () => {
  const owner = await makeGuarded();
  const codes = await renewRecoveryCodes(servicesAt(), owner.id);
  expect(codes).toHaveLength(10);
  expect(await spendCode(servicesAt(), owner.id, owner.recovery[0] ?? "")).toMatchObject({ ok: false });
  expect(await spendCode(servicesAt(), owner.id, codes?.[0] ?? "")).toEqual({ ok: true });
  expect(await renewRecoveryCodes(servicesAt(), (await makeAccount()).id)).toBeNull();
});

test("the database holds neither the secret nor a recovery code", async () => {
  const { id, secret, recovery } = await makeGuarded();
  const app = await env.DB.prepare("SELECT secret FROM authenticators WHERE user_id = ?")
    .bind(id)
    .first<{ secret: string }>();
  expect(Buffer.from(app?.secret ?? "", "base64url").includes(secret)).toBe(false);
  const codes = await env.DB.prepare("SELECT recovery_codes AS hashes FROM credentials WHERE id = ?")
    .bind(id)
    .first<{ hashes: string }>();
  for (const code of recovery) expect(codes?.hashes).not.toContain(code);
});

// ------------------------------------------------------------- the set-up

test("an app counts once it has shown a code, ends the other sessions, and can't be replaced without being removed", async () => {
  const account = await makeAccount();
  const other = await sessionCookie(account.id);
  await startApp(servicesAt(), account.id, "session");
  expect(await findSecondSteps(servicesAt().db, account.id)).toEqual({ appSince: null, passkeys: [], codesLeft: 0 });
  expect(await addApp(servicesAt(), account.id, "000000")).toEqual({ ok: false, code: "wrong" });
  const owner = await makeGuarded(account);
  expect((await visit("/api/messages/unread", { headers: { Cookie: other } })).status).toBe(401);
  expect(await startApp(servicesAt(), owner.id, "session")).toBe(false);
  expect(await addApp(servicesAt(), owner.id, owner.code(1))).toEqual({ ok: false, code: "stale" });
  expect(await spendCode(servicesAt(), owner.id, owner.code())).toEqual({ ok: true });
  expect(await removeStep(servicesAt(), owner.id, "app", true)).toMatchObject({ ok: true, hasSecondStep: false });
  expect(await findSecondSteps(servicesAt().db, owner.id)).toEqual({ appSince: null, passkeys: [], codesLeft: 0 });
  expect(await mailsOf(owner)).toEqual(["app_added", "app_removed"]);
});

test("settings ask who it is after ten minutes, by the password and then by the second step", async () => {
  const account = await makeAccount();
  const { go, jar } = openBrowser();
  const started = await servicesAt(-11 * MINUTE).sessions.start(new Request(ORIGIN), { userId: account.id, epoch: 1 });
  jar.set("session", /=([^;]*)/.exec(started)?.[1] ?? "");
  expect(target(await go("/settings/two-step"))).toBe("/auth/confirm?to=%2Fsettings%2Ftwo-step");
  const confirm = (fields: Record<string, string>) =>
    go("/auth/confirm?to=/settings/two-step", { "confirm-sent": "yes", ...fields });
  expect((await confirm({ "confirm-password": "wrong" })).status).toBe(401);
  expect(target(await confirm({ "confirm-password": PASSWORD }))).toBe("/settings/two-step");
  expect((await go("/settings/two-step")).status).toBe(200);
  await go("/settings/two-step", { intent: "start-app" });
  const secret = await startedIn(jar, account.id);
  const added = await go("/settings/two-step", { intent: "add-app", code: codeAt(secret, periodAt(Date.now()) - 1) });
  expect([added.status, await added.text()]).toEqual([200, expect.stringContaining("Save your recovery codes")]);
  expect((await go("/settings/two-step")).status).toBe(200);
  // From now on the password alone shows nothing.
  expect((await confirm({ "confirm-password": PASSWORD })).status).toBe(400);
  expect(target(await confirm({ "confirm-code": codeAt(secret, periodAt(Date.now())) }))).toBe("/settings/two-step");
});

test("deleting an account asks who it is after ten minutes, unless the password alone shows it", async () => {
  const wish = { intent: "delete", confirmation: "DELETE", currentPassword: PASSWORD };
  const isDeleted = async ({ id }: Account) => (await readRow("profiles", id)).deleted_at !== null;
  /** A browser whose person showed who they are so many minutes ago. */
  const browserOf = async ({ id }: Account, minutes: number) => {
    const { session_epoch: epoch } = await readRow("credentials", id);
    const started = await servicesAt().sessions.start(new Request(ORIGIN), {
      userId: id,
      epoch: Number(epoch),
      confirmed: { at: Date.now() - minutes * MINUTE, steps: 1 },
    });
    const browser = openBrowser();
    browser.jar.set("session", /=([^;]*)/.exec(started)?.[1] ?? "");
    return browser;
  };

  const guarded = await makeGuarded();
  const borrowed = await browserOf(guarded, 11);
  const asked = await (await borrowed.go("/settings", wish)).text();
  expect(asked).toContain("What you entered is kept");
  expect(asked).toContain('name="confirmation" value="DELETE"');
  expect(await isDeleted(guarded)).toBe(false);
  const code = { "confirm-sent": "yes", "confirm-code": guarded.code() };
  expect(target(await borrowed.go("/auth/confirm?to=/settings", { ...wish, ...code }))).toBe("/auth");
  expect(await isDeleted(guarded)).toBe(true);

  const withGoogle = await makeAccount({ password: null });
  const late = await (await (await browserOf(withGoogle, 11)).go("/settings", wish)).text();
  expect(late).toContain("You log in without a password");
  expect(late).not.toContain("What you entered is kept");
  expect(await isDeleted(withGoogle)).toBe(false);
  expect(target(await (await browserOf(withGoogle, 9)).go("/settings", wish))).toBe("/auth");
  expect(await isDeleted(withGoogle)).toBe(true);

  const plain = await makeAccount();
  expect(target(await (await browserOf(plain, 11)).go("/settings", wish))).toBe("/auth");
  expect(await isDeleted(plain)).toBe(true);
});

// --------------------------------------------------------------- the admins

async function makeAdmin(): Promise<Account> {
  const account = await makeAccount();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(account.id).run();
  return account;
}

test("an admin without a second step sets one up before anything else, and reads no document meanwhile", async () => {
  const admin = await makeAdmin();
  const { go, jar, logIn } = openBrowser(STRICT);
  await logIn(admin.email);
  expect(target(await go("/admin/money"))).toBe("/settings/two-step");
  expect(target(await go("/admin/money", { intent: "park" }))).toBe("/settings/two-step");
  const { documentId } = await storeDocument(servicesAt(), (await makeAccount()).id, {
    documentType: "student_id",
    fileName: "a.pdf",
    kind: "pdf",
    bytes: new TextEncoder().encode("%PDF-1.7"),
  });
  expect((await go(`/documents/${documentId}`)).status).toBe(404);
  await go("/settings/two-step", { intent: "start-app" });
  const secret = await startedIn(jar, admin.id);
  await go("/settings/two-step", { intent: "add-app", code: codeAt(secret, periodAt(Date.now())) });
  expect((await go("/admin/money")).status).toBe(200);
  expect((await go(`/documents/${documentId}`)).status).toBe(200);
  // Nor do they remove the last one.
  expect((await go("/settings/two-step", { intent: "remove", id: "app" })).status).toBe(409);
});

test("a form about money that is sent too late is done after the second step, with everything that was typed", async () => {
  const admin = await makeGuarded(await makeAdmin());
  const { go, jar } = openBrowser(STRICT);
  const { session_epoch: epoch } = await readRow("credentials", admin.id);
  const started = await servicesAt().sessions.start(new Request(ORIGIN), {
    userId: admin.id,
    epoch: Number(epoch),
    confirmed: { at: Date.now() - 11 * MINUTE, steps: 2 },
  });
  jar.set("session", /=([^;]*)/.exec(started)?.[1] ?? "");
  const discrepancy = crypto.randomUUID();
  await env.DB.prepare(
    "INSERT INTO discrepancies (id, kind, subject, detail, created_at) VALUES (?, 'test', 'x', 'x', 1)",
  )
    .bind(discrepancy)
    .run();
  // What moves no money isn't asked for.
  const noted = { intent: "resolve", id: discrepancy, resolution: "Seen" };
  expect(target(await go("/admin/money?show=discrepancies", noted))).toBe("/admin/money?show=discrepancies");
  const typed = { intent: "accept", id: "nothing", receipt: 'TAB"123456' };
  const asked = await go("/admin/money?show=attempts", typed);
  expect(asked.status).toBe(200);
  const page = await asked.text();
  expect(page).toContain("Confirm that it");
  expect(page).toContain("TAB&quot;123456");
  const back = "/auth/confirm?to=%2Fadmin%2Fmoney%3Fshow%3Dattempts";
  const wrong = await go(back, { ...typed, "confirm-sent": "yes", "confirm-code": "000000" });
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining("TAB&quot;123456")]);
  // The page itself then reads the form, and finds what is wrong with it.
  const done = await go(back, { ...typed, "confirm-sent": "yes", "confirm-code": admin.code() });
  const answer = await done.text();
  expect([done.status, answer]).toEqual([400, expect.stringContaining("An M-Pesa receipt has 10 letters and digits")]);
  expect((await go("/admin/money?show=attempts", typed)).status).toBe(400);
});

test("no spelling of a form about money gets round the question", async () => {
  const admin = await makeGuarded(await makeAdmin());
  const { session_epoch: epoch } = await readRow("credentials", admin.id);
  const started = await servicesAt().sessions.start(new Request(ORIGIN), {
    userId: admin.id,
    epoch: Number(epoch),
    confirmed: { at: Date.now() - 11 * MINUTE, steps: 2 },
  });
  const Cookie = `session=${/=([^;]*)/.exec(started)?.[1] ?? ""}`;
  const send = async (page: string, sent: FormData | URLSearchParams, method = "POST") => {
    const response = await visit(page, { body: sent, method, headers: { Cookie }, bindings: STRICT });
    return response.status === 307 ? target(response)?.split("?")[0] : response.status;
  };
  for (const [pattern, intents] of Object.entries(ASKING_FORMS))
    for (const intent of intents)
      for (const form of [new FormData(), new URLSearchParams()]) {
        // Whoever acts reads the last one, without the characters that nobody sees.
        form.append("intent", "note");
        form.append("intent", `${intent}\u200B`);
        const page = pattern.replaceAll(/:\w+/g, "x");
        expect([page, intent, await send(page, form)]).toEqual([page, intent, "/auth/confirm"]);
      }
  for (const method of ["PUT", "PATCH", "DELETE"])
    expect(await send("/admin/money", new URLSearchParams({ intent: "retry" }), method)).toBe(405);
});

test.each([
  "https://evil.test",
  "//evil.test",
  "/admin/../cart",
  "/settings/%2e./cart",
  "/cart",
  "/administrator.evil",
  "/auth/confirm",
  "",
])("the page that asks again doesn't lead to %j", async (to) => {
  const { id } = await makeAccount();
  const form = { "confirm-sent": "yes", "confirm-password": PASSWORD, amount: "1" };
  const response = await visit(`/auth/confirm?to=${encodeURIComponent(to)}`, { as: id, form });
  expect([response.status, target(response)]).toEqual([303, "/home"]);
});

// ------------------------------------------------------------- the passkeys

const challengeFor = (id: string, purpose: "webauthn.create" | "webauthn.get" = "webauthn.get", at = Date.now()) =>
  newChallenge(servicesAt(), id, purpose, at);

async function makeWithPasskey(kind?: "ec" | "ed25519" | "rsa") {
  const account = await makeAccount();
  const authenticator = openAuthenticator(kind);
  const services = servicesAt(-MINUTE);
  const passkey = authenticator.make(newChallenge(services, account.id, "webauthn.create", services.now()));
  const added = await addPasskey(services, account.id, passkey);
  if (!added.ok) throw new Error("no passkey");
  return { ...account, authenticator, passkey, recovery: added.codes };
}

test.each(["ec", "ed25519", "rsa"] as const)("a passkey of the kind %s opens its account", async (kind) => {
  const { id, authenticator, recovery } = await makeWithPasskey(kind);
  expect(recovery).toHaveLength(10);
  const answer = authenticator.use(challengeFor(id));
  expect(await spendPasskey(servicesAt(), id, answer)).toEqual({ ok: true });
});

test("a passkey's answer works once, also of two requests at the same moment", async () => {
  const { id, authenticator } = await makeWithPasskey();
  const answer = authenticator.use(challengeFor(id));
  const both = await Promise.all([spendPasskey(servicesAt(), id, answer), spendPasskey(servicesAt(), id, answer)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await spendPasskey(servicesAt(), id, answer)).toEqual({ ok: false, code: "wrong" });
});

test("no answer counts that is for another site, account or purpose, too old, forged or copied", async () => {
  const { id, authenticator, passkey } = await makeWithPasskey();
  const other = await makeWithPasskey();
  const good = () => authenticator.use(challengeFor(id));
  const answers = {
    "of another site": authenticator.use(challengeFor(id), { origin: "https://evil.test" }),
    "of a set-up": authenticator.use(challengeFor(id), { type: "webauthn.create" }),
    "to a challenge of a set-up": authenticator.use(challengeFor(id, "webauthn.create")),
    "to another account's challenge": authenticator.use(challengeFor(other.id)),
    "to a challenge of our own making": authenticator.use(Buffer.from(`${Date.now()}.x.y`).toString("base64url")),
    "to an old challenge": authenticator.use(challengeFor(id, "webauthn.get", Date.now() - 6 * MINUTE)),
    "with another signature": { ...good(), signature: other.authenticator.use(challengeFor(id)).signature },
    "of another passkey": other.authenticator.use(challengeFor(id)),
    "with a signature that is none": { ...good(), signature: "AAAA" },
    "with an empty signature": { ...good(), signature: "A" },
    "from within another site's page": authenticator.use(challengeFor(id), { client: { crossOrigin: true } }),
    "from under another site": authenticator.use(challengeFor(id), { client: { topOrigin: "https://evil.test" } }),
    "without a person": authenticator.use(challengeFor(id), { flags: 0x04 }),
    "of a copy that can't be copied": authenticator.use(challengeFor(id), { flags: 0x11 }),
    "with nonsense": { ...good(), authenticatorData: "AAAA", clientData: "AAAA" },
  };
  const taken: string[] = [];
  for (const [name, answer] of Object.entries(answers))
    if ((await spendPasskey(servicesAt(), id, answer)).ok) taken.push(name);
  expect(taken).toEqual([]);
  expect(await spendPasskey(servicesAt(), id, good())).toEqual({ ok: true });
  const copied = authenticator.use(challengeFor(id, "webauthn.get", Date.now() + 1000), { counts: false });
  expect(await spendPasskey(servicesAt(2000), id, copied)).toEqual({ ok: false, code: "wrong" });
  // Nor does somebody else add it to their account.
  expect(await addPasskey(servicesAt(), other.id, passkey)).toEqual({ ok: false, code: "wrong" });
  const again = authenticator.make(challengeFor(other.id, "webauthn.create"));
  expect(await addPasskey(servicesAt(), other.id, again)).toEqual({ ok: false, code: "stale" });
});

test("no new passkey counts that names itself in two ways, is attested by nobody, or has a key that is weak or of another kind", async () => {
  const { id } = await makeAccount();
  const good = () => openAuthenticator().make(challengeFor(id, "webauthn.create"));
  const spki = (publicKey: KeyObject) => publicKey.export({ format: "der", type: "spki" }).toString("base64url");
  const changed = (change: (data: Buffer) => void) => {
    const passkey = good();
    const data = Buffer.from(passkey.authenticatorData, "base64url");
    change(data);
    return { ...passkey, authenticatorData: data.toString("base64url") };
  };
  const keys = {
    "of another curve": generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey,
    "of a short RSA key": generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey,
  };
  const bad = {
    ...Object.fromEntries(
      Object.entries(keys).map(([name, key]) => [name, { ...good(), publicKey: spki(key) }] as const),
    ),
    "without a key": { ...good(), publicKey: "AAAA" },
    "without attested data": changed((data) => data.writeUInt8(0x01, 32)),
    "of a copy that can't be copied": changed((data) => data.writeUInt8(0x51, 32)),
    "whose name is longer than all": changed((data) => data.writeUInt16BE(0xffff, 53)),
    "that is cut off": { ...good(), authenticatorData: good().authenticatorData.slice(0, 60) },
  };
  const named = good();
  const taken: string[] = [];
  for (const [name, passkey] of Object.entries({ ...bad, "with a second name": { ...named, id: sameBytes(named.id) } }))
    if ((await addPasskey(servicesAt(), id, passkey)).ok) taken.push(name);
  expect(taken).toEqual([]);
  expect(await addPasskey(servicesAt(), id, named)).toMatchObject({ ok: true });
});

/** 16 bytes are 22 letters, of which the last has four bits that mean nothing. */
function sameBytes(id: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return `${id.slice(0, -1)}${letters[letters.indexOf(id.slice(-1)) + 1]}`;
}

test("an account with a passkey logs in with it, or with a recovery code", async () => {
  const { id, email, authenticator, recovery } = await makeWithPasskey();
  const ways: Record<string, string>[] = [
    { "confirm-passkey": JSON.stringify(authenticator.use(challengeFor(id))) },
    { "confirm-code": recovery?.[0] ?? "" },
  ];
  for (const fields of ways) {
    const { go, jar, logIn } = openBrowser();
    await logIn(email);
    expect((await go("/auth/two-step", fields)).status).toBe(302);
    expect(jar.has("session")).toBe(true);
  }
});
