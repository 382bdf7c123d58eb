import { type SQL, sql } from "drizzle-orm";
import { type Read, rowsOf, runRead } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import type { ListFilter } from "./browse-filter.ts";
import { feedRows, type ProductSummary, type SummaryRow, toPage } from "./products.server.ts";
import { readCursor, writeCursor } from "./catalogue-rules.ts";

export interface Category {
  id: string;
  name: string;
}

/** A product in a list. */
export interface ListedProduct extends ProductSummary {
  /** When a search matched only the description: the part of it around the match. */
  excerpt?: string;
}

/** One page of a list that grows. */
export interface ProductPage {
  products: ListedProduct[];
  /** The cursor of this page; null for the first. */
  after: string | null;
  /** The next page's cursor; null at the end. */
  next: string | null;
}

/** All listings unless a filter says otherwise. */
export interface BrowseInput extends Partial<ListFilter> {
  viewerId: string;
  /** A cursor. An unreadable one starts at the beginning. */
  after: string | null;
}

/**
 * One page of the feed, newest first, with the categories to choose from. One round trip; its cost depends only on the
 * page's size.
 */
export function browseFeed(store: Store, input: BrowseInput): Promise<FeedWithCategories> {
  return runRead(store.db, feedRead(input, store.now()));
}

export interface FeedWithCategories extends ProductPage {
  categories: Category[];
}

/** The read of `browseFeed`, to share a round trip. */
export function feedRead({ viewerId, after, ...filter }: BrowseInput, now: number): Read<FeedWithCategories> {
  const cursor = readCursor(after);
  return {
    statements: [feedRows({ viewerId, now }, cursor, filter), categoryRows()],
    read([rows, categories]) {
      const page = toPage(rowsOf<SummaryRow>(rows));
      return {
        products: page.products,
        after: cursor && after,
        next: page.next && writeCursor(page.next),
        categories: readCategories(categories),
      };
    },
  };
}

/** How many categories are shown next to a list of products. The screen of all categories has the rest. */
const CATEGORIES_SHOWN = 40;

/** The query for the categories to browse, the most used first, at most `limit`. */
export function categoryRows(limit = CATEGORIES_SHOWN): SQL {
  return sql`SELECT id, name, listing_count AS listings FROM categories INDEXED BY categories_browsed
    WHERE status = 'approved' AND (listing_count > 0 OR created_by IS NULL) ORDER BY listing_count DESC, name LIMIT ${limit}`;
}

export function readCategories(answer: unknown): Category[] {
  return otherLast(rowsOf<CountedCategory>(answer)).map(({ id, name }) => ({ id, name }));
}

/** The category "Other" comes last, although it may have the most products. */
function otherLast<Row extends Category>(categories: Row[]): Row[] {
  return categories.toSorted((one, another) => Number(one.id === OTHER) - Number(another.id === OTHER));
}

const OTHER = "other";

/** A category with the number of its listings. */
export interface CountedCategory extends Category {
  listings: number;
}

/** More categories than anybody looks through. */
const ALL_CATEGORIES_MAX = 300;

/** The categories to browse, by name. One round trip. */
export async function listCategories(db: Database): Promise<CountedCategory[]> {
  const rows = await db.all<CountedCategory>(categoryRows(ALL_CATEGORIES_MAX));
  return otherLast(rows.toSorted((one, other) => one.name.localeCompare(other.name)));
}
