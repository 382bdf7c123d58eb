import { eq, or } from "drizzle-orm";
import { UniqueViolation, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories } from "#app/catalogue/tables.server.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { type Category } from "#app/catalogue/browse/browse.server.ts";
import { CATEGORY_TEXTS } from "./listing-form-rules.ts";
import { readCategoryName } from "./listing-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

const CATEGORIES_A_DAY = 10;

export type CategoryAnswer =
  | { ok: true; category: Category }
  | { ok: false; error: string; /** The existing category. */ known?: Category };

const CATEGORY = { id: categories.id, name: categories.name };

/** Adds a category, approved at once. If one of that name exists, in any case, the result names it (`known`). */
export async function addCategory(store: Store, userId: string, typed: string): Promise<CategoryAnswer> {
  const reading = readCategoryName(typed);
  if (!reading.ok) return reading;
  const { name, nameKey } = reading.category;
  const id = reading.category.id || crypto.randomUUID().slice(0, 8);
  const isKnown = or(eq(categories.nameKey, nameKey), eq(categories.id, id));
  const findKnown = () => store.db.select(CATEGORY).from(categories).where(isKnown).limit(1);
  const [found] = await findKnown();
  if (found) return { ok: false, error: CATEGORY_TEXTS.known, known: found };
  if (!(await takeAllowance(store, [{ key: `categories:${userId}`, max: CATEGORIES_A_DAY, windowMs: DAY_MS }])))
    return { ok: false, error: CATEGORY_TEXTS.failed };
  const now = store.now();
  try {
    const {
      category: [category],
    } = await write(store.db, {
      category: build
        .insert(categories)
        .values({ id, name, nameKey, status: "approved", createdBy: userId, createdAt: now })
        .returning(CATEGORY),
    });
    return category ? { ok: true, category } : { ok: false, error: CATEGORY_TEXTS.failed };
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    // Somebody suggested the same name at the same moment.
    const [other] = await findKnown();
    return { ok: false, error: CATEGORY_TEXTS.known, ...(other && { known: other }) };
  }
}
