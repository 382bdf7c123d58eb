-- The seller's browser makes the preview of each photo, which belongs to the photo and needs no row of its own. The sweep
-- deletes the pictures that our own worker drew. No other table refers to this one, and only these triggers wrote it for
-- each listing. docs/decisions/additive-migrations.md says why it may be dropped.
DROP TRIGGER `product_previews_listed`;--> statement-breakpoint
DROP TRIGGER `product_previews_changed`;--> statement-breakpoint
DROP TRIGGER `product_previews_hidden`;--> statement-breakpoint
DROP TRIGGER `product_previews_deleted`;--> statement-breakpoint
DROP TABLE `product_previews`;--> statement-breakpoint
UPDATE `uploads` SET `attached_at` = NULL WHERE `key` >= 'og/' AND `key` < 'og0';
