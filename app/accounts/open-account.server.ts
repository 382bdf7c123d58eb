import { and, eq, isNull, type SQL, type SQLWrapper } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { credentials } from "./tables.server.ts";

/**
 * SQL: the account is neither suspended nor deleted. A form that takes long to arrive may outlive its session, and what
 * it writes then, no erasure finds.
 */
export function isOpenAccount(userId: string | SQLWrapper): SQL {
  return hasRow(credentials, and(eq(credentials.id, userId), isNull(credentials.suspendedAt)));
}
