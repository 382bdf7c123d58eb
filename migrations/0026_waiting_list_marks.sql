ALTER TABLE `stock_waits` ADD `free_at` integer;--> statement-breakpoint
CREATE INDEX `stock_waits_free` ON `stock_waits` (`free_at`) WHERE free_at IS NOT NULL;--> statement-breakpoint
-- Whoever waits for a product must be told, whatever frees it: a payment that ended, an offer, the seller. So its row is
-- marked in the same batch. A batch that frees pieces and takes them again, like that of a payment, takes the mark back.
CREATE TRIGGER stock_waits_freed AFTER UPDATE OF stock, reserved, status ON products
  WHEN (old.status <> 'active' OR old.stock <= old.reserved) IS 1 AND (new.status <> 'active' OR new.stock <= new.reserved) IS NOT 1 BEGIN
  UPDATE stock_waits SET free_at = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE product_id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER stock_waits_taken AFTER UPDATE OF stock, reserved, status ON products
  WHEN (old.status <> 'active' OR old.stock <= old.reserved) IS NOT 1 AND (new.status <> 'active' OR new.stock <= new.reserved) IS 1 BEGIN
  UPDATE stock_waits SET free_at = NULL WHERE product_id = new.id AND free_at IS NOT NULL;
END;--> statement-breakpoint
-- Nobody waits for what is gone, or for what they are buying.
CREATE TRIGGER stock_waits_gone AFTER UPDATE OF deleted_at, suspended_at ON products
  WHEN new.deleted_at IS NOT NULL OR new.suspended_at IS NOT NULL BEGIN
  DELETE FROM stock_waits WHERE product_id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER stock_waits_paying AFTER INSERT ON payment_attempts WHEN new.reserves_stock = 1 BEGIN
  DELETE FROM stock_waits WHERE user_id = new.user_id AND product_id IN (SELECT product_id FROM order_items WHERE order_id = new.order_id);
END;--> statement-breakpoint
CREATE TRIGGER stock_waits_accepted AFTER UPDATE OF state ON offers WHEN old.state <> 'accepted' AND new.state = 'accepted' BEGIN
  DELETE FROM stock_waits WHERE user_id = new.buyer_id AND product_id = new.product_id;
END;
