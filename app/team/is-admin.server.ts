import { and, eq, exists, inArray, isNull, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { build } from "#app/db/build.ts";
import { credentials, profiles } from "#app/db/schema.ts";
import { ADMIN_ROLES, type AdminRole } from "#app/db/states/admin.ts";

const p = alias(profiles, "p");

const accountRow = alias(credentials, "account_row");

/** SQL: somebody is an admin of one of these roles who can log in. `id` as a value or a column. */
export function isAdmin(id: string | SQLWrapper, roles: readonly AdminRole[] = ADMIN_ROLES): SQL {
  return exists(
    build
      .select({ id: p.id })
      .from(p)
      .innerJoin(accountRow, eq(accountRow.id, p.id))
      .where(and(eq(p.id, id), inArray(p.adminRole, roles), isNull(accountRow.suspendedAt))),
  );
}
