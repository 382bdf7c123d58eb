-- A seller's record counts an ending only if it was the seller's to prevent. The code decides that and writes it into
-- `against`; triggers count it. Until now each item that wasn't shipped in time counted, although a buyer who never
-- answers, or who blocks the seller, can't be helped by the seller.
-- A reporter can say that a report needn't hold the money of their orders any more.
ALTER TABLE `deal_events` ADD `against` text;--> statement-breakpoint
ALTER TABLE `reports` ADD `lifted_at` integer;--> statement-breakpoint
UPDATE deal_events SET against = 'seller' WHERE event IN ('cancelled_by_seller', 'refunded_by_seller', 'team_refunded')
  OR (event = 'not_shipped' AND NOT EXISTS (SELECT 1 FROM order_items i WHERE i.id = deal_events.order_item_id AND i.buyer_contacted = 1 AND i.buyer_agreed = 0));--> statement-breakpoint
-- The trigger on `seller_buyers` counts the records anew.
UPDATE seller_buyers SET cancelled = 0 WHERE cancelled = 1 AND NOT EXISTS (
  SELECT 1 FROM order_items i JOIN sale_buyers s ON s.item_id = i.id JOIN deal_events e ON e.order_item_id = i.id
  WHERE i.seller_id = seller_buyers.seller_id AND s.buyer_id = seller_buyers.buyer_id AND i.subtotal > 0
    AND e.event IN ('cancelled_by_seller', 'not_shipped') AND e.against = 'seller');--> statement-breakpoint
DROP TRIGGER seller_buyers_ended;--> statement-breakpoint
DROP TRIGGER seller_buyers_cancelled;--> statement-breakpoint
CREATE TRIGGER seller_buyers_ended AFTER UPDATE OF status ON order_items
  WHEN old.status <> new.status AND new.status IN ('completed', 'refunded') AND new.subtotal > 0 BEGIN
  UPDATE order_items SET paid_by_seller = 1 WHERE id = new.id AND paid_by_seller = 0
    AND (SELECT phone_number FROM orders WHERE id = new.order_id) = (SELECT phone FROM profiles WHERE id = new.seller_id);
  INSERT INTO seller_buyers (seller_id, buyer_id, phone)
    SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.id = new.id AND i.paid_by_seller = 0 ON CONFLICT DO NOTHING;
  UPDATE seller_buyers SET handed_over = max(handed_over, new.status = 'completed')
    WHERE seller_id = new.seller_id AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.id);
END;--> statement-breakpoint
-- A report stopped the money of an item that was completed.
CREATE TRIGGER seller_buyers_reopened AFTER UPDATE OF status ON order_items
  WHEN old.status = 'completed' AND new.status <> 'completed' AND new.subtotal > 0 BEGIN
  UPDATE seller_buyers SET handed_over = EXISTS (SELECT 1 FROM order_items i JOIN sale_buyers s ON s.item_id = i.id
      WHERE i.seller_id = seller_buyers.seller_id AND s.buyer_id = seller_buyers.buyer_id AND i.status = 'completed' AND i.subtotal > 0)
    WHERE seller_id = new.seller_id AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.id);
END;--> statement-breakpoint
CREATE TRIGGER seller_buyers_against AFTER INSERT ON deal_events
  WHEN new.against = 'seller' AND (SELECT subtotal FROM order_items WHERE id = new.order_item_id) > 0 BEGIN
  INSERT INTO seller_buyers (seller_id, buyer_id, phone)
    SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.id = new.order_item_id AND i.paid_by_seller = 0 ON CONFLICT DO NOTHING;
  UPDATE seller_buyers SET cancelled = max(cancelled, new.event IN ('cancelled_by_seller', 'not_shipped')),
      refunded = max(refunded, new.event NOT IN ('cancelled_by_seller', 'not_shipped'))
    WHERE seller_id = (SELECT seller_id FROM order_items WHERE id = new.order_item_id)
    AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.order_item_id);
END;
