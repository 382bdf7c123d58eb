-- Each index costs a written row for each row that is in it, and one more whenever its columns are set. These indexes are
-- only of rows that have a value. No query uses the indexes of the ledger's orders and items and of the orders' requests,
-- and orders are found by their day alone.
DROP INDEX `ledger_entries_order`;--> statement-breakpoint
DROP INDEX `ledger_entries_item`;--> statement-breakpoint
DROP INDEX `orders_open`;--> statement-breakpoint
DROP INDEX `orders_checkout_request`;--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`);--> statement-breakpoint
DROP INDEX `payouts_open_seller`;--> statement-breakpoint
DROP INDEX `payouts_transaction`;--> statement-breakpoint
DROP INDEX `payouts_due`;--> statement-breakpoint
DROP INDEX `payouts_open`;--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_transaction` ON `payouts` (`transaction_id`) WHERE transaction_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_due` ON `payouts` (`next_action_at`) WHERE next_action_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_open` ON `payouts` (`seller_id`) WHERE state <> 'paid';--> statement-breakpoint
DROP INDEX `payment_attempts_checkout_request`;--> statement-breakpoint
DROP INDEX `payment_attempts_receipt`;--> statement-breakpoint
DROP INDEX `payment_attempts_live_subscription`;--> statement-breakpoint
DROP INDEX `payment_attempts_subscription`;--> statement-breakpoint
DROP INDEX `payment_attempts_due`;--> statement-breakpoint
DROP INDEX `payment_attempts_settled`;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_checkout_request` ON `payment_attempts` (`checkout_request_id`) WHERE checkout_request_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_receipt` ON `payment_attempts` (`receipt`) WHERE receipt IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payment_attempts_live_subscription` ON `payment_attempts` (`subscription_id`) WHERE subscription_id IS NOT NULL AND state IN ('created', 'pushed', 'unknown');--> statement-breakpoint
CREATE INDEX `payment_attempts_subscription` ON `payment_attempts` (`subscription_id`,`created_at`) WHERE subscription_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_attempts_due` ON `payment_attempts` (`next_query_at`) WHERE next_query_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payment_attempts_settled` ON `payment_attempts` (`settled_at`) WHERE settled_at IS NOT NULL;--> statement-breakpoint
-- The same balances as before with fewer writes: what becomes zero is deleted without being updated first.
DROP TRIGGER ledger_entries_balance;--> statement-breakpoint
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries BEGIN
  DELETE FROM ledger_balances WHERE amount = -new.amount AND account = new.account
    AND subject = CASE WHEN new.account IN ('escrow', 'seller_payable') THEN COALESCE(new.order_item_id, '') WHEN new.account = 'refunds_due' THEN COALESCE(new.refund_id, '') ELSE '' END;
  INSERT INTO ledger_balances (account, subject, amount)
    SELECT new.account, CASE WHEN new.account IN ('escrow', 'seller_payable') THEN COALESCE(new.order_item_id, '') WHEN new.account = 'refunds_due' THEN COALESCE(new.refund_id, '') ELSE '' END, new.amount
    WHERE changes() = 0 AND new.amount <> 0
    ON CONFLICT (account, subject) DO UPDATE SET amount = amount + excluded.amount;
  DELETE FROM unbalanced_transactions WHERE transaction_id = new.transaction_id AND amount = -new.amount;
  INSERT INTO unbalanced_transactions (transaction_id, amount) SELECT new.transaction_id, new.amount WHERE changes() = 0 AND new.amount <> 0
    ON CONFLICT (transaction_id) DO UPDATE SET amount = amount + excluded.amount;
END;
