-- The money of each item is held until its deal is over: refunds and payouts can be about one item of an order, timers act
-- by themselves, and every step is recorded.
CREATE TABLE `deal_events` (
	`id` text PRIMARY KEY NOT NULL,
	`order_item_id` text NOT NULL,
	`event` text NOT NULL,
	`actor` text NOT NULL,
	`actor_id` text,
	`reason` text,
	`note` text,
	`amount` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deal_events_item` ON `deal_events` (`order_item_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `deal_timers` (
	`order_item_id` text NOT NULL,
	`kind` text NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`order_item_id`, `kind`),
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deal_timers_due` ON `deal_timers` (`due_at`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`order_item_id` text PRIMARY KEY NOT NULL,
	`problem` text NOT NULL,
	`description` text NOT NULL,
	`photos` text DEFAULT '[]' NOT NULL,
	`opened_at` integer NOT NULL,
	`offered_refund` integer,
	`refunded` integer,
	`settled_at` integer,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `disputes_opened` ON `disputes` (`opened_at`);--> statement-breakpoint
CREATE TABLE `payout_items` (
	`order_item_id` text PRIMARY KEY NOT NULL,
	`payout_id` text NOT NULL,
	`amount` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payout_items_payout` ON `payout_items` (`payout_id`);--> statement-breakpoint
DROP INDEX `order_items_desk`;--> statement-breakpoint
ALTER TABLE `order_items` ADD `paid_at` integer;--> statement-breakpoint
ALTER TABLE `order_items` ADD `wrong_codes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `order_items_desk` ON `order_items` (`seller_id`,CASE WHEN status IN ('cancel_requested', 'disputed') THEN 0 WHEN status = 'shipped' THEN 4 WHEN status IN ('delivered', 'offered') THEN 5 WHEN status = 'in_review' THEN 6 WHEN buyer_agreed = 1 THEN 1 WHEN buyer_contacted = 0 THEN 2 ELSE 3 END,`created_at`,`id`) WHERE status IN ('processing', 'cancel_requested', 'shipped', 'delivered', 'disputed', 'offered', 'in_review');--> statement-breakpoint
DROP INDEX `refunds_attempt`;--> statement-breakpoint
ALTER TABLE `refunds` ADD `order_item_id` text REFERENCES order_items(id);--> statement-breakpoint
ALTER TABLE `refunds` ADD `method` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `conversation_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `callback_token` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `provider_conversation_id` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `result_code` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `result_desc` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `wait_reason` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `wait_detail` text;--> statement-breakpoint
ALTER TABLE `refunds` ADD `send_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `lookup_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `next_action_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `sent_at` integer;--> statement-breakpoint
ALTER TABLE `refunds` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Refunds that a person had to send so far: the job sends them from now on.
UPDATE `refunds` SET `conversation_id` = lower(hex(randomblob(16))), `callback_token` = lower(hex(randomblob(32))), `updated_at` = `created_at`,
  `next_action_at` = CASE WHEN `state` = 'due' THEN `created_at` END;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_payment` ON `refunds` (`attempt_id`) WHERE order_item_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_item` ON `refunds` (`order_item_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_conversation` ON `refunds` (`conversation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_token` ON `refunds` (`callback_token`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_action_at`);--> statement-breakpoint
CREATE INDEX `refunds_attempt` ON `refunds` (`attempt_id`);--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `refund_id` text;--> statement-breakpoint
CREATE INDEX `ledger_entries_item` ON `ledger_entries` (`order_item_id`);--> statement-breakpoint
-- The sale was counted on the day of its last change before it was delivered; the order's payment is the nearest record.
UPDATE `order_items` SET `paid_at` = COALESCE((SELECT `payment_date` FROM `orders` WHERE `orders`.`id` = `order_items`.`order_id`), `created_at`)
  WHERE `status` IN ('processing', 'shipped', 'delivered');--> statement-breakpoint
-- Until now each payout was of one item.
INSERT INTO `payout_items` (`order_item_id`, `payout_id`, `amount`, `created_at`) SELECT `order_item_id`, `id`, `amount`, `created_at` FROM `payouts`;--> statement-breakpoint
-- Until now "delivered" released the money.
UPDATE `order_items` SET `status` = 'completed' WHERE `status` = 'delivered';--> statement-breakpoint
-- Deals that have begun get their full time from now on.
INSERT INTO `deal_timers` (`order_item_id`, `kind`, `due_at`)
  SELECT `id`, CASE `status` WHEN 'processing' THEN 'not_shipped' ELSE 'shipment_overdue' END,
    unixepoch() * 1000 + CASE `status` WHEN 'processing' THEN 7 ELSE 14 END * 86400000
  FROM `order_items` WHERE `status` IN ('processing', 'shipped');--> statement-breakpoint
-- What somebody wrote can only be erased, when they delete their account.
CREATE TRIGGER deal_events_no_update BEFORE UPDATE ON deal_events
  WHEN new.note IS NOT NULL OR (new.id, new.order_item_id, new.event, new.actor, new.actor_id, new.reason, new.amount, new.created_at)
    IS NOT (old.id, old.order_item_id, old.event, old.actor, old.actor_id, old.reason, old.amount, old.created_at) BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;--> statement-breakpoint
CREATE TRIGGER deal_events_no_delete BEFORE DELETE ON deal_events BEGIN
  SELECT RAISE(ABORT, 'deal_events is append-only');
END;--> statement-breakpoint
-- A sale counts on the day it was paid. An item that is cancelled or refunded is taken off that day again.
DROP TRIGGER order_items_sold;--> statement-breakpoint
DROP TRIGGER order_items_sold_before;--> statement-breakpoint
CREATE TRIGGER order_items_sold AFTER UPDATE OF status ON order_items
  WHEN old.status IN ('pending_payment', 'expired') AND new.status = 'processing' BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue) VALUES (new.seller_id, (new.updated_at + 10800000) / 86400000, 1, new.subtotal)
    ON CONFLICT (seller_id, day) DO UPDATE SET sales = sales + 1, revenue = revenue + excluded.revenue;
END;--> statement-breakpoint
CREATE TRIGGER order_items_sold_before AFTER INSERT ON order_items
  WHEN new.status NOT IN ('pending_payment', 'expired', 'cancelled', 'refunded') BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue) VALUES (new.seller_id, (new.created_at + 10800000) / 86400000, 1, new.subtotal)
    ON CONFLICT (seller_id, day) DO UPDATE SET sales = sales + 1, revenue = revenue + excluded.revenue;
END;--> statement-breakpoint
CREATE TRIGGER order_items_returned AFTER UPDATE OF status ON order_items
  WHEN old.status NOT IN ('cancelled', 'refunded') AND new.status IN ('cancelled', 'refunded') BEGIN
  UPDATE seller_days SET sales = sales - 1, revenue = revenue - new.subtotal
    WHERE seller_id = new.seller_id AND day = (new.paid_at + 10800000) / 86400000;
END;
