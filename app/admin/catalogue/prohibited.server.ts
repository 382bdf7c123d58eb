import { and, asc, eq, notInArray, sql } from "drizzle-orm";
import { type ProhibitedTerm, readTerm, TERM_MAX_LENGTH } from "#app/catalogue/selling/prohibited-rules.ts";
import { UniqueViolation, expectOneChange, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, oneRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories, prohibitedTerms } from "#app/catalogue/tables.server.ts";
import { adminCounts, type AdminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

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
  const { id, term } = prohibitedTerms;
  const { id: categoryId, name } = categories;
  const isKind = (one: ProhibitedTerm["kind"]) => eq(prohibitedTerms.kind, one);
  const total = (one: ProhibitedTerm["kind"]) => build.$count(prohibitedTerms, isKind(one));
  const label = sql<string>`COALESCE(${name}, ${term})`;
  const listed = build.select({ term }).from(prohibitedTerms).where(isKind("category"));
  const {
    rows,
    totals: [totals],
    choices,
    counts,
  } = await read(db, {
    rows: build
      .select({ id, kind: prohibitedTerms.kind, term, label })
      .from(prohibitedTerms)
      .leftJoin(categories, and(isKind("category"), eq(categoryId, term)))
      .where(and(isKind(kind), sql`instr(lower(${label}), ${search.toLowerCase()}) > 0`))
      .orderBy(sql`lower(${label})`)
      .limit(TERMS_MAX),
    totals: oneRow({ word: total("word"), category: total("category"), allowed: total("allowed") }),
    choices: build
      .select({ id: categoryId, name })
      .from(categories)
      .where(and(eq(categories.status, "approved"), notInArray(categoryId, listed)))
      .orderBy(asc(name)),
    counts: adminCounts(),
  });
  return {
    rows,
    totals: totals ?? { word: 0, category: 0, allowed: 0 },
    categories: choices,
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
  const isCategory = hasRow(categories, and(eq(categories.id, term), eq(categories.status, "approved")));
  const [found] = await read(
    store.db,
    oneRow({ terms: build.$count(prohibitedTerms), isCategory: asBoolean(isCategory) }),
  );
  if ((found?.terms ?? 0) >= TERMS_MAX) return { ok: false, code: "full" };
  if (kind === "category" && !found?.isCategory) return { ok: false, code: "no_category" };
  const id = crypto.randomUUID();
  try {
    const done = await performAdminAction(
      store,
      admin,
      { action: "term_added", subject: `term:${id}`, detail: `${kind}: ${term}` },
      [build.insert(prohibitedTerms).values({ id, kind, term, createdAt: store.now() }), expectOneChange()],
    );
    return done ? { ok: true } : { ok: false, code: "stale" };
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "known" };
    throw error;
  }
}

/**
 * Removes a term. Listings that are held for it stay held until our team decides. `stale`: somebody removed it before.
 */
export async function removeTerm(store: Store, admin: Admin, id: string): Promise<Result> {
  const [term] = await store.db.select().from(prohibitedTerms).where(eq(prohibitedTerms.id, id));
  if (!term) return { ok: false, code: "stale" };
  const done = await performAdminAction(
    store,
    admin,
    { action: "term_removed", subject: `term:${id}`, detail: `${term.kind}: ${term.term}` },
    [build.delete(prohibitedTerms).where(eq(prohibitedTerms.id, id)), expectOneChange()],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}
