import { type SQL, sql } from "drizzle-orm";
import { rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { feedRows, type ProductSummary, type SummaryRow, toPage } from "./products.server.ts";
import { readCursor, writeCursor } from "./rules.ts";

export interface Category {
  id: string;
  name: string;
}

/** A product in a list. */
export interface ListedProduct extends ProductSummary {
  /** Where a search matched only the description: the part of it around the match. */
  excerpt?: string;
}

/** A part of a list that grows. */
export interface ProductPage {
  products: ListedProduct[];
  /** The cursor it was asked with; null for the first. */
  after: string | null;
  /** The next page's cursor; null at the end. */
  next: string | null;
}

export interface BrowseInput {
  viewerId: string;
  /** A cursor; one that is not ours begins at the start. */
  after: string | null;
}

/** One page of the feed, newest first, and the categories to choose from. One round trip; its cost follows from the page's size. */
export async function browseFeed(
  store: Store,
  { viewerId, after }: BrowseInput,
): Promise<ProductPage & { categories: Category[] }> {
  const cursor = readCursor(after);
  const [rows, categories] = await runBatch(store.db, [
    feedRows({ viewerId, now: store.now() }, cursor),
    categoryRows(),
  ]);
  const page = toPage(rowsOf<SummaryRow>(rows));
  return {
    products: page.products,
    after: cursor && after,
    next: page.next && writeCursor(page.next),
    categories: rowsOf<Category>(categories),
  };
}

/** Categories beside a list of products; the screen of all categories has the others. */
const CATEGORIES_SHOWN = 40;

/** The query for the categories that people browse, the most used first, at most `limit` of them. */
export function categoryRows(limit = CATEGORIES_SHOWN): SQL {
  return sql`SELECT id, name, listing_count AS listings FROM categories INDEXED BY categories_browsed
    WHERE status = 'approved' AND (listing_count > 0 OR created_by IS NULL) ORDER BY listing_count DESC, name LIMIT ${limit}`;
}

/** A category with how many listings it holds. */
export interface CountedCategory extends Category {
  listings: number;
}

/** More than a person looks through. */
const ALL_CATEGORIES_MAX = 300;

/** The categories that people browse, by name. One round trip. */
export async function listCategories(db: Database): Promise<CountedCategory[]> {
  const rows = await db.all<CountedCategory>(categoryRows(ALL_CATEGORIES_MAX));
  return rows.toSorted((one, other) => one.name.localeCompare(other.name));
}
