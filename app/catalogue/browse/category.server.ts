import { and, count, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type AnswersTo, prepareOnce, type Read, readOf, type RowOf, runRead } from "#app/db/batch.ts";
import { asBoolean, build, namedByKey } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, itemTypes, products } from "#app/db/schema.ts";
import { type BrowseInput, categoryNamed, nameKeyOf, type ProductPage } from "./browse.server.ts";
import { type CategorySort, categorySort } from "./category-panel.ts";
import { activeChips, type ListFilters } from "./list-filters.ts";
import { CONDITIONS, displayCategory, EXACT_COUNT_MAX, TYPE_COUNT_MAX } from "#app/catalogue/labels.ts";
import { typesIn } from "#app/catalogue/types/type-table.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { summaryFields, type SummaryRow, toSummary } from "#app/catalogue/products.server.ts";
import { FEED_PAGE_SIZE, readPlace, writePlace } from "#app/catalogue/catalogue-rules.ts";

export interface CategoryPage extends ProductPage {
  /** The category's name for display. */
  name: string;
  /** The number of matching products. EXACT_COUNT_MAX + 1 stands for all higher counts. */
  count: number;
  /** What kinds of things are for sale, the most frequent first. None where filters limit the page. */
  types: CountedType[];
  /** There is a category of this name, or something for sale that has it as plain text. */
  exists: boolean;
}

/** A type of thing, with the number of its listings. Above TYPE_COUNT_MAX there are at least so many. */
export interface CountedType {
  id: string;
  /** Plural, as shown. */
  name: string;
  count: number;
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
  filters: ListFilters;
}

/** The read of `browseCategory`, to share a round trip. */
export function categoryRead(input: CategoryInput, now: number): Read<CategoryPage> {
  const { category, filters, after } = input;
  const place = readPlace(after);
  const values = { ...valuesOf(category, filters), ...place, now };
  const shape = shapeOf(filters, place !== null);
  const asked = (pages[Object.values(shape).join(" ")] ??= preparePage(shape));
  const typed = categoryOfTypes(input);
  const ownTypes = typesIn(typed);
  const sought = JSON.stringify([...new Set(ownTypes.flatMap(({ includes }) => includes))]);
  const named = [categoryNamed(category), LISTED(values), TYPES({ types: sought }), ADDED_TYPES({ typed })] as const;
  const toCategoryPage = ([[known], listed, types, added]: AnswersTo<typeof named>, found: Found): CategoryPage => ({
    ...found,
    after: place && after,
    name: displayCategory(category, known?.name ?? null),
    types: countTypes(ownTypes, types, added),
    exists: known !== undefined || listed.length > 0,
  });
  const sort = categorySort(filters);
  if (sort === "newest" && (filters.min !== null || filters.max !== null))
    return readOf([...named, asked.scanned(values)], ([known, listed, types, added, rows]) =>
      toCategoryPage([known, listed, types, added], toScannedPage(rows)),
    );
  return readOf(
    [...named, asked.counted(values), asked.ordered(values)],
    ([known, listed, types, added, [counted], rows]) =>
      toCategoryPage([known, listed, types, added], { ...toPage(rows, sort), count: counted?.count ?? 0 }),
  );
}

type Found = Pick<CategoryPage, "products" | "next" | "count">;

/** What the text of a page's queries depends on. The rest is values of `VALUES`. */
interface Shape {
  isByCondition: boolean;
  isByCampus: boolean;
  wholesale: boolean;
  verified: boolean;
  sort: CategorySort;
  /** It begins after a place. */
  isLater: boolean;
}

function shapeOf(filters: ListFilters, isLater: boolean): Shape {
  const { conditions, campuses, wholesale, verified } = filters;
  const sort = categorySort(filters);
  const isByCampus = campuses.length > 0;
  // A filter by campus without conditions seeks once for each condition, so that one index serves both.
  return { isByCondition: conditions.length > 0 || isByCampus, isByCampus, wholesale, verified, sort, isLater };
}

/** Built at the first use of a shape. */
const pages: Record<string, ReturnType<typeof preparePage>> = {};

function preparePage(shape: Shape) {
  return {
    counted: prepareOnce(countRows(shape)),
    ordered: prepareOnce(orderedRows(shape)),
    scanned: prepareOnce(scannedRows(shape)),
  };
}

const VALUES = {
  category: sql.placeholder("category"),
  /** As `categories.name_key` has it. */
  key: sql.placeholder("key"),
  /** JSON: what to seek. */
  conditions: sql.placeholder("conditions"),
  campuses: sql.placeholder("campuses"),
  /** KES. */
  min: sql.placeholder("min"),
  max: sql.placeholder("max"),
  /** How many rows a seek of `scannedRows` may read. */
  share: sql.placeholder("share"),
  /** The place, as `Place` has it. */
  at: sql.placeholder("at"),
  id: sql.placeholder("id"),
  now: sql.placeholder("now"),
};

function valuesOf(category: string, { conditions, campuses, min, max }: ListFilters) {
  const wanted = conditions.length > 0 ? conditions : CONDITIONS;
  const seekCount = campuses.length > 0 ? wanted.length * campuses.length : conditions.length || 1;
  return {
    category,
    key: nameKeyOf(category),
    conditions: JSON.stringify(wanted),
    campuses: JSON.stringify(campuses),
    min: min ?? 0,
    max: max ?? Number.MAX_SAFE_INTEGER,
    share: Math.floor(SCAN_MAX / seekCount),
  };
}

const COLUMNS = { "price-asc": "price", "price-desc": "price", newest: "createdAt" } as const satisfies Record<
  CategorySort,
  keyof typeof products
>;

/** The products that are sought. */
const q = alias(products, "q");

/** SQL: product `q` can be bought now. Written like the condition of the indexes `products_for_sale…`. */
const FOR_SALE = sql`${q.status} = 'active' AND ${q.deletedAt} IS NULL AND ${q.suspendedAt} IS NULL`;

/** Something for sale that has the category as plain text. One seek. */
const LISTED = prepareOnce(
  build
    .select(namedByKey({ id: q.id }))
    .from(sql`${products} q INDEXED BY products_for_sale_category_newest`)
    .where(and(eq(q.category, VALUES.category), FOR_SALE))
    .limit(1),
);

/**
 * SQL: a product's category is an id or plain text. So these match: the text itself, the ids of categories with that name,
 * and the names of those ids.
 */
const NAMES = sql`names(value) AS (SELECT ${VALUES.category}
    UNION SELECT ${categories.id} FROM ${categories} WHERE ${categories.nameKey} = ${VALUES.key}
    UNION SELECT ${categories.name} FROM ${categories} WHERE ${categories.id} = ${VALUES.category} OR ${categories.nameKey} = ${VALUES.key})`;

/** SQL: the number of listings for sale of a type, in any category. Reads the index alone. */
function countOfType(id: SQL): SQL.Aliased<number> {
  return sql<number>`(SELECT COUNT(*) FROM (SELECT 1 FROM ${products} q INDEXED BY products_for_sale_type
    WHERE ${q.type} = ${id} AND ${FOR_SALE} LIMIT ${sql.raw(String(TYPE_COUNT_MAX + 1))}))`.as("count");
}

/** `types` (JSON) with their numbers. */
const TYPES = prepareOnce(
  build
    .select({ id: sql<string>`t.value`.as("id"), count: countOfType(sql`t.value`) })
    .from(sql`json_each(${sql.placeholder("types")}) t`),
);

/** The types that admins added to a category, with their numbers. No other type is narrower. */
const ADDED_TYPES = prepareOnce(
  build
    .select({ id: itemTypes.id, name: itemTypes.plural, count: countOfType(sql`${itemTypes.id}`) })
    .from(itemTypes)
    .where(eq(itemTypes.category, sql.placeholder("typed"))),
);

/** The category whose types the page names. None where the page is filtered, or isn't the first. */
function categoryOfTypes({ category, filters, after }: CategoryInput): string {
  return after === null && activeChips(filters).length === 0 ? category : "";
}

/** Those of `types` and `added` that are for sale. A wider type counts the narrower ones, which its list has, too. */
function countTypes(
  types: ReturnType<typeof typesIn>,
  rows: readonly RowOf<ReturnType<typeof TYPES>>[],
  added: readonly CountedType[],
): CountedType[] {
  const counts = new Map(rows.map(({ id, count: listed }) => [id, listed]));
  const kept = types.map(({ id, name, includes }) => ({
    id,
    name,
    count: includes.reduce((sum, included) => sum + (counts.get(included) ?? 0), 0),
  }));
  return [...kept, ...added].filter((type) => type.count > 0).toSorted((one, other) => other.count - one.count);
}

/** What to seek, as `n`, `c` and `l`: each name of the category, with each condition and each campus of the filters. */
function seeks({ isByCondition, isByCampus }: Shape, names: "names" | "few" | "many" = "names"): SQL {
  return sql`${sql.raw(names)} n ${isByCondition ? sql`CROSS JOIN json_each(${VALUES.conditions}) c` : sql``}
    ${isByCampus ? sql`CROSS JOIN json_each(${VALUES.campuses}) l` : sql``}`;
}

/** The index of products `q` that has the rows of one seek in order. Naming it leaves the planner no choice. */
function seekIndex({ wholesale, verified, isByCampus, isByCondition }: Shape, order: "price" | "createdAt"): SQL {
  const newest = order === "createdAt";
  // Few listings are wholesale, and nearly all of those are of verified businesses. So one index serves all their filters.
  if (wholesale) return sql.raw(`INDEXED BY products_for_sale_wholesale_category_${newest ? "newest" : "price"}`);
  const parts = [
    verified ? "products_for_sale_verified_category" : "products_for_sale_category",
    isByCampus && "location",
    isByCondition && "condition",
    newest ? "newest" : "price",
  ];
  return sql.raw(`INDEXED BY ${parts.filter(Boolean).join("_")}`);
}

function matchesFilters({ isByCondition, isByCampus, wholesale, verified }: Shape): SQL {
  return sql`${q.category} = n.value ${isByCondition ? sql`AND ${q.condition} = c.value` : sql``}
    ${isByCampus ? sql`AND ${q.location} = l.value` : sql``} AND ${FOR_SALE}
    ${wholesale ? sql`AND ${q.wholesale} = 1` : sql``} ${verified ? sql`AND ${q.sellerVerified} = 1` : sql``}`;
}

/** The number of matches, up to one above EXACT_COUNT_MAX. */
function countRows(shape: Shape) {
  return build.select({ count: count() }).from(sql`(WITH ${NAMES} ${matching(shape)})`);
}

/** SQL: a row for each match, up to one above EXACT_COUNT_MAX. */
function matching(shape: Shape): SQL {
  return sql`SELECT 1 FROM ${seeks(shape)} ${matches(shape)} LIMIT ${EXACT_COUNT_MAX + 1}`;
}

/** SQL: joins the products of the seeks, by price. */
function matches(shape: Shape): SQL {
  return sql`CROSS JOIN ${products} q ${seekIndex(shape, "price")}
    ON ${matchesFilters(shape)} AND ${q.price} >= ${VALUES.min} AND ${q.price} <= ${VALUES.max}`;
}

/**
 * The page when an index has the wanted order: the first rows of each seek, merged. The seeks are SQL, because the builder has
 * no CROSS JOIN with a limit for each row, and names no index.
 */
function orderedRows(shape: Shape) {
  const order = COLUMNS[shape.sort];
  const direction = sql.raw(shape.sort === "price-asc" ? "ASC" : "DESC");
  const chosen = sql`(WITH ${NAMES}
    SELECT p.rowid AS row, ${p[order]} AS at, ${p.id} AS id FROM ${seeks(shape)} CROSS JOIN ${products} p ON p.rowid IN (
        SELECT q.rowid FROM ${products} q ${seekIndex(shape, order)} WHERE ${matchesFilters(shape)} AND ${isAfter(shape)}
        ORDER BY ${q[order]} ${direction}, ${q.id} ${direction} LIMIT ${LIMIT})
      ORDER BY 2 ${direction}, 3 ${direction} LIMIT ${LIMIT}) chosen`;
  return build
    .select(summaryFields(VALUES.now))
    .from(chosen)
    .leftJoin(p, sql`p.rowid = chosen.row`)
    .leftJoin(categories, eq(categories.id, p.category))
    .orderBy(sql`chosen.at ${direction}`, sql`chosen.id ${direction}`);
}

/**
 * The range that one seek reads. A plus before a column stops the planner from using that column's end instead of the
 * cursor.
 */
function isAfter({ sort, isLater }: Shape): SQL {
  const { min, max, at, id } = VALUES;
  if (sort === "newest") return isLater ? sql`(${q.createdAt}, ${q.id}) < (${at}, ${id})` : sql`1`;
  if (!isLater) return sql`${q.price} >= ${min} AND ${q.price} <= ${max}`;
  if (sort === "price-asc")
    return sql`(${q.price}, ${q.id}) > (${at}, ${id}) AND +${q.price} >= ${min} AND ${q.price} <= ${max}`;
  return sql`(${q.price}, ${q.id}) < (${at}, ${id}) AND ${q.price} >= ${min} AND +${q.price} <= ${max}`;
}

/**
 * The page newest first within a price range, an order that no index has. Few matches are all sorted. For many, each
 * seek reads its share of SCAN_MAX rows, newest first. Products older than the place where the first seek stopped are
 * left to the next page. SQL, because the builder has neither materialized queries nor an index of a name.
 */
function scannedRows(shape: Shape) {
  const sortable = (product: typeof p | typeof q) => sql`printf('%015d', ${product.createdAt}) || ${product.id}`;
  const found = sql`(WITH ${NAMES},
    counted(count) AS MATERIALIZED (SELECT COUNT(*) FROM (${matching(shape)})),
    few(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) <= ${EXACT_COUNT_MAX}),
    many(value) AS (SELECT value FROM names WHERE (SELECT count FROM counted) > ${EXACT_COUNT_MAX}),
    scanned(seek, row, place, price) AS MATERIALIZED (SELECT ${seekName(shape)}, p.rowid, ${sortable(p)}, ${p.price}
      FROM ${seeks(shape, "many")} CROSS JOIN ${products} p ON p.rowid IN (
        SELECT q.rowid FROM ${products} q ${seekIndex(shape, "createdAt")} WHERE ${matchesFilters(shape)} AND ${isAfter(shape)}
        ORDER BY ${q.createdAt} DESC, ${q.id} DESC LIMIT ${VALUES.share})),
    horizon(place) AS MATERIALIZED (SELECT max(place) FROM (SELECT min(place) AS place, COUNT(*) AS looked FROM scanned GROUP BY seek) WHERE looked = ${VALUES.share}),
    chosen(row, place) AS (
      SELECT q.rowid, ${sortable(q)} FROM ${seeks(shape, "few")} ${matches(shape)} WHERE ${isAfter(shape)}
      UNION ALL
      SELECT row, place FROM scanned WHERE price >= ${VALUES.min} AND price <= ${VALUES.max} AND place >= coalesce((SELECT place FROM horizon), '')
      ORDER BY 2 DESC LIMIT ${LIMIT})
    SELECT counted.count, horizon.place AS stop, chosen.row, chosen.place FROM counted CROSS JOIN horizon LEFT JOIN chosen) found`;
  return build
    .select({
      ...summaryFields(VALUES.now),
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

function seekName({ isByCondition, isByCampus }: Shape): SQL {
  return sql`n.value ${isByCondition ? sql`|| '/' || c.value` : sql``} ${isByCampus ? sql`|| '/' || l.value` : sql``}`;
}

function toPage(rows: SummaryRow[], sort: CategorySort): Pick<ProductPage, "products" | "next"> {
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
