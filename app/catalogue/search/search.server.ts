import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepareOnce, type Read, readOf, type RowOf, runBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories } from "#app/db/schema.ts";
import {
  browseFeed,
  type BrowseInput,
  type Category,
  categoryRows,
  readCategories,
  type ListedProduct,
  type ProductPage,
} from "#app/catalogue/browse/browse.server.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { summaryFields, toSummary, type ViewContext } from "#app/catalogue/products.server.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import {
  type Availability,
  type KnownWords,
  readSearchCursor,
  type SearchCursor,
  type SearchQueries,
  searchQueries,
  STAGES,
  suggestionQuery,
  type Vocabulary,
  wordsToMark,
  writeSearchCursor,
} from "./search-query.ts";
import { excerptAround, markPattern } from "./search-marks.ts";
import { spellingKeys, splitWords, stemsOf } from "./search-words.ts";

const LIMIT = FEED_PAGE_SIZE + 1;

export interface SearchPage extends ProductPage {
  categories: Category[];
  /** The pattern of what to highlight in the results (search-marks.ts). */
  mark: string;
  /** True if nothing matches the text, and these results have a similar spelling. */
  respelled: boolean;
}

/**
 * One page of the products that have every word of `text` in their name, category or description (see STAGES for the
 * order). An empty text finds everything. `text` is tidied. One round trip.
 *
 * Each stage is read from the cursor on and stops with the page, so a common word costs no more than a rare one.
 */
export async function searchProducts(
  store: Store,
  options: BrowseInput & { text: string; vocabulary: Vocabulary },
): Promise<SearchPage> {
  if (options.text === "") return { ...(await browseFeed(store, options)), mark: "", respelled: false };
  const words = splitWords(options.text);
  const known = options.vocabulary;
  const cursor = readSearchCursor(options.after);
  const view = { viewerId: options.viewerId, now: store.now() };
  const rows = words.length > 0 ? foundRows(searchQueries(words, known, options), view, cursor) : null;
  const [counted, found = []] = await runBatch(store.db, rows ? [categoryRows(), rows] : [categoryRows()]);
  const mark = markPattern(wordsToMark(words, known));
  const shown = found.slice(0, FEED_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    products: shown.map((hit) => toListed(hit, mark)),
    after: cursor && options.after,
    next: found.length > FEED_PAGE_SIZE && last ? writeSearchCursor(last) : null,
    categories: readCategories(counted),
    mark,
    respelled: cursor === null && found[0] !== undefined && STAGES[found[0].stage]?.by === "spelling",
  };
}

type FoundRow = RowOf<ReturnType<ReturnType<typeof preparePage>>>;

function toListed({ place: _place, stage: _stage, text, ...summary }: FoundRow, mark: string): ListedProduct {
  const excerpt = text === null ? null : excerptAround(text, mark);
  return excerpt === null ? toSummary(summary) : { ...toSummary(summary), excerpt };
}

/** How many rows of the word list one search reads. With many words, it reads fewer for each. */
const STARTS_READ = 30;
const INNER_READ = 48;
const SPELLING_READ = 24;

/** How many spelling keys one search looks up. The first words come first. */
const KEYS_MAX = 52;

/** A row of the word list, which is SQL: it stands beside the full-text index, outside the schema. */
interface KnownRow {
  kind: "starts" | "inner" | "spelling";
  word: string;
}

/**
 * What a search of a tidied text must read from the word list before it can ask for products. Its statements belong in the
 * batch that finds the viewer, to save a round trip. There are none where the text has no word with three letters or more.
 */
export function lookUpVocabulary(text: string): Read<Vocabulary> {
  const lookups = splitWords(text)
    .filter((word) => [...word].length > 2)
    .map((word) => ({ word, stems: stemsOf(word) }));
  const stemCount = lookups.reduce((count, { stems }) => count + stems.length, 0);
  const startsMax = Math.floor(STARTS_READ / stemCount);
  const innerMax = Math.floor(INNER_READ / stemCount);
  const spellingMax = Math.floor(SPELLING_READ / lookups.length);
  let keysLeft = KEYS_MAX;
  const statements = lookups.map(({ word, stems }) => {
    const keys = spellingKeys(word).slice(0, keysLeft);
    keysLeft -= keys.length;
    const rows = stems.flatMap((stem) => [startingWords(stem, startsMax), wordsAround(stem, innerMax)]);
    return inTurn(keys.length > 0 ? [...rows, similarWords(keys, spellingMax)] : rows);
  });
  const knownWords = ({ stems }: { stems: string[] }, answer: D1Result<KnownRow> | undefined): KnownWords => {
    const rows = answer?.results ?? [];
    const wordsOf = (kind: KnownRow["kind"]) => rows.flatMap((row) => (row.kind === kind ? [row.word] : []));
    const starts = wordsOf("starts");
    const isCut = stems.some((stem) => starts.filter((start) => start.startsWith(stem)).length >= startsMax);
    return { starts: isCut ? null : starts, inner: wordsOf("inner"), spelling: wordsOf("spelling") };
  };
  return readOf(
    statements,
    (answers) => new Map(lookups.map((lookup, at) => [lookup.word, knownWords(lookup, answers[at])])),
  );
}

/** Sorts after every text that begins with the other one. */
const LAST = "\u{10FFFF}";

function startingWords(stem: string, limit: number): SQL<KnownRow> {
  return sql`SELECT * FROM (SELECT 'starts' AS kind, word FROM search_words WHERE word >= ${stem} AND word < ${stem + LAST} LIMIT ${limit})`;
}

function wordsAround(stem: string, limit: number): SQL<KnownRow> {
  return sql`SELECT * FROM (SELECT DISTINCT 'inner' AS kind, word FROM search_word_keys WHERE kind = 'inner' AND key >= ${stem} AND key < ${stem + LAST} LIMIT ${limit})`;
}

function similarWords(keys: readonly string[], limit: number): SQL<KnownRow> {
  const list = sql.join(
    keys.map((key) => sql`${key}`),
    sql`, `,
  );
  return sql`SELECT * FROM (SELECT 'spelling' AS kind, word FROM search_word_keys WHERE kind = 'spelling' AND key IN (${list}) LIMIT ${limit})`;
}

/** One query for a page; null where the cursor leaves no stage to read. */
function foundRows({ stages, any }: SearchQueries, { now }: ViewContext, cursor: SearchCursor | null) {
  const read = [...stages.keys()].filter((stage) => stage >= (cursor?.stage ?? 0) && stages[stage] !== null);
  if (read.length === 0) return null;
  const asked = (pages[`${cursor ? "after" : "first"} ${read.join(" ")}`] ??= preparePage(read, cursor !== null));
  return asked({ ...stages, any, now, place: cursor?.place });
}

const pages: Record<string, ReturnType<typeof preparePage>> = {};

/**
 * The stages in order. Each starts only if the ones before leave room.
 *
 * A stage that finds nothing has read the index entries of its rarest word to their end. So if the first stage leaves
 * room, the query `any` is asked once. The stages that it contains aren't read where it finds nothing, and no more of them
 * once they have found as much as it does.
 *
 * SQL, because the builder has neither full-text search nor materialized queries.
 */
function preparePage(stages: readonly number[], isLater: boolean) {
  const parts = stages.map((stage, at) => {
    const query = sql.placeholder(String(stage));
    // `any` doesn't contain misspelled words.
    const mustBeRead = at === 0 || STAGES[stage]?.by === "spelling";
    const counts = stages.slice(0, at).map((earlier) => sql.raw(`(SELECT COUNT(*) FROM stage${earlier})`));
    // A later page doesn't know how much the earlier ones found.
    const soFar = isLater ? sql`0` : sql.join(counts, sql` + `);
    const rows = stageRows(mustBeRead ? sql`${query}` : ifMoreHits(query, soFar), stage, isLater && at === 0);
    return sql`${sql.raw(`stage${stage}`)}(place, stage) AS MATERIALIZED (${rows})`;
  });
  const rows = inTurn(stages.map((stage) => sql.raw(`SELECT place, stage FROM stage${stage}`)));
  const found = sql`(WITH hits(place) AS MATERIALIZED (
        SELECT rowid FROM product_search WHERE product_search MATCH ${sql.placeholder("any")} ORDER BY rowid DESC LIMIT ${LIMIT}),
      ${sql.join(parts, sql`, `)},
      found(place, stage) AS (${rows} LIMIT ${LIMIT})
    SELECT place, stage FROM found) found`;
  return prepareOnce(
    build
      .select({
        ...summaryFields(sql.placeholder("now")),
        place: sql<number>`found.place`,
        stage: sql<number>`found.stage`,
        /** Only for a match outside the name and the category. */
        text: sql<string | null>`CASE WHEN found.stage IN (${TEXT_STAGES}) THEN ${p.description} END`.as("text"),
      })
      .from(found)
      .crossJoin(p)
      .leftJoin(categories, eq(categories.id, p.category))
      .where(IS_FOUND)
      .orderBy(sql`found.stage`, sql`found.place DESC`),
  );
}

const TEXT_STAGES = sql.raw(STAGES.flatMap(({ where }, stage) => (where === "text" ? [stage] : [])).join(", "));

/** Index rows from here on are listings that can be bought. The rest of the number is the listing's own row number. */
const AVAILABLE_FROM = 2 ** 40;

/** SQL: product `p` is the listing of the index row `found`. */
const IS_FOUND = sql`p.rowid = found.place % ${sql.raw(String(AVAILABLE_FROM))}`;

const PLACES: Record<Availability, { from: number; to: number }> = {
  available: { from: AVAILABLE_FROM, to: 2 * AVAILABLE_FROM },
  gone: { from: 0, to: AVAILABLE_FROM },
  all: { from: 0, to: 2 * AVAILABLE_FROM },
};

/** The query, or the empty phrase, which the index answers without reading, where there are no more hits than `soFar`. */
function ifMoreHits(query: Placeholder, soFar: SQL): SQL {
  return sql`CASE WHEN (SELECT COUNT(*) FROM hits) > ${soFar} THEN ${query} ELSE '""' END`;
}

function stageRows(query: SQL, stage: number, isFromCursor: boolean): SQL {
  const { from, to } = PLACES[STAGES[stage]?.availability ?? "all"];
  return sql`SELECT * FROM (SELECT rowid AS place, ${sql.raw(String(stage))} AS stage FROM product_search
    WHERE product_search MATCH ${query} AND rowid >= ${integer(from)} AND rowid < ${integer(isFromCursor ? sql.placeholder("place") : to)}
    ORDER BY rowid DESC LIMIT ${LIMIT})`;
}

/** D1 binds numbers as REAL, but FTS5 starts at a row only for an INTEGER. */
function integer(number: number | Placeholder): SQL {
  return sql`CAST(${number} AS INTEGER)`;
}

/** D1 joins at most five queries. */
const UNION_MAX = 5;

function inTurn<Row>(queries: SQL<Row>[]): SQL<Row> {
  if (queries.length <= UNION_MAX) return sql<Row>`${sql.join(queries, sql` UNION ALL `)}`;
  return sql`SELECT * FROM (${inTurn(queries.slice(0, UNION_MAX))}) UNION ALL SELECT * FROM (${inTurn(queries.slice(UNION_MAX))})`;
}

export interface Suggestions {
  /** Names of products, distinct regardless of case. */
  names: string[];
  categories: Category[];
}

/** How many suggestions are shown, including categories. */
const SUGGESTIONS_MAX = 8;
const CATEGORY_SUGGESTIONS_MAX = 2;

/** How many of the newest matches are searched for different names. */
const NEWEST_MATCHES = 30;

/**
 * Suggestions for a person who typed `text`: categories that begin with it, and the newest products for sale whose
 * names have, for each word, a word beginning with it. Names that begin with the text come first. One round trip.
 * `text` is tidied.
 */
export async function suggest(db: Database, text: string): Promise<Suggestions> {
  const words = splitWords(text);
  if (words.length === 0) return { names: [], categories: [] };
  const [found, newest] = await runBatch(db, [categorySuggestions(text), suggestedNames(words)]);
  const names = new Map<string, string>();
  for (const { name } of newest) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const beginsSo = (name: string) => Number(name.toLowerCase().startsWith(text.toLowerCase()));
  return {
    names: [...names.values()].toSorted((a, b) => beginsSo(b) - beginsSo(a)).slice(0, SUGGESTIONS_MAX - found.length),
    categories: found,
  };
}

function categorySuggestions(text: string) {
  const { id, name, nameKey, status } = categories;
  return build
    .select({ id, name })
    .from(categories)
    .where(
      and(eq(status, "approved"), sql`${nameKey} >= lower(${text}) AND ${nameKey} < lower(${text}) || char(1114111)`),
    )
    .orderBy(nameKey)
    .limit(CATEGORY_SUGGESTIONS_MAX);
}

function suggestedNames(words: string[]) {
  const { from, to } = PLACES.available;
  return build
    .select({ name: p.name })
    .from(sql`(SELECT rowid AS place FROM product_search WHERE product_search MATCH ${suggestionQuery(words)}
      AND rowid >= ${integer(from)} AND rowid < ${integer(to)} ORDER BY rowid DESC LIMIT ${NEWEST_MATCHES}) found`)
    .crossJoin(p)
    .where(IS_FOUND)
    .orderBy(sql`found.place DESC`);
}
