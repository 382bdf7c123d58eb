import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, time, userId } from "#app/db/columns.ts";

/** Which admin works on what waits, so that two of them don't decide the same. */
export const adminClaims = sqliteTable("admin_claims", {
  /** "kind:id", as in the audit log. */
  subject: text().primaryKey(),
  adminId: userId().notNull(),
  until: time().notNull(),
});

/** Who did what, when. Append-only. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: id(),
    /** Null for the operator, who acts by a command. */
    actorId: userId(),
    action: text().notNull(),
    subject: text().notNull(),
    detail: text(),
    createdAt: time().notNull(),
  },
  (t) => [index("audit_log_created").on(t.createdAt, t.id), index("audit_log_subject").on(t.subject, t.createdAt)],
);
