/** How an account becomes an admin (docs/operating.md, "Admins"). Nobody becomes two: docs/decisions/two-admins.md. */
import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { adminEmails, credentials, profiles } from "#app/db/schema.ts";
import { accountKey } from "./devices.server.ts";

/** SQL: the account has the role, even if it can't log in. It keeps its email and isn't deleted. */
export function hasAdminRole(userId: string): SQL {
  return exists(
    build
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(eq(profiles.id, userId), eq(profiles.isAdmin, true))),
  );
}

/** Makes an account with a listed address an admin, unless the address has made another account one before. */
export function makeAdmin(
  { passwordPepper }: { passwordPepper: string },
  { id, email }: { id: string; email: string },
  now: number,
): Statement[] {
  const emailHash = accountKey(email, passwordPepper);
  const isAccount = and(eq(credentials.id, id), eq(credentials.email, email));
  const listed = build
    .select({ id: credentials.id })
    .from(adminEmails)
    .innerJoin(credentials, eq(credentials.id, adminEmails.userId))
    .where(and(eq(adminEmails.emailHash, emailHash), isAccount));
  return [
    insertEach(
      adminEmails,
      { emailHash, userId: credentials.id, createdAt: now },
      sql`FROM ${credentials} WHERE ${isAccount}`,
    ).onConflictDoNothing(),
    build
      .update(profiles)
      .set({ isAdmin: true })
      .where(and(eq(profiles.id, id), eq(profiles.isAdmin, false), exists(listed))),
  ];
}
