import { type SQL, sql } from "drizzle-orm";
import { rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import {
  browseFeed,
  type BrowseInput,
  type Category,
  categoryRows,
  type ListedProduct,
  type ProductPage,
} from "./browse.server.ts";
import { LIVE, type Look, summaryColumns, type SummaryRow, toSummary } from "./products.server.ts";
import { FEED_PAGE_SIZE } from "./rules.ts";
import {
  asPhrase,
  excerptAround,
  readSearchCursor,
  type SearchCursor,
  searchLength,
  TRIGRAM_LENGTH,
  writeSearchCursor,
} from "./search-text.ts";

const LIMIT = FEED_PAGE_SIZE + 1;

interface FoundRow extends SummaryRow {
  row: number;
  /** Only where the name does not match. */
  description: string | null;
}

/**
 * One page of the products whose name or description contains `text`, whatever the case (commerce spec §7): matches in names
 * first, then those in descriptions only, each newest first. A text of one or two characters is looked up as the start of a
 * name; an empty one finds everything.
 *
 * One round trip. Each list is read newest first from the cursor on and ends with the page, so that a common word costs no
 * more than a rare one. `text` is tidy.
 */
export async function searchProducts(
  store: Store,
  options: BrowseInput & { text: string },
): Promise<ProductPage & { categories: Category[] }> {
  if (options.text === "") return browseFeed(store, options);
  const cursor = readSearchCursor(options.after);
  const look = { viewerId: options.viewerId, now: store.now() };
  const [categories, ...answers] = await runBatch(store.db, [categoryRows(), ...foundRows(options.text, look, cursor)]);
  const found = answers.flatMap((answer) => rowsOf<FoundRow>(answer));
  const shown = found.slice(0, FEED_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    products: shown.map((hit) => toListed(hit, options.text)),
    after: cursor && options.after,
    next:
      found.length > FEED_PAGE_SIZE && last
        ? writeSearchCursor({ phase: last.description === null ? "name" : "description", row: last.row })
        : null,
    categories: rowsOf<Category>(categories),
  };
}

function toListed({ row: _row, description, ...summary }: FoundRow, text: string): ListedProduct {
  const excerpt = description === null ? null : excerptAround(description, text);
  return excerpt === null ? toSummary(summary) : { ...toSummary(summary), excerpt };
}

/** The queries of a page, in the order their rows are shown. */
function foundRows(text: string, look: Look, cursor: SearchCursor | null): SQL[] {
  const length = searchLength(text);
  const before = cursor?.row ?? Number.MAX_SAFE_INTEGER;
  if (length < TRIGRAM_LENGTH) return [startRows(text, length, look, before)];
  const phrase = asPhrase(text);
  if (cursor?.phase === "description") return [descriptionRows(phrase, look, before, sql`${LIMIT}`)];
  // Of descriptions only as many are read as names leave room for on the page: often none.
  const names = sql`SELECT COUNT(*) FROM (SELECT 1 FROM ${namesWith(phrase, before)} LIMIT ${LIMIT})`;
  return [
    nameRows(phrase, look, before),
    descriptionRows(phrase, look, Number.MAX_SAFE_INTEGER, sql`CAST(${LIMIT} AS INTEGER) - (${names})`),
  ];
}

/** D1 binds numbers as REAL, and FTS5 begins at a row only where it is told an INTEGER. */
function row(number: number): SQL {
  return sql`CAST(${number} AS INTEGER)`;
}

function inDescription(phrase: string): string {
  return `description : ${phrase}`;
}

/** Live products `p` with the phrase in their name, listed before row `before`. */
function namesWith(phrase: string, before: number): SQL {
  return sql`products_name_fts CROSS JOIN products p ON p.rowid = products_name_fts.rowid
    WHERE products_name_fts MATCH ${phrase} AND products_name_fts.rowid < ${row(before)} AND ${LIVE}`;
}

function nameRows(phrase: string, look: Look, before: number): SQL {
  return summaries(
    look,
    sql`SELECT p.rowid FROM ${namesWith(phrase, before)} ORDER BY products_name_fts.rowid DESC LIMIT ${LIMIT}`,
    sql`NULL`,
  );
}

/** At most `most` of the products that have the phrase in their description only. */
function descriptionRows(phrase: string, look: Look, before: number, most: SQL): SQL {
  const chosen = sql`SELECT p.rowid FROM products_fts CROSS JOIN products p ON p.rowid = products_fts.rowid
    WHERE products_fts MATCH ${inDescription(phrase)} AND products_fts.rowid < ${row(before)} AND ${LIVE}
      AND NOT EXISTS (SELECT 1 FROM products_name_fts WHERE products_name_fts MATCH ${phrase} AND products_name_fts.rowid = p.rowid)
    ORDER BY products_fts.rowid DESC LIMIT ${most}`;
  return summaries(look, chosen, sql`p.description`);
}

/** `length` is one or two: each has an index. */
function startRows(text: string, length: number, look: Look, before: number): SQL {
  const chosen = sql`SELECT p.rowid FROM products p INDEXED BY ${sql.raw(`products_name_start_${length}`)}
    WHERE lower(substr(name, 1, ${sql.raw(String(length))})) = lower(${text}) AND p.rowid < ${row(before)} AND ${LIVE} ORDER BY p.rowid DESC LIMIT ${LIMIT}`;
  return summaries(look, chosen, sql`NULL`);
}

function summaries(look: Look, chosen: SQL, description: SQL): SQL {
  return sql`WITH chosen(row) AS (${chosen}) SELECT ${summaryColumns(look)}, p.rowid AS "row", ${description} AS description
    FROM chosen CROSS JOIN products p ON p.rowid = chosen.row LEFT JOIN categories k ON k.id = p.category ORDER BY chosen.row DESC`;
}

export interface Suggestions {
  /** Names of products, no two that differ by case only. */
  names: string[];
  categories: Category[];
}

/** Suggestions shown at most, categories included. */
const SUGGESTIONS_MAX = 8;
const CATEGORY_SUGGESTIONS_MAX = 2;

/** Newest matches that are looked at for names that only contain the text. */
const NEWEST_MATCHES = 30;

/**
 * What a person who typed `text` may be looking for: categories and products whose names begin with it, then products whose names
 * contain it. One round trip that reads a few dozen rows. `text` is tidy.
 */
export async function suggest(db: Database, text: string): Promise<Suggestions> {
  if (text === "") return { names: [], categories: [] };
  const statements = [categorySuggestions(text), startingNames(text)];
  if (searchLength(text) >= TRIGRAM_LENGTH) {
    statements.push(
      sql`SELECT p.name FROM ${namesWith(asPhrase(text), Number.MAX_SAFE_INTEGER)} ORDER BY products_name_fts.rowid DESC LIMIT ${NEWEST_MATCHES}`,
    );
  }
  const [found, ...answers] = await runBatch(db, statements);
  const categories = rowsOf<Category>(found);
  const names = new Map<string, string>();
  for (const { name } of answers.flatMap((answer) => rowsOf<{ name: string }>(answer))) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return { names: [...names.values()].slice(0, SUGGESTIONS_MAX - categories.length), categories };
}

function categorySuggestions(text: string): SQL {
  return sql`SELECT id, name FROM categories WHERE status = 'approved' AND name_key >= lower(${text}) AND name_key < lower(${text}) || char(1114111)
    ORDER BY name_key LIMIT ${CATEGORY_SUGGESTIONS_MAX}`;
}

/** Steps through the index from one name to the next different one: a thousand products of one name cost one step. */
function startingNames(text: string): SQL {
  const nextName = (from: SQL) => sql`SELECT name FROM products p INDEXED BY products_names
    WHERE ${from} AND lower(name) < lower(${text}) || char(1114111) AND ${LIVE} ORDER BY lower(name) LIMIT 1`;
  return sql`WITH RECURSIVE starting(name) AS (SELECT (${nextName(sql`lower(name) >= lower(${text})`)})
      UNION ALL SELECT (${nextName(sql`lower(name) > lower(starting.name)`)}) FROM starting WHERE starting.name IS NOT NULL LIMIT ${SUGGESTIONS_MAX + 1})
    SELECT name FROM starting WHERE name IS NOT NULL`;
}
