/** Promises in SECURITY.md that no other file tests: planted sessions, unchangeable books, and logs without secrets. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { bookTransaction } from "#app/payments/books/ledger.server.ts";
import { write } from "#app/db/batch.ts";
import { createSessions } from "#app/accounts/login/session.server.ts";
import { suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { isAlive, makeAccount, ORIGIN, PASSWORD, sessionCookie } from "#tests/support/accounts.ts";
import { db, makeDeal, makeUser, readAttempts, servicesAt, uniquePhone } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function sessionIn(answer: Response): string {
  const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
  if (!line) throw new Error("no session was started");
  return line.split(";")[0] ?? "";
}

test("a session that somebody planted signs nobody in: signing in starts another, and ends the one before", async () => {
  const [attacker, victim] = [await makeAccount(), await makeAccount()];
  const planted = await sessionCookie(attacker.id);
  const signIn = (cookie: string) =>
    visit("/auth", {
      form: { email: victim.email, password: PASSWORD },
      headers: { Cookie: cookie, "CF-Connecting-IP": "10.77.0.1" },
    });
  // Logged in as another user. The form isn't processed at all, and a page says who is logged in.
  expect((await signIn(planted)).headers.get("Location")).toBe("/auth/other-account");
  expect((await visit("/api/messages/unread", { headers: { Cookie: planted } })).status).toBe(200);
  await visit("/logout", { form: {}, headers: { Cookie: planted } });

  const first = sessionIn(await signIn(planted));
  expect(first).not.toBe(planted);
  expect([await isAlive(planted), await isAlive(first)]).toEqual([false, true]);
  // An id that we never issued is invalid, signed or not.
  for (const made of ["session=0123456789abcdef", `session=${btoa('"0123456789abcdef"')}.${first.split(".").at(-1)}`]) {
    expect(sessionIn(await signIn(made))).not.toBe(made);
    expect(await isAlive(made)).toBe(false);
  }
});

test("over HTTPS the session is bound to our host, sent over HTTPS only, and to no script", async () => {
  const sessions = createSessions(env.SESSIONS, { secrets: ["x"], secure: true, now: Date.now });
  const cookie = await sessions.start(new Request(ORIGIN), { userId: crypto.randomUUID(), epoch: 1 });
  expect(cookie).toMatch(/^__Host-session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test("neither the books nor the audit log can be changed or shortened, whoever asks the database", async () => {
  const admin = await makeAdmin();
  await suspendUser(servicesAt(), admin, await makeUser(), "A test");
  const legs = [
    { account: "plans", kind: "charge", amount: 5 },
    { account: "mpesa_collection", kind: "charge", amount: -5 },
  ] as const;
  await write(db, bookTransaction({ transactionId: crypto.randomUUID(), legs: [...legs], now: 1 }));
  for (const [table, change] of [
    ["ledger_entries", "amount = 0"],
    ["audit_log", "detail = 'nothing'"],
  ]) {
    await expect(env.DB.prepare(`UPDATE ${table} SET ${change}`).run()).rejects.toThrow(/append-only/);
    await expect(env.DB.prepare(`DELETE FROM ${table}`).run()).rejects.toThrow(/append-only/);
  }
});

test("logs are lines of JSON with the request's id, and hold no phone, password, token, address of a person or session", async () => {
  const lines: string[] = [];
  for (const way of ["log", "error", "warn"] as const)
    vi.spyOn(console, way).mockImplementation((line: unknown) => void lines.push(String(line)));
  const account = await makeAccount();
  const deal = await makeDeal();
  const phone = uniquePhone("77");
  const signedIn = await visit("/auth", { form: { email: account.email, password: PASSWORD } });
  await visit("/auth", { form: { email: account.email, password: "another-secret" } });
  await visit("/auth/forgot", { form: { email: account.email } });
  await visit("/auth/reset?token=a-token-by-mail", {
    form: { token: "a-token-by-mail", password: "kilimani-7", confirmPassword: "kilimani-7" },
  });
  await visit("/appeals/an-appeal-by-mail", { form: { appeal: "I disagree" } });
  await visit("/appeals/an-appeal-by-mail.data");
  await visit(`/checkout/${deal.orderId}`, {
    as: deal.buyerId,
    form: { intent: "pay", phone, option: "pickup", pickupConfirmed: "on" },
  });
  const [attempt] = await readAttempts(deal.orderId);
  await visit(`/api/mpesa/status/${attempt?.checkoutRequestId}`, { as: deal.buyerId });
  const body = JSON.stringify({
    Body: {
      stkCallback: {
        CheckoutRequestID: attempt?.checkoutRequestId,
        MerchantRequestID: attempt?.merchantRequestId,
        ResultCode: 1032,
        ResultDesc: "Request cancelled by user.",
      },
    },
  });
  const told = await visit(`/hooks/pay/s/${attempt?.callbackToken}`, {
    body,
    headers: { "Content-Type": "application/json" },
  });
  await visit(`/hooks/pay/s/${attempt?.callbackToken}`, {
    body: `{"phone":"${phone}"`,
    headers: { "Content-Type": "application/json" },
  });

  // The request's id goes on to what it stored.
  const stored = await env.DB.prepare(
    "SELECT request_id AS id FROM payment_callbacks WHERE token = ? ORDER BY received_at LIMIT 1",
  )
    .bind(attempt?.callbackToken)
    .first<{ id: string }>();
  expect(stored?.id).toBe(told.headers.get("X-Request-Id"));
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.length).toBeGreaterThan(7);
  for (const event of events)
    expect(event).toMatchObject({
      event: expect.any(String),
      level: expect.any(String),
      at: expect.any(String),
      requestId: expect.any(String),
    });
  const secrets = [
    PASSWORD,
    "another-secret",
    "kilimani-7",
    "a-token-by-mail",
    "an-appeal-by-mail",
    phone,
    `0${phone.slice(3)}`,
    attempt?.callbackToken ?? "?",
    account.email,
    sessionIn(signedIn).split("=")[1] ?? "?",
  ];
  for (const secret of secrets) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  expect(lines.filter((line) => /\b(254|0)[17]\d{8}\b/.test(line))).toEqual([]);
});
