import { sql } from "drizzle-orm";
import { rowOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { slugOf } from "#app/platform/public-links.ts";
import { type Category, categoryRows, readCategories } from "./browse.server.ts";
import { CAMPUSES, displayCategory } from "./labels.ts";
import { type PublicListing, publicListingRows, readPublicListings } from "./public-listings.server.ts";

/** How many products a public page lists: the newest. */
export const PUBLIC_LIST_SIZE = 24;

/** The public page of a category or a campus. An `unknown` one lists what is new anywhere. */
export interface PublicList {
  state: "shown" | "unknown";
  /** A category's id, or text where it has none; a campus's name; empty when it is unknown. */
  key: string;
  /** For display. */
  name: string;
  listings: PublicListing[];
  /** The other categories, the most used first. */
  categories: Category[];
}

/** A category by its id or its name. One round trip; the number of rows read is bounded. */
export async function openPublicCategory(db: Database, idOrName: string): Promise<PublicList> {
  const found = sql`SELECT id, name FROM categories WHERE (id = ${idOrName} OR name_key = ${idOrName.trim().toLowerCase()}) AND status = 'approved'
    ORDER BY id = ${idOrName} DESC LIMIT 1`;
  const [named, listed, categories, newest] = await runBatch(db, [
    found,
    publicListingRows(sql`AND p.category = COALESCE((SELECT id FROM (${found})), ${idOrName})`, PUBLIC_LIST_SIZE),
    categoryRows(),
    publicListingRows(sql``, PUBLIC_LIST_SIZE),
  ]);
  const category = rowOf<Category>(named);
  const listings = readPublicListings(listed);
  const others = readCategories(categories);
  // A category can be plain text that no row describes.
  if (!category && listings.length === 0) return unknownList(newest, others);
  const key = category?.id ?? idOrName;
  const name = displayCategory(key, category?.name ?? null);
  return { state: "shown", key, name, listings, categories: others.filter(({ id }) => id !== key) };
}

/** A campus by the slug in its address. One round trip; the number of rows read is bounded. */
export async function openPublicCampus(db: Database, slug: string): Promise<PublicList> {
  const name = CAMPUSES.find((campus) => slugOf(campus) === slug.toLowerCase());
  const [listed, categories] = await runBatch(db, [
    publicListingRows(name ? sql`AND p.location = ${name}` : sql``, PUBLIC_LIST_SIZE),
    categoryRows(),
  ]);
  const others = readCategories(categories);
  if (!name) return unknownList(listed, others);
  return { state: "shown", key: name, name, listings: readPublicListings(listed), categories: others };
}

function unknownList(newest: unknown, categories: Category[]): PublicList {
  return { state: "unknown", key: "", name: "", listings: readPublicListings(newest), categories };
}
