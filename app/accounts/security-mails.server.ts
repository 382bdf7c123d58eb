/** Emails about a change of how somebody logs in, for its owner, who may not have made it. */
import { type SQL, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";

/** Run it in the batch that changes the password. A first password is told, too. */
export function passwordChangedMail(userId: string, now: number): SQL {
  return toOwner(userId, "password_changed", now);
}

/** Run it in the batch that links a Google account to an account that has another way to log in. */
export function googleLinkedMail(userId: string, now: number): SQL {
  return toOwner(userId, "google_linked", now);
}

function toOwner(userId: string, template: "password_changed" | "google_linked", now: number): SQL {
  const mail: Mail = { to: "", template, data: { name: "" } };
  return sql`INSERT INTO outbox (id, topic, dedupe_key, payload, attempts, available_at, created_at)
    SELECT ${crypto.randomUUID()}, 'mail', ${`${template}:${userId}:${now}`},
      json_set(${JSON.stringify(mail)}, '$.to', c.email, '$.data.name', p.full_name), 0, ${now}, ${now}
    FROM profiles p JOIN credentials c ON c.id = p.id WHERE p.id = ${userId}
    ON CONFLICT (dedupe_key) DO NOTHING`;
}
