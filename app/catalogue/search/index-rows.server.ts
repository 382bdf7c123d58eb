import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepareOnce, type RowOf } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { categories, products } from "#app/db/schema.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { summaryFields } from "#app/catalogue/products.server.ts";
import { nameKeyOf } from "#app/catalogue/labels.ts";
import { priceBlocks, priceMark, textMark } from "./index-marks.ts";
import {
  type Availability,
  EVERYTHING,
  NOTHING,
  type PriceOrder,
  type SearchCursor,
  type SearchPlan,
  type Stage,
  writeSearchCursor,
} from "./search-query.ts";

const LIMIT = FEED_PAGE_SIZE + 1;

/** Index rows from here on are listings that can be bought. The rest of the number is the listing's own row number. */
const AVAILABLE_FROM = 2 ** 40;

export const PLACES: Record<Availability, { from: number; to: number }> = {
  available: { from: AVAILABLE_FROM, to: 2 * AVAILABLE_FROM },
  gone: { from: 0, to: AVAILABLE_FROM },
  all: { from: 0, to: 2 * AVAILABLE_FROM },
};

/** SQL: product `p` is the listing of the index row `found`. */
export const IS_FOUND = sql`p.rowid = found.place % ${sql.raw(String(AVAILABLE_FROM))}`;

/** D1 binds numbers as REAL, but FTS5 starts at a row only for an INTEGER. */
export function integer(number: number | Placeholder) {
  return sql`CAST(${number} AS INTEGER)`;
}

/** SQL: the query for listings with the mark of a type (SQL), as the migrations write it (index-marks.ts). None without a type. */
export function typeQuery(type: SQL): SQL {
  const mark = textMark("type", "");
  return sql`COALESCE('{marks} : "' || ${mark} || hex(${type}) || '"', ${NOTHING})`;
}

export type IndexRow = RowOf<ReturnType<typeof PAGE>>;

/**
 * The query for one page of what a plan finds, after the cursor. One row more than a page shows tells whether there is a next page.
 *
 * @param category an id, a name or plain text: only listings of this category
 */
export function indexRows(
  { stages, any }: SearchPlan,
  now: number,
  cursor: SearchCursor | null,
  category: string | null = null,
) {
  const first = cursor?.stage ?? 0;
  // Of the nearest results a page has those of one stage, and so have the pages after it.
  const last = cursor && stages[first]?.nearest ? first : stages.length;
  const asked = stages.flatMap((stage, number) => {
    if (number < first || number > last) return [];
    return cursor && number === first ? resumed(stage, number, cursor) : [stageValues(stage, number)];
  });
  // A category limits more than everything does, which the index would look up besides.
  const within = (query: string) => (category !== null && query === EVERYTHING ? "" : query);
  return PAGE({
    now,
    any: within(any),
    stages: JSON.stringify(
      asked.filter(({ blocks }) => blocks !== "").map((stage) => ({ ...stage, query: within(stage.query) })),
    ),
    direction: stages[0]?.byPrice?.dearestFirst ? -1 : 1,
    ...namesOf(category),
  });
}

/** What the query reads of a stage. */
function stageValues({ query, availability, inText, isRespelled, nearest, byPrice }: Stage, number: number) {
  return {
    number,
    query,
    text: inText ? 1 : 0,
    ...PLACES[availability],
    blocks: byPrice ? blocksOf(byPrice) : ANY_PRICE,
    when: isRespelled || number === 0 ? "always" : nearest ? "none" : "any",
  };
}

/** What is left of a stage after the cursor. By price: the rest of those at the price where the page ended, then the others. */
function resumed(stage: Stage, number: number, { place, price }: SearchCursor) {
  const values = { ...stageValues(stage, number), when: "always" };
  const same = { ...values, to: Math.min(place, values.to) };
  if (!stage.byPrice || price === null) return [same];
  const left = stage.byPrice.dearestFirst ? { max: price - 1 } : { min: price + 1 };
  return [
    { ...same, blocks: blocksOf({ ...stage.byPrice, min: price, max: price }) },
    { ...values, blocks: blocksOf({ ...stage.byPrice, ...left }) },
  ];
}

/** Where a stage isn't by price. In every order, what is nearest is such a stage. */
const ANY_PRICE = "- ";

/** The blocks of prices in order, each with a space behind it. Those of one size, side by side, are asked for together: "2x3,2x4 ". */
function blocksOf({ min, max, dearestFirst }: PriceOrder): string {
  const blocks = dearestFirst ? priceBlocks(min, max).toReversed() : priceBlocks(min, max);
  return blocks.map((block, at) => block + (blocks[at + 1]?.charAt(0) === block.charAt(0) ? "," : " ")).join("");
}

/** The query for how many listings a plan finds that are neither respelled nor nearest, up to `limit`. */
export function countRows({ all, stages }: SearchPlan, limit: number, category: string | null = null) {
  const hasGone = stages.some(({ availability, isRespelled }) => availability !== "available" && !isRespelled);
  return COUNT({ all, limit, from: PLACES[hasGone ? "all" : "available"].from, ...namesOf(category) });
}

/** The values of `NAMES`. */
export function namesOf(category: string | null) {
  return { category, key: category === null ? null : nameKeyOf(category) };
}

/**
 * SQL: what the listings of a category may have as theirs, which is an id or plain text: the text that is asked for, the ids of
 * categories with that name, and the names of those ids.
 */
export const NAMES = sql`names(value) AS (SELECT ${sql.placeholder("category")}
    UNION SELECT ${categories.id} FROM ${categories} WHERE ${categories.nameKey} = ${sql.placeholder("key")}
    UNION SELECT ${categories.name} FROM ${categories}
      WHERE ${categories.id} = ${sql.placeholder("category")} OR ${categories.nameKey} = ${sql.placeholder("key")})`;

/** SQL: limits queries to a category. */
const WITHIN = sql`${NAMES},
  within(query) AS MATERIALIZED (SELECT coalesce(' AND {marks} : (' || group_concat('"' || ${textMark("category", "")} || hex(value) || '"', ' OR ') || ')', '')
    FROM names WHERE value IS NOT NULL)`;

/** SQL: what `query` finds in the category; without a query, all of it. */
function inCategory(query: SQL | Placeholder): SQL {
  return sql`iif(${query} = '', substr((SELECT query FROM within), 6), '(' || ${query} || ')' || (SELECT query FROM within))`;
}

const COUNT = prepareOnce(
  build.select({ count: sql<number>`COUNT(*)`.as("count") }).from(
    sql`(WITH ${WITHIN} SELECT 1 FROM product_search WHERE product_search MATCH ${inCategory(sql.placeholder("all"))}
      AND rowid >= ${integer(sql.placeholder("from"))} LIMIT ${integer(sql.placeholder("limit"))})`,
  ),
);

/** SQL: a value of the stage of `walk`, or of the one `after` it. */
function valueOf(name: keyof ReturnType<typeof stageValues>, after = 0): SQL {
  return sql`json_extract(${sql.placeholder("stages")}, '$[' || (walk.stage + ${sql.raw(String(after))}) || '].${sql.raw(name)}')`;
}

const PAGE_FULL = sql.raw(String(LIMIT));

/** A block of prices with more listings is divided. Small blocks read few rows that don't fit on the page. */
const BLOCK_MAX = 7;

/** SQL: the block that `walk` asks for next, and those after it. */
const NEXT_BLOCK = sql`substr(blocks, 1, instr(blocks, ' ') - 1)`;
const LATER_BLOCKS = sql`substr(blocks, instr(blocks, ' ') + 1)`;

/** SQL: a block has several prices. */
function isRange(block: SQL): SQL {
  return sql`(${block} > '1' OR instr(${block}, ','))`;
}

/** SQL: the block that `walk` asked for has several prices, and more listings than a block should. */
const IS_DIVIDED = sql`(${isRange(sql`block`)} AND json_array_length(places) > ${sql.raw(String(BLOCK_MAX))})`;

/** SQL: its parts, in order: of "2x12" they are "1x120" to "1x129". */
const PARTS = sql`iif(instr(block, ','), replace(block, ',', ' ') || ' ',
  replace(iif(${sql.placeholder("direction")} < 0, '@9 @8 @7 @6 @5 @4 @3 @2 @1 @0 ', '@0 @1 @2 @3 @4 @5 @6 @7 @8 @9 '),
    '@', (substr(block, 1, 1) - 1) || 'x' || iif(substr(block, 3) = '0', '', substr(block, 3))))`;

/** SQL: how many listings `walk` has found. */
const FOUND_SO_FAR = sql`(before + json_array_length(places))`;

/** SQL: the page has room for no more than the few rows that are read of a range. */
const IS_NEARLY_FULL = sql`${FOUND_SO_FAR} >= ${sql.raw(String(LIMIT - BLOCK_MAX - 1))}`;

/** SQL: the places of what the stage of `walk` finds in its next block, the newest first, as JSON. */
function placesOf(limit: number): SQL {
  const block = sql`replace(${NEXT_BLOCK}, ',', '" OR "' || ${priceMark("")})`;
  return sql`(SELECT json_group_array(place) FROM (
    SELECT rowid AS place FROM product_search WHERE product_search MATCH iif(
        ${valueOf("when")} = 'always'
          OR (${valueOf("when")} = 'any' AND ${FOUND_SO_FAR} < (SELECT count FROM hits))
          OR (${valueOf("when")} = 'none' AND ${FOUND_SO_FAR} = 0),
        ${inCategory(valueOf("query"))} || iif(${NEXT_BLOCK} = '-', '', ' AND {marks} : ("' || ${priceMark("")} || ${block} || '")'),
        ${sql.raw(`'${NOTHING}'`)})
      AND rowid >= ${valueOf("from")} AND rowid < ${valueOf("to")}
    ORDER BY rowid DESC LIMIT ${sql.raw(String(limit))}))`;
}

/**
 * SQL: the stages in order, each only if the ones before leave room. A row of `walk` has the `places` that its stage finds in a
 * `block` of prices, and the `blocks` that come after it.
 *
 * The index has the newest first, and no order by price. So an order by price asks for one block of prices after the other, and
 * divides a block with many listings, until it has few or is a single price. Only where it still has several prices are the
 * listings themselves asked for theirs. So the order is exact.
 *
 * A stage that finds nothing has read the index entries of its rarest word to their end. So the query `any` is asked
 * once, and no more stages are once they have found as much as it does. What is nearest is asked only where nothing is
 * found at all.
 *
 * SQL, because the builder has neither full-text search nor recursive queries.
 */
const FOUND = sql`(WITH RECURSIVE ${WITHIN},
    hits(count) AS MATERIALIZED (SELECT COUNT(*) FROM (SELECT 1 FROM product_search
      WHERE product_search MATCH ${inCategory(sql.placeholder("any"))} LIMIT ${PAGE_FULL})),
    walk(stage, block, blocks, places, before) AS (
      SELECT 0, '', json_extract(${sql.placeholder("stages")}, '$[0].blocks'), '[]', 0
      UNION ALL
      SELECT stage + (blocks = '' AND NOT ${IS_DIVIDED}),
        iif(blocks = '' OR ${IS_DIVIDED}, '', ${NEXT_BLOCK}),
        CASE WHEN ${IS_DIVIDED} THEN ${PARTS} || blocks WHEN blocks = '' THEN ${valueOf("blocks", 1)} ELSE ${LATER_BLOCKS} END,
        CASE WHEN blocks = '' OR ${IS_DIVIDED} THEN '[]' WHEN ${isRange(NEXT_BLOCK)} OR ${IS_NEARLY_FULL} THEN ${placesOf(BLOCK_MAX + 1)} ELSE ${placesOf(LIMIT)} END,
        iif(${IS_DIVIDED}, before, ${FOUND_SO_FAR})
      FROM walk
      WHERE blocks IS NOT NULL AND (${IS_DIVIDED} OR ${FOUND_SO_FAR} < ${PAGE_FULL}))
  SELECT h.value AS place, ${valueOf("number")} AS stage, ${valueOf("text")} AS is_in_text,
      before, iif(${isRange(sql`block`)}, ${sql.placeholder("direction")}
        * (SELECT price FROM ${products} WHERE rowid = h.value % ${sql.raw(String(AVAILABLE_FROM))}), 0) AS rank
    FROM walk CROSS JOIN json_each(walk.places) h
    WHERE NOT ${IS_DIVIDED} AND (${isRange(sql`block`)} OR h.key < ${PAGE_FULL} - before)
    ORDER BY before, rank, place DESC LIMIT ${PAGE_FULL}) found`;

const PAGE = prepareOnce(
  build
    .select({
      ...summaryFields(sql.placeholder("now")),
      place: sql<number>`found.place`,
      stage: sql<number>`found.stage`,
      /** Only for a match that may be outside the name and the category. */
      text: sql<string | null>`iif(found.is_in_text, ${p.description}, NULL)`.as("text"),
    })
    .from(FOUND)
    .crossJoin(p)
    .leftJoin(categories, eq(categories.id, p.category))
    .where(IS_FOUND)
    .orderBy(sql`found.before`, sql`found.rank`, sql`found.place DESC`),
);

/** The rows that a page shows, and the cursor of the next one. */
export function readIndexPage(
  found: readonly IndexRow[],
  { stages }: SearchPlan,
): { rows: IndexRow[]; next: string | null } {
  const rows = found.slice(0, FEED_PAGE_SIZE);
  const last = rows.at(-1);
  if (found.length <= FEED_PAGE_SIZE || !last) return { rows, next: null };
  const price = stages[last.stage]?.byPrice ? last.price : null;
  return { rows, next: writeSearchCursor({ ...last, price }) };
}
