-- What a buyer has accepted includes the price steps, so that another quantity at the same steps needs no confirmation.
ALTER TABLE `cart_items` ADD `steps_when_added` text;--> statement-breakpoint
-- These indexes hold wholesale listings only. A category's wholesale filter seeks in them.
CREATE INDEX `products_for_sale_wholesale_category_price` ON `products` (`category`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND wholesale = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_wholesale_category_newest` ON `products` (`category`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND wholesale = 1;--> statement-breakpoint
-- The search index marks wholesale listings with one private character after their category, so that a filtered search finds
-- them by the index alone. No listing is wholesale yet, so no row of the index changes.
DROP TRIGGER product_search_leave;--> statement-breakpoint
DROP TRIGGER product_search_return;--> statement-breakpoint
DROP VIEW product_search_entries;--> statement-breakpoint
CREATE VIEW product_search_entries AS
SELECT p.rowid AS product,
  p.rowid + CASE p.status WHEN 'active' THEN 1099511627776 ELSE 0 END AS place,
  replace(replace(lower(p.name), 'c++', 'cpp'), 'c#', 'csharp') AS name,
  lower(coalesce(k.name, p.category, '')) || CASE WHEN p.wholesale = 1 THEN ' ' || char(57584) ELSE '' END AS category,
  lower(coalesce(k.description, '')) AS keywords,
  replace(replace(lower(p.description), 'c++', 'cpp'), 'c#', 'csharp') AS description
FROM products p LEFT JOIN categories k ON k.id = p.category
WHERE p.deleted_at IS NULL AND p.suspended_at IS NULL;--> statement-breakpoint
-- Before a change, while the listing still has its old words.
CREATE TRIGGER product_search_leave
BEFORE UPDATE OF name, description, category, status, wholesale, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.wholesale, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.wholesale, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + CASE old.status WHEN 'active' THEN 1099511627776 ELSE 0 END;
END;--> statement-breakpoint
CREATE TRIGGER product_search_return
AFTER UPDATE OF name, description, category, status, wholesale, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.wholesale, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.wholesale, new.deleted_at, new.suspended_at)
BEGIN
  INSERT INTO product_search (rowid, name, category, keywords, description)
    SELECT place, name, category, keywords, description FROM product_search_entries WHERE product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;
