/** Who is an admin: by the page of owners and by the operator's command. */
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { NEW_FOR_MS } from "#app/moderation/second-admin/second-admin-rules.ts";
import { giveRole, listAdmins, type Owner, resetSecondStep, setRole } from "#app/admin/people/admins.server.ts";
import { decideDeal } from "#app/admin/problems/decisions.server.ts";
import { confirmProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import { resetSql, roleSql } from "#scripts/admin-sql.ts";
import { writeMail } from "#workers/mail/write-mail.tsx";
import { type Account, makeAccount, readRow } from "#tests/support/accounts.ts";
import { db, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

const DAY = 24 * 60 * 60_000;

let owner: Owner;

async function makeOwner(): Promise<Owner> {
  const account = await makeAccount({ name: "Daniel Kiprono" });
  await put(account.id, "owner");
  return { ...account, fullName: "Daniel Kiprono" };
}

async function put(id: string, role: AdminRole | null): Promise<void> {
  await env.DB.prepare("UPDATE profiles SET admin_role = ? WHERE id = ?").bind(role, id).run();
}

const roleOf = async ({ id }: Account) => (await readRow("profiles", id)).admin_role;

async function tolds({ email }: Account): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT json_extract(payload, '$.template') || ' ' || COALESCE(json_extract(payload, '$.data.role'), 'none') AS told
     FROM outbox WHERE json_extract(payload, '$.to') = ? ORDER BY created_at, rowid`,
  )
    .bind(email)
    .all<{ told: string }>();
  return results.map(({ told }) => told);
}

/** The first email to somebody, as they read it. */
async function firstMail({ email }: Account): Promise<string> {
  const found = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE json_extract(payload, '$.to') = ? ORDER BY created_at, rowid",
  )
    .bind(email)
    .first<{ payload: string }>();
  return writeMail(JSON.parse(found?.payload ?? "{}"), { origin: "https://chuoni.example", pepper: "pepper" }).text;
}

async function entries({ id }: Account): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT action || ' ' || COALESCE(detail, '') || ' ' || COALESCE(actor_id, 'operator') AS entry FROM audit_log
      WHERE subject = ? ORDER BY created_at, rowid`,
  )
    .bind(`user:${id}`)
    .all<{ entry: string }>();
  return results.map(({ entry }) => entry);
}

beforeEach(async () => {
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
  await env.DB.prepare("UPDATE admin_proposals SET state = 'void' WHERE state = 'open'").run();
  owner = await makeOwner();
});

test("an owner gives a role, changes it and takes it; it counts at once, is told and is written down", async () => {
  const other = await makeOwner();
  const person = await makeAccount();
  expect(await giveRole(servicesAt(), owner, person.email.toUpperCase(), "support")).toBe("done");
  expect((await visit("/admin/verifications", { as: person.id })).status).toBe(200);
  expect((await visit("/admin/money", { as: person.id })).headers.get("Location")).toBe("/admin");
  expect(await setRole(servicesAt(1), owner, { userId: person.id, was: "support", role: "finance" })).toBe("done");
  expect((await visit("/admin/money", { as: person.id })).status).toBe(200);
  expect(await setRole(servicesAt(2), owner, { userId: person.id, was: "finance", role: null })).toBe("done");
  expect((await visit("/admin/money", { as: person.id })).headers.get("Location")).toBe("/home");
  expect(await tolds(person)).toEqual([
    "admin_role_changed support",
    "admin_role_changed finance",
    "admin_role_changed none",
  ]);
  expect(await firstMail(person)).toContain("must be confirmed by another admin");
  expect(await tolds(other)).toEqual(["admin_role_given support", "admin_role_given finance"]);
  expect(await tolds(owner)).toEqual([]);
  expect(await entries(person)).toEqual([
    `admin_made support ${owner.id}`,
    `admin_changed finance ${owner.id}`,
    `admin_removed finance ${owner.id}`,
  ]);
});

test("nobody without a confirmed account gets a role, and nobody gets two", async () => {
  const unconfirmed = await makeAccount({ confirmed: false });
  const suspended = await makeAccount({ suspended: true });
  for (const email of ["nobody@mail.test", unconfirmed.email, suspended.email])
    expect(await giveRole(servicesAt(), owner, email, "support")).toBe("no_account");
  expect(await giveRole(servicesAt(), owner, owner.email, "support")).toBe("has_role");
  expect(await roleOf(owner)).toBe("owner");
});

test("only owners choose admins, whatever page they come from", async () => {
  const person = await makeAccount();
  for (const role of ["support", "finance", null] as const) {
    await put(owner.id, role);
    expect(await giveRole(servicesAt(), owner, person.email, "owner")).toBe("stale");
    expect(await setRole(servicesAt(), owner, { userId: owner.id, was: role, role: "owner" })).toBe("stale");
  }
  expect([await roleOf(person), await entries(person)]).toEqual([null, []]);
});

test("the last owner stays, also when two owners step down at the same moment", async () => {
  const change = { userId: owner.id, was: "owner", role: null } as const;
  expect(await setRole(servicesAt(), owner, change)).toBe("last_owner");
  const other = await makeOwner();
  await Promise.all([
    setRole(servicesAt(), owner, { userId: owner.id, was: "owner", role: null }),
    setRole(servicesAt(), other, { userId: other.id, was: "owner", role: "support" }),
  ]);
  const { rows } = await listAdmins(servicesAt());
  expect(rows.filter(({ role }) => role === "owner")).toHaveLength(1);
});

test("an owner can't remove another one, nor make them new, unless they got the role less than a week ago", async () => {
  const other = await makeOwner();
  for (const role of ["support", null] as const)
    expect(await setRole(servicesAt(), owner, { userId: other.id, was: "owner", role })).toBe("owner_stays");
  const puppet = { ...(await makeAccount()), fullName: "P" };
  expect(await giveRole(servicesAt(), owner, puppet.email, "owner")).toBe("done");
  const stay = async (ms: number) =>
    (await listAdmins(servicesAt(ms))).rows.filter(({ staysOwner }) => staysOwner).map(({ id }) => id);
  expect((await stay(0)).toSorted()).toEqual([owner.id, other.id].toSorted());
  expect(await stay(NEW_FOR_MS)).toContain(puppet.id);
  const taken = { userId: puppet.id, was: "owner", role: null } as const;
  expect(await setRole(servicesAt(NEW_FOR_MS), other, taken)).toBe("owner_stays");
  // Whose second step was turned off by an owner stays as well.
  await db.insert(auditLog).values({
    id: crypto.randomUUID(),
    actorId: owner.id,
    action: "second_step_reset",
    subject: `user:${other.id}`,
    createdAt: Date.now(),
  });
  expect(await setRole(servicesAt(), owner, { userId: other.id, was: "owner", role: null })).toBe("owner_stays");
  expect(await setRole(servicesAt(), other, taken)).toBe("done");
  expect([await roleOf(other), await roleOf(puppet)]).toEqual(["owner", null]);
});

test("a change to the same role changes nothing, and makes nobody new", async () => {
  const other = await makeOwner();
  for (const who of [owner, other])
    expect(await setRole(servicesAt(), owner, { userId: who.id, was: "owner", role: "owner" })).toBe("same_role");
  expect((await listAdmins(servicesAt())).rows.map(({ newUntil }) => newUntil)).toEqual([null, null]);
  expect([await entries(owner), await tolds(owner)]).toEqual([[], []]);
});

test("a form that was opened before another owner's change does nothing", async () => {
  const person = await makeAccount();
  await put(person.id, "finance");
  expect(await setRole(servicesAt(), owner, { userId: person.id, was: "support", role: "owner" })).toBe("stale");
  expect(await roleOf(person)).toBe("finance");
});

/** A sale that waits for our decision. */
async function askTeam(price: number) {
  const deal = await payDeal({ price });
  await db.update(orderItems).set({ status: "in_review" }).where(eq(orderItems.id, deal.itemId));
  return deal;
}

test("one owner can't make a second admin and be both", async () => {
  const puppet = { ...(await makeAccount()), fullName: "P" };
  expect(await giveRole(servicesAt(), owner, puppet.email, "owner")).toBe("done");
  const deal = await askTeam(60_000);
  const decision = { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "So" } as const;
  // What the owner proposed, the new admin can't confirm: neither at Proposals nor by doing the same.
  expect(await decideDeal(servicesAt(), owner, decision)).toMatchObject({ ok: true, isDecided: false });
  const waiting = async () => (await listProposals(servicesAt())).rows[0]?.id ?? "";
  expect(await confirmProposal(servicesAt(), puppet, { id: await waiting(), seenAmount: 60_000 }, DESK_ACTS)).toBe(
    "new_admin",
  );
  expect(await decideDeal(servicesAt(), puppet, decision)).toMatchObject({ ok: true, isDecided: false });
  // Nor can the owner confirm what the new admin proposed.
  expect(await confirmProposal(servicesAt(), owner, { id: await waiting(), seenAmount: 60_000 }, DESK_ACTS)).toBe(
    "new_admin",
  );
  expect(await decideDeal(servicesAt(), owner, decision)).toMatchObject({ ok: true, isDecided: false });
  // And the new admin moves nothing alone, however little.
  const small = await askTeam(500);
  const alone = { ...decision, itemId: small.itemId };
  expect(await decideDeal(servicesAt(), puppet, alone)).toMatchObject({ ok: true, isDecided: false });
  const third = await makeOwner();
  expect(await decideDeal(servicesAt(), third, alone)).toMatchObject({ ok: true, isDecided: true });
  // After a week they are an admin like any other.
  const later = servicesAt(7 * DAY + 1000);
  expect(await decideDeal(later, owner, decision)).toMatchObject({ ok: true, isDecided: false });
  expect(await decideDeal(later, puppet, decision)).toMatchObject({ ok: true, isDecided: true });
  expect((await readItem(deal.itemId)).status).not.toBe("in_review");
});

test("an owner turns off the second step of somebody who has lost it, and never their own", async () => {
  const person = await makeAccount();
  expect(await resetSecondStep(servicesAt(), owner, person.email)).toBe("stale");
  await env.DB.prepare(
    `INSERT INTO authenticators (user_id, secret, started_by, confirmed_at, created_at)
      VALUES (?, 'x', 'session', 1, 1)`,
  )
    .bind(person.id)
    .run();
  expect(await resetSecondStep(servicesAt(), owner, owner.email)).toBe("own");
  const ended: string[] = [];
  const services = servicesAt();
  const notifier = { ...services.notifier, endSessions: async (userId: string) => void ended.push(userId) };
  expect(await resetSecondStep({ ...services, notifier }, owner, person.email)).toBe("done");
  expect(ended).toEqual([person.id]);
  expect((await readRow("credentials", person.id)).session_epoch).toBe(2);
  expect(await tolds(person)).toEqual(["two_step_changed none"]);
  expect(await entries(person)).toEqual([`second_step_reset  ${owner.id}`]);
});

test("an owner doesn't turn off another owner's second step, which would keep them out", async () => {
  const other = await makeOwner();
  await env.DB.prepare(
    `INSERT INTO authenticators (user_id, secret, started_by, confirmed_at, created_at)
      VALUES (?, 'x', 'session', 1, 1)`,
  )
    .bind(other.id)
    .run();
  expect(await resetSecondStep(servicesAt(), owner, other.email)).toBe("owner_stays");
  expect((await readRow("credentials", other.id)).session_epoch).toBe(1);
});

test("an owner who turns off another admin's second step can't be both with their account", async () => {
  const robbed = await makeOwner();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(robbed.id).run();
  await env.DB.prepare(
    `INSERT INTO authenticators (user_id, secret, started_by, confirmed_at, created_at)
      VALUES (?, 'x', 'session', 1, 1)`,
  )
    .bind(robbed.id)
    .run();
  const deal = await askTeam(60_000);
  const decision = { itemId: deal.itemId, decision: "refund", amount: 0, reasons: "So" } as const;
  const proposed = { ok: true, isDecided: false };
  expect(await decideDeal(servicesAt(), owner, decision)).toMatchObject(proposed);
  // Whoever knows their password, or reads their email, is in with that alone now.
  const third = await makeOwner();
  expect(await resetSecondStep(servicesAt(), owner, robbed.email)).toBe("done");
  expect([await tolds(third), await tolds(robbed), await tolds(owner)]).toEqual([
    ["admin_step_reset none"],
    ["two_step_changed none"],
    [],
  ]);
  const waiting = async () => (await listProposals(servicesAt())).rows[0]?.id ?? "";
  expect(await confirmProposal(servicesAt(), robbed, { id: await waiting(), seenAmount: 60_000 }, DESK_ACTS)).toBe(
    "new_admin",
  );
  expect(await decideDeal(servicesAt(), robbed, decision)).toMatchObject(proposed);
  expect(await confirmProposal(servicesAt(), owner, { id: await waiting(), seenAmount: 60_000 }, DESK_ACTS)).toBe(
    "new_admin",
  );
  const small = { ...decision, itemId: (await askTeam(500)).itemId };
  expect(await decideDeal(servicesAt(), robbed, small)).toMatchObject(proposed);
  const { rows } = await listAdmins(servicesAt());
  expect(rows.find(({ id }) => id === robbed.id)?.newUntil).toBeGreaterThan(Date.now() + 6 * DAY);
  expect(rows.find(({ id }) => id === owner.id)?.newUntil).toBeNull();
  // The operator can do so at once.
  const other = await makeOwner();
  await env.DB.batch(resetSql(other.id, Date.now()).map((text) => env.DB.prepare(text)));
  expect(await tolds(owner)).toEqual(["admin_step_reset none"]);
  expect(await decideDeal(servicesAt(), other, small)).toMatchObject({ ok: true, isDecided: true });
});

test("the operator's command does the same, without being new, and can't take the last owner either", async () => {
  const person = await makeAccount({ name: "Brian O'Brien" });
  const run = (texts: string[]) => env.DB.batch(texts.map((text) => env.DB.prepare(text)));
  await run(roleSql({ userId: person.id, was: null, role: "owner" }, Date.now()));
  expect(await roleOf(person)).toBe("owner");
  expect(await entries(person)).toEqual(["admin_made owner operator"]);
  expect(await tolds(person)).toEqual(["admin_role_changed owner"]);
  expect(await firstMail(person)).not.toContain("another admin");
  expect(await tolds(owner)).toEqual(["admin_role_given owner"]);
  expect((await listAdmins(servicesAt())).rows.map(({ newUntil }) => newUntil)).toEqual([null, null]);
  const small = await askTeam(500);
  const decision = { itemId: small.itemId, decision: "refund", amount: 0, reasons: "So" } as const;
  expect(await decideDeal(servicesAt(), person, decision)).toMatchObject({ ok: true, isDecided: true });
  await run(roleSql({ userId: owner.id, was: "owner", role: null }, Date.now() + 1));
  const last = roleSql({ userId: person.id, was: "owner", role: null }, Date.now() + 2);
  await expect(run(last)).rejects.toThrow("precondition_failed");
  await run(resetSql(person.id, Date.now() + 3));
  expect(await roleOf(person)).toBe("owner");
});
