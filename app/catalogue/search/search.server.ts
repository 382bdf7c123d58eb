/**
 * The search. `search-address.ts` reads an address, with `read-search.ts` for what its words say about filters;
 * `search-meaning.ts` says what the other words mean; `search-query.ts` plans the stages by which that is looked for;
 * `find-listings.server.ts` finds a page of them. This file puts these together.
 */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Rating, ratingOf } from "#app/accounts/trust/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/trust/ratings.server.ts";
import { prepareOnce, read } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { categories } from "#app/catalogue/tables.server.ts";
import { credentials, shops } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import {
  browseFeed,
  type BrowseInput,
  type Category,
  categoryRows,
  type FilteredPage,
  type ListedProduct,
  readCategories,
} from "#app/catalogue/browse/browse.server.ts";
import { factsToFilter } from "#app/catalogue/facts/filter-facts.ts";
import { LIST_COUNT_MAX } from "#app/catalogue/labels.ts";
import { toSummary } from "#app/catalogue/products.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { readTypeTable } from "#app/catalogue/types/types.server.ts";
import { pluralOf, type TypeTable } from "#app/catalogue/types/type-table.ts";
import { countRows, type FoundRow, inTurn, pageRows, readPage } from "./find-listings.server.ts";
import type { KnownWords, Vocabulary } from "./known-words.ts";
import { meaningOf, typesBeginning, typesLookedFor } from "./search-meaning.ts";
import {
  limitsOf,
  planList,
  planSearch,
  readSearchCursor,
  type SearchCursor,
  type SearchPlan,
  shopQuery,
  suggestionQuery,
  wordsToMark,
  writeSearchCursor,
} from "./search-query.ts";
import type { NearestFound } from "./nearest-text.ts";
import { excerptAround, markPattern } from "./search-marks.ts";
import { isSpelled, keptParts, splitWords, stemsOf } from "./search-words.ts";

export interface SearchPage extends FilteredPage {
  categories: Category[];
  /** The pattern of what to highlight in the results (search-marks.ts). */
  mark: string;
  /** True if nothing matches the text, and these results have a similar spelling. */
  respelled: boolean;
  /** Null unless nothing matches, and these results are the nearest. */
  nearest: NearestFound | null;
  /** On the first page of a search. */
  shops: FoundShop[];
  /** What the type that the filters name is called: "Laptops". */
  typeName: string | null;
}

/** A shop whose name has the words of a search. */
export interface FoundShop {
  /** Its owner's id. */
  id: string;
  name: string;
  bannerUrl: string | null;
  logoUrl: string | null;
  /** Null for a new seller. */
  rating: Rating | null;
}

export interface SearchInput extends BrowseInput {
  /** Tidied, and without what its words say about filters. */
  text: string;
  vocabulary: Vocabulary;
  /** The viewer's, whose listings come first; null for none. */
  campus: string | null;
}

/** One page of the products that a search means (see `planSearch` for the order). An empty text finds everything. */
export async function searchProducts(
  store: Store,
  { text, filters, vocabulary, campus, ...input }: SearchInput,
  table: TypeTable,
): Promise<SearchPage> {
  if (text === "")
    return {
      ...(await browseFeed(store, { filters, ...input })),
      mark: "",
      respelled: false,
      nearest: null,
      shops: [],
    };
  const meaning = meaningOf(text, table, vocabulary);
  const cursor = readSearchCursor(input.after);
  const limits = limitsOf(filters, table);
  const plan = planSearch(meaning, vocabulary, limits, campus);
  const [page, { counted, shopRows }] = await Promise.all([
    findPage(store, plan, cursor),
    read(store.db, { counted: categoryRows(), shopRows: namedShops(cursor ? [] : meaning.words) }),
  ]);
  const mark = markPattern(wordsToMark(meaning, vocabulary));
  const first = page.stages[page.rows[0]?.stage ?? -1];
  const near = first?.nearest;
  return {
    products: page.rows.map((row) => toListed(row, mark)),
    after: cursor && input.after,
    next: page.next && writeSearchCursor(page.next),
    categories: readCategories(counted),
    mark,
    respelled: cursor === null && first?.isRespelled === true,
    nearest: near
      ? {
          without: near.without,
          withoutFilters: near.withoutFilters,
          by: near.by,
          things: pluralOf(near.type, table),
        }
      : null,
    shops: shopRows.map(({ stars, ...shop }) => ({ ...shop, rating: ratingOf(readStars(stars)) })),
    typeName: pluralOf(filters.type, table),
    facts: factsToFilter(limits.types.length > 0 ? limits.types : typesLookedFor(meaning), filters, table),
  };
}

/**
 * One page of what a plan finds or, where that is nothing, of what comes nearest: one stage of that, whose cursors
 * count on.
 */
async function findPage({ db, now }: Store, plan: SearchPlan, cursor: SearchCursor | null) {
  const own = plan.stages.length;
  if (own > 0 && (cursor === null || cursor.stage < own)) {
    const found = await read(db, pageRows(plan, "stages", now(), cursor));
    if (found.length > 0 || cursor !== null) return { stages: plan.stages, ...readPage(found, plan.stages) };
  }
  const within = cursor && { ...cursor, stage: cursor.stage - own };
  const found = await read(db, pageRows(plan, "nearest", now(), within));
  const ofStage = found.filter(({ stage }) => stage === (within ?? found[0])?.stage);
  const { rows, next } = readPage(ofStage, plan.nearest);
  return { stages: plan.nearest, rows, next: next && { ...next, stage: own + next.stage } };
}

/** How many listings a search lists, up to LIST_COUNT_MAX + 1. What is merely respelled or nearest doesn't count. */
export async function countFound(
  db: Database,
  {
    text,
    filters,
    vocabulary,
    ...place
  }: Pick<SearchInput, "text" | "filters" | "vocabulary"> & { sellerId?: string | null; category?: string | null },
  table: TypeTable,
): Promise<number> {
  const limits = limitsOf(filters, table, place);
  const plan =
    text === "" ? planList(limits) : planSearch(meaningOf(text, table, vocabulary), vocabulary, limits, null);
  const [row] = await read(db, countRows(plan, LIST_COUNT_MAX + 1));
  return row?.count ?? 0;
}

const SHOPS_SHOWN = 3;

/** The best rated shops that have something for sale and whose names have a word beginning with each of these. */
function namedShops(words: readonly string[]) {
  return NAMED_SHOPS({ query: shopQuery(words) });
}

/** How many shops of a common name are compared. The best rated of them are asked first for something for sale. */
const SHOPS_READ = 30;

// SQL, because the builder has no full-text search.
const NAMED_SHOPS = prepareOnce(
  build
    .select({
      id: shops.id,
      name: shops.shopName,
      bannerUrl: shops.bannerUrl,
      logoUrl: shops.logoUrl,
      stars: sql<string | null>`${sellerStars(sql`${shops.id}`)}`,
    })
    .from(
      sql`(SELECT ${shops}.rowid AS place FROM (SELECT rowid AS place FROM shop_search
          WHERE shop_search MATCH ${sql.placeholder("query")} LIMIT ${sql.raw(String(SHOPS_READ))}) named
        CROSS JOIN ${shops} WHERE ${shops}.rowid = named.place
        ORDER BY ${shops.ratingScore} DESC, ${shops.createdAt} DESC LIMIT ${sql.raw(String(SHOPS_READ))}) found`,
    )
    .crossJoin(shops)
    .where(
      and(
        sql`${shops}.rowid = found.place`,
        hasRow(productRow, and(eq(productRow.sellerId, shops.id), FOR_SALE)),
        hasRow(credentials, and(eq(credentials.id, shops.id), isNull(credentials.suspendedAt))),
      ),
    )
    .limit(SHOPS_SHOWN),
);

function toListed({ place: _place, stage: _stage, text, ...summary }: FoundRow, mark: string): ListedProduct {
  const excerpt = text === null ? null : excerptAround(text, mark);
  return excerpt === null ? toSummary(summary) : { ...toSummary(summary), excerpt };
}

/** How many words of the list one search reads. With many words, it reads fewer for each. */
const STARTS_READ = 30;
const INNER_READ = 48;
const SPELLING_READ = 500;

/** A row of the word list, which is SQL: it stands beside the full-text index, outside the schema. */
interface KnownRow {
  kind: "starts" | "inner" | "spelling";
  word: string;
}

/** What a search must read before it can ask for products: its words, and the types by which it is understood. */
export interface SearchLookUp {
  vocabulary: Vocabulary;
  table: TypeTable;
}

/** Reads what a search of a tidied text needs before it can ask for products. */
export async function lookUpSearch(db: Database, text: string): Promise<SearchLookUp> {
  const [[vocabulary = new Map()], table] = await Promise.all([lookUpVocabularies(db, [text]), readTypeTable(db)]);
  return { vocabulary, table };
}

/**
 * What the word list knows of the words of each of these tidied texts, as each would ask alone: of a word among others,
 * a search reads less.
 */
export async function lookUpVocabularies(db: Database, texts: readonly string[]): Promise<Vocabulary[]> {
  const lookups = texts.map(wordsToLookUp);
  const keyOf = ({ word, startsMax, innerMax }: WordToLookUp) => `${word} ${startsMax} ${innerMax}`;
  const distinct = [...new Map(lookups.flat().map((lookup) => [keyOf(lookup), lookup])).values()];
  const answers = distinct.length === 0 ? [] : await read(db, distinct.map(wordRows));
  const known = new Map(distinct.map((lookup, at) => [keyOf(lookup), readKnown(lookup, answers[at]?.results ?? [])]));
  return lookups.map((words) => new Map(words.map((lookup) => [lookup.word, known.get(keyOf(lookup)) as KnownWords])));
}

interface WordToLookUp {
  word: string;
  stems: string[];
  /** How many words are read that begin with a stem, and that have it elsewhere. */
  startsMax: number;
  innerMax: number;
}

/** Words of a text that the list can have. */
function wordsToLookUp(text: string): WordToLookUp[] {
  const words = splitWords(text)
    .filter((word) => [...word].length > 2)
    .map((word) => ({ word, stems: stemsOf(word) }));
  const count = words.reduce((sum, { stems }) => sum + stems.length, 0);
  const [startsMax, innerMax] = [Math.floor(STARTS_READ / count), Math.floor(INNER_READ / count)];
  return words.map((word) => ({ ...word, startsMax, innerMax }));
}

function wordRows({ word, stems, startsMax, innerMax }: WordToLookUp): SQL<KnownRow> {
  return inTurn([
    ...stems.flatMap((stem) => [startingWords(stem, startsMax), wordsAround(stem, innerMax)]),
    ...(isSpelled(word) ? [wordsAlike(word)] : []),
  ]) as SQL<KnownRow>;
}

function readKnown({ stems, startsMax }: WordToLookUp, rows: readonly KnownRow[]): KnownWords {
  const wordsOf = (kind: KnownRow["kind"]) => rows.flatMap((row) => (row.kind === kind ? [row.word] : []));
  const starts = wordsOf("starts");
  const isCut = stems.some((stem) => starts.filter((start) => start.startsWith(stem)).length >= startsMax);
  return { starts: isCut ? null : starts, inner: wordsOf("inner"), spelling: wordsOf("spelling") };
}

/** Sorts after every text that begins with the other one. */
const LAST = "\u{10FFFF}";

function startingWords(stem: string, limit: number): SQL {
  return sql`SELECT * FROM (SELECT 'starts' AS kind, word FROM search_words
    WHERE word >= ${stem} AND word < ${stem + LAST} LIMIT ${limit})`;
}

function wordsAround(stem: string, limit: number): SQL {
  return sql`SELECT * FROM (SELECT 'inner' AS kind, word FROM search_word_parts
    WHERE search_word_parts MATCH ${`"${stem}"`} LIMIT ${limit})`;
}

/** Longer words are also looked for where their first letter is the mistake. */
const LATER_LETTERS_LENGTH = 8;

/**
 * Words that may be one mistake away (`isOneMistakeAway` decides): as long, give or take a letter, and with a part in
 * common.
 */
function wordsAlike(word: string): SQL {
  const { length, 0: letter = "" } = [...word];
  const { size, first, lasts } = keptParts(word);
  const isAsLong = sql`length(word) BETWEEN ${length - 2} AND ${length + 1}`;
  const isAlike = sql`(substr(word, 1, ${size}) = ${first}
    OR substr(word, ${-size}) IN (SELECT value FROM json_each(${JSON.stringify(lasts)})))`;
  const byFirst = sql`SELECT 'spelling' AS kind, word FROM search_words
    WHERE word >= ${letter} AND word < ${letter + LAST} AND ${isAsLong} AND ${isAlike} LIMIT ${SPELLING_READ}`;
  if (length < LATER_LETTERS_LENGTH) return sql`SELECT * FROM (${byFirst})`;
  const byLast = sql`SELECT 'spelling' AS kind, word FROM search_word_parts
    WHERE search_word_parts MATCH ${lasts.map((last) => `"${last}"`).join(" OR ")} AND ${isAsLong}
      LIMIT ${SPELLING_READ}`;
  return sql`SELECT * FROM (SELECT * FROM (${byFirst}) UNION ALL SELECT * FROM (${byLast}))`;
}

export interface Suggestions {
  /** What some listings for sale are: "Laptops". */
  types: string[];
  /** Names of products, distinct regardless of case. */
  names: string[];
  categories: Category[];
}

/** How many suggestions are shown, including categories. */
const SUGGESTIONS_MAX = 8;
const CATEGORY_SUGGESTIONS_MAX = 2;
const TYPE_SUGGESTIONS_MAX = 2;

/** How many types are asked for listings. */
const TYPES_ASKED = 6;

/** How many of the newest that are for sale are searched for different names, among how many newest matches. */
const NEWEST_MATCHES = 30;
const LOOKED_AT = 1_000;

/**
 * Suggestions for a person who typed `text`: types and categories that begin with it, and the newest products for sale
 * whose names have, for each word, a word beginning with it. Names that begin with the text come first. One round trip.
 * `text` is tidied.
 */
export async function suggest(db: Database, text: string, table: TypeTable): Promise<Suggestions> {
  const words = splitWords(text);
  if (words.length === 0) return { types: [], names: [], categories: [] };
  const types = typesBeginning(text, table).slice(0, TYPES_ASKED);
  const { found, newest, listed } = await read(db, {
    found: categorySuggestions(text),
    newest: suggestedNames(words),
    listed: LISTED_TYPES({ types: JSON.stringify(types.map(({ id }) => id)) }),
  });
  const plurals = listed.flatMap(({ at }) => types[at]?.plural ?? []).slice(0, TYPE_SUGGESTIONS_MAX);
  const names = new Map<string, string>();
  for (const { name } of newest) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const beginsSo = (name: string) => Number(name.toLowerCase().startsWith(text.toLowerCase()));
  const isNew = ({ name }: Category) => !plurals.includes(name);
  const shown = found.filter(isNew);
  const left = SUGGESTIONS_MAX - plurals.length - shown.length;
  return {
    types: plurals,
    names: [...names.values()].toSorted((a, b) => beginsSo(b) - beginsSo(a)).slice(0, left),
    categories: shown,
  };
}

const LISTED_TYPES = prepareOnce(
  build
    .select({ at: sql<number>`asked.key`.as("at") })
    .from(sql`json_each(${sql.placeholder("types")}) asked`)
    .where(hasRow(productRow, and(sql`${productRow.type} = asked.value`, FOR_SALE))),
);

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
  return build
    .select({ name: productRow.name })
    .from(sql`(SELECT rowid AS place FROM product_search WHERE product_search MATCH ${suggestionQuery(words)}
      ORDER BY rowid DESC LIMIT ${LOOKED_AT}) found`)
    .crossJoin(productRow)
    .where(and(sql`product_row.rowid = found.place`, FOR_SALE))
    .orderBy(sql`found.place DESC`)
    .limit(NEWEST_MATCHES);
}
