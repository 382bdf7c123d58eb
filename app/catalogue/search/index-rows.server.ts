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
    direction: stages.some(({ byPrice }) => byPrice?.dearestFirst) ? -1 : 1,
    ...namesOf(category),
  });
}

/** A stage as the query reads it. */
function stageValues({ query, availability, inText, isRespelled, nearest, byPrice }: Stage, number: number) {
  return {
    number,
    query,
    text: inText ?? false,
    ...PLACES[availability],
    blocks: byPrice ? blocksOf(byPrice) : ANY_PRICE,
    /** The query `any` knows how many it can find. */
    isCounted: number > 0 && !isRespelled && !nearest,
    isNearest: nearest !== undefined,
  };
}

/** What is left of a stage after the cursor. By price: the rest of those at the price where the page ended, then the others. */
function resumed(stage: Stage, number: number, { place, price }: SearchCursor) {
  const values = { ...stageValues(stage, number), isCounted: false, isNearest: false };
  const same = { ...values, to: Math.min(place, values.to) };
  if (!stage.byPrice || price === null) return [same];
  const left = stage.byPrice.dearestFirst ? { max: price - 1 } : { min: price + 1 };
  return [
    { ...same, blocks: blocksOf({ ...stage.byPrice, min: price, max: price }) },
    { ...values, blocks: blocksOf({ ...stage.byPrice, ...left }) },
  ];
}

/** Where a stage isn't by price. */
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

const PAGE_FULL = sql.raw(String(LIMIT));

/** A block of prices with more listings is divided. In small blocks, few are read that don't fit on the page. */
const BLOCK_MAX = 10;

/** SQL: a value of the stage that `walk` is at. */
function ofStage(name: keyof ReturnType<typeof stageValues>): SQL {
  return sql`walk.stage ->> ${sql.raw(`'${name}'`)}`;
}

/** SQL: the stage after it, as JSON; NULL after the last. */
const NEXT_STAGE = sql`((SELECT stages FROM asked) -> (walk.at + 1))`;

/** SQL: how many listings `walk` has found. */
const FOUND_SO_FAR = sql`(before + json_array_length(places))`;

/** SQL: the first of the blocks that `walk` has yet to ask for, and the others. */
const NEXT_BLOCK = sql`substr(later, 1, instr(later, ' ') - 1)`;
const LATER_BLOCKS = sql`substr(later, instr(later, ' ') + 1)`;

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

/** SQL: limits a query to the next block. */
const IN_BLOCK = sql`iif(${NEXT_BLOCK} = '-', '',
  ' AND {marks} : ("' || ${priceMark("")} || replace(${NEXT_BLOCK}, ',', '" OR "' || ${priceMark("")}) || '")')`;

/** SQL: the places of what the stage finds in the next block, the newest first, as JSON. */
function placesOf(limit: number): SQL {
  return sql`(SELECT json_group_array(place) FROM (
    SELECT rowid AS place FROM product_search WHERE product_search MATCH ${inCategory(sql`(${ofStage("query")})`)} || ${IN_BLOCK}
      AND rowid >= ${ofStage("from")} AND rowid < ${ofStage("to")}
    ORDER BY rowid DESC LIMIT ${sql.raw(String(limit))}))`;
}

/**
 * SQL: what a page shows. `walk` goes through the stages until the page is full. Each of its rows is a step:
 *
 * - To the next stage, whose blocks of prices are `later`. What is nearest has none where something is found already.
 * - To the next block: `places` are those of what the stage finds in it. A stage that finds nothing has read the index entries
 *   of its rarest word to their end. So the query `any` is counted, once, and as soon as so many are found, nothing is asked.
 * - Back to before a block that has too many, with its parts instead.
 *
 * The index has the newest first, and no order by price. Only in a block that still has several prices are the listings
 * themselves asked for theirs. So the order is exact. The cheapest from 1,000 to 3,999, where 2 cost less than 2,000:
 *
 *     step     block         places   later                    before
 *     stage                           3x1,3x2,3x3                   0
 *     block    3x1,3x2,3x3       11                                 0
 *     divide                          3x1 3x2 3x3                   0
 *     block    3x1                2   3x2 3x3                       0
 *     block    3x2               11   3x3                           2
 *     divide                          2x20 2x21 … 2x29 3x3          2
 *     block    2x20               6   2x21 … 2x29 3x3               2
 *
 * SQL, because the builder has neither full-text search nor recursive queries.
 */
const FOUND = sql`(WITH RECURSIVE ${WITHIN},
    asked(stages) AS NOT MATERIALIZED (SELECT ${sql.placeholder("stages")}),
    hits(count) AS MATERIALIZED (SELECT COUNT(*) FROM (SELECT 1 FROM product_search
      WHERE product_search MATCH ${inCategory(sql.placeholder("any"))} LIMIT ${PAGE_FULL})),
    walk(at, stage, block, places, later, before) AS (
      SELECT 0, stages -> 0, '', '[]', stages -> 0 ->> 'blocks', 0 FROM asked
      UNION ALL
      SELECT at + 1, ${NEXT_STAGE}, '', '[]',
        iif(${NEXT_STAGE} ->> 'isNearest' AND ${FOUND_SO_FAR} > 0, '', ${NEXT_STAGE} ->> 'blocks'), ${FOUND_SO_FAR}
      FROM walk WHERE later = '' AND NOT ${IS_DIVIDED} AND ${FOUND_SO_FAR} < ${PAGE_FULL} AND ${NEXT_STAGE} IS NOT NULL
      UNION ALL
      SELECT at, stage, ${NEXT_BLOCK},
        CASE WHEN ${ofStage("isCounted")} AND ${FOUND_SO_FAR} >= (SELECT count FROM hits) THEN '[]'
          WHEN ${isRange(NEXT_BLOCK)} THEN ${placesOf(BLOCK_MAX + 1)} ELSE ${placesOf(LIMIT)} END,
        ${LATER_BLOCKS}, ${FOUND_SO_FAR}
      FROM walk WHERE later <> '' AND NOT ${IS_DIVIDED} AND ${FOUND_SO_FAR} < ${PAGE_FULL}
      UNION ALL
      SELECT at, stage, '', '[]', ${PARTS} || later, before FROM walk WHERE ${IS_DIVIDED})
  SELECT h.value AS place, ${ofStage("number")} AS stage, ${ofStage("text")} AS is_in_text,
      before, iif(${isRange(sql`block`)}, ${sql.placeholder("direction")}
        * (SELECT price FROM ${products} WHERE rowid = h.value % ${sql.raw(String(AVAILABLE_FROM))}), 0) AS rank
    FROM walk CROSS JOIN json_each(walk.places) h
    WHERE NOT ${IS_DIVIDED}
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
