import { and, asc, desc, eq, isNotNull, not, sql } from "drizzle-orm";
import { countListings } from "#app/catalogue/browse/count-categories.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { hasOwnFee } from "#app/catalogue/fees/fees.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { type Statement, expectOneChange, expectThat, holds, read } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories, products, serviceFees } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { adminCounts, readAdminCounts } from "#app/team/admin-pages.server.ts";
import { performAdminAction, type Admin } from "#app/team/perform-act.server.ts";

/** Rows of one page. The remaining ones move up when the first are handled. */
const SHOWN = 100;

const IS_APPROVED = eq(categories.status, "approved");

/**
 * The categories that sellers added and whose name contains `search`, newest first; and all categories that listings
 * can move to, the most used first. One round trip.
 */
export async function listCategoriesForAdmins(db: Database, search: string) {
  const { id, name, nameKey, listingCount, createdAt, createdBy } = categories;
  const { rows, targets, counts } = await read(db, {
    rows: build
      .select({
        id,
        name,
        listings: countListings(id).as("listings"),
        createdAt,
        createdBy,
        creatorName: profiles.fullName,
      })
      .from(categories)
      .leftJoin(profiles, eq(profiles.id, createdBy))
      .where(and(isNotNull(createdBy), sql`instr(${nameKey}, ${search.toLowerCase()}) > 0`))
      .orderBy(desc(createdAt), asc(id))
      .limit(SHOWN),
    targets: build
      .select({ id, name })
      .from(categories)
      .where(IS_APPROVED)
      .orderBy(desc(listingCount), asc(name))
      .limit(SHOWN),
    counts: adminCounts(),
  });
  return { rows, targets, counts: readAdminCounts(counts) };
}

/** A category for the admin pages. `listings`: how many are for sale. */
export type CategoryRow = Awaited<ReturnType<typeof listCategoriesForAdmins>>["rows"][number];

/**
 * "stale": a category no longer exists. "own_fee": the listings would get another fee at once, which takes two owners
 * and two weeks.
 */
type Result = { ok: true } | { ok: false; code: "stale" | "own_fee" };

/** Removes a category that a seller added. Its listings move to the category `into`. */
export async function mergeCategory(store: Store, admin: Admin, id: string, into: string): Promise<Result> {
  const done = await performAdminAction(
    store,
    admin,
    { action: "category_merged", subject: `category:${id}`, detail: `into ${into}` },
    [
      expectThat(sql`${id} <> ${into} AND ${hasRow(categories, and(eq(categories.id, into), IS_APPROVED))}`),
      expectThat(not(hasOwnFee(into, store.now()))),
      ...remove(id, into, store.now()),
    ],
  );
  return done ? { ok: true } : refusal(store, id, [id, into]);
}

/** Removes a category that a seller added. Its listings show as "Other" until their sellers choose a new one. */
export async function removeCategory(store: Store, admin: Admin, id: string): Promise<Result> {
  const done = await performAdminAction(store, admin, { action: "category_removed", subject: `category:${id}` }, [
    ...remove(id, null, store.now()),
  ]);
  return done ? { ok: true } : refusal(store, id, [id]);
}

/** `concerned`: whose fee the listings have, and would have. */
async function refusal({ db, now }: Store, id: string, concerned: string[]): Promise<Result> {
  const ownFee = sql.join(
    concerned.map((each) => hasOwnFee(each, now())),
    sql` OR `,
  );
  const isThere = hasRow(categories, eq(categories.id, id));
  return { ok: false, code: (await holds(db, sql`${isThere} AND (${ownFee})`)) ? "own_fee" : "stale" };
}

/** `into`: where its listings go. */
function remove(id: string, into: string | null, now: number): Statement[] {
  const moved = build
    .select({ id: products.id })
    .from(products)
    .where(and(sql`${products.category} IS ${into}`, sql`${products.updatedAt} >= ${now}`));
  return [
    expectThat(not(hasOwnFee(id, now))),
    updateListings({ category: into, updatedAt: now }, eq(products.category, id)),
    ...afterListingsChanged(moved, now),
    build.delete(categories).where(and(eq(categories.id, id), isNotNull(categories.createdBy))),
    expectOneChange(),
    // Somebody may add a category with this id again. It has no fee then. Orders keep theirs.
    build.delete(serviceFees).where(eq(serviceFees.category, id)),
  ];
}
