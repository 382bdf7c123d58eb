-- Search engines read our addresses in sitemaps of at most 10,000 each. Products never leave their table, so their rowids are
-- cut into parts: a product always belongs to one part, and a part is read again only after `changed_at` has moved. Sellers
-- get numbers of their own when they first have something for sale, because most accounts never sell.
-- A new listing costs two more rows here and one index entry for the page of its campus. A change of price or stock costs nothing.
CREATE TABLE `listed_sellers` (
	`number` integer PRIMARY KEY NOT NULL,
	`seller_id` text NOT NULL,
	`for_sale` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listed_sellers_seller` ON `listed_sellers` (`seller_id`);--> statement-breakpoint
CREATE TABLE `sitemap_parts` (
	`kind` text NOT NULL,
	`part` integer NOT NULL,
	`listed` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `part`)
);
--> statement-breakpoint
CREATE INDEX `products_for_sale_location` ON `products` (`location`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
INSERT INTO listed_sellers (seller_id, for_sale, changed_at)
  SELECT seller_id, COUNT(*), MAX(created_at) FROM products p WHERE p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL GROUP BY seller_id ORDER BY MIN(created_at);--> statement-breakpoint
INSERT INTO sitemap_parts (kind, part, listed, changed_at)
  SELECT 'products', (rowid - 1) / 10000, COUNT(*), CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM products p WHERE p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL GROUP BY 2;--> statement-breakpoint
INSERT INTO sitemap_parts (kind, part, listed, changed_at)
  SELECT 'shops', (number - 1) / 10000, COUNT(*), CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM listed_sellers GROUP BY 2;--> statement-breakpoint
CREATE TRIGGER products_listed_insert AFTER INSERT ON products WHEN (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL) BEGIN
  INSERT INTO sitemap_parts (kind, part, listed, changed_at) VALUES ('products', (new.rowid - 1) / 10000, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (kind, part) DO UPDATE SET listed = listed + 1, changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER));
  INSERT INTO listed_sellers (seller_id, for_sale, changed_at) VALUES (new.seller_id, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (seller_id) DO UPDATE SET for_sale = for_sale + 1, changed_at = excluded.changed_at;
END;--> statement-breakpoint
-- Not for sale any more, or under another name: the name is part of its address.
CREATE TRIGGER products_listed_change AFTER UPDATE OF name, status, deleted_at, suspended_at ON products
WHEN (old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL) AND (NOT (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL) OR old.name IS NOT new.name) BEGIN
  UPDATE sitemap_parts SET listed = listed - (NOT (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL)), changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE kind = 'products' AND part = (new.rowid - 1) / 10000;
  UPDATE listed_sellers SET for_sale = for_sale - 1, changed_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
    WHERE seller_id = new.seller_id AND NOT (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL);
END;--> statement-breakpoint
CREATE TRIGGER products_listed_return AFTER UPDATE OF status, deleted_at, suspended_at ON products
WHEN NOT (old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL) AND (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL) BEGIN
  INSERT INTO sitemap_parts (kind, part, listed, changed_at) VALUES ('products', (new.rowid - 1) / 10000, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (kind, part) DO UPDATE SET listed = listed + 1, changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER));
  INSERT INTO listed_sellers (seller_id, for_sale, changed_at) VALUES (new.seller_id, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (seller_id) DO UPDATE SET for_sale = for_sale + 1, changed_at = excluded.changed_at;
END;--> statement-breakpoint
-- The app never deletes a product, but the demo data is replaced.
CREATE TRIGGER products_listed_delete AFTER DELETE ON products WHEN (old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL) BEGIN
  UPDATE sitemap_parts SET listed = listed - 1, changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) WHERE kind = 'products' AND part = (old.rowid - 1) / 10000;
  UPDATE listed_sellers SET for_sale = for_sale - 1, changed_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE seller_id = old.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER listed_sellers_insert AFTER INSERT ON listed_sellers BEGIN
  INSERT INTO sitemap_parts (kind, part, listed, changed_at) VALUES ('shops', (new.number - 1) / 10000, 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (kind, part) DO UPDATE SET listed = listed + 1, changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
-- A seller leaves with their last listing for sale, and comes back with the next one.
CREATE TRIGGER listed_sellers_change AFTER UPDATE OF for_sale ON listed_sellers
WHEN (old.for_sale > 0) <> (new.for_sale > 0) BEGIN
  UPDATE sitemap_parts SET listed = listed + (new.for_sale > 0) - (old.for_sale > 0), changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE kind = 'shops' AND part = (new.number - 1) / 10000;
END;--> statement-breakpoint
-- The name of a shop, or else of its owner, is part of its address.
CREATE TRIGGER listed_sellers_open_shop AFTER INSERT ON shops BEGIN
  UPDATE sitemap_parts SET changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE kind = 'shops' AND part = (SELECT (number - 1) / 10000 FROM listed_sellers WHERE seller_id = new.id AND for_sale > 0);
END;--> statement-breakpoint
CREATE TRIGGER listed_sellers_rename_shop AFTER UPDATE OF shop_name ON shops WHEN old.shop_name IS NOT new.shop_name BEGIN
  UPDATE sitemap_parts SET changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE kind = 'shops' AND part = (SELECT (number - 1) / 10000 FROM listed_sellers WHERE seller_id = new.id AND for_sale > 0);
END;--> statement-breakpoint
CREATE TRIGGER listed_sellers_rename AFTER UPDATE OF full_name ON profiles WHEN old.full_name IS NOT new.full_name BEGIN
  UPDATE sitemap_parts SET changed_at = max(changed_at + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    WHERE kind = 'shops' AND part = (SELECT (number - 1) / 10000 FROM listed_sellers WHERE seller_id = new.id AND for_sale > 0);
END;
