/**
 * What searches read: the full-text index of the listings, the list of their words, and the index of the shops' names.
 * No other file writes them. SQL, because the builder has no full-text search; the tables are in the migrations alone.
 *
 * - `product_search` has the words of each live listing, in a row numbered as the listing's own. `state` says whether
 * it can be bought, so that what was sold doesn't fill the newest rows at which a search looks.
 * - `search_words` has each of these words once, without those that start with a digit. The index finds whole words and
 * the beginnings of words; this list leads to them from other parts of a word, and from a misspelled one.
 * - `search_word_parts` finds the words of the list by any three letters or more in a row.
 * - `shop_search` has the names of the shops, in a row numbered as the shop's own.
 */
import { eq, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Statement, write } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import type { Fact } from "#app/catalogue/facts/fact.ts";
import { factText, factWord } from "#app/catalogue/facts/listing-facts.ts";

/** The statements by which the index has these listings as they are now. They may run twice. `ids`: SQL */
export function indexListings(ids: SQLWrapper): Statement[] {
  const rows = sql`SELECT rowid FROM ${products} WHERE ${inArray(products.id, ids)}`;
  return [
    sql`DELETE FROM product_search WHERE rowid IN (${rows})`,
    sql`INSERT INTO product_search (rowid, name, category, keywords, description, type, facts, state)
      SELECT number, name, category, keywords, description, type, facts, state FROM (${textsOf(ids)})`,
    sql`INSERT INTO search_words (word) SELECT DISTINCT word FROM (${wordsOf(ids)}) WHERE true ON CONFLICT DO NOTHING`,
    // A new word has a higher number than all before it.
    sql`INSERT INTO search_word_parts (rowid, word) SELECT number, word FROM search_words
      WHERE number > coalesce((SELECT rowid FROM search_word_parts ORDER BY rowid DESC LIMIT 1), 0)`,
  ];
}

/**
 * SQL: the texts of live listings. The texts of its facts are words of its name, so that a search finds a brand or an
 * author that only stands there. `keywords` is the description of the category, `type` the type's id as one word,
 * `facts` one word for each choice (`factWord`: "memory8 size41"), and `state` a word for whether it can be bought
 * (`AVAILABILITY_QUERY`).
 */
function textsOf(ids: SQLWrapper): SQL {
  return sql`SELECT product_row.rowid AS number, ${plain(sql`${productRow.name} || ${SAID_FACTS}`)} AS name,
      lower(coalesce(${categories.name}, ${productRow.category}, '')) AS category,
      lower(coalesce(${categories.description}, '')) AS keywords, ${plain(productRow.description)} AS description,
      replace(coalesce(${productRow.type}, ''), '-', '') AS type, ${FACT_WORDS} AS facts,
      iif(${productRow.status} = 'active', 'available', 'gone') AS state
    FROM ${products} product_row LEFT JOIN ${categories} ON ${eq(categories.id, productRow.category)}
    WHERE ${inArray(productRow.id, ids)} AND ${isNull(productRow.deletedAt)} AND ${isNull(productRow.suspendedAt)}`;
}

/**
 * What people call choices, by their words in the index, where that isn't the value. Each write sends it, so it is
 * short.
 */
const SAID_CHOICES = JSON.stringify(
  Object.fromEntries(
    FACTS.flatMap((fact) => fact.of.flatMap(({ choices }) => choices.map(({ value }) => ({ fact, value }))))
      .map(({ fact, value }) => ({ value, word: factWord(fact, value), text: factText(fact, value).toLowerCase() }))
      .flatMap(({ value, word, text }) => (text === value ? [] : [[word, text]])),
  ),
);

/** What stands before a text that says nothing without its label. */
const LABELS = JSON.stringify(
  Object.fromEntries(FACTS.flatMap(({ id, label, needsLabel }) => (needsLabel ? [[id, label]] : []))),
);

/**
 * SQL on `productRow`: its facts of this kind, as rows with `key` and `value`. What no entry of the table knows is left
 * out.
 */
function factsIn(kind: Fact["kind"]): SQL {
  const ids = JSON.stringify(FACTS.flatMap((fact) => (fact.kind === kind ? fact.id : [])));
  return sql`FROM json_each(${productRow.facts}) fact WHERE fact.key IN (SELECT value FROM json_each(${ids}))`;
}

const FACT_WORDS = sql`coalesce((SELECT group_concat(fact.key || fact.value, ' ') ${factsIn("choice")}), '')`;

/** SQL on `productRow`: what people read of its facts, each behind a space. */
const SAID_FACTS = sql`coalesce((
    SELECT group_concat(' ' || coalesce(json_extract(${SAID_CHOICES}, '$.' || fact.key || fact.value), fact.value), '')
    ${factsIn("choice")}), '')
  || coalesce((
    SELECT group_concat(' ' || coalesce(json_extract(${LABELS}, '$.' || fact.key), '') || ' ' || fact.value, '')
    ${factsIn("text")}), '')`;

/** SQL: a text with the words that the index would split. A search has the same (`splitWords`). */
function plain(text: SQLWrapper): SQL {
  return sql`replace(replace(replace(replace(lower(${text}), 'c++', 'cpp'), 'c#', 'csharp'), 'wi-fi', 'wifi'),
    'wi fi', 'wifi')`;
}

/** What stands between words. */
const BETWEEN = ["-", "–", "/", "+", ",", ".", "'", "’", "\t", "\n", "\r"];

/** SQL: the words of live listings. The text becomes a JSON list, which is the only thing that SQL can split. */
function wordsOf(ids: SQLWrapper): SQL {
  const spaced = BETWEEN.reduce(
    (text, sign) => sql`replace(${text}, ${sql.raw(`char(${sign.codePointAt(0)})`)}, ' ')`,
    sql`name || ' ' || category || ' ' || keywords || ' ' || description`,
  );
  return sql`SELECT trim(found.value, '.:;!?()[]{}"“”‘*&…') AS word
    FROM (SELECT ${spaced} AS text FROM (${textsOf(ids)})) texts,
      json_each('[' || replace(json_quote(texts.text), ' ', '","') || ']') found
    WHERE length(word) BETWEEN 3 AND 24 AND word NOT GLOB '[0-9]*'`;
}

/**
 * Forgets the words that no listing has any more, so that nothing stays of somebody who left. Once an hour, because a
 * listing that goes would have to look for each of its words among all others. Returns how many went.
 */
export async function forgetWords({ db }: { db: Database }): Promise<number> {
  const { forgotten } = await write(db, {
    forgotten: sql`DELETE FROM search_words
      WHERE NOT EXISTS (SELECT 1 FROM product_search WHERE product_search
        MATCH '{name category keywords description} : "' || replace(word, '"', '""') || '"')`,
    step: sql`DELETE FROM search_word_parts WHERE rowid NOT IN (SELECT number FROM search_words)`,
  });
  return forgotten.meta.changes;
}

/** The statements by which the index has these shops' names as they are now. They may run twice. `ids`: SQL */
export function indexShops(ids: SQLWrapper): Statement[] {
  return [
    forgetShops(ids),
    sql`INSERT INTO shop_search (rowid, name) SELECT rowid, lower(${shops.shopName}) FROM ${shops}
      WHERE ${inArray(shops.id, ids)}`,
  ];
}

/** Before the shops themselves go. */
export function forgetShops(ids: SQLWrapper): Statement {
  return sql`DELETE FROM shop_search WHERE rowid IN (SELECT rowid FROM ${shops} WHERE ${inArray(shops.id, ids)})`;
}
