ALTER TABLE `listing_import_rows` ADD `checked` text;--> statement-breakpoint
ALTER TABLE `listing_imports` ADD `new_rows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_imports` ADD `unchanged_rows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `listing_imports` ADD `claimed_until` integer DEFAULT 0 NOT NULL;