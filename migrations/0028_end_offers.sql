ALTER TABLE `offers` ADD `notice_due` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `offers_notice_due` ON `offers` (`updated_at`) WHERE notice_due = 1;--> statement-breakpoint
CREATE INDEX `order_items_offer` ON `order_items` (`offer_id`) WHERE offer_id IS NOT NULL;