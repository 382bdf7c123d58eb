-- How much is for sale in each category, so that the most used ones lead wherever people browse, and nobody has to count.
ALTER TABLE `categories` ADD `listing_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `categories_browsed` ON `categories` (listing_count DESC,`name`) WHERE status = 'approved' AND (listing_count > 0 OR created_by IS NULL);--> statement-breakpoint
UPDATE categories SET listing_count = (
  SELECT COUNT(*) FROM products p WHERE p.category = categories.id AND p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL);--> statement-breakpoint
CREATE TRIGGER products_counted_insert AFTER INSERT ON products
WHEN new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL BEGIN
  UPDATE categories SET listing_count = listing_count + 1 WHERE id = new.category;
END;--> statement-breakpoint
CREATE TRIGGER products_counted_delete AFTER DELETE ON products
WHEN old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL BEGIN
  UPDATE categories SET listing_count = listing_count - 1 WHERE id = old.category;
END;--> statement-breakpoint
CREATE TRIGGER products_counted_update AFTER UPDATE OF category, status, deleted_at, suspended_at ON products
WHEN old.category IS NOT new.category
  OR (old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL) <> (new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL) BEGIN
  UPDATE categories SET listing_count = listing_count - 1 WHERE id = old.category AND old.status = 'active' AND old.deleted_at IS NULL AND old.suspended_at IS NULL;
  UPDATE categories SET listing_count = listing_count + 1 WHERE id = new.category AND new.status = 'active' AND new.deleted_at IS NULL AND new.suspended_at IS NULL;
END;
