-- A seller's record counts what buyers paid for. Two friends could give each other free items again and again, and so
-- show a long record at no cost.
DROP TRIGGER seller_records_ended;--> statement-breakpoint
DROP TRIGGER seller_records_ended_before;--> statement-breakpoint
DROP TRIGGER seller_records_cancelled;--> statement-breakpoint
UPDATE seller_records SET
  handed_over = handed_over - (SELECT COUNT(*) FROM order_items i WHERE i.seller_id = seller_records.seller_id AND i.price_per_unit = 0 AND i.status = 'completed'),
  refunded = refunded - (SELECT COUNT(*) FROM order_items i WHERE i.seller_id = seller_records.seller_id AND i.price_per_unit = 0 AND i.status = 'refunded'),
  cancelled = cancelled - (SELECT COUNT(*) FROM order_items i JOIN deal_events e ON e.order_item_id = i.id AND e.event IN ('cancelled_by_seller', 'not_shipped')
    WHERE i.seller_id = seller_records.seller_id AND i.price_per_unit = 0);--> statement-breakpoint
CREATE TRIGGER seller_records_ended AFTER UPDATE OF status ON order_items
  WHEN old.status <> new.status AND new.status IN ('completed', 'refunded') AND new.price_per_unit > 0 BEGIN
  INSERT INTO seller_records (seller_id) VALUES (new.seller_id) ON CONFLICT DO NOTHING;
  UPDATE seller_records SET handed_over = handed_over + (new.status = 'completed'), refunded = refunded + (new.status = 'refunded')
    WHERE seller_id = new.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER seller_records_ended_before AFTER INSERT ON order_items
  WHEN new.status IN ('completed', 'refunded') AND new.price_per_unit > 0 BEGIN
  INSERT INTO seller_records (seller_id) VALUES (new.seller_id) ON CONFLICT DO NOTHING;
  UPDATE seller_records SET handed_over = handed_over + (new.status = 'completed'), refunded = refunded + (new.status = 'refunded')
    WHERE seller_id = new.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER seller_records_cancelled AFTER INSERT ON deal_events
  WHEN new.event IN ('cancelled_by_seller', 'not_shipped') AND (SELECT price_per_unit FROM order_items WHERE id = new.order_item_id) > 0 BEGIN
  INSERT INTO seller_records (seller_id) SELECT seller_id FROM order_items WHERE id = new.order_item_id ON CONFLICT DO NOTHING;
  UPDATE seller_records SET cancelled = cancelled + 1
    WHERE seller_id = (SELECT seller_id FROM order_items WHERE id = new.order_item_id);
END;
