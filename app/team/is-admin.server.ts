import { and, eq, exists, inArray, isNull, type SQL, type SQLWrapper } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { build } from "#app/db/build.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { ADMIN_ROLES, type AdminRole } from "#app/db/states/admin.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";

const accountRow = alias(credentials, "account_row");

/** SQL: somebody is an admin of one of these roles who can log in. `id` as a value or a column. */
export function isAdmin(id: string | SQLWrapper, roles: readonly AdminRole[] = ADMIN_ROLES): SQL {
  return exists(
    build
      .select({ id: personRow.id })
      .from(personRow)
      .innerJoin(accountRow, eq(accountRow.id, personRow.id))
      .where(and(eq(personRow.id, id), inArray(personRow.adminRole, roles), isNull(accountRow.suspendedAt))),
  );
}
