-- Three deals between the same two friends made a rating, and ended the longer inspection of new sellers. One person has one
-- voice now: in a rating the latest review of each author counts, and in a seller's record each buyer counts once for each
-- way in which items ended. Accounts that pay from one number are one buyer, and who pays from the seller's own number is none.
-- The table is written once for each pair, and read by its key.
CREATE TABLE `seller_buyers` (
	`seller_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`phone` text,
	`handed_over` integer DEFAULT false NOT NULL,
	`refunded` integer DEFAULT false NOT NULL,
	`cancelled` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`seller_id`, `buyer_id`),
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`buyer_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `seller_buyers_phone` ON `seller_buyers` (`seller_id`,`phone`) WHERE phone IS NOT NULL;--> statement-breakpoint
ALTER TABLE `order_items` ADD `paid_by_seller` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `reviews` ADD `counts` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_voice` ON `reviews` (`subject_id`,`author_id`,`subject_role`,`published_at`,`id`) WHERE published_at IS NOT NULL AND removed_at IS NULL;--> statement-breakpoint
DROP TRIGGER reviews_counted_insert;--> statement-breakpoint
DROP TRIGGER reviews_counted_update;--> statement-breakpoint
DROP TRIGGER reviews_counted_delete;--> statement-breakpoint
DROP TRIGGER seller_records_ended;--> statement-breakpoint
DROP TRIGGER seller_records_ended_before;--> statement-breakpoint
DROP TRIGGER seller_records_cancelled;--> statement-breakpoint
-- Which row of `seller_buyers` an item's buyer is: their own, or that of an earlier account that paid from the same number.
CREATE VIEW sale_buyers AS
SELECT i.id AS item_id, coalesce(
    (SELECT b.buyer_id FROM seller_buyers b WHERE b.seller_id = i.seller_id AND b.buyer_id = o.user_id),
    (SELECT b.buyer_id FROM seller_buyers b WHERE b.seller_id = i.seller_id AND b.phone = o.phone_number)) AS buyer_id
FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.paid_by_seller = 0;--> statement-breakpoint
-- The reviews that may count. A seller's rating needs a buyer of their own number. What was free costs two friends nothing.
CREATE VIEW review_voices AS
SELECT r.id, r.subject_id, r.author_id, r.subject_role, r.published_at
FROM reviews r JOIN order_items i ON i.id = r.order_item_id
WHERE r.published_at IS NOT NULL AND r.removed_at IS NULL AND i.subtotal > 0 AND i.paid_by_seller = 0
  AND (r.subject_role = 'buyer' OR EXISTS (SELECT 1 FROM seller_buyers b WHERE b.seller_id = r.subject_id AND b.buyer_id = r.author_id));--> statement-breakpoint
UPDATE order_items SET paid_by_seller = 1 WHERE subtotal > 0
  AND (SELECT phone_number FROM orders WHERE id = order_items.order_id) = (SELECT phone FROM profiles WHERE id = order_items.seller_id);--> statement-breakpoint
INSERT INTO seller_buyers (seller_id, buyer_id, phone)
  SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
  WHERE i.subtotal > 0 AND i.paid_by_seller = 0 AND (i.status IN ('completed', 'refunded') OR EXISTS (
    SELECT 1 FROM deal_events e WHERE e.order_item_id = i.id AND e.event IN ('cancelled_by_seller', 'not_shipped')))
  ORDER BY i.created_at ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE seller_buyers SET handed_over = 1 WHERE (seller_id, buyer_id) IN (
  SELECT i.seller_id, s.buyer_id FROM order_items i JOIN sale_buyers s ON s.item_id = i.id WHERE i.status = 'completed' AND i.subtotal > 0);--> statement-breakpoint
UPDATE seller_buyers SET refunded = 1 WHERE (seller_id, buyer_id) IN (
  SELECT i.seller_id, s.buyer_id FROM order_items i JOIN sale_buyers s ON s.item_id = i.id WHERE i.status = 'refunded' AND i.subtotal > 0);--> statement-breakpoint
UPDATE seller_buyers SET cancelled = 1 WHERE (seller_id, buyer_id) IN (
  SELECT i.seller_id, s.buyer_id FROM deal_events e JOIN order_items i ON i.id = e.order_item_id JOIN sale_buyers s ON s.item_id = i.id
  WHERE e.event IN ('cancelled_by_seller', 'not_shipped') AND i.subtotal > 0);--> statement-breakpoint
UPDATE seller_records SET (handed_over, refunded, cancelled) = (
  SELECT coalesce(sum(handed_over), 0), coalesce(sum(refunded), 0), coalesce(sum(cancelled), 0) FROM seller_buyers b WHERE b.seller_id = seller_records.seller_id);--> statement-breakpoint
UPDATE reviews SET counts = 1 WHERE published_at IS NOT NULL AND id IN (
  SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY subject_id, author_id, subject_role ORDER BY published_at DESC, id DESC) AS place FROM review_voices)
  WHERE place = 1);--> statement-breakpoint
-- The trigger on `user_ratings` ranks the shops anew.
UPDATE user_ratings SET (stars1, stars2, stars3, stars4, stars5) = (
  SELECT coalesce(sum(rating = 1), 0), coalesce(sum(rating = 2), 0), coalesce(sum(rating = 3), 0), coalesce(sum(rating = 4), 0), coalesce(sum(rating = 5), 0)
  FROM reviews r WHERE r.subject_id = user_ratings.user_id AND r.subject_role = user_ratings.role AND r.published_at IS NOT NULL AND r.counts = 1);--> statement-breakpoint
-- The seller's number when it was paid, and again when it ends, because the seller may change it in between.
CREATE TRIGGER order_items_paid_by_seller AFTER UPDATE OF paid_at ON order_items
  WHEN old.paid_at IS NULL AND new.paid_at IS NOT NULL AND new.subtotal > 0 BEGIN
  UPDATE order_items SET paid_by_seller = 1 WHERE id = new.id
    AND (SELECT phone_number FROM orders WHERE id = new.order_id) = (SELECT phone FROM profiles WHERE id = new.seller_id);
END;--> statement-breakpoint
CREATE TRIGGER seller_buyers_ended AFTER UPDATE OF status ON order_items
  WHEN old.status <> new.status AND new.status IN ('completed', 'refunded') AND new.subtotal > 0 BEGIN
  UPDATE order_items SET paid_by_seller = 1 WHERE id = new.id AND paid_by_seller = 0
    AND (SELECT phone_number FROM orders WHERE id = new.order_id) = (SELECT phone FROM profiles WHERE id = new.seller_id);
  INSERT INTO seller_buyers (seller_id, buyer_id, phone)
    SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.id = new.id AND i.paid_by_seller = 0 ON CONFLICT DO NOTHING;
  UPDATE seller_buyers SET handed_over = max(handed_over, new.status = 'completed'), refunded = max(refunded, new.status = 'refunded')
    WHERE seller_id = new.seller_id AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.id);
END;--> statement-breakpoint
CREATE TRIGGER seller_buyers_ended_before AFTER INSERT ON order_items
  WHEN new.status IN ('completed', 'refunded') AND new.subtotal > 0 BEGIN
  UPDATE order_items SET paid_by_seller = 1 WHERE id = new.id AND paid_by_seller = 0
    AND (SELECT phone_number FROM orders WHERE id = new.order_id) = (SELECT phone FROM profiles WHERE id = new.seller_id);
  INSERT INTO seller_buyers (seller_id, buyer_id, phone)
    SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.id = new.id AND i.paid_by_seller = 0 ON CONFLICT DO NOTHING;
  UPDATE seller_buyers SET handed_over = max(handed_over, new.status = 'completed'), refunded = max(refunded, new.status = 'refunded')
    WHERE seller_id = new.seller_id AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.id);
END;--> statement-breakpoint
CREATE TRIGGER seller_buyers_cancelled AFTER INSERT ON deal_events
  WHEN new.event IN ('cancelled_by_seller', 'not_shipped') AND (SELECT subtotal FROM order_items WHERE id = new.order_item_id) > 0 BEGIN
  INSERT INTO seller_buyers (seller_id, buyer_id, phone)
    SELECT i.seller_id, o.user_id, o.phone_number FROM order_items i JOIN orders o ON o.id = i.order_id
    WHERE i.id = new.order_item_id AND i.paid_by_seller = 0 ON CONFLICT DO NOTHING;
  UPDATE seller_buyers SET cancelled = 1
    WHERE seller_id = (SELECT seller_id FROM order_items WHERE id = new.order_item_id)
    AND buyer_id = (SELECT buyer_id FROM sale_buyers WHERE item_id = new.order_item_id);
END;--> statement-breakpoint
CREATE TRIGGER seller_records_counted AFTER UPDATE OF handed_over, refunded, cancelled ON seller_buyers
  WHEN (old.handed_over, old.refunded, old.cancelled) <> (new.handed_over, new.refunded, new.cancelled) BEGIN
  INSERT INTO seller_records (seller_id) VALUES (new.seller_id) ON CONFLICT DO NOTHING;
  UPDATE seller_records SET handed_over = handed_over + new.handed_over - old.handed_over, refunded = refunded + new.refunded - old.refunded,
    cancelled = cancelled + new.cancelled - old.cancelled WHERE seller_id = new.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER reviews_voice_insert AFTER INSERT ON reviews WHEN new.published_at IS NOT NULL BEGIN
  UPDATE reviews SET counts = (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = new.subject_id AND v.author_id = new.author_id AND v.subject_role = new.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1))
    WHERE subject_id = new.subject_id AND author_id = new.author_id AND subject_role = new.subject_role AND published_at IS NOT NULL
    AND counts <> (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = new.subject_id AND v.author_id = new.author_id AND v.subject_role = new.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1));
END;--> statement-breakpoint
CREATE TRIGGER reviews_voice_update AFTER UPDATE OF published_at, removed_at ON reviews
  WHEN (old.published_at, old.removed_at) IS NOT (new.published_at, new.removed_at) BEGIN
  UPDATE reviews SET counts = (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = new.subject_id AND v.author_id = new.author_id AND v.subject_role = new.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1))
    WHERE subject_id = new.subject_id AND author_id = new.author_id AND subject_role = new.subject_role AND published_at IS NOT NULL
    AND counts <> (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = new.subject_id AND v.author_id = new.author_id AND v.subject_role = new.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1));
END;--> statement-breakpoint
CREATE TRIGGER reviews_voice_delete AFTER DELETE ON reviews WHEN old.counts = 1 BEGIN
  UPDATE user_ratings SET stars1 = stars1 - (old.rating = 1), stars2 = stars2 - (old.rating = 2), stars3 = stars3 - (old.rating = 3), stars4 = stars4 - (old.rating = 4), stars5 = stars5 - (old.rating = 5)
    WHERE user_id = old.subject_id AND role = old.subject_role;
  UPDATE reviews SET counts = (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = old.subject_id AND v.author_id = old.author_id AND v.subject_role = old.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1))
    WHERE subject_id = old.subject_id AND author_id = old.author_id AND subject_role = old.subject_role AND published_at IS NOT NULL
    AND counts <> (id IS (SELECT v.id FROM review_voices v WHERE v.subject_id = old.subject_id AND v.author_id = old.author_id AND v.subject_role = old.subject_role ORDER BY v.published_at DESC, v.id DESC LIMIT 1));
END;--> statement-breakpoint
CREATE TRIGGER reviews_counted AFTER UPDATE OF counts, rating ON reviews
  WHEN (old.counts, old.rating) <> (new.counts, new.rating) AND (old.counts = 1 OR new.counts = 1) BEGIN
  INSERT INTO user_ratings (user_id, role) VALUES (new.subject_id, new.subject_role) ON CONFLICT DO NOTHING;
  UPDATE user_ratings SET stars1 = stars1 - (old.rating = 1), stars2 = stars2 - (old.rating = 2), stars3 = stars3 - (old.rating = 3), stars4 = stars4 - (old.rating = 4), stars5 = stars5 - (old.rating = 5)
    WHERE user_id = old.subject_id AND role = old.subject_role AND old.counts = 1;
  UPDATE user_ratings SET stars1 = stars1 + (new.rating = 1), stars2 = stars2 + (new.rating = 2), stars3 = stars3 + (new.rating = 3), stars4 = stars4 + (new.rating = 4), stars5 = stars5 + (new.rating = 5)
    WHERE user_id = new.subject_id AND role = new.subject_role AND new.counts = 1;
END;--> statement-breakpoint
-- The index marks wholesale listings and those of verified sellers with two private characters after their category. A
-- category's own name can't bring one of them along.
DROP VIEW product_search_entries;--> statement-breakpoint
CREATE VIEW product_search_entries AS
SELECT p.rowid AS product,
  p.rowid + CASE p.status WHEN 'active' THEN 1099511627776 ELSE 0 END AS place,
  replace(replace(lower(p.name), 'c++', 'cpp'), 'c#', 'csharp') AS name,
  replace(replace(lower(coalesce(k.name, p.category, '')), char(57584), ' '), char(57585), ' ') || iif(p.wholesale = 1, ' ' || char(57584), '')
    || iif(p.seller_verified = 1, ' ' || char(57585), '') AS category,
  lower(coalesce(k.description, '')) AS keywords,
  replace(replace(lower(p.description), 'c++', 'cpp'), 'c#', 'csharp') AS description
FROM products p LEFT JOIN categories k ON k.id = p.category
WHERE p.deleted_at IS NULL AND p.suspended_at IS NULL;--> statement-breakpoint
DELETE FROM product_search WHERE rowid IN (
  SELECT e.place FROM product_search_entries e JOIN products p ON p.rowid = e.product LEFT JOIN categories k ON k.id = p.category
  WHERE instr(coalesce(k.name, p.category, ''), char(57584)) OR instr(coalesce(k.name, p.category, ''), char(57585)));
--> statement-breakpoint
INSERT INTO product_search (rowid, name, category, keywords, description)
  SELECT e.place, e.name, e.category, e.keywords, e.description FROM product_search_entries e
  JOIN products p ON p.rowid = e.product LEFT JOIN categories k ON k.id = p.category
  WHERE instr(coalesce(k.name, p.category, ''), char(57584)) OR instr(coalesce(k.name, p.category, ''), char(57585));
