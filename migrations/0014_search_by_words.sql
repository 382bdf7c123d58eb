DROP INDEX `products_names`;
--> statement-breakpoint
DROP INDEX `products_name_start_1`;
--> statement-breakpoint
DROP INDEX `products_name_start_2`;
--> statement-breakpoint
DROP TRIGGER products_fts_insert;
--> statement-breakpoint
DROP TRIGGER products_fts_delete;
--> statement-breakpoint
DROP TRIGGER products_fts_update;
--> statement-breakpoint
DROP TRIGGER products_name_fts_insert;
--> statement-breakpoint
DROP TRIGGER products_name_fts_delete;
--> statement-breakpoint
DROP TRIGGER products_name_fts_update;
--> statement-breakpoint
-- Nothing reads the trigram indexes any more. They hold no text of their own, and are emptied.
INSERT INTO products_fts(products_fts) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO products_name_fts(products_name_fts) VALUES ('delete-all');
--> statement-breakpoint
-- The words of every live listing, in a row numbered as the listing itself, plus 2^40 while it can be bought. Reading from the
-- highest number down finds what can be bought first, newest first, and never walks through what was sold.
CREATE VIRTUAL TABLE product_search USING fts5(
  name, category, keywords, description,
  content = '', contentless_delete = 1, prefix = '1 2',
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);
--> statement-breakpoint
-- The words of the index, without those that start with a digit. The index finds whole words; this list leads to them from parts
-- of words and from misspelled ones.
CREATE TABLE search_words (word TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
--> statement-breakpoint
-- 'inner': the endings of a word from its second letter on. A part of a word is the start of one of its endings: "book" starts
-- the ending "book" of "macbook". 'spelling': the word itself, and the word without each of its letters in turn. Two words that
-- are one mistake apart share one of these keys.
CREATE TABLE search_word_keys (
  kind TEXT NOT NULL CHECK (kind IN ('inner', 'spelling')),
  key TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (kind, key, word)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER search_words_insert AFTER INSERT ON search_words BEGIN
  INSERT INTO search_word_keys (kind, key, word)
  SELECT 'inner', substr(new.word, at.value), new.word
  FROM json_each('[2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]') at
  WHERE at.value <= length(new.word) - 2
  UNION
  SELECT 'spelling', new.word, new.word WHERE length(new.word) BETWEEN 4 AND 13
  UNION
  SELECT 'spelling', substr(new.word, 1, at.value - 1) || substr(new.word, at.value + 1), new.word
  FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13]') at
  WHERE length(new.word) BETWEEN 4 AND 13 AND at.value <= length(new.word);
END;
--> statement-breakpoint
CREATE TRIGGER search_words_delete AFTER DELETE ON search_words BEGIN
  DELETE FROM search_word_keys WHERE kind = 'inner' AND word = old.word AND key IN (
    SELECT substr(old.word, at.value)
    FROM json_each('[2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]') at
    WHERE at.value <= length(old.word) - 2);
  DELETE FROM search_word_keys WHERE kind = 'spelling' AND word = old.word AND key IN (
    SELECT old.word
    UNION
    SELECT substr(old.word, 1, at.value - 1) || substr(old.word, at.value + 1)
    FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13]') at WHERE at.value <= length(old.word));
END;
--> statement-breakpoint
-- What the index holds of each live listing. `keywords` is the description of its category.
CREATE VIEW product_search_entries AS
SELECT p.rowid AS product,
  p.rowid + CASE p.status WHEN 'active' THEN 1099511627776 ELSE 0 END AS place,
  replace(replace(lower(p.name), 'c++', 'cpp'), 'c#', 'csharp') AS name,
  lower(coalesce(k.name, p.category, '')) AS category,
  lower(coalesce(k.description, '')) AS keywords,
  replace(replace(lower(p.description), 'c++', 'cpp'), 'c#', 'csharp') AS description
FROM products p LEFT JOIN categories k ON k.id = p.category
WHERE p.deleted_at IS NULL AND p.suspended_at IS NULL;
--> statement-breakpoint
-- The words of each live listing. The text becomes a JSON list, which is the only thing that SQL can split.
CREATE VIEW product_search_words AS
SELECT t.product, trim(w.value, '.:;!?()[]{}"“”‘*&…') AS word
FROM (
  SELECT product,
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      name || ' ' || category || ' ' || keywords || ' ' || description,
      '-', ' '), '–', ' '), '/', ' '), '+', ' '), ',', ' '), '.', ' '), '''', ' '), '’', ' '),
      char(9), ' '), char(10), ' '), char(13), ' ') AS text
  FROM product_search_entries
) t, json_each('[' || replace(json_quote(t.text), ' ', '","') || ']') w
WHERE length(word) BETWEEN 3 AND 24 AND word NOT GLOB '[0-9]*';
--> statement-breakpoint
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  INSERT INTO product_search (rowid, name, category, keywords, description)
    SELECT place, name, category, keywords, description FROM product_search_entries WHERE product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;
--> statement-breakpoint
-- Before a change, while the listing still has its old words.
CREATE TRIGGER product_search_leave
BEFORE UPDATE OF name, description, category, status, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + CASE old.status WHEN 'active' THEN 1099511627776 ELSE 0 END;
END;
--> statement-breakpoint
-- A word goes with its last listing, so that nothing stays of somebody who deletes their account. Triggers on the same change run
-- in no certain order, so this one leaves the index itself.
CREATE TRIGGER search_words_leave
BEFORE UPDATE OF name, description, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + CASE old.status WHEN 'active' THEN 1099511627776 ELSE 0 END;
  DELETE FROM search_words
    WHERE word IN (SELECT word FROM product_search_words WHERE product = old.rowid)
    AND NOT EXISTS (SELECT 1 FROM product_search WHERE product_search MATCH '"' || replace(word, '"', '""') || '"');
END;
--> statement-breakpoint
CREATE TRIGGER product_search_return
AFTER UPDATE OF name, description, category, status, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.deleted_at, new.suspended_at)
BEGIN
  INSERT INTO product_search (rowid, name, category, keywords, description)
    SELECT place, name, category, keywords, description FROM product_search_entries WHERE product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;
--> statement-breakpoint
CREATE TRIGGER product_search_delete BEFORE DELETE ON products BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + CASE old.status WHEN 'active' THEN 1099511627776 ELSE 0 END;
  DELETE FROM search_words
    WHERE word IN (SELECT word FROM product_search_words WHERE product = old.rowid)
    AND NOT EXISTS (SELECT 1 FROM product_search WHERE product_search MATCH '"' || replace(word, '"', '""') || '"');
END;
--> statement-breakpoint
INSERT INTO product_search (rowid, name, category, keywords, description)
  SELECT place, name, category, keywords, description FROM product_search_entries;
--> statement-breakpoint
INSERT INTO search_words (word) SELECT DISTINCT word FROM product_search_words;
