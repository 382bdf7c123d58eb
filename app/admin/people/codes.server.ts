import { and, eq, sql } from "drizzle-orm";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { UniqueViolation, read } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { wholesalerCodes } from "#app/accounts/tables.server.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import { adminCounts, PAGE_SIZE, pageOf, readAdminCounts, toListPage } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";
import { readCount } from "#app/platform/number-rules.ts";
import { codeOf, CODES_MAX } from "./code-rules.ts";

/** Reads how many codes to make, 1 to 50; null for another number. What is no number is 1, as the field begins. */
export function readCodeCount(typed: string): number | null {
  if (!/\p{N}/u.test(typed)) return 1;
  const count = readCount(typed);
  return count.ok && count.value >= 1 && count.value <= CODES_MAX ? count.value : null;
}

export type CodeFilter = "all" | "available" | "used";

/** One page of the access codes, newest first. One round trip. */
export async function listCodes(db: Database, filter: CodeFilter, after: string | null) {
  const { id, code, isUsed, usedBy, usedAt, createdAt } = wholesalerCodes;
  const { beyond, sorted } = pageOf(createdAt, id, "newest", readCursor(after));
  const { codes, counts } = await read(db, {
    codes: build
      .select({ id, code, isUsed, usedBy, usedAt, createdAt })
      .from(wholesalerCodes)
      .where(and(filter === "all" ? undefined : eq(isUsed, filter === "used"), beyond))
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
    counts: adminCounts(),
  });
  return { ...toListPage(codes), counts: readAdminCounts(counts) };
}

/** `usedBy`: the email of the person who used it. Times in ms since 1970. */
export type AccessCode = Awaited<ReturnType<typeof listCodes>>["rows"][number];

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
          insertEach(
            wholesalerCodes,
            {
              id: sql`value ->> 'id'`,
              code: sql`value ->> 'code'`,
              createdBy: admin.id,
              creatorEmail: admin.email,
              createdAt: store.now(),
            },
            sql`FROM json_each(${JSON.stringify(rows)})`,
          ),
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
  const rows = await db
    .select({ code: sql<string>`${wholesalerCodes.code}` })
    .from(sql`json_each(${JSON.stringify(ids)}) asked`)
    .innerJoin(wholesalerCodes, sql`${wholesalerCodes.id} = asked.value`)
    .where(eq(wholesalerCodes.createdBy, admin.id))
    .orderBy(sql`asked.key`);
  return rows.map(({ code }) => code);
}

/** An id computed from a text, in the format of a UUID. */
async function idFrom(text: string): Promise<string> {
  return (await sha256Hex(text)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
