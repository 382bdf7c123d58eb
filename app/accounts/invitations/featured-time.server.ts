/** Until when shops are featured. Plans and invitations add to it, and nothing else writes it. */
import { inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { shops } from "#app/accounts/tables.server.ts";

/**
 * Adds time to what is left. `length`: ms, or SQL on `shops`. Nothing is added beyond `aheadMs`; what was there before
 * stays. Only shops that exist have it.
 */
export function extendFeatured(
  shopIds: SQLWrapper,
  length: number | SQLWrapper,
  now: number,
  aheadMs: number | null = null,
): Statement {
  const from = sql`MAX(COALESCE(${shops.featuredUntil}, 0), ${now})`;
  const until = sql`${from} + ${length}`;
  const featuredUntil = aheadMs === null ? until : sql`MAX(${from}, MIN(${until}, ${now + aheadMs}))`;
  return build.update(shops).set({ featuredUntil }).where(inArray(shops.id, shopIds));
}
