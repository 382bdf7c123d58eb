/** What admins do: guarded by their role, and written into the audit log in the batch that does it. */
import { type SQL, sql } from "drizzle-orm";
import { expectThat, type Statement, tryWrite } from "#app/db/batch.ts";
import { insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import type { AdminAct, FreeAct, MoneyAct } from "./act-rules.ts";
import { isAdmin } from "./is-admin.server.ts";
import { rolesFor } from "./role-rules.ts";
import { auditLog } from "./tables.server.ts";

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
  return tryWrite(store.db, [...guardAndAudit(store, admin, adminAction), ...statements]);
}

/** The same for an action that moves money. `weighed` says that they may (`weighAct`), and guards it. */
export function performMoneyAction(
  store: Store,
  admin: Admin,
  adminAction: AdminAction<MoneyAct>,
  weighed: MayAct,
  statements: Statement[],
): Promise<boolean> {
  return tryWrite(store.db, [...guardAndAuditMoney(store, admin, adminAction, weighed), ...statements]);
}

/**
 * Writes an action into the audit log, if `when` (SQL) holds then. Aborts its batch (PreconditionFailed) if their role
 * doesn't include it any more.
 */
export function guardAndAudit(store: Store, admin: Admin, adminAction: AdminAction<FreeAct>, when?: SQL): Statement[] {
  return writeAudit(store, admin, adminAction, when);
}

/** The same for an action that moves money, with its guards. */
export function guardAndAuditMoney(
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
