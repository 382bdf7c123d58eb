/** What admins did, written in the batch that does it. */
import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Statement, expectThat, tryWrite } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { auditLog } from "./tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { AdminAct, FreeAct, MoneyAct } from "./act-rules.ts";
import { isAdmin } from "./is-admin.server.ts";
import { rolesFor } from "./role-rules.ts";

/** The admin who acts. */
export interface Admin {
  id: string;
  email: string;
}

/** An action of an admin, for the audit log. */
export interface AdminAction<Act extends AdminAct> {
  action: Act;
  /** "kind:id" of what was changed. */
  subject: string;
  detail?: string | null;
}

/** The admin may do it. The guards belong into its batch. */
export interface MayAct {
  guards: Statement[];
}

/**
 * Runs an admin's action that moves no money in one guarded batch with its entry in the audit log. Returns false, and
 * writes nothing, if a guard fails because something has changed, or if their role doesn't include it any more.
 */
export function performAdminAction(
  store: Store,
  admin: Admin,
  adminAction: AdminAction<FreeAct>,
  statements: Statement[],
): Promise<boolean> {
  return tryWrite(store.db, [...auditStatements(store, admin, adminAction), ...statements]);
}

/** The same for an action that moves money. `weighed` says that they may (`weighAct`), and guards it. */
export function performMoneyAction(
  store: Store,
  admin: Admin,
  adminAction: AdminAction<MoneyAct>,
  weighed: MayAct,
  statements: Statement[],
): Promise<boolean> {
  return tryWrite(store.db, [...moneyStatements(store, admin, adminAction, weighed), ...statements]);
}

/**
 * Writes an action into the audit log, if `when` (SQL) holds then. Aborts its batch (PreconditionFailed) if their role
 * doesn't include it any more.
 */
export function auditStatements(
  store: Store,
  admin: Admin,
  adminAction: AdminAction<FreeAct>,
  when?: SQL,
): Statement[] {
  return writeAudit(store, admin, adminAction, when);
}

/** The same for an action that moves money, with its guards. */
export function moneyStatements(
  store: Store,
  admin: Admin,
  adminAction: AdminAction<MoneyAct>,
  weighed: MayAct,
): Statement[] {
  return [...writeAudit(store, admin, adminAction), ...weighed.guards];
}

function writeAudit(
  store: Store,
  admin: Admin,
  { action, subject, detail = null }: AdminAction<AdminAct>,
  when = sql`true`,
): Statement[] {
  const row = { id: crypto.randomUUID(), actorId: admin.id, action, subject, detail, createdAt: store.now() };
  return [
    expectThat(isAdmin(admin.id, rolesFor(action))),
    insertEach(auditLog, row, sql`FROM (SELECT 1) WHERE ${when}`),
  ];
}

/** What admins did to these subjects ("kind:id"), the latest first. */
export function selectHistory(subjects: SQL) {
  const { id, actorId, action, subject, detail, createdAt } = auditLog;
  return build
    .select({ id, actor: profiles.fullName, action, detail, createdAt })
    .from(auditLog)
    .leftJoin(profiles, eq(profiles.id, actorId))
    .where(inArray(subject, sql`(${subjects})`))
    .orderBy(desc(createdAt), desc(id))
    .limit(50);
}
