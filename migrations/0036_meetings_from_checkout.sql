-- The meeting that a buyer suggests at checkout becomes a suggestion to the seller of each item, as soon as the item is paid.
-- A trigger does it, because an order can be paid in several ways: by a callback, by a query, late, or as a free order.
-- A time that has passed by then is not suggested.
CREATE TRIGGER meetings_from_checkout AFTER UPDATE OF status ON order_items
  WHEN new.status = 'processing' AND old.status IN ('pending_payment', 'expired') BEGIN
  INSERT INTO meetings (order_item_id, point_id, place, starts_at, proposed_by, created_at, updated_at)
    SELECT new.id, o.meeting_point_id, o.meeting_place, o.meet_at, o.user_id, new.updated_at, new.updated_at FROM orders o
    WHERE o.id = new.order_id AND o.meeting_place IS NOT NULL AND o.meet_at > new.updated_at
      AND NOT EXISTS (SELECT 1 FROM meetings WHERE order_item_id = new.id);
END;
