DROP INDEX `products_category_location_price`;--> statement-breakpoint
DROP INDEX `products_name`;--> statement-breakpoint
CREATE INDEX `products_category_condition_newest` ON `products` (`category`,`condition`,`created_at`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_location_condition_newest` ON `products` (`category`,`location`,`condition`,`created_at`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_names` ON `products` (lower(name)) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
-- Texts of one or two characters are too short for trigrams: they are looked up as the start of a name, newest (rowid) first.
-- Written by hand, because drizzle-kit cuts an expression at its commas.
CREATE INDEX `products_name_start_1` ON `products` (lower(substr(name, 1, 1))) WHERE deleted_at IS NULL AND suspended_at IS NULL;
--> statement-breakpoint
CREATE INDEX `products_name_start_2` ON `products` (lower(substr(name, 1, 2))) WHERE deleted_at IS NULL AND suspended_at IS NULL;
--> statement-breakpoint
-- Names have a trigram index of their own. Matches in the name come first, and to filter them out of the index over names
-- and descriptions would walk every description that holds the text.
CREATE VIRTUAL TABLE products_name_fts USING fts5(name, content='products', content_rowid='rowid', tokenize='trigram');
--> statement-breakpoint
INSERT INTO products_name_fts(products_name_fts) VALUES ('rebuild');
--> statement-breakpoint
CREATE TRIGGER products_name_fts_insert AFTER INSERT ON products BEGIN
  INSERT INTO products_name_fts(rowid, name) VALUES (new.rowid, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER products_name_fts_delete AFTER DELETE ON products BEGIN
  INSERT INTO products_name_fts(products_name_fts, rowid, name) VALUES ('delete', old.rowid, old.name);
END;
--> statement-breakpoint
CREATE TRIGGER products_name_fts_update AFTER UPDATE OF name ON products BEGIN
  INSERT INTO products_name_fts(products_name_fts, rowid, name) VALUES ('delete', old.rowid, old.name);
  INSERT INTO products_name_fts(rowid, name) VALUES (new.rowid, new.name);
END;
