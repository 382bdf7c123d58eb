CREATE TABLE `listing_import_rows` (
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`state` text NOT NULL,
	`cells` text NOT NULL,
	`errors` text,
	PRIMARY KEY(`import_id`, `line`),
	FOREIGN KEY (`import_id`) REFERENCES `listing_imports`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_import_rows_state` ON `listing_import_rows` (`import_id`,`state`,`line`);--> statement-breakpoint
CREATE TABLE `listing_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`seller_id` text NOT NULL,
	`file_name` text NOT NULL,
	`state` text DEFAULT 'ready' NOT NULL,
	`rows` integer NOT NULL,
	`bad_rows` integer NOT NULL,
	`created_rows` integer DEFAULT 0 NOT NULL,
	`updated_rows` integer DEFAULT 0 NOT NULL,
	`failed_rows` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `listing_imports_seller` ON `listing_imports` (`seller_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `listing_imports_running` ON `listing_imports` (`seller_id`) WHERE state = 'running';--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`amount` integer NOT NULL,
	`counter_amount` integer,
	`note` text DEFAULT '' NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`end_reason` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`buyer_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `offers_active` ON `offers` (`product_id`,`buyer_id`) WHERE state IN ('open', 'countered', 'accepted');--> statement-breakpoint
CREATE INDEX `offers_due` ON `offers` (`expires_at`) WHERE state IN ('open', 'countered', 'accepted');--> statement-breakpoint
CREATE INDEX `offers_buyer` ON `offers` (`buyer_id`,`state`);--> statement-breakpoint
CREATE INDEX `offers_product` ON `offers` (`product_id`,`state`);--> statement-breakpoint
CREATE TABLE `price_steps` (
	`product_id` text NOT NULL,
	`from_quantity` integer NOT NULL,
	`price` integer NOT NULL,
	PRIMARY KEY(`product_id`, `from_quantity`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `stock_waits` (
	`product_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`product_id`, `user_id`),
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `stock_waits_user` ON `stock_waits` (`user_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `messages` ADD `offer_id` text REFERENCES offers(id);--> statement-breakpoint
ALTER TABLE `order_items` ADD `offer_id` text REFERENCES offers(id);--> statement-breakpoint
ALTER TABLE `order_items` ADD `restocked_at` integer;--> statement-breakpoint
ALTER TABLE `payment_attempts` ADD `reserves_stock` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `stock` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `reserved` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `sku` text;--> statement-breakpoint
ALTER TABLE `products` ADD `min_quantity` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `wholesale` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `takes_offers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `lowest_offer` integer;--> statement-breakpoint
CREATE INDEX `products_for_sale_wholesale` ON `products` (`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND wholesale = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `products_seller_sku` ON `products` (`seller_id`,`sku`) WHERE sku IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
-- Used products existed once. New ones stay without a limit until their seller names one.
UPDATE `products` SET `stock` = CASE WHEN `status` = 'active' THEN 1 ELSE 0 END WHERE `condition` <> 'new';--> statement-breakpoint
-- The rules of stock hold for every writer: reserved pieces are never more than there are. A batch that breaks them is
-- undone as a whole.
CREATE TRIGGER stock_never_oversold BEFORE UPDATE OF stock, reserved ON products
  WHEN new.stock < 0 OR new.reserved < 0 OR new.reserved > new.stock BEGIN
  SELECT RAISE(ABORT, 'precondition_failed');
END;--> statement-breakpoint
-- The last piece is gone: a used product is sold, a new one out of stock. It comes back when there are pieces again.
CREATE TRIGGER stock_sold_out AFTER UPDATE OF stock ON products WHEN new.stock = 0 AND new.status = 'active' BEGIN
  UPDATE products SET status = CASE WHEN condition = 'new' THEN 'out_of_stock' ELSE 'sold' END, sold_at = new.updated_at WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER stock_back AFTER UPDATE OF stock ON products
  WHEN old.stock = 0 AND new.stock IS NOT 0 AND new.status <> 'active' BEGIN
  UPDATE products SET status = 'active', sold_at = NULL WHERE id = new.id;
END;--> statement-breakpoint
-- An attempt reserves the pieces of its order while it is under way. An accepted offer keeps its own piece.
CREATE TRIGGER stock_reserved_by_attempt AFTER INSERT ON payment_attempts WHEN new.reserves_stock = 1 BEGIN
  UPDATE products SET reserved = reserved + i.quantity FROM order_items i
    WHERE i.order_id = new.order_id AND i.offer_id IS NULL AND i.product_id = products.id;
END;--> statement-breakpoint
CREATE TRIGGER stock_released_by_attempt AFTER UPDATE OF state ON payment_attempts
  WHEN old.reserves_stock = 1 AND new.state NOT IN ('created', 'pushed', 'unknown', 'held') BEGIN
  UPDATE payment_attempts SET reserves_stock = 0 WHERE id = new.id;
  UPDATE products SET reserved = reserved - i.quantity FROM order_items i
    WHERE i.order_id = new.order_id AND i.offer_id IS NULL AND i.product_id = products.id;
END;--> statement-breakpoint
CREATE TRIGGER stock_reserved_by_offer AFTER UPDATE OF state ON offers WHEN old.state <> 'accepted' AND new.state = 'accepted' BEGIN
  UPDATE products SET reserved = reserved + 1 WHERE id = new.product_id;
END;--> statement-breakpoint
CREATE TRIGGER stock_released_by_offer AFTER UPDATE OF state ON offers WHEN old.state = 'accepted' AND new.state <> 'accepted' BEGIN
  UPDATE products SET reserved = reserved - 1 WHERE id = new.product_id;
END;
