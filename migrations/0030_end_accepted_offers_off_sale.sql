-- A seller who takes a listing off sale by hand no longer has the piece that an accepted offer keeps. Its buyer is told
-- at once, instead of reading until it expires that it can't be paid. Other sales never end an accepted offer, because
-- they can't take its piece.
DROP TRIGGER offers_sold_out;--> statement-breakpoint
CREATE TRIGGER offers_off_sale AFTER UPDATE OF status ON products WHEN old.status = 'active' AND new.status <> 'active' BEGIN
  UPDATE offers SET state = 'ended', end_reason = 'sold_out', notice_due = 1, updated_at = new.updated_at
    WHERE product_id = new.id AND state IN ('open', 'countered', 'accepted');
END;
