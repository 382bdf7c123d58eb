-- What ends an offer holds for every writer, so nobody can accept or pay one that should have ended. The scheduled job
-- tells both sides. An accepted offer is a promise: a new price and other sales don't end it.
CREATE TRIGGER offers_price_changed AFTER UPDATE OF price ON products WHEN old.price <> new.price BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'price_changed', notice_due = 1, updated_at = new.updated_at
    WHERE product_id = new.id AND state IN ('open', 'countered');
END;--> statement-breakpoint
CREATE TRIGGER offers_sold_out AFTER UPDATE OF status ON products WHEN old.status = 'active' AND new.status <> 'active' BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'sold_out', notice_due = 1, updated_at = new.updated_at
    WHERE product_id = new.id AND state IN ('open', 'countered');
END;--> statement-breakpoint
CREATE TRIGGER offers_listing_removed AFTER UPDATE OF deleted_at, suspended_at ON products
  WHEN new.deleted_at IS NOT NULL OR new.suspended_at IS NOT NULL BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'listing_removed', notice_due = 1, updated_at = new.updated_at
    WHERE product_id = new.id AND state IN ('open', 'countered', 'accepted');
END;--> statement-breakpoint
CREATE TRIGGER offers_account_closed AFTER UPDATE OF suspended_at ON credentials WHEN new.suspended_at IS NOT NULL BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'account_closed', notice_due = 1, updated_at = new.suspended_at
    WHERE state IN ('open', 'countered', 'accepted')
      AND (buyer_id = new.id OR product_id IN (SELECT id FROM products WHERE seller_id = new.id));
END;--> statement-breakpoint
CREATE TRIGGER offers_blocked AFTER INSERT ON blocks BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'blocked', notice_due = 1, updated_at = new.created_at
    WHERE state IN ('open', 'countered', 'accepted')
      AND ((buyer_id = new.user_id AND seller_id = new.blocked_id) OR (buyer_id = new.blocked_id AND seller_id = new.user_id));
END;
