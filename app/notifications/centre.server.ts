import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { notifications } from "./tables.server.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import type { Notification } from "./kinds.ts";

const PAGE = 30;

const opened = alias(notifications, "opened");

/** Something that somebody was told. Times in ms since 1970. */
export type ToldRow = Notification & {
  id: number;
  thing: string | null;
  createdAt: number;
  isRead: boolean;
};

export interface ToldPage {
  rows: ToldRow[];
  /** The next page's cursor; null at the end. */
  next: number | null;
}

/** What somebody was told, newest first. `before`: the cursor of an earlier page. Reads one page of rows. */
export async function listTold(db: Database, userId: string, before: number | null): Promise<ToldPage> {
  const rows = await db
    .select()
    .from(notifications)
    .where(and(eq(notifications.userId, userId), before === null ? undefined : lt(notifications.id, before)))
    .orderBy(desc(notifications.id))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE).map(toTold);
  return { rows: page, next: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null };
}

function toTold({ id, kind, data, thing, createdAt, readAt }: typeof notifications.$inferSelect): ToldRow {
  return { ...({ kind, data } as Notification), id, thing, createdAt, isRead: readAt !== null };
}

/**
 * Somebody opens a notification of theirs: it is read from now on, and whatever else was told about the same thing.
 * `isNews`: they hadn't read it, or something else about the same thing. Null when they have no such one. One round
 * trip.
 */
export async function openTold(
  { db, now }: Store,
  userId: string,
  id: number,
): Promise<(ToldRow & { isNews: boolean }) | null> {
  const own = and(eq(notifications.id, id), eq(notifications.userId, userId));
  const thing = build
    .select({ thing: opened.thing })
    .from(opened)
    .where(and(eq(opened.id, id), eq(opened.userId, userId)));
  const {
    read,
    row: [row],
  } = await write(db, {
    read: build
      .update(notifications)
      .set({ readAt: now() })
      .where(
        and(
          eq(notifications.userId, userId),
          isNull(notifications.readAt),
          or(eq(notifications.id, id), sql`${notifications.thing} = (${thing})`),
        ),
      ),
    row: build.select().from(notifications).where(own),
  });
  return row ? { ...toTold(row), isNews: read.meta.changes > 0 } : null;
}

/** Marks everything up to `upTo` as read, the newest that the page showed, so that nothing unseen is. */
export async function markAllRead({ db, now }: Store, userId: string, upTo: number): Promise<void> {
  await write(db, [
    build
      .update(notifications)
      .set({ readAt: now() })
      .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), sql`${notifications.id} <= ${upTo}`)),
  ]);
}

const DELETED_AT_ONCE = 5_000;
const MAX_DELETIONS = 10;

/** Deletes what is too old, up to the first younger one and at most 50,000. Returns how many. */
export async function deleteOldTold(store: Store): Promise<number> {
  let deleted = 0;
  for (let n = 0; n < MAX_DELETIONS; n += 1) {
    const count = await deleteSome(store);
    deleted += count;
    if (count < DELETED_AT_ONCE) break;
  }
  return deleted;
}

async function deleteSome({ db, now }: Store): Promise<number> {
  const { id, createdAt } = notifications;
  const old = now() - RETENTION.notifications.keptMs;
  const oldest = build.select({ id, createdAt }).from(notifications).orderBy(id).limit(DELETED_AT_ONCE).as("oldest");
  // In the order of time, so that the search ends at the first young one.
  const young = build.select({ id: oldest.id }).from(oldest).where(gte(oldest.createdAt, old)).limit(1);
  const some = build
    .select({ id })
    .from(notifications)
    .where(sql`${id} < COALESCE((${young}), ${Number.MAX_SAFE_INTEGER})`)
    .orderBy(id)
    .limit(DELETED_AT_ONCE);
  const { deleted } = await write(db, { deleted: build.delete(notifications).where(inArray(id, some)) });
  return deleted.meta.changes;
}
