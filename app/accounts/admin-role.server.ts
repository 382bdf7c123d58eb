/** How an account becomes an admin (docs/operating.md, "Admins"). Nobody becomes two: docs/decisions/two-admins.md. */
import { and, eq, exists, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { credentials, profiles, rememberedEmails } from "./tables.server.ts";
import { accountKey } from "#app/accounts/login/devices.server.ts";

/** SQL: the account has the role, even if it can't log in. It keeps its email and isn't deleted. */
export function hasAdminRole(userId: string): SQL {
  return exists(
    build
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(eq(profiles.id, userId), isNotNull(profiles.adminRole))),
  );
}

/**
 * Makes an account with a listed address an owner. Each address does so once, ever, so a role that was taken stays
 * taken. Each account becomes one so once, too: after a new pepper all addresses are unknown.
 */
export function makeOwner(
  { passwordPepper }: { passwordPepper: string },
  { id, email }: { id: string; email: string },
  now: number,
): Statement[] {
  const isAccount = and(eq(credentials.id, id), eq(credentials.email, email));
  const isTheirs = and(eq(rememberedEmails.kind, "admin"), eq(rememberedEmails.userId, id));
  const timesMade = build.$count(rememberedEmails, isTheirs);
  return [
    insertEach(
      rememberedEmails,
      { kind: "admin", emailHash: accountKey(email, passwordPepper), userId: credentials.id, createdAt: now },
      sql`FROM ${credentials} WHERE ${isAccount}`,
    ).onConflictDoNothing(),
    // Only where the statement before has just remembered the address.
    build
      .update(profiles)
      .set({ adminRole: "owner" })
      .where(and(eq(profiles.id, id), sql`changes() = 1`, sql`${timesMade} = 1`)),
  ];
}
