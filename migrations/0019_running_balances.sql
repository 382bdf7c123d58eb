-- The books are checked without reading the whole ledger: triggers keep what is on each account, and what should be there,
-- in the transaction of each change.
CREATE TABLE `ledger_balances` (
	`account` text NOT NULL,
	`subject` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`account`, `subject`)
);
--> statement-breakpoint
CREATE TABLE `settled_totals` (
	`account` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `unbalanced_transactions` (
	`transaction_id` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_attempts_settled` ON `payment_attempts` (`settled_at`);--> statement-breakpoint
CREATE INDEX `payouts_open` ON `payouts` (`id`) WHERE state <> 'paid';--> statement-breakpoint
CREATE INDEX `refunds_open` ON `refunds` (`id`) WHERE state <> 'done';--> statement-breakpoint
-- Payments that were booked for a whole order: their money is now held for its items.
INSERT INTO `ledger_entries` (`id`, `transaction_id`, `account`, `kind`, `amount`, `order_id`, `order_item_id`, `attempt_id`, `created_at`)
  SELECT lower(hex(randomblob(16))), 'hold:' || i.id, 'escrow', leg.kind, leg.sign * i.subtotal, e.order_id, CASE leg.kind WHEN 'hold' THEN i.id END, e.attempt_id, e.created_at
  FROM `ledger_entries` e JOIN `order_items` i ON i.order_id = e.order_id AND i.subtotal > 0
    JOIN (SELECT 'charge' AS kind, 1 AS sign UNION ALL SELECT 'hold', -1) leg
  WHERE e.account = 'escrow' AND e.kind = 'charge' AND e.order_item_id IS NULL;--> statement-breakpoint
-- The entries of earlier refunds name only the payment, of which each had one refund.
INSERT INTO `ledger_balances` (`account`, `subject`, `amount`)
  SELECT account, CASE WHEN account IN ('escrow', 'seller_payable') THEN COALESCE(order_item_id, '')
    WHEN account = 'refunds_due' THEN COALESCE(refund_id, (SELECT r.id FROM `refunds` r WHERE r.attempt_id = e.attempt_id AND r.order_item_id IS NULL), '')
    ELSE '' END AS subject, SUM(amount)
  FROM `ledger_entries` e GROUP BY 1, 2 HAVING SUM(amount) <> 0;--> statement-breakpoint
INSERT INTO `unbalanced_transactions` (`transaction_id`, `amount`)
  SELECT transaction_id, SUM(amount) FROM `ledger_entries` GROUP BY 1 HAVING SUM(amount) <> 0;--> statement-breakpoint
INSERT INTO `settled_totals` (`account`, `amount`) VALUES
  ('mpesa_collection', (SELECT COALESCE(SUM(amount), 0) FROM `payment_attempts` WHERE state = 'succeeded')
    - (SELECT COALESCE(SUM(amount), 0) FROM `refunds` WHERE state = 'done' AND method IS NOT 'transfer')),
  ('mpesa_payout_float', - (SELECT COALESCE(SUM(amount), 0) FROM `payouts` WHERE state = 'paid')
    - (SELECT COALESCE(SUM(amount), 0) FROM `refunds` WHERE state = 'done' AND method = 'transfer')),
  ('plans', (SELECT COALESCE(SUM(amount), 0) FROM `refunds` WHERE order_id IS NULL)
    - (SELECT COALESCE(SUM(amount), 0) FROM `payment_attempts` WHERE state = 'succeeded' AND subscription_id IS NOT NULL));--> statement-breakpoint
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO ledger_balances (account, subject, amount)
    VALUES (new.account, CASE WHEN new.account IN ('escrow', 'seller_payable') THEN COALESCE(new.order_item_id, '') WHEN new.account = 'refunds_due' THEN COALESCE(new.refund_id, '') ELSE '' END, new.amount)
    ON CONFLICT (account, subject) DO UPDATE SET amount = amount + excluded.amount;
  DELETE FROM ledger_balances WHERE amount = 0 AND account = new.account
    AND subject = CASE WHEN new.account IN ('escrow', 'seller_payable') THEN COALESCE(new.order_item_id, '') WHEN new.account = 'refunds_due' THEN COALESCE(new.refund_id, '') ELSE '' END;
  INSERT INTO unbalanced_transactions (transaction_id, amount) VALUES (new.transaction_id, new.amount)
    ON CONFLICT (transaction_id) DO UPDATE SET amount = amount + excluded.amount;
  DELETE FROM unbalanced_transactions WHERE transaction_id = new.transaction_id AND amount = 0;
END;--> statement-breakpoint
-- A payment that isn't kept is refunded in full, so a plan's payment counts only without a refund.
CREATE TRIGGER payment_attempts_settled_insert AFTER INSERT ON payment_attempts WHEN new.state = 'succeeded' BEGIN
  UPDATE settled_totals SET amount = amount + new.amount WHERE account = 'mpesa_collection';
  UPDATE settled_totals SET amount = amount - new.amount WHERE account = 'plans' AND new.subscription_id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER payment_attempts_settled_update AFTER UPDATE OF state, amount ON payment_attempts
  WHEN (old.state = 'succeeded') * old.amount <> (new.state = 'succeeded') * new.amount BEGIN
  UPDATE settled_totals SET amount = amount + (new.state = 'succeeded') * new.amount - (old.state = 'succeeded') * old.amount
    WHERE account = 'mpesa_collection';
  UPDATE settled_totals SET amount = amount - (new.state = 'succeeded') * new.amount + (old.state = 'succeeded') * old.amount
    WHERE account = 'plans' AND new.subscription_id IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER payouts_settled_insert AFTER INSERT ON payouts WHEN new.state = 'paid' BEGIN
  UPDATE settled_totals SET amount = amount - new.amount WHERE account = 'mpesa_payout_float';
END;--> statement-breakpoint
CREATE TRIGGER payouts_settled_update AFTER UPDATE OF state, amount ON payouts
  WHEN (old.state = 'paid') * old.amount <> (new.state = 'paid') * new.amount BEGIN
  UPDATE settled_totals SET amount = amount - (new.state = 'paid') * new.amount + (old.state = 'paid') * old.amount
    WHERE account = 'mpesa_payout_float';
END;--> statement-breakpoint
CREATE TRIGGER refunds_settled_insert AFTER INSERT ON refunds BEGIN
  UPDATE settled_totals SET amount = amount + new.amount WHERE account = 'plans' AND new.order_id IS NULL;
  UPDATE settled_totals SET amount = amount - new.amount
    WHERE new.state = 'done' AND account = CASE new.method WHEN 'transfer' THEN 'mpesa_payout_float' ELSE 'mpesa_collection' END;
END;--> statement-breakpoint
CREATE TRIGGER refunds_settled_update AFTER UPDATE OF state, amount, method ON refunds WHEN old.state = 'done' OR new.state = 'done' BEGIN
  UPDATE settled_totals SET amount = amount + old.amount
    WHERE old.state = 'done' AND account = CASE old.method WHEN 'transfer' THEN 'mpesa_payout_float' ELSE 'mpesa_collection' END;
  UPDATE settled_totals SET amount = amount - new.amount
    WHERE new.state = 'done' AND account = CASE new.method WHEN 'transfer' THEN 'mpesa_payout_float' ELSE 'mpesa_collection' END;
END;
