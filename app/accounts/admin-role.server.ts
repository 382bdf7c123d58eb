/** How an account becomes an admin (docs/operating.md, "Admins"). Nobody becomes two: docs/decisions/two-admins.md. */
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { accountKey } from "./devices.server.ts";

/** SQL: the account has the role, even if it can't log in. It keeps its email and isn't deleted. */
export function hasAdminRole(userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM profiles WHERE id = ${userId} AND is_admin = 1)`;
}

/** Makes an account with a listed address an admin, unless the address has made another account one before. */
export function makeAdmin(
  { passwordPepper }: { passwordPepper: string },
  { id, email }: { id: string; email: string },
  now: number,
): Statement[] {
  const hash = accountKey(email, passwordPepper);
  return [
    sql`INSERT INTO admin_emails (email_hash, user_id, created_at) SELECT ${hash}, id, ${now} FROM credentials WHERE id = ${id} AND email = ${email}
      ON CONFLICT DO NOTHING`,
    sql`UPDATE profiles SET is_admin = 1 WHERE id = ${id} AND is_admin = 0
      AND EXISTS (SELECT 1 FROM admin_emails a JOIN credentials c ON c.id = a.user_id WHERE a.email_hash = ${hash} AND c.id = ${id} AND c.email = ${email})`,
  ];
}
