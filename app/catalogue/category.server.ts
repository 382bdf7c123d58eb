import { type SQL, sql } from "drizzle-orm";
import { type Read, rowOf, rowsOf, runRead } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { type BrowseInput, type ProductPage } from "./browse.server.ts";
import { type Filters, hasPriceRange, PRICE_MAX, type Sort } from "./filters.ts";
import { CONDITIONS, displayCategory, EXACT_COUNT_MAX } from "./labels.ts";
import { summaryColumns, type SummaryRow, toSummary, type ViewContext } from "./products.server.ts";
import { FEED_PAGE_SIZE, type Place, readPlace, writePlace } from "./catalogue-rules.ts";

export interface CategoryPage extends ProductPage {
  /** The category's name for display. */
  name: string;
  /** The number of matching products. EXACT_COUNT_MAX + 1 stands for all higher counts. */
  count: number;
  /** There is a category of this name, or something for sale that has it as plain text. */
  exists: boolean;
}

/** Page size of the query: one row more than the page shows. */
const LIMIT = FEED_PAGE_SIZE + 1;

/**
 * How many rows one page reads when no index narrows them down: newest first within a price range that many products
 * are in. Such a page may have fewer products than it could, or none, and still have a next page.
 */
const SCAN_MAX = 500;

/**
 * One page of the products for sale in a category (an id or a name), and the count of all that match.
 *
 * One round trip. The number of rows read is bounded whatever the filters are: each pair of a condition and a campus is
 * one seek in an index with the wanted order, for at most a page of rows. The seeks are then merged.
 */
export function browseCategory(store: Store, options: CategoryInput): Promise<CategoryPage> {
  return runRead(store.db, categoryRead(options, store.now()));
}

export interface CategoryInput extends Pick<BrowseInput, "viewerId" | "after"> {
  /** An id or a name. */
  category: string;
  filters: Filters;
}

/** The read of `browseCategory`, to share a round trip. */
export function categoryRead({ category, filters, viewerId, after }: CategoryInput, now: number): Read<CategoryPage> {
  const list: List = { category, filters, view: { viewerId, now }, place: readPlace(after) };
  if (filters.sort === "newest" && hasPriceRange(filters))
    return {
      statements: [nameRow(category), scannedRows(list)],
      read: ([named, rows]) => toCategoryPage(list, after, named, toScannedPage(rowsOf<ScannedRow>(rows))),
    };
  return {
    statements: [nameRow(category), countRows(list), orderedRows(list)],
    read([named, counted, rows]) {
      const count = rowOf<{ count: number }>(counted)?.count ?? 0;
      return toCategoryPage(list, after, named, { ...toPage(rowsOf<SummaryRow>(rows), filters.sort), count });
    },
  };
}

interface NamedRow {
  name: string | null;
  listed: number;
}

type Found = Pick<CategoryPage, "products" | "next" | "count">;

function toCategoryPage({ category, place }: List, after: string | null, named: unknown, found: Found): CategoryPage {
  const { name, listed } = rowOf<NamedRow>(named) ?? { name: null, listed: 0 };
  return {
    ...found,
    after: place && after,
    name: displayCategory(category, name),
    exists: name !== null || listed === 1,
  };
}

/** The name of the approved category with this id or name, and whether anything for sale has it as plain text. Three seeks. */
function nameRow(category: string): SQL {
  return sql`SELECT (SELECT name FROM categories WHERE (id = ${category} OR name_key = ${nameKeyOf(category)}) AND status = 'approved' ORDER BY id = ${category} DESC LIMIT 1) AS name,
    EXISTS (SELECT 1 FROM products q INDEXED BY products_for_sale_category_newest WHERE q.category = ${category} AND ${FOR_SALE}) AS listed`;
}

function nameKeyOf(category: string): string {
  return category.trim().toLowerCase();
}

interface List {
  category: string;
  filters: Filters;
  view: ViewContext;
  place: Place | null;
}

const COLUMNS = { "price-asc": "price", "price-desc": "price", newest: "created_at" } as const satisfies Record<
  Sort,
  string
>;

/** SQL: product `q` can be bought now. Written like the condition of the indexes `products_for_sale…`. */
const FOR_SALE = sql.raw("q.status = 'active' AND q.deleted_at IS NULL AND q.suspended_at IS NULL");

/**
 * A product's category is an id or plain text. So these match: the text itself, the ids of categories with that name,
 * and the names of those ids.
 */
function categoryNames(category: string): SQL {
  const key = nameKeyOf(category);
  return sql`SELECT ${category} UNION SELECT id FROM categories WHERE name_key = ${key} UNION SELECT name FROM categories WHERE id = ${category} OR name_key = ${key}`;
}

/** A filter by campus without conditions seeks once for each condition, so that one index serves both. */
function isByCondition({ conditions, campuses }: Filters): boolean {
  return conditions.length > 0 || campuses.length > 0;
}

/** What to seek, as `n`, `c` and `l`: each name of the category, with each condition and each campus of the filters. */
function seeks(filters: Filters, names: "names" | "few" | "many" = "names"): SQL {
  const { conditions, campuses } = filters;
  const wanted = conditions.length > 0 ? conditions : CONDITIONS;
  return sql`${sql.raw(names)} n ${isByCondition(filters) ? sql`CROSS JOIN json_each(${JSON.stringify(wanted)}) c` : sql``}
    ${campuses.length > 0 ? sql`CROSS JOIN json_each(${JSON.stringify(campuses)}) l` : sql``}`;
}

function seekCount({ conditions, campuses }: Filters): number {
  if (campuses.length > 0) return (conditions.length || CONDITIONS.length) * campuses.length;
  return conditions.length || 1;
}

/** The index of products `q` that has the rows of one seek in order. Naming it leaves the planner no choice. */
function seekIndex(filters: Filters, order: "price" | "created_at"): SQL {
  const newest = order === "created_at";
  // Few listings are wholesale, and nearly all of those are of verified businesses. So one index serves all their filters.
  if (filters.wholesale)
    return sql.raw(`INDEXED BY products_for_sale_wholesale_category_${newest ? "newest" : "price"}`);
  const parts = [
    filters.verified ? "products_for_sale_verified_category" : "products_for_sale_category",
    filters.campuses.length > 0 && "location",
    isByCondition(filters) && "condition",
    newest ? "newest" : "price",
  ];
  return sql.raw(`INDEXED BY ${parts.filter(Boolean).join("_")}`);
}

function matchesFilters(filters: Filters): SQL {
  return sql`q.category = n.value ${isByCondition(filters) ? sql`AND q.condition = c.value` : sql``}
    ${filters.campuses.length > 0 ? sql`AND q.location = l.value` : sql``} AND ${FOR_SALE}
    ${filters.wholesale ? sql`AND q.wholesale = 1` : sql``} ${filters.verified ? sql`AND q.seller_verified = 1` : sql``}`;
}

/** The upper end of the slider means no limit. */
function highest({ max }: Filters): number {
  return max < PRICE_MAX ? max : Number.MAX_SAFE_INTEGER;
}

/** The number of matches, up to one above EXACT_COUNT_MAX. */
function countRows({ category, filters }: List): SQL {
  return sql`WITH names(value) AS (${categoryNames(category)}) ${boundedCount(filters)}`;
}

function boundedCount(filters: Filters): SQL {
  return sql`SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${seeks(filters)} ${matches(filters)} LIMIT ${EXACT_COUNT_MAX + 1})`;
}

/** Joins the products of the seeks, by price. */
function matches(filters: Filters): SQL {
  return sql`CROSS JOIN products q ${seekIndex(filters, "price")} ON ${matchesFilters(filters)} AND q.price >= ${filters.min} AND q.price <= ${highest(filters)}`;
}

/** The page when an index has the wanted order: the first rows of each seek, merged. */
function orderedRows({ category, filters, view, place }: List): SQL {
  const column = COLUMNS[filters.sort];
  const [at, direction] = [sql.raw(`q.${column}`), sql.raw(filters.sort === "price-asc" ? "ASC" : "DESC")];
  return sql`WITH names(value) AS (${categoryNames(category)}),
    chosen(row, at, id) AS (SELECT p.rowid, ${sql.raw(`p.${column}`)}, p.id FROM ${seeks(filters)} CROSS JOIN products p ON p.rowid IN (
        SELECT q.rowid FROM products q ${seekIndex(filters, column)} WHERE ${matchesFilters(filters)} AND ${isAfter(filters, place)}
        ORDER BY ${at} ${direction}, q.id ${direction} LIMIT ${LIMIT})
      ORDER BY 2 ${direction}, 3 ${direction} LIMIT ${LIMIT})
    ${summaries(view, sql`chosen`)} ORDER BY chosen.at ${direction}, chosen.id ${direction}`;
}

/**
 * The range that one seek reads. A plus before a column stops the planner from using that column's end instead of the
 * cursor.
 */
function isAfter(filters: Filters, place: Place | null): SQL {
  const [min, max] = [filters.min, highest(filters)];
  if (filters.sort === "newest") return place ? sql`(q.created_at, q.id) < (${place.at}, ${place.id})` : sql`1`;
  if (!place) return sql`q.price >= ${min} AND q.price <= ${max}`;
  if (filters.sort === "price-asc")
    return sql`(q.price, q.id) > (${place.at}, ${place.id}) AND +q.price >= ${min} AND q.price <= ${max}`;
  return sql`(q.price, q.id) < (${place.at}, ${place.id}) AND q.price >= ${min} AND +q.price <= ${max}`;
}

interface ScannedRow extends Omit<SummaryRow, "id"> {
  count: number;
  /** The cursor after the rows that were read; null at the end of the list. */
  stop: string | null;
  /** Null when nothing was found. */
  id: string | null;
}

/**
 * The page newest first within a price range, an order that no index has. Few matches are all sorted. For many, each
 * seek reads its share of SCAN_MAX rows, newest first. Products older than the place where the first seek stopped are
 * left to the next page.
 */
function scannedRows({ category, filters, view, place }: List): SQL {
  const share = Math.floor(SCAN_MAX / seekCount(filters));
  const sortable = (product: "p" | "q") => sql.raw(`printf('%015d', ${product}.created_at) || ${product}.id`);
  return sql`WITH names(value) AS (${categoryNames(category)}),
    counted(count) AS MATERIALIZED (${boundedCount(filters)}),
    few(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) <= ${EXACT_COUNT_MAX}),
    many(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) > ${EXACT_COUNT_MAX}),
    scanned(seek, row, place, price) AS MATERIALIZED (SELECT ${seekName(filters)}, p.rowid, ${sortable("p")}, p.price
      FROM ${seeks(filters, "many")} CROSS JOIN products p ON p.rowid IN (
        SELECT q.rowid FROM products q ${seekIndex(filters, "created_at")} WHERE ${matchesFilters(filters)} AND ${isAfter(filters, place)}
        ORDER BY q.created_at DESC, q.id DESC LIMIT ${share})),
    horizon(place) AS MATERIALIZED (SELECT max(place) FROM (SELECT min(place) AS place, COUNT(*) AS looked FROM scanned GROUP BY seek) WHERE looked = ${share}),
    chosen(row, place) AS (
      SELECT q.rowid, ${sortable("q")} FROM ${seeks(filters, "few")} ${matches(filters)} WHERE ${isAfter(filters, place)}
      UNION ALL
      SELECT row, place FROM scanned WHERE price >= ${filters.min} AND price <= ${highest(filters)} AND place >= coalesce((SELECT place FROM horizon), '')
      ORDER BY 2 DESC LIMIT ${LIMIT})
    ${summaries(view, sql`counted CROSS JOIN horizon LEFT JOIN chosen`, sql`counted.count, horizon.place AS stop,`)} ORDER BY chosen.place DESC`;
}

function seekName(filters: Filters): SQL {
  return sql`n.value ${isByCondition(filters) ? sql`|| '/' || c.value` : sql``} ${filters.campuses.length > 0 ? sql`|| '/' || l.value` : sql``}`;
}

function summaries(view: ViewContext, from: SQL, more: SQL = sql``): SQL {
  return sql`SELECT ${more} ${summaryColumns(view)} FROM ${from} LEFT JOIN products p ON p.rowid = chosen.row LEFT JOIN categories k ON k.id = p.category`;
}

function toPage(rows: SummaryRow[], sort: Sort): Pick<ProductPage, "products" | "next"> {
  const shown = rows.slice(0, FEED_PAGE_SIZE);
  const products = shown.map(toSummary);
  const last = shown.at(-1);
  if (rows.length < LIMIT || !last) return { products, next: null };
  return { products, next: writePlace({ at: sort === "newest" ? last.createdAt : last.price, id: last.id }) };
}

function toScannedPage(rows: ScannedRow[]): Found {
  const page = toPage(
    rows.filter((row): row is ScannedRow & SummaryRow => row.id !== null),
    "newest",
  );
  const { count: matching = 0, stop = null } = rows[0] ?? {};
  if (page.next || !stop) return { ...page, count: matching };
  return { ...page, count: matching, next: writePlace({ at: Number(stop.slice(0, 15)), id: stop.slice(15) }) };
}
