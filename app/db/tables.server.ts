/** The tables of the machinery, which every folder may use. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, time, userId } from "./columns.ts";
import { COPY_KINDS } from "#app/db/states/moderation.ts";

/**
 * What somebody wrote, as it was when it began to count: a listing when it was ordered, anything when it was reported
 * or held. From then on each edit adds a row (`db/copies.ts`), so that nobody can rewrite what others were shown. Only
 * the erasure of a deleted account empties a row. The newest row has the highest id.
 */
export const copies = sqliteTable(
  "copies",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: COPY_KINDS }).notNull(),
    /** The id of the listing, review, person or message; of the report for a talk. */
    subjectId: text().notNull(),
    /** Who wrote it. */
    ownerId: userId().notNull(),
    /** JSON: what its `CopySource` says (`db/copies.ts`). `{}` when it is erased. */
    content: text().notNull(),
    /** The keys of its photos. */
    photos: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: time().notNull(),
  },
  (t) => [
    index("copies_subject").on(t.kind, t.subjectId, t.id),
    index("copies_owner").on(t.ownerId),
    index("copies_photos")
      .on(t.ownerId, t.photos)
      .where(sql`photos <> '[]'`),
  ],
);

/** Effects outside the database (emails), written in the batch of their cause and sent after it. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    topic: text({ enum: ["mail", "push"] }).notNull(),
    /** The place of its traffic in `TRAFFIC` (outbox.ts): 0 leaves first. */
    priority: integer().notNull().default(3),
    /** The same cause never queues the same effect twice. */
    dedupeKey: text().notNull(),
    /** JSON. */
    payload: text().notNull(),
    attempts: integer().notNull().default(0),
    availableAt: time().notNull(),
    doneAt: time(),
    /** Given up after the last try. */
    deadAt: time(),
    lastError: text(),
    /** Why the last try failed (`workers/mail/retry-rules.ts`). */
    fault: text({ enum: ["email", "away", "refused"] }),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("outbox_dedupe").on(t.dedupeKey),
    index("outbox_waiting")
      .on(t.priority, t.availableAt)
      .where(sql`done_at IS NULL AND dead_at IS NULL`),
    index("outbox_given_up")
      .on(t.deadAt)
      .where(sql`dead_at IS NOT NULL`),
  ],
);

/** Counters that hold everywhere at once. The rate-limit bindings count in each data centre by themselves. */
export const rateCounters = sqliteTable(
  "rate_counters",
  { key: id(), windowStart: time().notNull(), count: integer().notNull() },
  (t) => [index("rate_counters_window").on(t.windowStart)],
);

/** At most one holder at a time for each scheduled job. */
export const leases = sqliteTable("leases", { name: id(), until: time().notNull() });

/** How far a job has come that goes through all there is of something, a part a run (`app/db/passes.ts`). */
export const passes = sqliteTable("passes", {
  /**
   * `digest`: all accounts, each week. `types`: all listings, after each change of the table of types. `summaries`: all
   * days.
   */
  job: text({ enum: ["digest", "types", "summaries"] }).primaryKey(),
  /**
   * Names the present pass: the week, or the hash of the table. Another one begins anew. That of the days never ends.
   */
  pass: text().notNull(),
  /** The last that it has come to: an account's id, a listing's rowid, or a day. Null once it is over. */
  after: text(),
});

/** What was written lately (`write` in batch.ts). Kept for an hour, and small, so `at` has no index. */
export const writeMarks = sqliteTable("write_marks", { id: integer().primaryKey(), at: time().notNull() });
