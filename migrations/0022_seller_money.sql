-- What each seller was paid, summed per day, so that the page about their money costs one row a day.
ALTER TABLE `seller_days` ADD `paid_out` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_open_seller` ON `payouts` (`seller_id`) WHERE state <> 'paid';--> statement-breakpoint
-- What was paid out before now.
INSERT INTO `seller_days` (`seller_id`, `day`, `sales`, `revenue`, `paid_out`)
  SELECT `seller_id`, (COALESCE(`settled_at`, `updated_at`) + 10800000) / 86400000, 0, 0, SUM(`amount`) FROM `payouts` WHERE `state` = 'paid' GROUP BY 1, 2
  ON CONFLICT (`seller_id`, `day`) DO UPDATE SET `paid_out` = excluded.`paid_out`;--> statement-breakpoint
CREATE TRIGGER payouts_paid AFTER UPDATE OF state ON payouts WHEN old.state <> 'paid' AND new.state = 'paid' BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue, paid_out) VALUES (new.seller_id, (COALESCE(new.settled_at, new.updated_at) + 10800000) / 86400000, 0, 0, new.amount)
    ON CONFLICT (seller_id, day) DO UPDATE SET paid_out = paid_out + excluded.paid_out;
END;--> statement-breakpoint
CREATE TRIGGER payouts_paid_before AFTER INSERT ON payouts WHEN new.state = 'paid' BEGIN
  INSERT INTO seller_days (seller_id, day, sales, revenue, paid_out) VALUES (new.seller_id, (COALESCE(new.settled_at, new.updated_at) + 10800000) / 86400000, 0, 0, new.amount)
    ON CONFLICT (seller_id, day) DO UPDATE SET paid_out = paid_out + excluded.paid_out;
END;
