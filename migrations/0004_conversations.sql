CREATE TABLE `conversations` (
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`last_message_id` text NOT NULL,
	`last_at` integer NOT NULL,
	`unread` integer DEFAULT 0 NOT NULL,
	`product_id` text,
	`order_id` text,
	`order_item_id` text,
	PRIMARY KEY(`user_id`, `other_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`last_message_id`) REFERENCES `messages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `conversations_inbox` ON `conversations` (`user_id`,`last_at`,`other_id`);--> statement-breakpoint
ALTER TABLE `messages` ADD `kind` text DEFAULT 'text' NOT NULL;--> statement-breakpoint
-- What was written before there was an inbox. The columns beside MAX() are those of the latest message.
INSERT INTO conversations (user_id, other_id, last_message_id, last_at, unread)
SELECT user_id, other_id, id, MAX(created_at), SUM(unread) FROM (
  SELECT sender_id AS user_id, recipient_id AS other_id, id, created_at, 0 AS unread FROM messages
  UNION ALL SELECT recipient_id, sender_id, id, created_at, read = 0 FROM messages
) GROUP BY user_id, other_id;
--> statement-breakpoint
UPDATE conversations SET (product_id, order_id, order_item_id) = (
  SELECT product_id, order_id, order_item_id FROM messages
  WHERE thread = MIN(conversations.user_id, conversations.other_id) || ':' || MAX(conversations.user_id, conversations.other_id) AND product_id IS NOT NULL
  ORDER BY created_at DESC, id DESC LIMIT 1
);
--> statement-breakpoint
-- Both sides of a conversation follow from its messages.
CREATE TRIGGER conversations_written AFTER INSERT ON messages BEGIN
  INSERT INTO conversations (user_id, other_id, last_message_id, last_at, unread, product_id, order_id, order_item_id)
  VALUES
    (new.sender_id, new.recipient_id, new.id, new.created_at, 0, new.product_id, new.order_id, new.order_item_id),
    (new.recipient_id, new.sender_id, new.id, new.created_at, new.read = 0, new.product_id, new.order_id, new.order_item_id)
  ON CONFLICT (user_id, other_id) DO UPDATE SET
    unread = unread + excluded.unread,
    product_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.product_id ELSE product_id END,
    order_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_id ELSE order_id END,
    order_item_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_item_id ELSE order_item_id END,
    last_message_id = CASE WHEN excluded.last_at >= last_at THEN excluded.last_message_id ELSE last_message_id END,
    last_at = MAX(last_at, excluded.last_at);
END;
--> statement-breakpoint
CREATE TRIGGER conversations_read AFTER UPDATE OF read ON messages WHEN old.read = 0 AND new.read = 1 BEGIN
  UPDATE conversations SET unread = unread - 1 WHERE user_id = new.recipient_id AND other_id = new.sender_id;
END;
