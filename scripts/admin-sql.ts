/** What `npm run admin` writes, as the text of SQL: the same statements as the page's. */
import { resetStatements, roleAct, roleStatements } from "#app/admin/people/admins.server.ts";
import { build } from "#app/db/build.ts";
import type { Statement } from "#app/db/batch.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { textOf } from "#scripts/statement-text.ts";
import type { AdminRole } from "#app/db/states/admin.ts";

/** An entry of the operator, who has no account. */
function audit(action: string, userId: string, detail: string | null, now: number): Statement {
  const id = crypto.randomUUID();
  return build
    .insert(auditLog)
    .values({ id, actorId: null, action, subject: `user:${userId}`, detail, createdAt: now });
}

const OPERATOR = { by: "The operator", actorId: null };

/** Gives, changes or (null) takes a role. */
export function roleSql(
  { userId, was, role }: { userId: string; was: AdminRole | null; role: AdminRole | null },
  now: number,
): string[] {
  const change = { userId, was, role, ...OPERATOR };
  return [audit(roleAct(change), userId, role ?? was, now), ...roleStatements(change, now)].map(textOf);
}

/** Turns somebody's two-step login off. */
export function resetSql(userId: string, now: number): string[] {
  const statements = resetStatements({ userId, ...OPERATOR }, { now: () => now, passwordPepper: null });
  return [audit("second_step_reset", userId, null, now), ...statements].map(textOf);
}

/** Who an email belongs to, with their role. */
export function personSql(email: string): string {
  return `SELECT profiles.id, full_name AS name, admin_role AS role
    FROM credentials JOIN profiles ON profiles.id = credentials.id
    WHERE credentials.email = '${email.replaceAll("'", "''")}'
      AND suspended_at IS NULL AND email_confirmed_at IS NOT NULL`;
}

export const LIST_SQL = `SELECT email, full_name AS name, admin_role AS role FROM profiles WHERE admin_role IS NOT NULL
    ORDER BY admin_role, email`;
