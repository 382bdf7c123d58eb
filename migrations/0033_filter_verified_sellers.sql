-- Verified sellers may be few or most, so a category's filters seek among their listings in indexes of their own.
CREATE INDEX `products_for_sale_verified_category_condition_newest` ON `products` (`category`,`condition`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified_category_condition_price` ON `products` (`category`,`condition`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified_category_location_condition_newest` ON `products` (`category`,`location`,`condition`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified_category_location_condition_price` ON `products` (`category`,`location`,`condition`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
-- The search index marks the listings of verified sellers with one more private character after their category, so that a
-- filtered search finds them by the index alone.
DELETE FROM product_search WHERE rowid IN (
  SELECT e.place FROM product_search_entries e JOIN products p ON p.rowid = e.product WHERE p.seller_verified = 1
);--> statement-breakpoint
DROP TRIGGER product_search_insert;--> statement-breakpoint
DROP TRIGGER products_verified_before;--> statement-breakpoint
DROP TRIGGER products_verified;--> statement-breakpoint
DROP TRIGGER product_search_leave;--> statement-breakpoint
DROP TRIGGER product_search_return;--> statement-breakpoint
DROP VIEW product_search_entries;--> statement-breakpoint
CREATE VIEW product_search_entries AS
SELECT p.rowid AS product,
  p.rowid + CASE p.status WHEN 'active' THEN 1099511627776 ELSE 0 END AS place,
  replace(replace(lower(p.name), 'c++', 'cpp'), 'c#', 'csharp') AS name,
  lower(coalesce(k.name, p.category, '')) || CASE WHEN p.wholesale = 1 THEN ' ' || char(57584) ELSE '' END
    || CASE WHEN p.seller_verified = 1 THEN ' ' || char(57585) ELSE '' END AS category,
  lower(coalesce(k.description, '')) AS keywords,
  replace(replace(lower(p.description), 'c++', 'cpp'), 'c#', 'csharp') AS description
FROM products p LEFT JOIN categories k ON k.id = p.category
WHERE p.deleted_at IS NULL AND p.suspended_at IS NULL;--> statement-breakpoint
-- Before a change, while the listing still has its old words.
CREATE TRIGGER product_search_leave
BEFORE UPDATE OF name, description, category, status, wholesale, seller_verified, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.wholesale, old.seller_verified, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.wholesale, new.seller_verified, new.deleted_at, new.suspended_at)
BEGIN
  DELETE FROM product_search WHERE rowid = old.rowid + CASE old.status WHEN 'active' THEN 1099511627776 ELSE 0 END;
END;--> statement-breakpoint
-- A change of the marks alone brings no new words. A seller's level may change thousands of listings at once.
CREATE TRIGGER product_search_return
AFTER UPDATE OF name, description, category, status, wholesale, seller_verified, deleted_at, suspended_at ON products
WHEN (old.name, old.description, old.category, old.status, old.wholesale, old.seller_verified, old.deleted_at, old.suspended_at)
  IS NOT (new.name, new.description, new.category, new.status, new.wholesale, new.seller_verified, new.deleted_at, new.suspended_at)
BEGIN
  INSERT INTO product_search (rowid, name, category, keywords, description)
    SELECT place, name, category, keywords, description FROM product_search_entries WHERE product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE (old.name, old.description, old.category, old.deleted_at, old.suspended_at)
      IS NOT (new.name, new.description, new.category, new.deleted_at, new.suspended_at)
    AND product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;--> statement-breakpoint
-- Triggers on the same change run in no certain order, so one trigger marks a new listing of a verified seller and writes
-- its words. If the mark changes, the triggers of that change have written the words already.
CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  UPDATE products SET seller_verified = NOT seller_verified
    WHERE rowid = new.rowid AND seller_verified <> EXISTS (SELECT 1 FROM profiles WHERE id = new.seller_id AND verified_level IN ('student', 'business'));
  INSERT INTO product_search (rowid, name, category, keywords, description)
    SELECT place, name, category, keywords, description FROM product_search_entries
    WHERE (SELECT seller_verified FROM products WHERE rowid = new.rowid) = new.seller_verified AND product = new.rowid;
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM product_search_words
    WHERE product = new.rowid AND word NOT IN (SELECT word FROM search_words);
END;--> statement-breakpoint
CREATE TRIGGER products_verified AFTER UPDATE OF verified_level ON profiles
  WHEN (old.verified_level IN ('student', 'business')) <> (new.verified_level IN ('student', 'business')) BEGIN
  UPDATE products SET seller_verified = new.verified_level IN ('student', 'business')
    WHERE seller_id = new.id AND seller_verified <> (new.verified_level IN ('student', 'business'));
END;--> statement-breakpoint
INSERT INTO product_search (rowid, name, category, keywords, description)
  SELECT e.place, e.name, e.category, e.keywords, e.description FROM product_search_entries e
  JOIN products p ON p.rowid = e.product WHERE p.seller_verified = 1;--> statement-breakpoint
INSERT INTO university_domains (domain, name, created_at) VALUES
  ('kafu.ac.ke', 'Kaimosi Friends University', 0),
  ('tharaka.ac.ke', 'Tharaka University', 0),
  ('tangaza.ac.ke', 'Tangaza University', 0),
  ('pacuniversity.ac.ke', 'Pan Africa Christian University', 0),
  ('umma.ac.ke', 'Umma University', 0),
  ('ouk.ac.ke', 'Open University of Kenya', 0)
  ON CONFLICT DO NOTHING;
