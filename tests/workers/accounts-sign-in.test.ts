import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { SIGN_IN_PAUSE_MS, SIGN_IN_TRIES, SIGN_IN_TRIES_ANYWHERE } from "#app/accounts/login/account-rules.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { makeAccount, ORIGIN, PASSWORD, sessionCookie } from "#tests/support/accounts.ts";
import { servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

function trySignIn(email: string, input: { password?: string; from?: string; cookie?: string; laterMs?: number } = {}) {
  const services = servicesAt(input.laterMs);
  const request = new Request(`${ORIGIN}/auth`, { headers: input.cookie ? { Cookie: input.cookie } : {} });
  return services.devices
    .read(request)
    .then((device) =>
      signIn(services, { email, password: input.password ?? "wrong", address: input.from ?? "41.90.0.1", device }),
    );
}

async function answersOf(tries: number, email: string, input: Parameters<typeof trySignIn>[1] = {}): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: tries }, () => trySignIn(email, input)));
  return answers.map((answer) => (answer.ok ? "ok" : answer.code));
}

function count(answers: string[], answer: string): number {
  return answers.filter((one) => one === answer).length;
}

test("the right password signs in, however the address is written", async () => {
  const { id, email } = await makeAccount();
  expect(await trySignIn(`  ${email.toUpperCase()} `, { password: PASSWORD })).toEqual({
    ok: true,
    userId: id,
    epoch: 1,
    profileComplete: true,
    secondStep: false,
  });
});

test.each([
  ["a wrong password", {}, "wrong", "invalid"],
  ["the right password of a suspended account", { suspended: true }, PASSWORD, "suspended"],
  ["a wrong password of an unconfirmed account", { confirmed: false }, "wrong", "invalid"],
  ["the right password of an unconfirmed account", { confirmed: false }, PASSWORD, "not_confirmed"],
  ["a password longer than any that is hashed", {}, "x".repeat(201), "invalid"],
])("%s is refused as it should be", async (_case, change, password, code) => {
  const { email } = await makeAccount(change);
  expect(await trySignIn(email, { password })).toMatchObject({ ok: false, code });
});

test("an account that only uses Google login has no password to guess", async () => {
  const { id, email } = await makeAccount();
  await env.DB.prepare("UPDATE credentials SET password_hash = NULL WHERE id = ?").bind(id).run();
  for (const password of ["", PASSWORD])
    expect(await trySignIn(email, { password })).toEqual({ ok: false, code: "invalid" });
});

test("after ten wrong passwords, even all at once, the account rests for that network, and opens again", async () => {
  const { email } = await makeAccount();
  const answers = await answersOf(SIGN_IN_TRIES + 5, email);
  expect([count(answers, "invalid"), count(answers, "paused")]).toEqual([SIGN_IN_TRIES, 5]);
  expect(await trySignIn(email, { password: PASSWORD })).toEqual({ ok: false, code: "paused" });
  expect(await trySignIn(email, { password: PASSWORD, laterMs: SIGN_IN_PAUSE_MS + 1 })).toMatchObject({ ok: true });
});

test("nine wrong passwords and then the right one restart the count", async () => {
  const { email } = await makeAccount();
  await answersOf(SIGN_IN_TRIES - 1, email);
  expect(await trySignIn(email, { password: PASSWORD })).toMatchObject({ ok: true });
  expect(count(await answersOf(SIGN_IN_TRIES, email), "invalid")).toBe(SIGN_IN_TRIES);
});

test.each([
  ["suspended", { suspended: true }, "suspended"],
  ["unconfirmed", { confirmed: false }, "not_confirmed"],
])("the right password of an account that is %s never counts as a wrong one", async (_, change, code) => {
  const { email } = await makeAccount(change);
  for (let n = 0; n <= SIGN_IN_TRIES; n += 1)
    expect(await trySignIn(email, { password: PASSWORD })).toMatchObject({ ok: false, code });
});

test("somebody who locks an account from one network keeps nobody out elsewhere", async () => {
  const { email } = await makeAccount();
  const flood = await answersOf(SIGN_IN_TRIES_ANYWHERE * 2, email, { from: "203.0.113.9" });
  expect(count(flood, "paused")).toBe(SIGN_IN_TRIES_ANYWHERE * 2 - SIGN_IN_TRIES);
  expect(await trySignIn(email, { password: PASSWORD, from: "41.90.7.7" })).toMatchObject({ ok: true });
});

test("a student who guesses a password locks the owner out of neither a known device nor a new one", async () => {
  const { id, email } = await makeAccount();
  const device = (await servicesAt().devices.remember(new Request(ORIGIN), email)).split(";")[0] ?? "";
  const asked: string[] = [];
  const tenOfEach = {
    limit: async ({ key }: { key: string }) => {
      asked.push(key);
      return { success: asked.filter((one) => one === key).length <= SIGN_IN_TRIES };
    },
  };
  const from = { "CF-Connecting-IP": "196.201.214.1" };
  const login = (password: string, headers = {}, bindings = {}) =>
    visit("/auth", { form: { email, password }, headers: { ...from, ...headers }, bindings });
  for (let n = 0; n < SIGN_IN_TRIES; n += 1) await login(`guess-${n}`, {}, { LIMIT_SIGN_IN: tenOfEach });
  expect((await login(PASSWORD, {}, { LIMIT_SIGN_IN: tenOfEach })).status).toBe(429);
  const known = await login(PASSWORD, { Cookie: device }, { LIMIT_SIGN_IN: tenOfEach });
  expect(known.headers.get("Location")).toBe("/home");

  expect(await (await login(PASSWORD)).text()).toContain("Email Me a Link");
  const mailed = await visit("/auth/forgot", { form: { email }, headers: from });
  expect(await mailed.text()).toContain("Check Your Email");
  const links = env.DB.prepare(
    "SELECT COUNT(*) AS n FROM email_tokens WHERE user_id = ? AND purpose = 'password_reset'",
  );
  expect(await links.bind(id).first("n")).toBe(1);
});

test.each([
  ["a phone", { "Sec-CH-UA-Mobile": "?1" }, true],
  ["a phone whose browser does not say so", { "User-Agent": "Mozilla/5.0 (iPhone) Mobile/15E148 Safari" }, true],
  ["a phone with buttons", { "User-Agent": "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80; U; en)" }, true],
  ["a computer", { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)" }, false],
])("on %s, staying logged in is preset as it should be", async (_device, headers, keeps) => {
  const page = await (await visit("/auth", { headers })).text();
  const box = /<input[^>]*name="keep"[^>]*>/.exec(page)?.[0] ?? "";
  expect(box).toContain("checkbox");
  expect(/ checked/.test(box)).toBe(keeps);
});

test("a phone's no to staying logged in is kept after a wrong password, and so is a computer's yes", async () => {
  const { email } = await makeAccount();
  const PHONE = { "Sec-CH-UA-Mobile": "?1" };
  const retry = async (headers: Record<string, string>, choice: Record<string, string>) => {
    const page = await (await visit("/auth", { form: { email, password: "wrong-one", ...choice }, headers })).text();
    return / checked/.test(/<input[^>]*name="keep"[^>]*>/.exec(page)?.[0] ?? "");
  };
  expect(await retry(PHONE, {})).toBe(false);
  expect(await retry({ "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)" }, { keep: "yes" })).toBe(true);
});

test.each([
  [{ keep: "yes" }, true],
  [{}, false],
])("the cookie of a login with %j outlives the browser: %s", async (choice, outlives) => {
  const { email } = await makeAccount();
  const answer = await visit("/auth", { form: { email, password: PASSWORD, ...choice } });
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("session=")) ?? "";
  expect(cookie).toContain("session=");
  expect(/Max-Age=2592000/.test(cookie)).toBe(outlives);
  expect(/Max-Age|Expires/i.test(cookie)).toBe(outlives);
});

test.each([
  ["kept", true, 30 * 24],
  ["not kept", false, 12],
])(
  "a session that is %s ends after its time without use, even if the browser stays open",
  async (_case, kept, hours) => {
    const { id: userId } = await makeAccount();
    const { sessions } = servicesAt();
    const cookie = await sessions.start(new Request(ORIGIN), { userId, epoch: 1, kept });
    const request = new Request(ORIGIN, { headers: { Cookie: cookie.split(";")[0] ?? "" } });
    const lifeInHours = async () => {
      const id = (await sessions.read(request))?.identity.id;
      const { keys } = await env.SESSIONS.list({ prefix: id });
      expect(keys).toHaveLength(1);
      return ((keys[0]?.expiration ?? Infinity) - Date.now() / 1000) / 3600;
    };
    expect(await lifeInHours()).toBeCloseTo(hours, 0);
    await sessions.renew(request);
    expect(await lifeInHours()).toBeCloseTo(hours, 0);
  },
);

test("a session that is not kept is renewed every few hours, under the same id", async () => {
  const { id: userId } = await makeAccount();
  const cookie = await servicesAt().sessions.start(new Request(ORIGIN), { userId, epoch: 1, kept: false });
  const [sent = ""] = cookie.split(";");
  const request = new Request(ORIGIN, { headers: { Cookie: sent } });
  const hour = 60 * 60_000;
  expect(await servicesAt(5 * hour).sessions.read(request)).toMatchObject({ kept: false, renewal: false });
  expect(await servicesAt(7 * hour).sessions.read(request)).toMatchObject({ kept: false, renewal: true });
  const renewed = await servicesAt(7 * hour).sessions.renew(request);
  expect(renewed.split(";")[0]).toBe(sent);
  expect(renewed).not.toMatch(/Max-Age|Expires/i);
  expect(await servicesAt(8 * hour).sessions.read(request)).toMatchObject({ renewal: false });
});

test("an account without a profile gets one at the login, and completes it before anything else", async () => {
  const { id, email } = await makeAccount();
  await env.DB.prepare("DELETE FROM profiles WHERE id = ?").bind(id).run();
  const answer = await visit("/auth?to=/cart", { form: { email, password: PASSWORD } });
  expect(answer.headers.get("Location")).toBe("/complete-profile?to=%2Fcart");
  for (const path of ["/home", "/myshop", "/become-seller", "/profile"])
    expect((await visit(path, { as: id })).headers.get("Location")).toBe(
      `/complete-profile?to=${encodeURIComponent(path)}`,
    );
  // The phone is optional, and nobody asks for it again.
  const form = { fullName: "Wanjiku Otieno", phone: "", campusLocation: "Main Campus" };
  const completed = await visit("/complete-profile?to=%2Fcart", { as: id, form });
  expect(completed.headers.get("Location")).toBe("/cart");
  expect((await visit("/myshop", { as: id })).status).toBe(200);
  expect((await visit("/complete-profile", { as: id })).headers.get("Location")).toBe("/home");
});

test("one subscriber's many IPv6 addresses count as one", async () => {
  const { email } = await makeAccount();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => trySignIn(email, { from: `2c0f:fe38:1:2::${n.toString(16)}` })),
  );
  expect(answers.filter((answer) => !answer.ok && answer.code === "paused")).toHaveLength(2);
});

test("guessing from many networks ends too, and still does not keep the owner out of a device they have used", async () => {
  const { email } = await makeAccount();
  const cookie = (await servicesAt().devices.remember(new Request(ORIGIN), email)).split(";")[0];
  const answers: string[] = [];
  for (let network = 0; network < 7; network += 1)
    answers.push(...(await answersOf(SIGN_IN_TRIES - 1, email, { from: `198.51.100.${network}` })));
  expect(count(answers, "invalid")).toBe(SIGN_IN_TRIES_ANYWHERE);
  expect(await trySignIn(email, { password: PASSWORD, from: "41.90.9.9" })).toEqual({ ok: false, code: "paused" });
  expect(await trySignIn(email, { password: PASSWORD, from: "41.90.9.9", cookie })).toMatchObject({ ok: true });
});

test("a device's own tries are limited as well, and a device mark that was made up counts for nothing", async () => {
  const { email } = await makeAccount();
  const cookie = (await servicesAt().devices.remember(new Request(ORIGIN), email)).split(";")[0] ?? "";
  expect(count(await answersOf(SIGN_IN_TRIES + 3, email, { cookie }), "paused")).toBe(3);
  await answersOf(SIGN_IN_TRIES, email);
  expect(await trySignIn(email, { password: PASSWORD, cookie: `${cookie}x` })).toEqual({ ok: false, code: "paused" });
});

test("an address that nobody has registered answers and rests like any other", async () => {
  const { email } = await makeAccount();
  const registered = await answersOf(SIGN_IN_TRIES + 2, email);
  const unknown = await answersOf(SIGN_IN_TRIES + 2, `nobody-${email}`);
  expect(unknown.toSorted()).toEqual(registered.toSorted());
});

test("the counters reveal no email", async () => {
  const { email } = await makeAccount();
  await trySignIn(email);
  const { results } = await env.DB.prepare("SELECT key FROM rate_counters").all<{ key: string }>();
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ key }) => key.includes("@"))).toEqual([]);
});

test("a hash of weaker parameters is renewed at sign-in, and opens as before", async () => {
  const { id, email } = await makeAccount();
  expect(await trySignIn(email, { password: PASSWORD })).toMatchObject({ ok: true });
  const row = await env.DB.prepare("SELECT password_hash FROM credentials WHERE id = ?")
    .bind(id)
    .first<{ password_hash: string }>();
  expect(row?.password_hash).toMatch(/^scrypt\$512\$8\$1\$/);
  expect(await trySignIn(email, { password: PASSWORD })).toMatchObject({ ok: true });
});

test("a session that belongs to nobody any more is named as the reason, in the cart and at the callback", async () => {
  const { id } = await makeAccount();
  const cookie = await sessionCookie(id);
  await env.DB.prepare("UPDATE credentials SET session_epoch = 9 WHERE id = ?").bind(id).run();
  const added = await visit("/?index", { form: { intent: "add-to-cart" }, headers: { Cookie: cookie } });
  expect(added.headers.get("Location")).toBe("/auth");
  const flash = added.headers.getSetCookie().find((one) => one.startsWith("flash=")) ?? "";
  const said = await servicesAt().flash.read(new Request(ORIGIN, { headers: { Cookie: flash.split(";")[0] ?? "" } }));
  expect(said).toMatchObject({ kind: "error", text: "Authentication error" });
  const callback = await visit("/auth/callback", { form: { token: "" }, headers: { Cookie: cookie } });
  expect([callback.status, (await callback.text()).includes("User information not found")]).toEqual([401, true]);
});
