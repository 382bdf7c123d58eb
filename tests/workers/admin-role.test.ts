/** One person is one admin: an address in ADMIN_EMAILS makes one account an admin, whatever its owner does. */
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { EMAIL_TEXTS } from "#app/accounts/login/account-rules.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { askForEmailChange, changeEmail } from "#app/accounts/login/email-change.server.ts";
import { takeBack } from "#app/accounts/login/take-back.server.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { completeSignIn } from "#app/accounts/login/sign-in.server.ts";
import { confirmProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import { suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { type Account, makeAccount, PASSWORD, readRow } from "#tests/support/accounts.ts";
import { db, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

/** An address of the configuration, the same in each test by itself. */
let listed: string;
const services = () => ({ ...servicesAt(), adminEmails: [listed] });

beforeEach(async () => {
  listed = `operator-${crypto.randomUUID()}@mail.test`;
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
});

/** Somebody with this confirmed address, who logs in. */
async function join(email: string): Promise<Account> {
  const { id } = await makeAccount();
  for (const table of ["credentials", "profiles"])
    await env.DB.prepare(`UPDATE ${table} SET email = ? WHERE id = ?`).bind(email, id).run();
  return logIn(id);
}

async function logIn(id: string): Promise<Account> {
  const row = await readRow("credentials", id);
  const account = { id, email: String(row.email) };
  await completeSignIn(services(), { ...account, sessionEpoch: Number(row.session_epoch) });
  return account;
}

async function admins(): Promise<string[]> {
  return (await db.all<{ id: string }>("SELECT id FROM profiles WHERE admin_role IS NOT NULL")).map(({ id }) => id);
}

const wanted = () => `wanted-${crypto.randomUUID()}@mail.test`;

async function token(userId: string, purpose: "email_change" | "account_undo"): Promise<string> {
  const row = await env.DB.prepare(
    "SELECT id FROM email_tokens WHERE user_id = ? AND purpose = ? ORDER BY created_at DESC, rowid DESC",
  )
    .bind(userId, purpose)
    .first<{ id: string }>();
  return emailTokenOf(env.PASSWORD_PEPPER, row?.id ?? "none");
}

async function moveTo(account: Account, email: string) {
  expect(await askForEmailChange(services(), account.id, { email, currentPassword: PASSWORD })).toEqual({ ok: true });
  return changeEmail(services(), account.id, await token(account.id, "email_change"));
}

async function takeRole({ id }: Account): Promise<void> {
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL WHERE id = ?").bind(id).run();
}

test("an admin's email doesn't change, and says whom to ask", async () => {
  const admin = await join(listed);
  const form = { intent: "email", newEmail: wanted(), currentPassword: PASSWORD };
  const answer = await visit("/settings.data", { as: admin.id, form });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(EMAIL_TEXTS.admin)]);
  const page = await (await visit("/profile?tab=settings", { as: admin.id })).text();
  for (const sentence of [
    "this email stays. To change it, ask the operator",
    "can’t delete your account. Ask the operator",
  ])
    expect(page.replaceAll("&#x27;", "’").replaceAll("'", "’")).toContain(sentence);
  expect(page).not.toContain("Delete My Account");
});

test("a link that was asked for before the role is refused after it", async () => {
  const account = await makeAccount();
  await askForEmailChange(services(), account.id, { email: wanted(), currentPassword: PASSWORD });
  listed = account.email;
  await logIn(account.id);
  const change = await token(account.id, "email_change");
  expect(await changeEmail(services(), account.id, change)).toEqual({ ok: false, code: "admin" });
  expect(await admins()).toEqual([account.id]);
});

test("an address that has made an account an admin makes no other one", async () => {
  const first = await join(listed);
  expect(await admins()).toEqual([first.id]);
  await takeRole(first);
  // Its owner may then leave the address, in each of the ways.
  expect(await moveTo(first, wanted())).toMatchObject({ ok: true });
  const again = await join(listed);
  await logIn(again.id);
  await deleteAccount(services(), again.id);
  const identity = { subject: `google-${listed}`, email: listed, emailVerified: true, name: "Wanjiku Otieno" };
  expect(await signInWithIssuer(services(), GOOGLE, identity)).toMatchObject({ ok: true, email: listed });
  expect(await signInWithIssuer(services(), GOOGLE, identity)).toMatchObject({ ok: true });
  expect(await admins()).toEqual([]);
  // The account that was made an admin has another address now.
  await logIn(first.id);
  expect(await admins()).toEqual([]);
});

test("the address of a deleted account that was an admin makes no other one", async () => {
  const first = await join(listed);
  await takeRole(first);
  expect(await deleteAccount(services(), first.id)).toMatchObject({ ok: true });
  await join(listed);
  expect(await admins()).toEqual([]);
});

test("a new pepper makes neither the account of a taken role an admin again, nor another one with its address", async () => {
  const account = await join(listed);
  await takeRole(account);
  await env.DB.prepare(
    "UPDATE remembered_emails SET email_hash = 'of the pepper before' WHERE kind = 'admin' AND user_id = ?",
  )
    .bind(account.id)
    .run();
  await logIn(account.id);
  expect(await moveTo(account, wanted())).toMatchObject({ ok: true });
  await join(listed);
  expect(await admins()).toEqual([]);
});

test("an account that moves to a listed address has the role, until the move is undone", async () => {
  const before = wanted();
  const account = await join(before);
  expect(await moveTo(account, listed)).toMatchObject({ ok: true });
  await logIn(account.id);
  expect(await admins()).toEqual([account.id]);
  expect(await takeBack(services(), await token(account.id, "account_undo"), lookAgainAtNumber)).toMatchObject({
    ok: true,
  });
  await logIn(account.id);
  await join(listed);
  expect(await admins()).toEqual([]);
});

test("a login that was under way while the address changed makes no admin", async () => {
  const account = await join(wanted());
  const { session_epoch: epoch } = await readRow("credentials", account.id);
  await completeSignIn(services(), { id: account.id, email: listed, sessionEpoch: Number(epoch) });
  expect(await admins()).toEqual([]);
  const owner = await join(listed);
  expect(await admins()).toEqual([owner.id]);
});

test("what an admin moved alone goes on counting: neither another address nor a new account begins anew", async () => {
  const admin = await join(listed);
  const one = await payDeal({ price: 30_000 });
  const other = await payDeal({ price: 30_000, buyerId: one.buyerId });
  expect(await suspendUser(services(), admin, one.sellerId, "Took money")).toEqual({ ok: true });
  expect(await deleteAccount(services(), admin.id)).toEqual({ ok: false, code: "admin" });
  const asked = await askForEmailChange(services(), admin.id, { email: wanted(), currentPassword: PASSWORD });
  expect(asked).toEqual({ ok: false, code: "admin" });
  await logIn(admin.id);
  expect(await suspendUser(services(), admin, other.sellerId, "Took money")).toEqual({ ok: true, waits: true });
  const [waiting] = (await listProposals(services())).rows;
  const confirmed = { id: waiting?.id ?? "", seenAmount: 30_000 };
  expect(await confirmProposal(services(), admin, confirmed, DESK_ACTS)).toBe("proposed_by_you");
});
