/** A change of how somebody logs in, told to its owner, who may not have made it. */
import { sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { oneRow } from "#app/db/build.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";

/** Run it in the batch that changes the password. A first password is told, too. */
export function tellPasswordChanged(userId: string, now: number): Statement[] {
  return toOwner(userId, "password_changed", now);
}

/** Run it in the batch that links a Google account to an account that has another way to log in. */
export function tellGoogleLinked(userId: string, now: number): Statement[] {
  return toOwner(userId, "google_linked", now);
}

function toOwner(userId: string, kind: "password_changed" | "google_linked", now: number): Statement[] {
  const owner = oneRow({
    userId: sql`${userId}`,
    key: sql`${`${kind}:${userId}:${now}`}`,
    data: sql`'{}'`,
    thing: sql`NULL`,
  });
  return notifyEach(kind, owner.getSQL(), now);
}
