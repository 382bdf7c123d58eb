import { and, isNotNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { hasRow } from "#app/db/build.ts";
import { authenticators, passkeys } from "#app/accounts/tables.server.ts";

/** SQL: an account has a second step of its login. `userId` as a value or a column. */
export function hasSecondStep(userId: string | SQLWrapper): SQL {
  const hasApp = and(sql`${authenticators.userId} = ${userId}`, isNotNull(authenticators.confirmedAt));
  return sql`(${or(hasRow(authenticators, hasApp), hasRow(passkeys, sql`${passkeys.userId} = ${userId}`))})`;
}
