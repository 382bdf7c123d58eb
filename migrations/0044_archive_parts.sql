-- Old rows' bulk moves to compressed objects in the private bucket. This says where each of them is.
CREATE TABLE `archive_parts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`lines` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`last_at` integer,
	`last_id` text,
	`created_at` integer NOT NULL,
	`written_at` integer,
	`rewrite_due` integer DEFAULT false NOT NULL,
	`removing_at` integer
);
--> statement-breakpoint
CREATE INDEX `archive_parts_last` ON `archive_parts` (`kind`,`last_at`,`last_id`);--> statement-breakpoint
CREATE INDEX `archive_parts_unfinished` ON `archive_parts` (`created_at`) WHERE written_at IS NULL;--> statement-breakpoint
CREATE INDEX `archive_parts_rewrite_due` ON `archive_parts` (`id`) WHERE rewrite_due = 1;--> statement-breakpoint
CREATE INDEX `archive_parts_removing` ON `archive_parts` (`id`) WHERE removing_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_callbacks` ADD `archive_part` text;