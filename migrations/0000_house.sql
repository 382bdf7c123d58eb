CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_log_created` ON `audit_log` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_subject` ON `audit_log` (`subject`,`created_at`);--> statement-breakpoint
CREATE TABLE `blocks` (
	`user_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `blocked_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`blocked_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `campus_locations` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campus_locations_name` ON `campus_locations` (`name`);--> statement-breakpoint
CREATE TABLE `cart_items` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`product_id` text NOT NULL,
	`quantity` integer DEFAULT 1 NOT NULL,
	`price_when_added` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cart_items_user_product` ON `cart_items` (`user_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `cart_items_product` ON `cart_items` (`product_id`);--> statement-breakpoint
CREATE TABLE `categories` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`description` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_name_key` ON `categories` (`name_key`);--> statement-breakpoint
CREATE INDEX `categories_status` ON `categories` (`status`,`name`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`google_subject` text,
	`email_confirmed_at` integer,
	`session_epoch` integer DEFAULT 1 NOT NULL,
	`failed_sign_ins` integer DEFAULT 0 NOT NULL,
	`locked_until` integer,
	`suspended_at` integer,
	`metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_email` ON `credentials` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_google` ON `credentials` (`google_subject`);--> statement-breakpoint
CREATE TABLE `daily_summaries` (
	`day` text PRIMARY KEY NOT NULL,
	`summary` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daraja_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`access_token` text,
	`expires_at` integer,
	`generation` integer DEFAULT 0 NOT NULL,
	`refreshing_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `discrepancies` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	`resolved_by` text,
	`resolution` text,
	FOREIGN KEY (`resolved_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discrepancies_subject` ON `discrepancies` (`kind`,`subject`);--> statement-breakpoint
CREATE INDEX `discrepancies_open` ON `discrepancies` (`resolved_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `email_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_tokens_hash` ON `email_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `email_tokens_user` ON `email_tokens` (`user_id`,`purpose`,`created_at`);--> statement-breakpoint
CREATE TABLE `issue_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`seller_id` text,
	`product_id` text,
	`order_id` text,
	`description` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`outcome` text,
	`notes` text,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `issue_reports_status` ON `issue_reports` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `issue_reports_order` ON `issue_reports` (`order_id`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`transaction_id` text NOT NULL,
	`account` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`order_id` text,
	`order_item_id` text,
	`attempt_id` text,
	`payout_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_leg` ON `ledger_entries` (`transaction_id`,`account`,`kind`);--> statement-breakpoint
CREATE INDEX `ledger_entries_account` ON `ledger_entries` (`account`,`created_at`);--> statement-breakpoint
CREATE INDEX `ledger_entries_order` ON `ledger_entries` (`order_id`);--> statement-breakpoint
CREATE TABLE `message_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`thread` text NOT NULL,
	`reported_id` text NOT NULL,
	`reason` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`outcome` text,
	`notes` text,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reported_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `message_reports_status` ON `message_reports` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`thread` text NOT NULL,
	`sender_id` text NOT NULL,
	`recipient_id` text NOT NULL,
	`product_id` text,
	`order_id` text,
	`order_item_id` text,
	`message` text NOT NULL,
	`images` text DEFAULT '[]' NOT NULL,
	`sender_name` text NOT NULL,
	`recipient_name` text NOT NULL,
	`read` integer DEFAULT false NOT NULL,
	`idempotency_key` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`sender_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`recipient_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `messages_thread` ON `messages` (`thread`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `messages_unread` ON `messages` (`recipient_id`) WHERE read = 0;--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`recipient_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`sender_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_idempotency` ON `messages` (`sender_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `order_items` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`product_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`product_name` text NOT NULL,
	`product_image` text,
	`quantity` integer NOT NULL,
	`price_per_unit` integer NOT NULL,
	`subtotal` integer NOT NULL,
	`status` text DEFAULT 'pending_payment' NOT NULL,
	`buyer_contacted` integer DEFAULT false NOT NULL,
	`buyer_agreed` integer DEFAULT false NOT NULL,
	`shipped_at` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_items_order_product` ON `order_items` (`order_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `order_items_seller` ON `order_items` (`seller_id`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `order_items_product` ON `order_items` (`product_id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`amount` integer NOT NULL,
	`payment_status` text DEFAULT 'pending' NOT NULL,
	`order_status` text DEFAULT 'pending_payment' NOT NULL,
	`phone_number` text,
	`checkout_request_id` text,
	`mpesa_receipt` text,
	`payment_date` integer,
	`payment_error` text,
	`delivery_option` text,
	`delivery_address` text,
	`delivery_instructions` text,
	`idempotency_key` text NOT NULL,
	`source` text DEFAULT 'cart' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_idempotency` ON `orders` (`user_id`,`idempotency_key`);--> statement-breakpoint
CREATE INDEX `orders_user` ON `orders` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`payment_status`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_checkout_request` ON `orders` (`checkout_request_id`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`topic` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`available_at` integer NOT NULL,
	`done_at` integer,
	`dead_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe` ON `outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`available_at`) WHERE done_at IS NULL AND dead_at IS NULL;--> statement-breakpoint
CREATE TABLE `payment_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`order_id` text,
	`subscription_id` text,
	`user_id` text NOT NULL,
	`phone` text NOT NULL,
	`amount` integer NOT NULL,
	`state` text DEFAULT 'created' NOT NULL,
	`callback_token` text NOT NULL,
	`merchant_request_id` text,
	`checkout_request_id` text,
	`receipt` text,
	`result_code` text,
	`result_desc` text,
	`failure_reason` text,
	`confirmed_at` integer,
	`query_count` integer DEFAULT 0 NOT NULL,
	`next_query_at` integer,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_token` ON `payment_attempts` (`callback_token`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_checkout_request` ON `payment_attempts` (`checkout_request_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_receipt` ON `payment_attempts` (`receipt`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_live_order` ON `payment_attempts` (`order_id`) WHERE state IN ('created', 'pushed', 'unknown');--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_live_subscription` ON `payment_attempts` (`subscription_id`) WHERE state IN ('created', 'pushed', 'unknown');--> statement-breakpoint
CREATE INDEX `payment_attempts_order` ON `payment_attempts` (`order_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_attempts_phone` ON `payment_attempts` (`phone`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_attempts_due` ON `payment_attempts` (`next_query_at`);--> statement-breakpoint
CREATE INDEX `payment_attempts_state` ON `payment_attempts` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `payment_callbacks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`token` text NOT NULL,
	`body` text NOT NULL,
	`source_address` text,
	`request_id` text,
	`received_at` integer NOT NULL,
	`applied_at` integer,
	`outcome` text
);
--> statement-breakpoint
CREATE INDEX `payment_callbacks_unapplied` ON `payment_callbacks` (`received_at`) WHERE applied_at IS NULL;--> statement-breakpoint
CREATE INDEX `payment_callbacks_token` ON `payment_callbacks` (`token`,`received_at`);--> statement-breakpoint
CREATE INDEX `payment_callbacks_received` ON `payment_callbacks` (`received_at`,`id`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`order_item_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`phone` text,
	`amount` integer NOT NULL,
	`state` text DEFAULT 'due' NOT NULL,
	`conversation_id` text NOT NULL,
	`callback_token` text NOT NULL,
	`provider_conversation_id` text,
	`transaction_id` text,
	`result_code` text,
	`result_desc` text,
	`reason` text,
	`send_count` integer DEFAULT 0 NOT NULL,
	`lookup_count` integer DEFAULT 0 NOT NULL,
	`next_action_at` integer,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`settled_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_order_item` ON `payouts` (`order_item_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_conversation` ON `payouts` (`conversation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_token` ON `payouts` (`callback_token`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_transaction` ON `payouts` (`transaction_id`);--> statement-breakpoint
CREATE INDEX `payouts_due` ON `payouts` (`next_action_at`);--> statement-breakpoint
CREATE INDEX `payouts_state` ON `payouts` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `payouts_seller` ON `payouts` (`seller_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`price` integer NOT NULL,
	`original_price` integer,
	`image_url` text,
	`images` text DEFAULT '[]' NOT NULL,
	`condition` text DEFAULT 'new' NOT NULL,
	`location` text DEFAULT 'Unknown' NOT NULL,
	`category` text,
	`seller_id` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`sold_at` integer,
	`featured_until` integer,
	`suspended_at` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `products_feed` ON `products` (`created_at`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_newest` ON `products` (`category`,`created_at`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_price` ON `products` (`category`,`price`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_condition_price` ON `products` (`category`,`condition`,`price`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_location_price` ON `products` (`category`,`location`,`price`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_category_location_condition_price` ON `products` (`category`,`location`,`condition`,`price`,`id`) WHERE deleted_at IS NULL AND suspended_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_seller` ON `products` (`seller_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `products_seller_status` ON `products` (`seller_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `products_name` ON `products` (lower(name),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `products_featured` ON `products` (`featured_until`);--> statement-breakpoint
CREATE TABLE `profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`full_name` text DEFAULT '' NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`campus_location` text,
	`campus_location_id` integer,
	`account_type` text DEFAULT 'student' NOT NULL,
	`is_seller` integer DEFAULT false NOT NULL,
	`verification_status` text DEFAULT 'pending' NOT NULL,
	`is_google_user` integer DEFAULT false NOT NULL,
	`onboarding_completed` integer DEFAULT false NOT NULL,
	`profile_completed_at` integer,
	`is_pro` integer DEFAULT false NOT NULL,
	`pro_until` integer,
	`is_admin` integer DEFAULT false NOT NULL,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campus_location_id`) REFERENCES `campus_locations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `profiles_email` ON `profiles` (`email`);--> statement-breakpoint
CREATE INDEX `profiles_verification` ON `profiles` (`verification_status`,`created_at`);--> statement-breakpoint
CREATE TABLE `rate_counters` (
	`key` text PRIMARY KEY NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_counters_window` ON `rate_counters` (`window_start`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt_id` text NOT NULL,
	`order_id` text,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`state` text DEFAULT 'due' NOT NULL,
	`receipt` text,
	`done_by` text,
	`created_at` integer NOT NULL,
	`done_at` integer,
	FOREIGN KEY (`attempt_id`) REFERENCES `payment_attempts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`done_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_attempt` ON `refunds` (`attempt_id`);--> statement-breakpoint
CREATE INDEX `refunds_state` ON `refunds` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `shop_follows` (
	`user_id` text NOT NULL,
	`shop_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `shop_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_follows_shop` ON `shop_follows` (`shop_id`);--> statement-breakpoint
CREATE TABLE `shop_reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`shop_id` text NOT NULL,
	`user_id` text NOT NULL,
	`order_item_id` text NOT NULL,
	`rating` integer NOT NULL,
	`comment` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`shop_id`) REFERENCES `shops`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shop_reviews_item` ON `shop_reviews` (`order_item_id`);--> statement-breakpoint
CREATE INDEX `shop_reviews_shop` ON `shop_reviews` (`shop_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `shops` (
	`id` text PRIMARY KEY NOT NULL,
	`shop_name` text NOT NULL,
	`description` text,
	`banner_url` text,
	`offers_delivery` integer DEFAULT false NOT NULL,
	`business_hours` text,
	`policies` text,
	`preferred_contact` text,
	`featured_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shops_newest` ON `shops` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `shops_featured` ON `shops` (`featured_until`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`plan` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text DEFAULT 'pending_payment' NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_ending` ON `subscriptions` (`status`,`ends_at`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`key` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`bucket` text NOT NULL,
	`attached_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_orphans` ON `uploads` (`attached_at`,`created_at`);--> statement-breakpoint
CREATE TABLE `verification_documents` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`document_type` text NOT NULL,
	`document_url` text NOT NULL,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`verification_status` text DEFAULT 'pending' NOT NULL,
	`review_reason` text,
	`reviewed_by` text,
	`reviewed_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reviewed_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `verification_documents_user` ON `verification_documents` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `verification_documents_status` ON `verification_documents` (`verification_status`,`created_at`);--> statement-breakpoint
CREATE TABLE `wholesaler_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`created_by` text,
	`creator_email` text,
	`is_used` integer DEFAULT false NOT NULL,
	`used_by` text,
	`used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wholesaler_codes_code` ON `wholesaler_codes` (`code`);--> statement-breakpoint
CREATE INDEX `wholesaler_codes_created` ON `wholesaler_codes` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `wholesaler_details` (
	`user_id` text PRIMARY KEY NOT NULL,
	`business_name` text NOT NULL,
	`business_license_number` text,
	`tax_id` text,
	`business_address` text,
	`business_phone` text,
	`business_email` text,
	`business_description` text,
	`business_website` text,
	`verification_status` text DEFAULT 'pending' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `wishlist_items` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`product_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wishlist_items_user_product` ON `wishlist_items` (`user_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `wishlist_items_product` ON `wishlist_items` (`product_id`);