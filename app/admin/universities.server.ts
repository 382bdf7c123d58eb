import { sql } from "drizzle-orm";
import { expectOneChange, expectThat, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  readAdminCounts,
} from "./admin-pages.server.ts";

export interface University {
  domain: string;
  name: string;
}

/** Kenya has about 80 universities. */
const SHOWN = 200;

/** The universities whose name or domain contains `search`, by name. One round trip. */
export async function listUniversities(
  db: Database,
  search: string,
): Promise<{ rows: University[]; counts: AdminCounts }> {
  const text = search.toLowerCase();
  const [rows, counts] = await runBatch(db, [
    sql`SELECT domain, name FROM university_domains WHERE instr(lower(name), ${text}) > 0 OR instr(domain, ${text}) > 0
      ORDER BY name COLLATE NOCASE, domain LIMIT ${SHOWN}`,
    adminCounts(),
  ]);
  return { rows: rowsOf<University>(rows), counts: readAdminCounts(counts) };
}

/**
 * Adds a university's domain. A trigger verifies the students with a confirmed address there. `listed`: the domain, or
 * one that it is below, is on the list already. `stale`: they are no longer an admin.
 */
export async function addUniversity(
  store: Store,
  admin: Admin,
  { domain, name }: University,
): Promise<{ ok: true } | { ok: false; code: "listed" | "stale" }> {
  const listed = sql`SELECT 1 FROM university_domains WHERE domain = ${domain} OR substr(${domain}, -length(domain) - 1) = '.' || domain`;
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_added", subject: `university:${domain}`, detail: name },
    [
      expectThat(sql`NOT EXISTS (${listed})`),
      sql`INSERT INTO university_domains (domain, name, created_at) VALUES (${domain}, ${name}, ${store.now()})`,
    ],
  );
  if (done) return { ok: true };
  return { ok: false, code: (await store.db.all(listed)).length > 0 ? "listed" : "stale" };
}

/**
 * Removes a university's domain. A trigger takes the level from students whom only an address there verified. `stale`:
 * it is gone already.
 */
export async function removeUniversity(
  store: Store,
  admin: Admin,
  domain: string,
): Promise<{ ok: true } | { ok: false; code: "stale" }> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "university_removed", subject: `university:${domain}` },
    [sql`DELETE FROM university_domains WHERE domain = ${domain}`, expectOneChange()],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}
