import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, time, userId } from "#app/db/columns.ts";

/** The browsers that show a person's notifications while the app is closed (Web Push). */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    id: id(),
    userId: userId().notNull(),
    /** The address of this browser at its push service. It belongs to whoever logged in there last. */
    endpoint: text().notNull(),
    /** The browser's public key and its secret, as base64url (RFC 8291). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** Such as "Chrome on Android". */
    deviceName: text().notNull(),
    /** The session that it was registered in. It gets nothing once the session has ended. */
    sessionId: text().notNull(),
    sessionEpoch: integer().notNull(),
    /** When that session runs out unless the app is opened again. */
    endsAt: time().notNull(),
    createdAt: time().notNull(),
    /** When the app was last opened there, to within an hour. */
    usedAt: time().notNull(),
  },
  (t) => [uniqueIndex("push_subscriptions_endpoint").on(t.endpoint), index("push_subscriptions_user").on(t.userId)],
);

/** What somebody was told, as the notification centre shows it. Kept for 90 days. */
export const notifications = sqliteTable(
  "notifications",
  {
    /** Counts up, so that the newest is first without a sort. */
    id: integer().primaryKey(),
    userId: userId().notNull(),
    /** A `Kind` of app/notifications/kinds.ts. */
    kind: text().notNull(),
    data: text({ mode: "json" }).$type<object>().notNull(),
    /** What it is about, as "type:id"; null for nothing that has a place. */
    thing: text(),
    /** Names the event and the reader. The same key tells once; in the outbox it has the same name. */
    key: text().notNull(),
    /** How many, where a row counts: "3 people saved your kettle". */
    count: integer().notNull().default(1),
    createdAt: time().notNull(),
    readAt: time(),
  },
  (t) => [
    uniqueIndex("notifications_key").on(t.key),
    index("notifications_user").on(t.userId),
    index("notifications_unread")
      .on(t.userId, t.thing)
      .where(sql`read_at IS NULL`),
  ],
);

/** News of listings that waits to be told as one message, by person and kind, and what was told lately. */
export const gatheredNews = sqliteTable(
  "gathered_news",
  {
    userId: userId().notNull(),
    /** A `Kind` of app/notifications/kinds.ts. */
    kind: text().notNull(),
    /** How many listings wait. */
    count: integer().notNull(),
    /** The first of them by their ids (`WaitingListing` in app/notifications/gather.server.ts). */
    listings: text({ mode: "json" })
      .$type<Record<string, { productId: string; productName: string; at: number; since?: number }>>()
      .notNull(),
    /** Since when the first waits. */
    firstAt: time().notNull(),
    /** When they are told; null while none waits. */
    dueAt: time(),
    /** When the last message left, and of which listings, with the time of each. */
    toldAt: time(),
    told: text({ mode: "json" }).$type<Record<string, number>>().notNull().default({}),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind] }),
    index("gathered_news_due")
      .on(t.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
);

/** What somebody chose about notifications. Without a row everything is on, with quiet hours at night. */
export const notificationSettings = sqliteTable("notification_settings", {
  userId: userId().primaryKey(),
  /** What they turned off, or on again, by group and way. */
  choices: text({ mode: "json" }).$type<Record<string, boolean>>().notNull(),
  /** Minutes since midnight in East Africa. Both are null where they want push at any time. */
  quietFrom: integer(),
  quietUntil: integer(),
  updatedAt: time().notNull(),
});
