import { desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { profiles } from "#app/accounts/tables.server.ts";
import { build } from "#app/db/build.ts";
import { auditLog } from "./tables.server.ts";

/** What admins did to these subjects ("kind:id"), the latest first. */
export function selectHistory(subjects: SQL) {
  const { id, actorId, action, subject, detail, createdAt } = auditLog;
  return build
    .select({ id, actor: profiles.fullName, action, detail, createdAt })
    .from(auditLog)
    .leftJoin(profiles, eq(profiles.id, actorId))
    .where(inArray(subject, sql`(${subjects})`))
    .orderBy(desc(createdAt), desc(id))
    .limit(50);
}
