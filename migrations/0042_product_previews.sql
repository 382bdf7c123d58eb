-- A preview is the picture that a chat shows for a product's link. It is made in the background, and again when something that
-- it shows changes. Triggers keep what is due, so that no way to change a listing forgets it, also imports and the decisions
-- of our team. `version` says which state of the listing a picture shows: an older one never replaces a newer one.
-- A listing that is hidden or deleted has no picture: the sweep removes the file a day later.
CREATE TABLE `product_previews` (
	`product_id` text PRIMARY KEY NOT NULL,
	`key` text,
	`version` integer DEFAULT 1 NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failure` text,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `product_previews_due` ON `product_previews` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `product_previews_key` ON `product_previews` (`key`);--> statement-breakpoint
-- Existing listings: a few of them are made every minute, and each one when its public page is first opened.
INSERT INTO product_previews (product_id, due_at) SELECT id, 0 FROM products WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE TRIGGER product_previews_listed AFTER INSERT ON products WHEN new.deleted_at IS NULL AND new.suspended_at IS NULL BEGIN
  INSERT INTO product_previews (product_id, due_at) VALUES (new.id, 0);
END;--> statement-breakpoint
CREATE TRIGGER product_previews_changed AFTER UPDATE OF name, price, original_price, condition, location, images, suspended_at, deleted_at ON products
WHEN new.deleted_at IS NULL AND new.suspended_at IS NULL AND (old.deleted_at IS NOT NULL OR old.suspended_at IS NOT NULL
  OR old.name IS NOT new.name OR old.price IS NOT new.price OR old.original_price IS NOT new.original_price OR old.condition IS NOT new.condition
  OR old.location IS NOT new.location OR old.images ->> '$[0].key' IS NOT new.images ->> '$[0].key') BEGIN
  INSERT INTO product_previews (product_id, due_at) VALUES (new.id, 0)
    ON CONFLICT (product_id) DO UPDATE SET due_at = 0, version = version + 1, attempts = 0, failure = NULL;
END;--> statement-breakpoint
CREATE TRIGGER product_previews_hidden AFTER UPDATE OF suspended_at, deleted_at ON products
WHEN old.deleted_at IS NULL AND old.suspended_at IS NULL AND (new.deleted_at IS NOT NULL OR new.suspended_at IS NOT NULL) BEGIN
  UPDATE uploads SET attached_at = NULL, created_at = new.updated_at WHERE key = (SELECT key FROM product_previews WHERE product_id = new.id);
  UPDATE product_previews SET key = NULL, due_at = NULL, version = version + 1, attempts = 0, failure = NULL WHERE product_id = new.id;
END;--> statement-breakpoint
-- The app never deletes a product, but the demo data is replaced.
CREATE TRIGGER product_previews_deleted AFTER DELETE ON products BEGIN
  DELETE FROM product_previews WHERE product_id = old.id;
END;
