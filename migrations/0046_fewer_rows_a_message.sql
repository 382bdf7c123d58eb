-- Each index of messages costs a written row a message. Nothing looks for messages by their recipient alone, and most
-- messages are about no item.
DROP INDEX `messages_recipient`;--> statement-breakpoint
DROP INDEX `messages_item`;--> statement-breakpoint
CREATE INDEX `messages_item` ON `messages` (`order_item_id`,`created_at`) WHERE order_item_id IS NOT NULL;