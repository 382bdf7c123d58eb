/** Emails about a change of how somebody logs in, for its owner, who may not have made it. */
import { eq, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { insertEach } from "#app/db/build.ts";
import { credentials, outbox, profiles } from "#app/db/schema.ts";
import type { Mail } from "#app/platform/mailer.ts";

/** Run it in the batch that changes the password. A first password is told, too. */
export function passwordChangedMail(userId: string, now: number): Statement {
  return toOwner(userId, "password_changed", now);
}

/** Run it in the batch that links a Google account to an account that has another way to log in. */
export function googleLinkedMail(userId: string, now: number): Statement {
  return toOwner(userId, "google_linked", now);
}

function toOwner(userId: string, template: "password_changed" | "google_linked", now: number): Statement {
  const mail: Mail = { to: "", template, data: { name: "" } };
  const addressed = sql`json_set(${JSON.stringify(mail)}, '$.to', ${credentials.email},
    '$.data.name', ${profiles.fullName})`;
  return insertEach(
    outbox,
    {
      id: crypto.randomUUID(),
      topic: "mail",
      dedupeKey: `${template}:${userId}:${now}`,
      payload: addressed,
      availableAt: now,
      createdAt: now,
    },
    sql`FROM ${profiles} JOIN ${credentials} ON ${eq(credentials.id, profiles.id)} WHERE ${eq(profiles.id, userId)}`,
  ).onConflictDoNothing({ target: outbox.dedupeKey });
}
