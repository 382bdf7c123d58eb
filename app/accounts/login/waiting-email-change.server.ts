import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { emailTokens } from "#app/accounts/tables.server.ts";

/** The query for the change of an account's email that waits for its link: to which address, and until when (ms). */
export function waitingEmailChange(userId: string, now: number) {
  const { email, expiresAt, purpose, usedAt } = emailTokens;
  return build
    .select({ email: sql<string>`${email}`.as("newEmail"), until: expiresAt })
    .from(emailTokens)
    .where(and(eq(emailTokens.userId, userId), eq(purpose, "email_change"), isNull(usedAt), gt(expiresAt, now)))
    .orderBy(desc(emailTokens.createdAt))
    .limit(1);
}
