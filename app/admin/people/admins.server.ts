/** Who is an admin, as what, and since when. The operator's command (`npm run admin`) writes the same statements. */
import { and, desc, eq, inArray, isNotNull, isNull, lt, max, ne, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { normalizeEmail } from "#app/accounts/login/account-rules.ts";
import type { ChangeServices } from "#app/accounts/login/account-change.server.ts";
import { hasAdminRole } from "#app/accounts/admin-role.server.ts";
import { hasSecondStep } from "#app/accounts/two-step/has-second-step.server.ts";
import { resetSteps } from "#app/accounts/two-step/two-step.server.ts";
import { type Statement, expectOneChange, expectThat, read } from "#app/db/batch.ts";
import { hasRow, asBoolean, build, named, oneRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import type { Notifier } from "#app/live/live-events.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { NEW_FOR_MS } from "#app/moderation/second-admin/second-admin-rules.ts";
import { type AdminAct } from "#app/team/act-rules.ts";
import { adminCounts, type AdminCounts, PAGE_SIZE, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { type Admin, performAdminAction } from "#app/team/perform-act.server.ts";
import { GIVES_ROLE, MAKES_NEW } from "#app/team/role-rules.ts";

const { adminRole } = profiles;
const { createdAt, actorId } = auditLog;

/**
 * When an admin last did one of these acts with an account. `before`: of earlier times, because a batch has written its
 * own act by then.
 */
function lastOf(acts: AdminAct[], userId: SQL | SQLiteColumn, before?: number): SQL<number | null> {
  return sql`(${build
    .select({ at: max(createdAt) })
    .from(auditLog)
    .where(
      and(
        sql`${auditLog.subject} = 'user:' || ${userId}`,
        inArray(auditLog.action, acts),
        isNotNull(actorId),
        before === undefined ? undefined : lt(createdAt, before),
      ),
    )})`;
}

/**
 * SQL: an owner who stays one until they step down, or the operator takes the role away. Otherwise whoever has stolen
 * an owner's account could remove all others, who then could not stop the second admin that the thief makes. Who got
 * the role from an admin less than a week ago can still be removed.
 */
function staysOwner(userId: SQL | SQLiteColumn, now: number): SQL<boolean> {
  const isOwner = build
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.id, userId), eq(adminRole, "owner")));
  return sql`(EXISTS ${isOwner} AND COALESCE(${lastOf(GIVES_ROLE, userId, now)}, 0) <= ${now - NEW_FOR_MS})`;
}

const hasRole = and(isNotNull(adminRole), isNull(credentials.suspendedAt));

export interface AdminRow {
  id: string;
  name: string;
  email: string;
  role: AdminRole;
  secondStep: boolean;
  /** Until when another admin confirms what they do with money, ms since 1970; null for those who aren't new. */
  newUntil: number | null;
  /** No other owner can change their role. */
  staysOwner: boolean;
}

/** All admins, by role and name. One round trip. */
export async function listAdmins({ db, now }: Store): Promise<{ rows: AdminRow[]; counts: AdminCounts }> {
  const { found, counts } = await read(db, {
    found: build
      .select({
        id: credentials.id,
        ...named({ name: profiles.fullName }),
        email: credentials.email,
        ...named({ role: adminRole }),
        secondStep: asBoolean(hasSecondStep(credentials.id)).as("second_step"),
        madeNewAt: lastOf(MAKES_NEW, credentials.id).as("made_new_at"),
        staysOwner: asBoolean(staysOwner(credentials.id, now())).as("stays_owner"),
      })
      .from(credentials)
      .innerJoin(profiles, eq(profiles.id, credentials.id))
      .where(hasRole)
      .orderBy(desc(sql`${adminRole} = 'owner'`), adminRole, profiles.fullName)
      .limit(PAGE_SIZE * 3),
    counts: adminCounts(),
  });
  const rows = found.flatMap(({ madeNewAt: at, role, ...row }) => {
    const until = (at ?? 0) + NEW_FOR_MS;
    return role === null ? [] : [{ ...row, role, newUntil: until > now() ? until : null }];
  });
  return { rows, counts: readAdminCounts(counts) };
}

/** A role that is given, changed or (null) taken. */
export interface RoleChange {
  userId: string;
  /** As whoever decides has seen it. */
  was: AdminRole | null;
  role: AdminRole | null;
  /** Who decides, as the emails name them. */
  by: string;
  /** The admin who decides, who gets no email about it; null for the operator. */
  actorId: string | null;
}

/**
 * The statements of a change, but for its entry in the audit log. They abort their batch where no owner would be left.
 */
export function roleStatements({ userId, was, role, by, actorId: actor }: RoleChange, now: number): Statement[] {
  const owners = build
    .select({ id: profiles.id })
    .from(profiles)
    .innerJoin(credentials, eq(credentials.id, profiles.id))
    .where(and(eq(adminRole, "owner"), isNull(credentials.suspendedAt)));
  const told = { role, by, isNew: role !== null && actor !== null };
  return [
    build
      .update(profiles)
      .set({ adminRole: role })
      .where(and(eq(profiles.id, userId), sql`${adminRole} IS ${was}`, isNull(profiles.deletedAt), canLogIn(userId))),
    expectOneChange(),
    expectThat(sql`EXISTS ${owners}`),
    ...notifyEach(
      "admin_role_changed",
      rowsFor("admin_role_changed", userId, sql`${JSON.stringify(told)}`, eq(profiles.id, userId), now),
      now,
    ),
    ...(role === null ? [] : tellOtherOwners("admin_role_given", { userId, actorId: actor }, { role, by }, now)),
  ];
}

/**
 * Tells the owners of what `actorId` (null: the operator) did with the account `userId`, whose name it adds as `who`.
 */
function tellOtherOwners(
  kind: "admin_role_given" | "admin_step_reset",
  { userId, actorId: actor }: Pick<RoleChange, "userId" | "actorId">,
  data: object,
  now: number,
): Statement[] {
  const who = build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, userId));
  const others = and(
    eq(adminRole, "owner"),
    ne(profiles.id, userId),
    actor === null ? undefined : ne(profiles.id, actor),
    hasAdminRole(userId),
  );
  const told = sql`json_set(${JSON.stringify(data)}, '$.who', ${who})`;
  return notifyEach(kind, rowsFor(kind, userId, told, others, now), now);
}

/** SQL: a row of `notifyEach` for each profile of `where`. */
function rowsFor(kind: string, userId: string, data: SQL, where: SQL | undefined, now: number): SQL {
  return build
    .select({
      ...named({ userId: profiles.id }),
      key: sql`${`${kind}:${userId}:${now}:`} || ${profiles.id}`.as("key"),
      data: data.as("data"),
    })
    .from(profiles)
    .where(where)
    .getSQL();
}

/** SQL: an account whose owner has confirmed its email and can log in. */
function canLogIn(userId: string): SQL | undefined {
  const isConfirmed = and(eq(credentials.id, userId), isNotNull(credentials.emailConfirmedAt));
  return and(isOpenAccount(userId), hasRow(credentials, isConfirmed));
}

/** What the audit log calls a change. */
export function roleAct({
  was,
  role,
}: Pick<RoleChange, "was" | "role">): "admin_made" | "admin_changed" | "admin_removed" {
  if (role === null) return "admin_removed";
  return was === null ? "admin_made" : "admin_changed";
}

/** An account with a confirmed email that can log in, by its email; null without one. */
async function findCandidate(
  db: Database,
  email: string,
): Promise<{ id: string; name: string; role: AdminRole | null } | null> {
  const [found] = await db
    .select({ id: credentials.id, name: profiles.fullName, role: adminRole })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(
      and(
        eq(credentials.email, normalizeEmail(email)),
        isNull(credentials.suspendedAt),
        isNotNull(credentials.emailConfirmedAt),
      ),
    );
  return found ?? null;
}

/**
 * no_account: nobody with this email can log in. has_role: they are an admin already. last_owner: no owner would be
 * left. owner_stays: only they themselves change it. same_role: nothing changes, so nobody is new by it.
 */
export type RoleResult =
  | "done"
  | "stale"
  | "no_account"
  | "has_role"
  | "last_owner"
  | "owner_stays"
  | "same_role"
  | "own";

/** An owner with their name, for the emails. */
export interface Owner extends Admin {
  fullName: string;
}

function nameOf({ fullName, email }: Owner): string {
  return fullName || email;
}

/** Gives somebody with an account a role. */
export async function giveRole(store: Store, owner: Owner, email: string, role: AdminRole): Promise<RoleResult> {
  const person = await findCandidate(store.db, email);
  if (!person) return "no_account";
  return person.role === null ? setRole(store, owner, { userId: person.id, was: null, role }) : "has_role";
}

/**
 * Changes an admin's role, or takes it away. Owners step down by themselves. `was`: the role that the owner has seen.
 */
export async function setRole(
  store: Store,
  owner: Owner,
  change: Pick<RoleChange, "userId" | "was" | "role">,
): Promise<RoleResult> {
  if (change.role === change.was) return "same_role";
  const whole: RoleChange = { ...change, by: nameOf(owner), actorId: owner.id };
  const action = {
    action: roleAct(change),
    subject: `user:${change.userId}`,
    detail: change.role ?? change.was,
  } as const;
  const stays = staysOwner(sql`${change.userId}`, store.now());
  const guard = change.userId === owner.id ? [] : [expectThat(not(stays))];
  if (await performAdminAction(store, owner, action, [...guard, ...roleStatements(whole, store.now())])) return "done";
  const [others] = await read(
    store.db,
    oneRow({
      owners: build.$count(
        profiles,
        and(
          eq(adminRole, "owner"),
          ne(profiles.id, change.userId),
          sql`${profiles.id} IN (SELECT ${credentials.id} FROM ${credentials}
            WHERE ${isNull(credentials.suspendedAt)})`,
        ),
      ),
      stays: asBoolean(stays),
    }),
  );
  if (change.was !== "owner") return "stale";
  if (change.userId !== owner.id && others?.stays) return "owner_stays";
  return others?.owners === 0 ? "last_owner" : "stale";
}

/** The statements that turn somebody's two-step login off, but for the entry in the audit log. */
export function resetStatements(
  { userId, by, actorId: actor }: Pick<RoleChange, "userId" | "by" | "actorId">,
  services: ChangeServices,
): Statement[] {
  const told = tellOtherOwners("admin_step_reset", { userId, actorId: actor }, { by }, services.now());
  return [...resetSteps(userId, services), ...told];
}

/**
 * Turns somebody's two-step login off, because they have lost everything. Nobody does so for themselves, or for an
 * owner who stays: that would keep the owner out. Of an admin's, the other owners are told.
 */
export async function resetSecondStep(
  store: Store & ChangeServices & { notifier: Notifier },
  owner: Owner,
  email: string,
): Promise<RoleResult> {
  const person = await findCandidate(store.db, email);
  if (!person) return "no_account";
  if (person.id === owner.id) return "own";
  const action = { action: "second_step_reset", subject: `user:${person.id}` } as const;
  const stays = staysOwner(sql`${person.id}`, store.now());
  const done = await performAdminAction(store, owner, action, [
    expectThat(not(stays)),
    expectThat(hasSecondStep(person.id)),
    ...resetStatements({ userId: person.id, by: nameOf(owner), actorId: owner.id }, store),
  ]);
  if (done) {
    await store.notifier.endSessions(person.id);
    return "done";
  }
  const [now] = await read(store.db, oneRow({ stays: asBoolean(stays) }));
  return now?.stays ? "owner_stays" : "stale";
}
