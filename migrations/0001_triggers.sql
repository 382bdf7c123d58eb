-- Views and triggers: what holds for every writer, whatever the statement. Triggers on the same change run in no
-- certain order, so none relies on another. Inside a trigger there is no CASE, because a remote D1 may take its END
-- for the end of the trigger: docs/decisions/additive-migrations.md.

-- ------------------------------------------------------------------------ guards

-- A batch has no way to stop when a guarded UPDATE touches nothing. Inserting changes() here aborts the whole batch
-- unless the statement before changed exactly one row. Nothing is ever stored.
CREATE VIEW assert_changed(ok, tag) AS SELECT 0, '';

CREATE TRIGGER assert_changed_insert INSTEAD OF INSERT ON assert_changed
WHEN new.ok IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;

CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;

CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;

-- What somebody wrote can only be erased, when they delete their account.
CREATE TRIGGER deal_events_no_update BEFORE UPDATE ON deal_events
WHEN new.note IS NOT NULL
  OR (new.id, new.order_item_id, new.event, new.actor, new.actor_id, new.reason, new.amount, new.created_at)
    IS NOT (old.id, old.order_item_id, old.event, old.actor, old.actor_id, old.reason, old.amount, old.created_at)
BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;

CREATE TRIGGER deal_events_no_delete BEFORE DELETE ON deal_events
BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;

-- ------------------------------------------------------------------------- stock

-- Reserved pieces are never more than there are. A batch that breaks this is undone as a whole.
CREATE TRIGGER stock_never_oversold BEFORE UPDATE OF stock, reserved ON products
WHEN new.stock < 0 OR new.reserved < 0 OR new.reserved > new.stock
BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;

-- ------------------------------------------------------------------------ search

-- What the index holds of each live listing. `keywords` is the description of its category. A mark is a private
-- character with what it says about the listing, so that a filtered list needs the index alone. Texts are written as
-- digits, because the index would split them.
CREATE VIEW product_search_entries AS
SELECT p.rowid AS product,
  p.rowid + iif(p.status = 'active', 1099511627776, 0) AS place,
  replace(replace(replace(replace(lower(p.name), 'c++', 'cpp'), 'c#', 'csharp'), 'wi-fi', 'wifi'), 'wi fi', 'wifi')
    AS name,
  lower(coalesce(k.name, p.category, '')) AS category,
  lower(coalesce(k.description, '')) AS keywords,
  replace(replace(replace(replace(lower(p.description), 'c++', 'cpp'), 'c#', 'csharp'), 'wi-fi', 'wifi'), 'wi fi', 'wifi')
    AS description,
  iif(p.wholesale = 1, char(57584) || ' ', '')
    || iif(p.seller_verified = 1, char(57585) || ' ', '')
    || iif((SELECT offers_delivery FROM shops WHERE id = p.seller_id) = 1, char(57586) || ' ', '')
    || iif(p.type IS NULL, '', char(57587) || hex(p.type) || ' ')
    || iif(p.category IS NULL, '', char(57588) || hex(p.category) || ' ')
    || char(57592) || hex(p.seller_id)
    || ' ' || char(57589) || hex(p.location)
    || ' ' || char(57590) || hex(p.condition)
    || ' ' || char(57591) || '0x' || p.price
    || ' ' || char(57591) || '1x' || (p.price / 10)
    || ' ' || char(57591) || '2x' || (p.price / 100)
    || ' ' || char(57591) || '3x' || (p.price / 1000)
    || ' ' || char(57591) || '4x' || (p.price / 10000)
    || ' ' || char(57591) || '5x' || (p.price / 100000) AS marks
FROM products p LEFT JOIN categories k ON k.id = p.category
WHERE p.deleted_at IS NULL AND p.suspended_at IS NULL;

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

-- One trigger marks a new listing of a verified seller and writes its words. If the mark changes, the triggers of
-- that change have written the words already.
CREATE TRIGGER product_search_insert AFTER INSERT ON products
BEGIN
  UPDATE products SET seller_verified = NOT seller_verified
    WHERE rowid = new.rowid AND seller_verified <> EXISTS (
      SELECT 1 FROM profiles WHERE id = new.seller_id AND verified_level IN ('student', 'business'));
  INSERT INTO product_search (rowid, name, category, keywords, description, marks)
    SELECT place, name, category, keywords, description, marks FROM product_search_entries
    WHERE (SELECT seller_verified FROM products WHERE rowid = new.rowid) = new.seller_verified AND product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;

-- A word goes with its last listing, so that nothing stays of somebody who deletes their account. This trigger leaves
-- the index itself, because it may run before the one that does.
CREATE TRIGGER search_words_leave
BEFORE UPDATE OF name, description, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + iif(old.status = 'active', 1099511627776, 0);
  DELETE FROM search_words
    WHERE word IN (SELECT word FROM product_search_words WHERE product = old.rowid)
    AND NOT EXISTS (SELECT 1 FROM product_search WHERE product_search MATCH '"' || replace(word, '"', '""') || '"');
END;

-- Before a change, while the listing still has its old words.
CREATE TRIGGER product_search_leave
BEFORE UPDATE OF name, description, category, type, condition, location, price, status, wholesale, seller_verified, deleted_at,
  suspended_at ON products
WHEN (old.name, old.description, old.category, old.type, old.condition, old.location, old.price, old.status,
    old.wholesale, old.seller_verified, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.type, new.condition, new.location, new.price, new.status,
    new.wholesale, new.seller_verified, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + iif(old.status = 'active', 1099511627776, 0);
END;

-- A change of the marks alone brings no new words. A seller's level may change thousands of listings at once.
CREATE TRIGGER product_search_return
AFTER UPDATE OF name, description, category, type, condition, location, price, status, wholesale, seller_verified, deleted_at,
  suspended_at ON products
WHEN (old.name, old.description, old.category, old.type, old.condition, old.location, old.price, old.status,
    old.wholesale, old.seller_verified, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.type, new.condition, new.location, new.price, new.status,
    new.wholesale, new.seller_verified, new.deleted_at, new.suspended_at)
BEGIN
  INSERT INTO product_search (rowid, name, category, keywords, description, marks)
    SELECT place, name, category, keywords, description, marks FROM product_search_entries WHERE product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE (old.name, old.description, old.category, old.deleted_at, old.suspended_at)
      IS NOT (new.name, new.description, new.category, new.deleted_at, new.suspended_at)
    AND product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;

-- All listings of a shop are marked while it delivers.
CREATE TRIGGER product_search_shop AFTER INSERT ON shops
WHEN new.offers_delivery = 1
BEGIN
  INSERT OR REPLACE INTO product_search (rowid, name, category, keywords, description, marks)
    SELECT place, name, category, keywords, description, marks FROM product_search_entries
    WHERE product IN (SELECT rowid FROM products WHERE seller_id = new.id);
END;

CREATE TRIGGER product_search_delivery AFTER UPDATE OF offers_delivery ON shops
WHEN old.offers_delivery <> new.offers_delivery
BEGIN
  INSERT OR REPLACE INTO product_search (rowid, name, category, keywords, description, marks)
    SELECT place, name, category, keywords, description, marks FROM product_search_entries
    WHERE product IN (SELECT rowid FROM products WHERE seller_id = new.id);
END;

CREATE TRIGGER product_search_delete BEFORE DELETE ON products
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + iif(old.status = 'active', 1099511627776, 0);
  DELETE FROM search_words
    WHERE word IN (SELECT word FROM product_search_words WHERE product = old.rowid)
    AND NOT EXISTS (SELECT 1 FROM product_search WHERE product_search MATCH '"' || replace(word, '"', '""') || '"');
END;

CREATE TRIGGER shop_search_insert AFTER INSERT ON shops
BEGIN
  INSERT INTO shop_search (rowid, name) VALUES (new.rowid, lower(new.shop_name));
END;

CREATE TRIGGER shop_search_rename AFTER UPDATE OF shop_name ON shops
WHEN old.shop_name <> new.shop_name
BEGIN
  INSERT OR REPLACE INTO shop_search (rowid, name) VALUES (new.rowid, lower(new.shop_name));
END;

CREATE TRIGGER shop_search_delete AFTER DELETE ON shops
BEGIN
  DELETE FROM shop_search WHERE rowid = old.rowid;
END;

CREATE TRIGGER search_words_insert AFTER INSERT ON search_words
BEGIN
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

CREATE TRIGGER search_words_delete AFTER DELETE ON search_words
BEGIN
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
