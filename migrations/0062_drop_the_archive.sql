-- Messages and callbacks stay in the database (docs/growth.md). No row can be lost: nothing was old enough to be archived
-- before these went, and no table refers to them.
DROP TABLE `archive_cursors`;--> statement-breakpoint
DROP TABLE `archive_parts`;--> statement-breakpoint
DROP TABLE `conversation_parts`;--> statement-breakpoint
ALTER TABLE `payment_callbacks` DROP COLUMN `archive_part`;