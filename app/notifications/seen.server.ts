import { and, count, eq, inArray, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { notifications } from "./tables.server.ts";
import type { Thing } from "./kinds.ts";

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

/** Somebody has seen these things, and so what they were told about them. */
export function markSeen(userId: string, things: readonly Thing[], now: number) {
  return build
    .update(notifications)
    .set({ readAt: now })
    .where(
      and(eq(notifications.userId, userId), inArray(notifications.thing, [...things]), isNull(notifications.readAt)),
    );
}
