-- The feed and the categories list what can be bought now. Sold listings pile up over the years, so the indexes leave them out.
CREATE INDEX `products_for_sale` ON `products` (`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_newest` ON `products` (`category`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_price` ON `products` (`category`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_condition_newest` ON `products` (`category`,`condition`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_condition_price` ON `products` (`category`,`condition`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_location_condition_newest` ON `products` (`category`,`location`,`condition`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_for_sale_category_location_condition_price` ON `products` (`category`,`location`,`condition`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
DROP INDEX `products_feed`;--> statement-breakpoint
DROP INDEX `products_category_newest`;--> statement-breakpoint
DROP INDEX `products_category_price`;--> statement-breakpoint
DROP INDEX `products_category_condition_newest`;--> statement-breakpoint
DROP INDEX `products_category_condition_price`;--> statement-breakpoint
DROP INDEX `products_category_location_condition_newest`;--> statement-breakpoint
DROP INDEX `products_category_location_condition_price`;
