-- Messages of quiet conversations move to the archive. This says where they are, and how far it has looked.
CREATE TABLE `archive_cursors` (
	`kind` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `conversation_parts` (
	`thread` text NOT NULL,
	`part_id` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`thread`, `part_id`)
);
--> statement-breakpoint
-- The table without the foreign key of its last message. For each message that is deleted, SQLite would look for it in all
-- conversations, and an index for that would be written twice with every message.
DROP TRIGGER conversations_written;--> statement-breakpoint
DROP TRIGGER conversations_read;--> statement-breakpoint
CREATE TABLE `__new_conversations` (
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`last_message_id` text NOT NULL,
	`last_at` integer NOT NULL,
	`unread` integer DEFAULT 0 NOT NULL,
	`product_id` text,
	`order_id` text,
	`order_item_id` text,
	`asked_at` integer,
	`reply_ms` integer,
	PRIMARY KEY(`user_id`, `other_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_conversations`("user_id", "other_id", "last_message_id", "last_at", "unread", "product_id", "order_id", "order_item_id", "asked_at", "reply_ms") SELECT "user_id", "other_id", "last_message_id", "last_at", "unread", "product_id", "order_id", "order_item_id", "asked_at", "reply_ms" FROM `conversations`;--> statement-breakpoint
DROP TABLE `conversations`;--> statement-breakpoint
ALTER TABLE `__new_conversations` RENAME TO `conversations`;--> statement-breakpoint
CREATE INDEX `conversations_inbox` ON `conversations` (`user_id`,`last_at`,`other_id`);--> statement-breakpoint
CREATE INDEX `conversations_asked` ON `conversations` (`user_id`,`asked_at`) WHERE asked_at IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER conversations_written AFTER INSERT ON messages BEGIN
  INSERT INTO conversations (user_id, other_id, last_message_id, last_at, unread, product_id, order_id, order_item_id, asked_at)
  VALUES
    (new.sender_id, new.recipient_id, new.id, new.created_at, 0, new.product_id, new.order_id, new.order_item_id, NULL),
    (new.recipient_id, new.sender_id, new.id, new.created_at, new.read = 0, new.product_id, new.order_id, new.order_item_id, new.created_at)
  ON CONFLICT (user_id, other_id) DO UPDATE SET
    unread = unread + excluded.unread,
    product_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.product_id ELSE product_id END,
    order_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_id ELSE order_id END,
    order_item_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_item_id ELSE order_item_id END,
    last_message_id = CASE WHEN excluded.last_at >= last_at THEN excluded.last_message_id ELSE last_message_id END,
    last_at = MAX(last_at, excluded.last_at),
    reply_ms = CASE WHEN excluded.asked_at IS NULL AND asked_at IS NOT NULL AND reply_ms IS NULL THEN MAX(0, excluded.last_at - asked_at) ELSE reply_ms END;
END;--> statement-breakpoint
CREATE TRIGGER conversations_read AFTER UPDATE OF read ON messages WHEN old.read = 0 AND new.read = 1 BEGIN
  UPDATE conversations SET unread = unread - 1 WHERE user_id = new.recipient_id AND other_id = new.sender_id;
END;
