import { and, count, eq, inArray, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { notifications } from "./tables.server.ts";
import type { Kind, KindData, Thing } from "./kinds.ts";

/** The bell shows "99+" from here on, so no more are counted. */
const COUNTED = 100;

/** SQL: how many notifications somebody hasn't read, at most `COUNTED`. Reads as many index entries. */
export function unseenOf(userId: SQL | Placeholder): SQL<number> {
  const unseen = build
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
    .limit(COUNTED)
    .as("unseen");
  return sql<number>`${build.select({ unseen: count() }).from(unseen)}`;
}

/**
 * The query for what somebody was told of a kind about these things, and hasn't seen. `things` may be a SELECT of them.
 */
export function unseenAbout<K extends Kind>(userId: string, kind: K, things: readonly Thing[] | SQL) {
  const { thing, readAt, data } = notifications;
  return build
    .select({ data: sql`${data}`.mapWith((json: string) => JSON.parse(json) as KindData[K]) })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        Array.isArray(things) ? inArray(thing, things) : sql`${thing} IN ${things as SQL}`,
        isNull(readAt),
        eq(notifications.kind, kind),
      ),
    );
}

/** Somebody has seen these things, and so what they were told about them. */
export function markSeen(userId: string, things: readonly Thing[], now: number) {
  return build
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(eq(notifications.userId, userId), inArray(notifications.thing, [...things]), isNull(notifications.readAt)),
    );
}
