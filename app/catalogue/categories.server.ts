import { sql } from "drizzle-orm";
import { rowOf, runBatch, UniqueViolation } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { type Category } from "./browse.server.ts";
import { CATEGORY_TEXTS } from "./listing-form-rules.ts";
import { readCategoryName } from "./listing-rules.ts";

const DAY_MS = 24 * 60 * 60_000;
const CATEGORIES_A_DAY = 10;

export type CategoryAnswer =
  | { ok: true; category: Category }
  | { ok: false; error: string; /** The existing category. */ known?: Category };

/** Adds a category, approved at once. If one of that name exists, in any case, the result names it (`known`). */
export async function addCategory(store: Store, userId: string, typed: string): Promise<CategoryAnswer> {
  const reading = readCategoryName(typed);
  if (!reading.ok) return reading;
  const { name, nameKey } = reading.category;
  const id = reading.category.id || crypto.randomUUID().slice(0, 8);
  const known = sql`SELECT id, name FROM categories WHERE name_key = ${nameKey} OR id = ${id} LIMIT 1`;
  const [found] = await store.db.all<Category>(known);
  if (found) return { ok: false, error: CATEGORY_TEXTS.known, known: found };
  if (!(await takeAllowance(store, [{ key: `categories:${userId}`, max: CATEGORIES_A_DAY, windowMs: DAY_MS }])))
    return { ok: false, error: CATEGORY_TEXTS.failed };
  const now = store.now();
  try {
    const [added] = await runBatch(store.db, [
      sql`INSERT INTO categories (id, name, name_key, status, created_by, created_at) VALUES (${id}, ${name}, ${nameKey}, 'approved', ${userId}, ${now}) RETURNING id, name`,
    ]);
    const category = rowOf<Category>(added);
    return category ? { ok: true, category } : { ok: false, error: CATEGORY_TEXTS.failed };
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    // Somebody suggested the same name at the same moment.
    const [other] = await store.db.all<Category>(known);
    return { ok: false, error: CATEGORY_TEXTS.known, ...(other && { known: other }) };
  }
}
