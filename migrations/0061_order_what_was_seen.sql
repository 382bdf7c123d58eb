-- A seller could change a listing between what a buyer saw and what they ordered, and the new words became the promise. A listing
-- counts the edits of what it promises, and whoever orders says which of them they have seen.
ALTER TABLE `cart_items` ADD `revision_when_added` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER products_revised AFTER UPDATE OF name, description, condition, images ON products
WHEN (new.name, new.description, new.condition, new.images) IS NOT (old.name, old.description, old.condition, old.images) BEGIN
  UPDATE products SET revision = old.revision + 1 WHERE id = new.id;
  -- An offer is for what its buyer saw, also an accepted one.
  UPDATE offers SET state = 'ended', end_reason = 'listing_changed', notice_due = 1, updated_at = new.updated_at
    WHERE product_id = new.id AND state IN ('open', 'countered', 'accepted');
END;
