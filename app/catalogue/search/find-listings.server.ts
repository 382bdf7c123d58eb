/** Reads what searches and lists find. SQL, because the builder has no full-text search. */
import { delivers } from "#app/accounts/profile/points-only.server.ts";
import { and, eq, gte, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import type { RowOf } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { FILTER_FACTS } from "#app/catalogue/facts/filter-facts.ts";
import { nameKeyOf } from "#app/catalogue/labels.ts";
import { summaryFields } from "#app/catalogue/products.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import {
  type Availability,
  factsQuery,
  type Limits,
  type SearchCursor,
  type SearchPlan,
  type Stage,
  withAvailability,
} from "./search-query.ts";

/** One row more than a page shows tells whether there is a next page. */
const FULL = sql.raw(String(FEED_PAGE_SIZE + 1));

/** How many listings that have its words, and can be bought if it asks for that, one stage looks at: the newest. */
const LOOKED_AT = sql.raw("2000");

/**
 * Where no index has the order of the prices, the newest so many that fit come by price. Where fewer fit, the order is
 * exact.
 */
const PRICED = sql.raw("2000");

export type FoundRow = RowOf<ReturnType<typeof pageRows>>;

/**
 * The query for one page of what a plan finds, after the cursor: `stages`, or else `nearest`, one after the other until
 * the page is full. SQLite asks each only when those before it have ended, because all of them are one UNION ALL with a
 * LIMIT.
 */
export function pageRows(plan: SearchPlan, kind: "stages" | "nearest", now: number, cursor: SearchCursor | null) {
  const rowsOf = (respelled: boolean) =>
    plan[kind].flatMap((stage, at) => {
      if (Boolean(stage.isRespelled) !== respelled || (cursor && at < cursor.stage)) return [];
      return [stageRows(stage, at, plan, cursor && at === cursor.stage ? cursor : null)];
    });
  const [own, respelled] = [rowsOf(false), rowsOf(true)];
  const found = [
    ...(own.length > 1 ? [sql`SELECT * FROM (SELECT * FROM (${inTurn(own)}) LIMIT ${mostOf(plan, kind)})`] : own),
    ...respelled,
  ];
  return build
    .select({
      ...summaryFields(now),
      place: sql<number>`found.place`,
      stage: sql<number>`found.stage`,
      /** Only for a match that may be outside the name and the category. */
      text: sql<string | null>`iif(found.in_text, ${productRow.description}, NULL)`.as("text"),
    })
    .from(sql`(WITH ${asked(plan)} SELECT * FROM (${found.length > 0 ? inTurn(found) : NO_ROWS}) LIMIT ${FULL}) found`)
    .crossJoin(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(sql`product_row.rowid = found.place`)
    .orderBy(sql`found.stage`, sql`found.rank DESC`, sql`found.tie DESC`);
}

/**
 * SQL: how many a page can have of the stages. When so many are found, the index needn't be asked for the other stages.
 */
function mostOf({ all }: SearchPlan, kind: "stages" | "nearest"): SQL {
  if (kind === "nearest" || all === null) return FULL;
  return sql`(SELECT COUNT(*) FROM (SELECT 1 FROM product_search WHERE product_search MATCH ${all} LIMIT ${FULL}))`;
}

/** Whoever writes a cursor by hand may name a stage that there isn't. */
const NO_ROWS = sql`SELECT 0 AS place, 0 AS stage, 0 AS in_text, 0 AS rank, 0 AS tie WHERE false`;

/** The query for how many listings a plan finds that are neither respelled nor nearest, up to `limit`. */
export function countRows(plan: SearchPlan, limit: number) {
  const isForSale = plan.stages.every(({ availability, isRespelled }) => isRespelled || availability === "available");
  const stage: Stage = { query: plan.all, availability: isForSale ? "available" : "all", sort: "newest" };
  return build.select({ count: sql<number>`COUNT(*)`.as("count") }).from(
    sql`(WITH ${asked(plan)} SELECT 1 FROM ${sourceOf(stage, plan.limits, null, sql`${limit}`)} CROSS JOIN ${LISTINGS}
      WHERE product_row.rowid = found.place AND ${conditionsOf(stage, plan.limits)} LIMIT ${limit})`,
  );
}

/** The query for those of these listings, by their rows' numbers, that a plan finds, neither respelled nor nearest. */
export function foundAmong(plan: SearchPlan, numbers: readonly number[]) {
  const these = sql`SELECT value FROM json_each(${JSON.stringify(numbers)})`;
  // Whenever the full-text index begins at a number, it opens all its words anew. So it reads from the first to the
  // last.
  const source =
    plan.all === null
      ? sql`SELECT value AS place FROM json_each(${JSON.stringify(numbers)})`
      : sql`SELECT rowid AS place FROM product_search WHERE product_search MATCH ${plan.all} AND +rowid IN (${these})
          AND rowid BETWEEN CAST(${Math.min(...numbers)} AS INTEGER) AND CAST(${Math.max(...numbers)} AS INTEGER)`;
  const stage: Stage = { query: plan.all, availability: "available", sort: "newest" };
  return build.select({ id: sql<string>`id` }).from(
    sql`(WITH ${asked(plan)} SELECT ${productRow.id} AS id FROM (${source}) found
      CROSS JOIN ${LISTINGS} WHERE product_row.rowid = found.place AND ${conditionsOf(stage, plan.limits)})`,
  );
}

/** SQL: the values that the stages compare with, each bound once. */
function asked({
  limits: { types, facts, conditions, campuses, sellerId, category, min, max },
  campus,
  nearest,
}: SearchPlan): SQL {
  const similar = nearest.find(({ nearest: near }) => near?.category)?.nearest?.category ?? null;
  return sql`asked AS MATERIALIZED (SELECT ${JSON.stringify(types)} AS types,
    ${JSON.stringify(conditions)} AS conditions, ${JSON.stringify(facts)} AS facts,
    ${JSON.stringify(campuses)} AS campuses, ${sellerId} AS seller, ${min} AS min, ${max} AS max, ${campus} AS campus,
    ${categoryKey(category)} AS category, ${similar} AS similar)`;
}

/** SQL: a value of `asked`, by its name; and the values of one that is a list. */
const of = (name: string) => sql.raw(`(SELECT ${name} FROM asked)`);
const among = (name: string) => sql`(SELECT value FROM json_each(${of(name)}))`;

/** SQL: what the listings of a category have as theirs: its id or, where it has none, the text itself. */
export function categoryKey(idOrName: string | null): SQL {
  if (idOrName === null) return sql`NULL`;
  const { id, nameKey, status } = categories;
  return sql`coalesce((SELECT ${id} FROM ${categories} WHERE ${id} = ${idOrName}),
    (SELECT ${id} FROM ${categories} WHERE ${nameKey} = ${nameKeyOf(idOrName)} AND ${eq(status, "approved")}),
    ${idOrName})`;
}

/** SQL: what one stage finds, in its order: `rank` and then `tie`, both downwards. */
function stageRows(stage: Stage, at: number, { limits }: SearchPlan, cursor: SearchCursor | null): SQL {
  const number = sql.raw(String(at));
  const inText = sql.raw(stage.inText ? "1" : "0");
  const fits = sql`product_row.rowid = found.place AND ${conditionsOf(stage, limits)}`;
  if (stage.sort === "newest")
    return sql`SELECT * FROM (SELECT found.place, ${number} AS stage, ${inText} AS in_text, found.rank, found.tie
      FROM ${sourceOf(stage, limits, cursor, FULL)} CROSS JOIN ${LISTINGS} WHERE ${fits}
      ORDER BY found.rank DESC, found.tie DESC LIMIT ${FULL})`;
  const isRising = stage.sort === "price-asc";
  const rank = isRising ? sql`-product_row.price` : sql`product_row.price`;
  const cursorRank = cursor?.price == null ? null : isRising ? -cursor.price : cursor.price;
  const priced = stage.query === null && factsOf(stage, limits) === null ? priceIndex(limits, stage.nearest) : null;
  if (priced) {
    const [way, from] = isRising ? [sql`ASC`, sql`>=`] : [sql`DESC`, sql`<=`];
    const rest =
      cursor && cursorRank !== null
        ? sql`product_row.price ${from} ${cursor.price}
          AND (${rank}, product_row.rowid) < (${cursorRank}, ${cursor.place})`
        : undefined;
    return sql`SELECT * FROM (SELECT product_row.rowid AS place, ${number} AS stage, ${inText} AS in_text,
      ${rank} AS rank, product_row.rowid AS tie
      FROM ${LISTINGS} INDEXED BY ${sql.raw(priced.index)} WHERE ${and(priced.key, rest, conditionsOf(stage, limits))}
      ORDER BY product_row.price ${way}, product_row.rowid DESC LIMIT ${FULL})`;
  }
  const rest = cursor && cursorRank !== null ? sql`WHERE (rank, tie) < (${cursorRank}, ${cursor.place})` : sql``;
  return sql`SELECT * FROM (SELECT place, ${number} AS stage, ${inText} AS in_text, rank, tie
    FROM (SELECT found.place, ${rank} AS rank, found.place AS tie
      FROM ${sourceOf(stage, limits, null, PRICED)} CROSS JOIN ${LISTINGS} WHERE ${fits}
      ORDER BY found.rank DESC, found.tie DESC LIMIT ${PRICED})
    ${rest} ORDER BY rank DESC, tie DESC LIMIT ${FULL})`;
}

/**
 * SQL: the newest listings that a stage looks at, as `found`, after the cursor. The full-text index has them by their
 * rows' numbers, which rise with time. Without words, the narrowest index of the filters has them: then it is the first
 * `most` that fit.
 */
function sourceOf(stage: Stage, limits: Limits, cursor: SearchCursor | null, most: SQL): SQL {
  const { query, availability, nearest } = stage;
  const facts = factsOf(stage, limits);
  const before = cursor ? sql`AND product_search.rowid < CAST(${cursor.place} AS INTEGER)` : sql``;
  if (query !== null) {
    const both = facts === null ? query : `(${query}) AND ${facts}`;
    return sql`(SELECT rowid AS place, rowid AS rank, 0 AS tie FROM product_search
      WHERE product_search MATCH ${withAvailability(both, availability)} ${before}
      ORDER BY rowid DESC LIMIT ${LOOKED_AT}) found`;
  }
  if (facts !== null)
    return sql`(SELECT product_row.rowid AS place, product_row.rowid AS rank, 0 AS tie FROM product_search
      CROSS JOIN ${LISTINGS}
      WHERE product_search MATCH ${withAvailability(facts, availability)} ${before}
        AND product_row.rowid = product_search.rowid AND ${conditionsOf(stage, limits)}
      ORDER BY product_search.rowid DESC LIMIT ${most}) found`;
  const { index, key } = narrowestIndex(limits, nearest);
  const rest = cursor
    ? sql`(${productRow.createdAt}, ${productRow.id}) < (SELECT ${products.createdAt}, ${products.id} FROM ${products}
      WHERE rowid = ${cursor.place})`
    : undefined;
  return sql`(SELECT product_row.rowid AS place, ${productRow.createdAt} AS rank, ${productRow.id} AS tie
    FROM ${LISTINGS} INDEXED BY ${sql.raw(index)}
    WHERE ${and(key, rest, conditionsOf(stage, limits))}
    ORDER BY ${productRow.createdAt} DESC, ${productRow.id} DESC LIMIT ${most}) found`;
}

/**
 * The query of the full-text index for the facts that a stage asks for. Where 34 of 17,000 laptops have one, it finds
 * in 0.5 ms what the column alone tells in 60 ms. One seller has few listings.
 */
function factsOf({ nearest }: Stage, limits: Limits): string | null {
  return nearest?.withoutFilters || limits.sellerId !== null ? null : factsQuery(limits);
}

/** The index that has a list in the order of its prices, where there is one: for a category, and for everything. */
function priceIndex(limits: Limits, nearest: Stage["nearest"]): { index: string; key?: SQL } | null {
  const { index, key } = narrowestIndex(limits, nearest);
  if (index === "products_for_sale_category_newest") return { index: "products_for_sale_category_price", key };
  return index === "products_for_sale" ? { index: "products_for_sale_price" } : null;
}

function narrowestIndex(
  { sellerId, types, category, campuses }: Limits,
  nearest: Stage["nearest"],
): { index: string; key?: SQL } {
  if (nearest?.by === "category")
    return { index: "products_for_sale_category_newest", key: sql`${productRow.category} = ${of("similar")}` };
  if (nearest?.withoutFilters) return { index: "products_for_sale" };
  if (sellerId !== null) return { index: "products_seller_status", key: sql`${productRow.sellerId} = ${of("seller")}` };
  if (types.length > 0) return { index: "products_for_sale_type", key: sql`${productRow.type} IN ${among("types")}` };
  if (category !== null)
    return { index: "products_for_sale_category_newest", key: sql`${productRow.category} = ${of("category")}` };
  if (campuses.length === 1)
    return { index: "products_for_sale_location", key: sql`${productRow.location} = ${of("campuses ->> 0")}` };
  return { index: "products_for_sale" };
}

const LISTINGS = sql`${products} product_row`;
const IS_LIVE = and(isNull(productRow.deletedAt), isNull(productRow.suspendedAt));
const AVAILABILITY: Record<Availability, SQL> = {
  available: FOR_SALE,
  gone: sql`${and(ne(productRow.status, "active"), IS_LIVE)}`.inlineParams(),
  all: sql`${IS_LIVE}`,
};
const IS_OWN = sql`${productRow.location} = ${of("campus")}`;
const IS_OTHER = sql`${productRow.location} <> ${of("campus")}`;
const IS_SIMILAR = sql`${productRow.category} = ${of("similar")}`;
const FILTERS = {
  min: gte(productRow.price, of("min")),
  max: lte(productRow.price, of("max")),
  conditions: sql`${productRow.condition} IN ${among("conditions")}`,
  campuses: sql`${productRow.location} IN ${among("campuses")}`,
  types: sql`${productRow.type} IN ${among("types")}`,
  sellerId: sql`${productRow.sellerId} = ${of("seller")}`,
  category: sql`${productRow.category} = ${of("category")}`,
  verified: sql`${eq(productRow.sellerVerified, true)}`.inlineParams(),
  wholesale: sql`${eq(productRow.wholesale, true)}`.inlineParams(),
  delivery: sql`${delivers(productRow.sellerId)}`.inlineParams(),
} satisfies Record<keyof Omit<Limits, "sort" | "facts">, SQL>;

/** By the ids of facts, which are codes of ours. */
const FACT_FILTERS = new Map(
  FILTER_FACTS.map(({ id }) => [
    id,
    sql`${productRow.facts} ->> ${sql.raw(`'${id}'`)} IN ${among(`facts -> '${id}'`)}`,
  ]),
);

/** SQL on `productRow`: what a stage leaves of what it looks at. */
function conditionsOf({ availability, campus, nearest }: Stage, limits: Limits): SQL {
  const isLimited = (name: keyof typeof FILTERS) => {
    const value = limits[name];
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
  };
  const names = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter(isLimited);
  const facts = Object.keys(limits.facts).flatMap((id) => FACT_FILTERS.get(id) ?? []);
  const filters = nearest?.withoutFilters ? [] : [...names.map((name) => FILTERS[name]), ...facts];
  return sql.join(
    [
      AVAILABILITY[availability],
      ...(campus === undefined ? [] : [campus === "own" ? IS_OWN : IS_OTHER]),
      ...(nearest?.by === "category" ? [IS_SIMILAR] : []),
      ...filters,
    ],
    sql` AND `,
  );
}

/** D1 joins at most five queries. */
const UNION_MAX = 5;

/** SQL: these queries, one after the other. */
export function inTurn(queries: readonly SQL[]): SQL {
  if (queries.length <= UNION_MAX) return sql.join([...queries], sql` UNION ALL `);
  const [some, others] = [queries.slice(0, UNION_MAX - 1), queries.slice(UNION_MAX - 1)];
  return sql`${sql.join(some, sql` UNION ALL `)} UNION ALL SELECT * FROM (${inTurn(others)})`;
}

/** The rows that a page shows, and the cursor of the next one. */
export function readPage(
  found: readonly FoundRow[],
  stages: readonly Stage[],
): { rows: FoundRow[]; next: SearchCursor | null } {
  const rows = found.slice(0, FEED_PAGE_SIZE);
  const last = rows.at(-1);
  if (found.length <= FEED_PAGE_SIZE || !last) return { rows, next: null };
  const isPriced = stages[last.stage]?.sort !== "newest";
  return { rows, next: { place: last.place, stage: last.stage, price: isPriced ? last.price : null } };
}
