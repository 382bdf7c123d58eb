ALTER TABLE `uploads` ADD `image` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `removing_at` integer;