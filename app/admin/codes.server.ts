import { sql } from "drizzle-orm";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { runBatch, UniqueViolation } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  type ListPage,
  pageClause,
  readAdminCounts,
  toListPage,
} from "./admin-pages.server.ts";
import { codeOf } from "./admin-rules.ts";

export interface AccessCode {
  id: string;
  code: string;
  isUsed: boolean;
  /** The email of the person who used it. */
  usedBy: string | null;
  /** Ms since 1970. */
  usedAt: number | null;
  createdAt: number;
}

export type CodeFilter = "all" | "available" | "used";

/** One page of the access codes, newest first. One round trip. */
export async function listCodes(
  db: Database,
  filter: CodeFilter,
  after: string | null,
): Promise<ListPage<AccessCode> & { counts: AdminCounts }> {
  const where = filter === "all" ? sql`1` : sql`is_used = ${filter === "used" ? 1 : 0}`;
  const [codes, counts] = await runBatch(db, [
    sql`SELECT id, code, is_used AS isUsed, used_by AS usedBy, used_at AS usedAt, created_at AS createdAt FROM wholesaler_codes
      ${pageClause(where, sql`created_at`, sql`id`, "newest", readCursor(after))}`,
    adminCounts(),
  ]);
  const page = toListPage<Omit<AccessCode, "isUsed"> & { isUsed: number }>(codes);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, isUsed: row.isUsed === 1 })),
    counts: readAdminCounts(counts),
  };
}

const TRIES = 5;

/**
 * Makes `count` new codes, all or none; null if the admin is no longer one. `key` is the form's own (a UUID). Sent
 * again with the same count, even at the same time, it returns the codes it made. Throws if random codes collide with
 * existing ones five times.
 */
export async function generateCodes(
  store: Store,
  admin: Admin,
  count: number,
  key: string = crypto.randomUUID(),
): Promise<string[] | null> {
  const ids = await Promise.all(
    Array.from({ length: count }, (_, place) => idFrom(`${admin.id} ${key} ${count} ${place}`)),
  );
  for (let tries = 1; ; tries += 1) {
    const rows = ids.map((id) => ({ id, code: codeOf(crypto.getRandomValues(new Uint8Array(8))) }));
    try {
      const done = await performAdminAction(
        store,
        admin,
        { action: "codes_generated", subject: "wholesaler_codes", detail: String(count) },
        [
          sql`INSERT INTO wholesaler_codes (id, code, created_by, creator_email, is_used, created_at)
          SELECT value ->> 'id', value ->> 'code', ${admin.id}, ${admin.email}, 0, ${store.now()} FROM json_each(${JSON.stringify(rows)})`,
        ],
      );
      return done ? rows.map(({ code }) => code) : null;
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      const made = await codesOf(store.db, admin, ids);
      if (made.length > 0) return made;
      // The code exists already. The chance is 1 in 32^8 for each code.
      if (tries === TRIES) throw error;
    }
  }
}

/** The codes that a form made before, in the same order. */
async function codesOf(db: Database, admin: Admin, ids: string[]): Promise<string[]> {
  const rows = await db.all<{ code: string }>(
    sql`SELECT w.code FROM json_each(${JSON.stringify(ids)}) j JOIN wholesaler_codes w ON w.id = j.value WHERE w.created_by = ${admin.id} ORDER BY j.key`,
  );
  return rows.map(({ code }) => code);
}

/** An id computed from a text, in the format of a UUID. */
async function idFrom(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
