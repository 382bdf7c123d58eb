import { sql } from "drizzle-orm";
import { type ProhibitedTerm, readTerm, TERM_MAX_LENGTH } from "#app/catalogue/prohibited-rules.ts";
import { expectOneChange, rowOf, rowsOf, runBatch, UniqueViolation } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  performAdminAction,
  type Admin,
  adminCounts,
  type AdminCounts,
  readAdminCounts,
} from "./admin-pages.server.ts";

export interface TermRow extends ProhibitedTerm {
  id: string;
  /** The category's name, or the words. */
  label: string;
}

/** Each listing is searched for every term, so the list can't grow without end. */
const TERMS_MAX = 1_000;

/**
 * The terms of one kind whose words contain `search`, in alphabetical order; how many terms of each kind there are; and
 * the categories to choose from. One round trip.
 */
export async function listTerms(
  db: Database,
  { kind, search }: { kind: ProhibitedTerm["kind"]; search: string },
): Promise<{
  rows: TermRow[];
  totals: Record<ProhibitedTerm["kind"], number>;
  categories: { id: string; name: string }[];
  counts: AdminCounts;
}> {
  const [rows, totals, categories, counts] = await runBatch(db, [
    sql`SELECT t.id, t.kind, t.term, COALESCE(k.name, t.term) AS label
      FROM prohibited_terms t LEFT JOIN categories k ON t.kind = 'category' AND k.id = t.term
      WHERE t.kind = ${kind} AND instr(lower(COALESCE(k.name, t.term)), ${search.toLowerCase()}) > 0
      ORDER BY lower(COALESCE(k.name, t.term)) LIMIT ${TERMS_MAX}`,
    sql`SELECT COALESCE(SUM(kind = 'word'), 0) AS word, COALESCE(SUM(kind = 'category'), 0) AS category, COALESCE(SUM(kind = 'allowed'), 0) AS allowed FROM prohibited_terms`,
    sql`SELECT id, name FROM categories WHERE status = 'approved' AND id NOT IN (SELECT term FROM prohibited_terms WHERE kind = 'category') ORDER BY name`,
    adminCounts(),
  ]);
  return {
    rows: rowsOf<TermRow>(rows),
    totals: rowOf<Record<ProhibitedTerm["kind"], number>>(totals) ?? { word: 0, category: 0, allowed: 0 },
    categories: rowsOf<{ id: string; name: string }>(categories),
    counts: readAdminCounts(counts),
  };
}

type TermRefusal = "empty" | "too_long" | "known" | "no_category" | "full" | "stale";

type Result = { ok: true } | { ok: false; code: TermRefusal };

/** Adds a word, a phrase or a category. Listings that are published already stay so. `known`: it is on the list. */
export async function addTerm(
  store: Store,
  admin: Admin,
  { kind, term: typed }: { kind: ProhibitedTerm["kind"]; term: string },
): Promise<Result> {
  const term = kind === "category" ? typed : readTerm(typed);
  if (!term) return { ok: false, code: "empty" };
  if (term.length > TERM_MAX_LENGTH) return { ok: false, code: "too_long" };
  const [found] = await store.db.all<{ terms: number; isCategory: number }>(sql`SELECT
    (SELECT COUNT(*) FROM prohibited_terms) AS terms, EXISTS (SELECT 1 FROM categories WHERE id = ${term} AND status = 'approved') AS isCategory`);
  if ((found?.terms ?? 0) >= TERMS_MAX) return { ok: false, code: "full" };
  if (kind === "category" && found?.isCategory !== 1) return { ok: false, code: "no_category" };
  const id = crypto.randomUUID();
  try {
    const done = await performAdminAction(
      store,
      admin,
      { action: "term_added", subject: `term:${id}`, detail: `${kind}: ${term}` },
      [
        sql`INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES (${id}, ${kind}, ${term}, ${store.now()})`,
        expectOneChange(),
      ],
    );
    return done ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "known" };
    throw error;
  }
}

/** Removes a term. Listings that are held for it stay held until our team decides. `stale`: somebody removed it before. */
export async function removeTerm(store: Store, admin: Admin, id: string): Promise<Result> {
  const [term] = await store.db.all<ProhibitedTerm>(sql`SELECT kind, term FROM prohibited_terms WHERE id = ${id}`);
  if (!term) return { ok: false, code: "stale" };
  const done = await performAdminAction(
    store,
    admin,
    { action: "term_removed", subject: `term:${id}`, detail: `${term.kind}: ${term.term}` },
    [sql`DELETE FROM prohibited_terms WHERE id = ${id}`, expectOneChange()],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}
