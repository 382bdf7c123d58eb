/**
 * The database does its work, and its answer is lost: at each call of what somebody presses once. Nobody reads that
 * nothing happened when it did, and nothing happens twice.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { askForEmailChange, changeEmail } from "#app/accounts/login/email-change.server.ts";
import { takeBack } from "#app/accounts/login/take-back.server.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { resetPassword, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { changePassword } from "#app/accounts/profile/settings.server.ts";
import { endSession, endSessions } from "#app/accounts/login/sign-in.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { isAway, PAGE_PATIENCE } from "#app/db/patience.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import type { Services } from "#app/request/services.ts";
import { makeAccount, PASSWORD } from "#tests/support/accounts.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";

interface Press {
  act(services: Services): Promise<unknown>;
  /** SQL: how often it happened. */
  times: string;
  about: string;
}

const NEW_PASSWORD = "a-new-password";
const CHANGED = "SELECT session_epoch - 1 AS n FROM credentials WHERE id = ?";

async function newestToken(userId: string, purpose: string): Promise<string> {
  const row = await env.DB.prepare("SELECT id FROM email_tokens WHERE user_id = ? AND purpose = ? AND used_at IS NULL")
    .bind(userId, purpose)
    .first<{ id: string }>();
  return emailTokenOf(env.PASSWORD_PEPPER, row?.id ?? "none");
}

async function accountWithNewEmail() {
  const account = await makeAccount();
  const email = `${crypto.randomUUID()}@campus.test`;
  await askForEmailChange(servicesAt(), account.id, { email, currentPassword: PASSWORD });
  return { account, email, token: await newestToken(account.id, "email_change") };
}

const PRESSES: Record<string, () => Promise<Press>> = {
  async "changing a password"() {
    const { id } = await makeAccount();
    const input = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    return { act: (services) => changePassword(services, id, input), times: CHANGED, about: id };
  },
  async "setting a password by a link"() {
    const { id, email } = await makeAccount();
    await sendPasswordReset(servicesAt(), email);
    const input = { token: await newestToken(id, "password_reset"), password: NEW_PASSWORD };
    return { act: (services) => resetPassword(services, input), times: CHANGED, about: id };
  },
  async "changing an email"() {
    const { account, token } = await accountWithNewEmail();
    return { act: (services) => changeEmail(services, account.id, token), times: CHANGED, about: account.id };
  },
  async "taking back the change of an email"() {
    const { account, email, token } = await accountWithNewEmail();
    await changeEmail(servicesAt(), account.id, token);
    const undo = await newestToken(account.id, "account_undo");
    const times = `SELECT COUNT(*) AS n FROM credentials WHERE id = ? AND email <> '${email}'`;
    return { act: (services) => takeBack(services, undo, lookAgainAtNumber), times, about: account.id };
  },
  async "logging out"() {
    const id = crypto.randomUUID();
    const times = "SELECT COUNT(*) AS n FROM ended_sessions WHERE id = ?";
    return { act: (services) => endSession(services, { id, userId: "" }), times, about: id };
  },
  async "logging out everywhere"() {
    const id = await makeUser();
    const times = "SELECT session_epoch > 1 AS n FROM credentials WHERE id = ?";
    return { act: (services) => endSessions(services, id), times, about: id };
  },
  async "blocking somebody"() {
    const [userId, blockedId] = [await makeUser(), await makeUser()];
    const times = "SELECT COUNT(*) AS n FROM blocks WHERE user_id = ?";
    return { act: (services) => blockUser(services, { userId, blockedId }), times, about: userId };
  },
  async "reporting a problem with an order"() {
    const { buyerId: userId, orderId } = await makeDeal();
    const report = { userId, orderId, itemId: null, description: "It never came, and they don't answer" };
    const times = "SELECT COUNT(*) AS n FROM issue_reports WHERE order_id = ?";
    return { act: (services) => reportIssue(services, report), times, about: orderId };
  },
  async "appealing a decision"() {
    const id = crypto.randomUUID();
    await env.DB.prepare(
      `INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, decision, statement, decided_at,
        appeal_token, created_at, updated_at)
       VALUES (?1, 'person', ?1, ?2, 'decided', 'warned', 'x', ?3, ?1, ?3, ?3)`,
    )
      .bind(id, await makeUser(), Date.now())
      .run();
    const times = "SELECT COUNT(*) AS n FROM moderation_cases WHERE id = ? AND state = 'appealed'";
    return { act: (services) => sendAppeal(services, { token: id, text: "I have a receipt" }), times, about: id };
  },
};

test.each(Object.keys(PRESSES))("%s happens once, and whoever pressed is told so", async (name) => {
  let isOver = false;
  for (let lost = 1; !isOver; lost += 1) {
    const { act, times, about } = await PRESSES[name]!();
    let calls = 0;
    const d1 = databaseThrough(env.DB, async (call) => {
      calls += 1;
      const isLost = calls === lost;
      const answer = await call();
      if (isLost) throw new Error("D1_ERROR: Network connection lost.");
      return answer;
    });
    const db = openDatabase(d1, { ...PAGE_PATIENCE, wait: async () => {}, tryMs: Infinity });
    let told: unknown;
    try {
      told = await act({ ...servicesAt(), db });
    } catch (error) {
      if (!isAway(error)) throw error;
      told = "away";
    }
    const row = await env.DB.prepare(times).bind(about).first<{ n: number }>();
    // A counted try may be lost, and then nothing else has happened yet.
    if (told === "away") expect([lost, row?.n]).toEqual([lost, 0]);
    else {
      expect([lost, row?.n]).toEqual([lost, 1]);
      if (typeof told === "object") expect([lost, told]).toEqual([lost, expect.objectContaining({ ok: true })]);
      else expect(told).not.toBe(false);
    }
    isOver = calls < lost;
  }
});
