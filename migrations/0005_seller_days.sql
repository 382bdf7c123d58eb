CREATE TABLE `seller_days` (
	`seller_id` text NOT NULL,
	`day` integer NOT NULL,
	`sales` integer NOT NULL,
	`revenue` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `day`),
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_attempts_subscription` ON `payment_attempts` (`subscription_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_waiting` ON `subscriptions` (`user_id`,`plan`) WHERE status = 'pending_payment';
--> statement-breakpoint
-- What was sold before, then every sale as it is paid. A day is one of East Africa: UTC and three hours.
INSERT INTO seller_days (seller_id, day, sales, revenue)
  SELECT seller_id, (created_at + 10800000) / 86400000, COUNT(*), SUM(subtotal) FROM order_items
  WHERE status IN ('processing', 'shipped', 'delivered') GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER order_items_sold AFTER UPDATE OF status ON order_items
  WHEN old.status IN ('pending_payment', 'expired') AND new.status IN ('processing', 'shipped', 'delivered') BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue) VALUES (new.seller_id, (new.updated_at + 10800000) / 86400000, 1, new.subtotal)
    ON CONFLICT (seller_id, day) DO UPDATE SET sales = sales + 1, revenue = revenue + excluded.revenue;
END;
--> statement-breakpoint
CREATE TRIGGER order_items_sold_before AFTER INSERT ON order_items
  WHEN new.status IN ('processing', 'shipped', 'delivered') BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue) VALUES (new.seller_id, (new.created_at + 10800000) / 86400000, 1, new.subtotal)
    ON CONFLICT (seller_id, day) DO UPDATE SET sales = sales + 1, revenue = revenue + excluded.revenue;
END;
