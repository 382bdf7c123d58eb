-- The scheduled jobs find their work by an index of what is open or over, so that no run reads history again.
CREATE INDEX `email_tokens_expires` ON `email_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `listing_imports_idle` ON `listing_imports` (`updated_at`) WHERE NOT state = 'running';--> statement-breakpoint
CREATE INDEX `messages_photos` ON `messages` (`sender_id`) WHERE images <> '[]';--> statement-breakpoint
CREATE INDEX `order_items_photo` ON `order_items` (product_image ->> 'key') WHERE product_image IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_unpaid` ON `orders` (`created_at`) WHERE payment_status IN ('pending', 'failed') AND order_status = 'pending_payment';--> statement-breakpoint
CREATE INDEX `payment_callbacks_strangers` ON `payment_callbacks` (`received_at`) WHERE outcome = 'unknown_token';--> statement-breakpoint
CREATE INDEX `reviews_photos` ON `reviews` (`author_id`) WHERE photos <> '[]';--> statement-breakpoint
CREATE INDEX `uploads_removing` ON `uploads` (`removing_at`) WHERE removing_at IS NOT NULL;