import { and, count, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Read, readOf, type RowOf, runRead } from "#app/db/batch.ts";
import { asBoolean, build, namedByKey } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, products } from "#app/db/schema.ts";
import { type BrowseInput, categoryNamed, nameKeyOf, type ProductPage } from "./browse.server.ts";
import { type Filters, hasPriceRange, PRICE_MAX, type Sort } from "./filters.ts";
import { CONDITIONS, displayCategory, EXACT_COUNT_MAX } from "./labels.ts";
import { p } from "./product-alias.server.ts";
import { summaryFields, type SummaryRow, toSummary, type ViewContext } from "./products.server.ts";
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
  const named = [categoryNamed(category), listedAs(category)] as const;
  if (filters.sort === "newest" && hasPriceRange(filters))
    return readOf([...named, scannedRows(list)], ([[known], listed, rows]) =>
      toCategoryPage(list, after, { name: known?.name, isListed: listed.length > 0 }, toScannedPage(rows)),
    );
  return readOf([...named, countRows(list), orderedRows(list)], ([[known], listed, [counted], rows]) => {
    const found = { ...toPage(rows, filters.sort), count: counted?.count ?? 0 };
    return toCategoryPage(list, after, { name: known?.name, isListed: listed.length > 0 }, found);
  });
}

type Found = Pick<CategoryPage, "products" | "next" | "count">;

function toCategoryPage(
  { category, place }: List,
  after: string | null,
  { name, isListed }: { name: string | undefined; isListed: boolean },
  found: Found,
): CategoryPage {
  return {
    ...found,
    after: place && after,
    name: displayCategory(category, name ?? null),
    exists: name !== undefined || isListed,
  };
}

/** Something for sale that has the category as plain text. One seek. */
function listedAs(category: string) {
  return build
    .select(namedByKey({ id: q.id }))
    .from(sql`${products} q INDEXED BY products_for_sale_category_newest`)
    .where(and(eq(q.category, category), FOR_SALE))
    .limit(1);
}

interface List {
  category: string;
  filters: Filters;
  view: ViewContext;
  place: Place | null;
}

const COLUMNS = { "price-asc": "price", "price-desc": "price", newest: "createdAt" } as const satisfies Record<
  Sort,
  keyof typeof products
>;

/** The products that are sought. */
const q = alias(products, "q");

/** SQL: product `q` can be bought now. Written like the condition of the indexes `products_for_sale…`. */
const FOR_SALE = sql`${q.status} = 'active' AND ${q.deletedAt} IS NULL AND ${q.suspendedAt} IS NULL`;

/**
 * SQL: a product's category is an id or plain text. So these match: the text itself, the ids of categories with that name,
 * and the names of those ids.
 */
function categoryNames(category: string): SQL {
  const { id, name, nameKey } = categories;
  const key = nameKeyOf(category);
  return sql`SELECT ${category} UNION SELECT ${id} FROM ${categories} WHERE ${nameKey} = ${key}
    UNION SELECT ${name} FROM ${categories} WHERE ${id} = ${category} OR ${nameKey} = ${key}`;
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
function seekIndex(filters: Filters, order: "price" | "createdAt"): SQL {
  const newest = order === "createdAt";
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
  return sql`${q.category} = n.value ${isByCondition(filters) ? sql`AND ${q.condition} = c.value` : sql``}
    ${filters.campuses.length > 0 ? sql`AND ${q.location} = l.value` : sql``} AND ${FOR_SALE}
    ${filters.wholesale ? sql`AND ${q.wholesale} = 1` : sql``} ${filters.verified ? sql`AND ${q.sellerVerified} = 1` : sql``}`;
}

/** The upper end of the slider means no limit. */
function highest({ max }: Filters): number {
  return max < PRICE_MAX ? max : Number.MAX_SAFE_INTEGER;
}

/** The number of matches, up to one above EXACT_COUNT_MAX. */
function countRows({ category, filters }: List) {
  return build
    .select({ count: count() })
    .from(sql`(WITH names(value) AS (${categoryNames(category)}) ${matching(filters)})`);
}

/** SQL: a row for each match, up to one above EXACT_COUNT_MAX. */
function matching(filters: Filters): SQL {
  return sql`SELECT 1 FROM ${seeks(filters)} ${matches(filters)} LIMIT ${EXACT_COUNT_MAX + 1}`;
}

/** SQL: joins the products of the seeks, by price. */
function matches(filters: Filters): SQL {
  return sql`CROSS JOIN ${products} q ${seekIndex(filters, "price")}
    ON ${matchesFilters(filters)} AND ${q.price} >= ${filters.min} AND ${q.price} <= ${highest(filters)}`;
}

/**
 * The page when an index has the wanted order: the first rows of each seek, merged. The seeks are SQL, because the builder has
 * no CROSS JOIN with a limit for each row, and names no index.
 */
function orderedRows({ category, filters, view, place }: List) {
  const order = COLUMNS[filters.sort];
  const direction = sql.raw(filters.sort === "price-asc" ? "ASC" : "DESC");
  const chosen = sql`(WITH names(value) AS (${categoryNames(category)})
    SELECT p.rowid AS row, ${p[order]} AS at, ${p.id} AS id FROM ${seeks(filters)} CROSS JOIN ${products} p ON p.rowid IN (
        SELECT q.rowid FROM ${products} q ${seekIndex(filters, order)} WHERE ${matchesFilters(filters)} AND ${isAfter(filters, place)}
        ORDER BY ${q[order]} ${direction}, ${q.id} ${direction} LIMIT ${LIMIT})
      ORDER BY 2 ${direction}, 3 ${direction} LIMIT ${LIMIT}) chosen`;
  return build
    .select(summaryFields(view.now))
    .from(chosen)
    .leftJoin(p, sql`p.rowid = chosen.row`)
    .leftJoin(categories, eq(categories.id, p.category))
    .orderBy(sql`chosen.at ${direction}`, sql`chosen.id ${direction}`);
}

/**
 * The range that one seek reads. A plus before a column stops the planner from using that column's end instead of the
 * cursor.
 */
function isAfter(filters: Filters, place: Place | null): SQL {
  const [min, max] = [filters.min, highest(filters)];
  if (filters.sort === "newest") return place ? sql`(${q.createdAt}, ${q.id}) < (${place.at}, ${place.id})` : sql`1`;
  if (!place) return sql`${q.price} >= ${min} AND ${q.price} <= ${max}`;
  if (filters.sort === "price-asc")
    return sql`(${q.price}, ${q.id}) > (${place.at}, ${place.id}) AND +${q.price} >= ${min} AND ${q.price} <= ${max}`;
  return sql`(${q.price}, ${q.id}) < (${place.at}, ${place.id}) AND ${q.price} >= ${min} AND +${q.price} <= ${max}`;
}

/**
 * The page newest first within a price range, an order that no index has. Few matches are all sorted. For many, each
 * seek reads its share of SCAN_MAX rows, newest first. Products older than the place where the first seek stopped are
 * left to the next page. SQL, because the builder has neither materialized queries nor an index of a name.
 */
function scannedRows({ category, filters, view, place }: List) {
  const share = Math.floor(SCAN_MAX / seekCount(filters));
  const sortable = (product: typeof p | typeof q) => sql`printf('%015d', ${product.createdAt}) || ${product.id}`;
  const found = sql`(WITH names(value) AS (${categoryNames(category)}),
    counted(count) AS MATERIALIZED (SELECT COUNT(*) FROM (${matching(filters)})),
    few(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) <= ${EXACT_COUNT_MAX}),
    many(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) > ${EXACT_COUNT_MAX}),
    scanned(seek, row, place, price) AS MATERIALIZED (SELECT ${seekName(filters)}, p.rowid, ${sortable(p)}, ${p.price}
      FROM ${seeks(filters, "many")} CROSS JOIN ${products} p ON p.rowid IN (
        SELECT q.rowid FROM ${products} q ${seekIndex(filters, "createdAt")} WHERE ${matchesFilters(filters)} AND ${isAfter(filters, place)}
        ORDER BY ${q.createdAt} DESC, ${q.id} DESC LIMIT ${share})),
    horizon(place) AS MATERIALIZED (SELECT max(place) FROM (SELECT min(place) AS place, COUNT(*) AS looked FROM scanned GROUP BY seek) WHERE looked = ${share}),
    chosen(row, place) AS (
      SELECT q.rowid, ${sortable(q)} FROM ${seeks(filters, "few")} ${matches(filters)} WHERE ${isAfter(filters, place)}
      UNION ALL
      SELECT row, place FROM scanned WHERE price >= ${filters.min} AND price <= ${highest(filters)} AND place >= coalesce((SELECT place FROM horizon), '')
      ORDER BY 2 DESC LIMIT ${LIMIT})
    SELECT counted.count, horizon.place AS stop, chosen.row, chosen.place FROM counted CROSS JOIN horizon LEFT JOIN chosen) found`;
  return build
    .select({
      ...summaryFields(view.now),
      // Without a match there is one row without a product.
      isMatch: asBoolean(sql`found.row IS NOT NULL`).as("is_match"),
      count: sql<number>`found.count`,
      /** The cursor after the rows that were read; null at the end of the list. */
      stop: sql<string | null>`found.stop`,
    })
    .from(found)
    .leftJoin(p, sql`p.rowid = found.row`)
    .leftJoin(categories, eq(categories.id, p.category))
    .orderBy(sql`found.place DESC`);
}

function seekName(filters: Filters): SQL {
  return sql`n.value ${isByCondition(filters) ? sql`|| '/' || c.value` : sql``} ${filters.campuses.length > 0 ? sql`|| '/' || l.value` : sql``}`;
}

function toPage(rows: SummaryRow[], sort: Sort): Pick<ProductPage, "products" | "next"> {
  const shown = rows.slice(0, FEED_PAGE_SIZE);
  const listed = shown.map(toSummary);
  const last = shown.at(-1);
  if (rows.length < LIMIT || !last) return { products: listed, next: null };
  return { products: listed, next: writePlace({ at: sort === "newest" ? last.createdAt : last.price, id: last.id }) };
}

function toScannedPage(rows: RowOf<ReturnType<typeof scannedRows>>[]): Found {
  const matched = rows.flatMap(({ isMatch, count: _count, stop: _stop, ...row }) => (isMatch ? [row] : []));
  const page = toPage(matched, "newest");
  const { count: total = 0, stop = null } = rows[0] ?? {};
  if (page.next || !stop) return { ...page, count: total };
  return { ...page, count: total, next: writePlace({ at: Number(stop.slice(0, 15)), id: stop.slice(15) }) };
}
