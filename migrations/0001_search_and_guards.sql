-- Full-text search over live text: trigrams, so that any three characters in a row are found, whatever the case.
-- The index holds no text of its own; it reads products by rowid. Newer products have higher rowids, so that
-- "newest first" needs no sort.
CREATE VIRTUAL TABLE products_fts USING fts5(name, description, content='products', content_rowid='rowid', tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER products_fts_insert AFTER INSERT ON products BEGIN
  INSERT INTO products_fts(rowid, name, description) VALUES (new.rowid, new.name, new.description);
END;
--> statement-breakpoint
CREATE TRIGGER products_fts_delete AFTER DELETE ON products BEGIN
  INSERT INTO products_fts(products_fts, rowid, name, description) VALUES ('delete', old.rowid, old.name, old.description);
END;
--> statement-breakpoint
CREATE TRIGGER products_fts_update AFTER UPDATE OF name, description ON products BEGIN
  INSERT INTO products_fts(products_fts, rowid, name, description) VALUES ('delete', old.rowid, old.name, old.description);
  INSERT INTO products_fts(rowid, name, description) VALUES (new.rowid, new.name, new.description);
END;
--> statement-breakpoint
-- A batch has no way to stop when a guarded UPDATE touches nothing. Inserting changes() here aborts the whole batch
-- unless the statement before changed exactly one row. Nothing is ever stored.
CREATE VIEW assert_changed(ok, tag) AS SELECT 0, '';
--> statement-breakpoint
CREATE TRIGGER assert_changed_insert INSTEAD OF INSERT ON assert_changed WHEN NEW.ok IS NOT 1 BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;
--> statement-breakpoint
-- The ledger is append-only, and so is the audit log.
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'audit log is append-only');
END;
--> statement-breakpoint
-- What every campus starts with.
INSERT INTO campus_locations (id, name) VALUES (1, 'Main Campus'), (2, 'City Campus'), (3, 'Parklands Campus'), (4, 'Westlands Campus');
--> statement-breakpoint
INSERT INTO categories (id, name, name_key, description, status, created_at) VALUES
  ('textbooks', 'Textbooks', 'textbooks', 'Set books, course texts and revision papers', 'approved', 0),
  ('electronics', 'Electronics', 'electronics', 'Laptops, phones and everything with a plug', 'approved', 0),
  ('stationery', 'Stationery', 'stationery', 'Pens, calculators, drawing sets and paper', 'approved', 0),
  ('study-materials', 'Study Materials', 'study materials', 'Notes, past papers and lab kit', 'approved', 0),
  ('fashion', 'Fashion', 'fashion', 'Clothes, shoes and bags', 'approved', 0),
  ('gadgets', 'Gadgets', 'gadgets', 'Earphones, chargers, power banks and wearables', 'approved', 0),
  ('furniture', 'Furniture', 'furniture', 'Desks, beds and shelves for a bedsitter', 'approved', 0),
  ('kitchen', 'Kitchen', 'kitchen', 'Kettles, cookers, pans and plates', 'approved', 0),
  ('sports', 'Sports', 'sports', 'Kits, balls, bikes and gym gear', 'approved', 0),
  ('beauty', 'Beauty', 'beauty', 'Hair, skin and self-care', 'approved', 0),
  ('services', 'Services', 'services', 'Printing, tutoring, repairs and more', 'approved', 0),
  ('other', 'Other', 'other', 'Everything else', 'approved', 0);
