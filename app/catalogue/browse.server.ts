import { type SQL, sql } from "drizzle-orm";
import { rowsOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
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

/** More categories than a person looks through beside a list of products. */
const CATEGORIES_SHOWN = 100;

/** The query for the approved categories, by name, at most `limit` of them (commerce spec §7). */
export function categoryRows(limit = CATEGORIES_SHOWN): SQL {
  return sql`SELECT id, name FROM categories WHERE status = 'approved' ORDER BY name LIMIT ${limit}`;
}
