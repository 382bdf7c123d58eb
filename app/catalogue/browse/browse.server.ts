import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import { prepareOnce, read } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories } from "#app/catalogue/tables.server.ts";
import { type FilterFact, type ListFilters, writeListFilters } from "./list-filters.ts";
import { pageRows, readPage } from "#app/catalogue/search/find-listings.server.ts";
import { countListings, hasListings } from "./count-categories.server.ts";
import { factsToFilter } from "#app/catalogue/facts/filter-facts.ts";
import { nameKeyOf } from "#app/catalogue/labels.ts";
import { limitsOf, planList, readSearchCursor, writeSearchCursor } from "#app/catalogue/search/search-query.ts";
import { KEPT_TABLE, pluralOf } from "#app/catalogue/types/type-table.ts";
import { addedType } from "#app/catalogue/types/types.server.ts";
import { feedRows, type ProductSummary, toPage, toSummary } from "#app/catalogue/products.server.ts";
import { readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";

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

/** How many listings a list with these filters has, as far as its first page tells. */
export interface ResultCount {
  shown: number;
  more: boolean;
}

export interface BrowseInput {
  filters: ListFilters;
  /** A cursor. An unreadable one starts at the beginning. */
  after: string | null;
}

/** One page of what filters leave. */
export interface FilteredPage extends ProductPage {
  /** The facts of its things, by which it can be filtered. */
  facts: FilterFact[];
}

export interface FeedWithCategories extends FilteredPage {
  categories: Category[];
  /** What the type that the filters name is called: "Laptops". */
  typeName: string | null;
}

/**
 * One page of the feed, newest first, with the categories to choose from. One round trip.
 */
export async function browseFeed(store: Store, { after, filters }: BrowseInput): Promise<FeedWithCategories> {
  const sort = filters.sort === "newest" ? "best" : filters.sort;
  if (writeListFilters({ ...filters, sort }).size > 0) return filteredFeed(store, { after, filters });
  const cursor = readCursor(after);
  const { rows, counted } = await read(store.db, {
    rows: feedRows(store.now(), cursor),
    counted: categoryRows(),
  });
  const page = toPage(rows);
  return {
    products: page.products,
    after: cursor && after,
    next: page.next && writeCursor(page.next),
    facts: [],
    categories: readCategories(counted),
    typeName: null,
  };
}

async function filteredFeed(store: Store, input: BrowseInput): Promise<FeedWithCategories> {
  const { type } = input.filters;
  const [
    list,
    {
      counted,
      added: [added],
    },
  ] = await Promise.all([
    filteredList(store, input),
    read(store.db, { counted: categoryRows(), added: addedType(type) }),
  ]);
  return {
    ...list,
    categories: readCategories(counted),
    typeName: pluralOf(type, KEPT_TABLE) ?? added?.plural ?? null,
  };
}

/**
 * One page of what filters leave of everything, of one seller's listings (`sellerId`) or of a category (an id or a
 * name).
 */
export async function filteredList(
  store: Store,
  { after, filters, sellerId, category }: BrowseInput & { sellerId?: string; category?: string },
): Promise<FilteredPage> {
  const cursor = readSearchCursor(after);
  // What admins add includes no other type, so the kept table knows what each includes.
  const limits = limitsOf(filters, KEPT_TABLE, { sellerId, category });
  const plan = planList(limits);
  const found = await read(store.db, pageRows(plan, "stages", store.now(), cursor));
  const { rows, next } = readPage(found, plan.stages);
  return {
    products: rows.map(({ place: _place, stage: _stage, text: _text, ...row }) => toSummary(row)),
    after: cursor && after,
    next: next && writeSearchCursor(next),
    facts: factsToFilter(limits.types, filters, KEPT_TABLE),
  };
}

/** How many categories are shown next to a list of products. The screen of all categories has the rest. */
const CATEGORIES_SHOWN = 40;

/** The query for the categories to browse, the most used first, at most `limit`. */
export function categoryRows(limit = CATEGORIES_SHOWN) {
  return BROWSED({ limit });
}

const { id, name, status, createdBy, listingCount } = categories;
/** A category that a seller added shows once something is listed in it. */
const isBrowsed = and(sql`${status} = 'approved'`, or(isNull(createdBy), hasListings(id)));

const BROWSED = prepareOnce(
  build
    .select(named({ id, name }))
    .from(sql`${categories} INDEXED BY categories_browsed`)
    .where(isBrowsed)
    .orderBy(desc(listingCount), name)
    .limit(sql.placeholder("limit")),
);

export function readCategories(rows: readonly Category[]): Category[] {
  return otherLast(rows);
}

/** The approved categories, the most used first. */
export function mostUsedCategories(limit: number) {
  return build
    .select({ id, name })
    .from(categories)
    .where(eq(status, "approved"))
    .orderBy(desc(listingCount), name)
    .limit(limit);
}

/** The approved category with this id or name: at most one. */
export function categoryNamed(idOrName: string) {
  return build
    .select({ id, name })
    .from(categories)
    .where(and(or(eq(id, idOrName), eq(categories.nameKey, nameKeyOf(idOrName))), eq(status, "approved")))
    .orderBy(desc(eq(id, idOrName)))
    .limit(1);
}

/** The category "Other" comes last, although it may have the most products. */
function otherLast<Row extends Category>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, another) => Number(one.id === OTHER) - Number(another.id === OTHER));
}

export const OTHER = "other";

/** A category with the number of its listings. */
export interface CountedCategory extends Category {
  listings: number;
}

/** More categories than anybody looks through. */
const ALL_CATEGORIES_MAX = 300;

/** The categories to browse, by name. One round trip. */
export async function listCategories(db: Database): Promise<CountedCategory[]> {
  const rows = await read(
    db,
    build
      .select({ id, name, listings: countListings(id).as("listings") })
      .from(categories)
      .where(isBrowsed)
      .orderBy(desc(listingCount), name)
      .limit(ALL_CATEGORIES_MAX),
  );
  return otherLast(rows.toSorted((one, other) => one.name.localeCompare(other.name)));
}
