import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepareOnce, type RowOf } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { categories } from "#app/db/schema.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { summaryFields } from "#app/catalogue/products.server.ts";
import type { ListSort } from "#app/catalogue/browse/list-filters.ts";
import { textMark } from "./index-marks.ts";
import {
  type Availability,
  NOTHING,
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

/** The query for one page of what a plan finds, after the cursor. One row more than a page shows tells whether there is a next page. */
export function indexRows({ stages, bases, any }: SearchPlan, now: number, cursor: SearchCursor | null) {
  const first = cursor?.stage ?? 0;
  const isNearest = stages[first]?.nearest !== undefined && cursor !== null;
  // Of the nearest results a page has those of one stage, and so have the pages after it.
  const left = isNearest ? stages.slice(first, first + 1) : stages.slice(first);
  return PAGE({
    now,
    any,
    bases: JSON.stringify(bases),
    first,
    stages: JSON.stringify(left.map((stage, at) => stageValues(stage, at === 0 ? cursor : null, at === 0))),
  });
}

/** What the query reads of a stage. */
function stageValues(stage: Stage, cursor: SearchCursor | null, isFirst: boolean) {
  const { from, to } = PLACES[stage.availability];
  return {
    query: stage.query,
    base: stage.base ?? null,
    text: stage.inText ? 1 : 0,
    from,
    to: cursor ? Math.min(cursor.place, to) : to,
    when: isFirst || stage.isRespelled ? "always" : stage.nearest ? "none" : "any",
  };
}

/** The query for how many listings a plan finds that are neither respelled nor nearest, up to `limit`. */
export function countRows({ all, stages }: SearchPlan, limit: number) {
  const hasGone = stages.some(({ availability, isRespelled }) => availability !== "available" && !isRespelled);
  return COUNT({ all, limit, from: PLACES[hasGone ? "all" : "available"].from });
}

const COUNT = prepareOnce(
  build.select({ count: sql<number>`COUNT(*)`.as("count") }).from(
    sql`(SELECT 1 FROM product_search WHERE product_search MATCH ${sql.placeholder("all")}
      AND rowid >= ${integer(sql.placeholder("from"))} LIMIT ${integer(sql.placeholder("limit"))})`,
  ),
);

/** SQL: a value of the stage after the one of `walk`. */
function nextOf(name: keyof ReturnType<typeof stageValues>): SQL {
  return sql`json_extract(${sql.placeholder("stages")}, '$[' || (stage + 1) || '].${sql.raw(name)}')`;
}

/**
 * SQL: the stages in order, each only if the ones before leave room. `hits`: the places that a stage finds, as JSON.
 *
 * A stage that finds nothing has read the index entries of its rarest word to their end. So the query `any` is asked
 * once, and no more stages are once they have found as much as it does. What is nearest is asked only where nothing is
 * found at all.
 *
 * SQL, because the builder has neither full-text search nor recursive queries.
 */
const FOUND = sql`(WITH RECURSIVE
    hits(count) AS MATERIALIZED (SELECT COUNT(*) FROM (SELECT 1 FROM product_search
      WHERE product_search MATCH ${sql.placeholder("any")} LIMIT ${sql.raw(String(LIMIT))})),
    walk(stage, before, places) AS (
      SELECT -1, 0, '[]'
      UNION ALL
      SELECT stage + 1, before + json_array_length(places), (SELECT json_group_array(place) FROM (
        SELECT rowid AS place FROM product_search WHERE product_search MATCH iif(
            ${nextOf("when")} = 'always'
              OR (${nextOf("when")} = 'any' AND before + json_array_length(places) < (SELECT count FROM hits))
              OR (${nextOf("when")} = 'none' AND before + json_array_length(places) = 0),
            ${nextOf("query")} || coalesce(' AND (' || json_extract(${sql.placeholder("bases")}, '$[' || ${nextOf("base")} || ']') || ')', ''),
            ${sql.raw(`'${NOTHING}'`)})
          AND rowid >= ${nextOf("from")} AND rowid < ${nextOf("to")}
        ORDER BY rowid DESC LIMIT ${sql.raw(String(LIMIT))}))
      FROM walk
      WHERE before + json_array_length(places) < ${sql.raw(String(LIMIT))}
        AND stage + 1 < json_array_length(${sql.placeholder("stages")}))
  SELECT h.value AS place, walk.stage + ${integer(sql.placeholder("first"))} AS stage,
      json_extract(${sql.placeholder("stages")}, '$[' || walk.stage || '].text') AS is_in_text
    FROM walk CROSS JOIN json_each(walk.places) h LIMIT ${sql.raw(String(LIMIT))}) found`;

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
    .orderBy(sql`found.stage`, sql`found.place DESC`),
);

/** The rows that a page shows, and the cursor of the next one. */
export function readIndexPage(
  found: readonly IndexRow[],
  { stages }: SearchPlan,
  sort: ListSort,
): { rows: IndexRow[]; next: string | null } {
  const rows = found.slice(0, FEED_PAGE_SIZE);
  const last = rows.at(-1);
  const next = found.length > FEED_PAGE_SIZE && last ? writeSearchCursor(last) : null;
  // A stage is a narrow band of prices, newest first.
  const upwards = sort === "price-asc" ? 1 : sort === "price-desc" ? -1 : 0;
  const baseOf = ({ stage }: IndexRow) => stages[stage]?.base ?? 0;
  const byPrice = (a: IndexRow, b: IndexRow) => baseOf(a) - baseOf(b) || upwards * (a.price - b.price);
  return { rows: upwards === 0 ? rows : rows.toSorted(byPrice), next };
}
