CREATE TABLE `meeting_points` (
	`id` text PRIMARY KEY NOT NULL,
	`campus_id` integer NOT NULL,
	`name` text NOT NULL,
	`opens_at` integer NOT NULL,
	`closes_at` integer NOT NULL,
	`weekdays_only` integer DEFAULT false NOT NULL,
	`hidden_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`campus_id`) REFERENCES `campus_locations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `meeting_points_name` ON `meeting_points` (`campus_id`,`name`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`order_item_id` text PRIMARY KEY NOT NULL,
	`point_id` text,
	`place` text NOT NULL,
	`starts_at` integer NOT NULL,
	`proposed_by` text NOT NULL,
	`state` text DEFAULT 'proposed' NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`remind_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`point_id`) REFERENCES `meeting_points`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proposed_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `meetings_reminders` ON `meetings` (`remind_at`) WHERE remind_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `moderation_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`reported_id` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`harm` integer DEFAULT 0 NOT NULL,
	`reports` integer DEFAULT 0 NOT NULL,
	`decision` text,
	`statement` text,
	`decided_by` text,
	`decided_at` integer,
	`appeal_token` text NOT NULL,
	`appeal` text,
	`appealed_at` integer,
	`appeal_granted` integer,
	`appeal_answer` text,
	`appeal_decided_by` text,
	`closed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`reported_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decided_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`appeal_decided_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `moderation_cases_open` ON `moderation_cases` (`subject`,`subject_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `moderation_cases_queue` ON `moderation_cases` (`harm`,`created_at`,`id`) WHERE state IN ('open', 'appealed');--> statement-breakpoint
CREATE INDEX `moderation_cases_done` ON `moderation_cases` (`updated_at`,`id`) WHERE state IN ('decided', 'closed');--> statement-breakpoint
CREATE INDEX `moderation_cases_reported` ON `moderation_cases` (`reported_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `moderation_cases_token` ON `moderation_cases` (`appeal_token`);--> statement-breakpoint
CREATE TABLE `prohibited_terms` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`term` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `prohibited_terms_term` ON `prohibited_terms` (`kind`,`term`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`reporter_id` text NOT NULL,
	`reason` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `moderation_cases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`reporter_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_reporter` ON `reports` (`case_id`,`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_written` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`order_item_id` text NOT NULL,
	`author_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_role` text NOT NULL,
	`rating` integer NOT NULL,
	`tags` text DEFAULT '[]' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`photos` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`edited_at` integer,
	`publish_at` integer NOT NULL,
	`published_at` integer,
	`removed_at` integer,
	`reply` text,
	`replied_at` integer,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subject_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_author` ON `reviews` (`order_item_id`,`author_id`);--> statement-breakpoint
CREATE INDEX `reviews_due` ON `reviews` (`publish_at`) WHERE published_at IS NULL;--> statement-breakpoint
CREATE INDEX `reviews_subject` ON `reviews` (`subject_id`,`subject_role`,`published_at`,`id`) WHERE published_at IS NOT NULL AND removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `reviews_written` ON `reviews` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `seller_records` (
	`seller_id` text PRIMARY KEY NOT NULL,
	`handed_over` integer DEFAULT 0 NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `university_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `user_ratings` (
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`stars1` integer DEFAULT 0 NOT NULL,
	`stars2` integer DEFAULT 0 NOT NULL,
	`stars3` integer DEFAULT 0 NOT NULL,
	`stars4` integer DEFAULT 0 NOT NULL,
	`stars5` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `role`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `conversations` ADD `asked_at` integer;--> statement-breakpoint
ALTER TABLE `conversations` ADD `reply_ms` integer;--> statement-breakpoint
CREATE INDEX `conversations_asked` ON `conversations` (`user_id`,`asked_at`) WHERE asked_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `meeting_point_id` text REFERENCES meeting_points(id);--> statement-breakpoint
ALTER TABLE `orders` ADD `meeting_place` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `meet_at` integer;--> statement-breakpoint
ALTER TABLE `products` ADD `seller_verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `held_for` text;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified` ON `products` (`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified_category_price` ON `products` (`category`,`price`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
CREATE INDEX `products_for_sale_verified_category_newest` ON `products` (`category`,`created_at`,`id`) WHERE status = 'active' AND deleted_at IS NULL AND suspended_at IS NULL AND seller_verified = 1;--> statement-breakpoint
ALTER TABLE `profiles` ADD `verified_level` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `shops` ADD `away_until` integer;--> statement-breakpoint
ALTER TABLE `shops` ADD `rating_score` integer DEFAULT 4000 NOT NULL;--> statement-breakpoint
CREATE INDEX `shops_rated` ON `shops` (`rating_score`,`created_at`,`id`);--> statement-breakpoint
-- What people read about somebody's reviews costs one row: the published reviews are counted by their stars.
CREATE TRIGGER reviews_counted_insert AFTER INSERT ON reviews WHEN new.published_at IS NOT NULL AND new.removed_at IS NULL BEGIN
  INSERT INTO user_ratings (user_id, role) VALUES (new.subject_id, new.subject_role) ON CONFLICT DO NOTHING;
  UPDATE user_ratings SET stars1 = stars1 + (new.rating = 1), stars2 = stars2 + (new.rating = 2), stars3 = stars3 + (new.rating = 3), stars4 = stars4 + (new.rating = 4), stars5 = stars5 + (new.rating = 5)
    WHERE user_id = new.subject_id AND role = new.subject_role;
END;--> statement-breakpoint
CREATE TRIGGER reviews_counted_update AFTER UPDATE OF rating, published_at, removed_at ON reviews BEGIN
  INSERT INTO user_ratings (user_id, role) SELECT new.subject_id, new.subject_role WHERE new.published_at IS NOT NULL ON CONFLICT DO NOTHING;
  UPDATE user_ratings SET stars1 = stars1 - (old.rating = 1), stars2 = stars2 - (old.rating = 2), stars3 = stars3 - (old.rating = 3), stars4 = stars4 - (old.rating = 4), stars5 = stars5 - (old.rating = 5)
    WHERE user_id = old.subject_id AND role = old.subject_role AND old.published_at IS NOT NULL AND old.removed_at IS NULL;
  UPDATE user_ratings SET stars1 = stars1 + (new.rating = 1), stars2 = stars2 + (new.rating = 2), stars3 = stars3 + (new.rating = 3), stars4 = stars4 + (new.rating = 4), stars5 = stars5 + (new.rating = 5)
    WHERE user_id = new.subject_id AND role = new.subject_role AND new.published_at IS NOT NULL AND new.removed_at IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER reviews_counted_delete AFTER DELETE ON reviews WHEN old.published_at IS NOT NULL AND old.removed_at IS NULL BEGIN
  UPDATE user_ratings SET stars1 = stars1 - (old.rating = 1), stars2 = stars2 - (old.rating = 2), stars3 = stars3 - (old.rating = 3), stars4 = stars4 - (old.rating = 4), stars5 = stars5 - (old.rating = 5)
    WHERE user_id = old.subject_id AND role = old.subject_role;
END;--> statement-breakpoint
-- The Bayesian average: as if each shop had five reviews with four stars before its first one.
CREATE TRIGGER shops_rated AFTER UPDATE ON user_ratings WHEN new.role = 'seller' BEGIN
  UPDATE shops SET rating_score = (20000 + 1000 * (new.stars1 + 2 * new.stars2 + 3 * new.stars3 + 4 * new.stars4 + 5 * new.stars5)) / (5 + new.stars1 + new.stars2 + new.stars3 + new.stars4 + new.stars5)
    WHERE id = new.user_id;
END;--> statement-breakpoint
CREATE TRIGGER shops_rated_before AFTER INSERT ON shops BEGIN
  UPDATE shops SET rating_score = COALESCE((SELECT (20000 + 1000 * (r.stars1 + 2 * r.stars2 + 3 * r.stars3 + 4 * r.stars4 + 5 * r.stars5)) / (5 + r.stars1 + r.stars2 + r.stars3 + r.stars4 + r.stars5) FROM user_ratings r WHERE r.user_id = new.id AND r.role = 'seller'), rating_score)
    WHERE id = new.id;
END;--> statement-breakpoint
-- How a seller's paid items ended. What the buyer cancelled says nothing about the seller.
CREATE TRIGGER seller_records_ended AFTER UPDATE OF status ON order_items
  WHEN old.status <> new.status AND new.status IN ('completed', 'refunded') BEGIN
  INSERT INTO seller_records (seller_id) VALUES (new.seller_id) ON CONFLICT DO NOTHING;
  UPDATE seller_records SET handed_over = handed_over + (new.status = 'completed'), refunded = refunded + (new.status = 'refunded')
    WHERE seller_id = new.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER seller_records_ended_before AFTER INSERT ON order_items WHEN new.status IN ('completed', 'refunded') BEGIN
  INSERT INTO seller_records (seller_id) VALUES (new.seller_id) ON CONFLICT DO NOTHING;
  UPDATE seller_records SET handed_over = handed_over + (new.status = 'completed'), refunded = refunded + (new.status = 'refunded')
    WHERE seller_id = new.seller_id;
END;--> statement-breakpoint
CREATE TRIGGER seller_records_cancelled AFTER INSERT ON deal_events WHEN new.event IN ('cancelled_by_seller', 'not_shipped') BEGIN
  INSERT INTO seller_records (seller_id) SELECT seller_id FROM order_items WHERE id = new.order_item_id ON CONFLICT DO NOTHING;
  UPDATE seller_records SET cancelled = cancelled + 1
    WHERE seller_id = (SELECT seller_id FROM order_items WHERE id = new.order_item_id);
END;--> statement-breakpoint
INSERT INTO seller_records (seller_id, handed_over, refunded, cancelled)
  SELECT seller_id, SUM(status = 'completed'), SUM(status = 'refunded'),
    SUM(status = 'cancelled' AND EXISTS (SELECT 1 FROM deal_events e WHERE e.order_item_id = order_items.id AND e.event IN ('cancelled_by_seller', 'not_shipped')))
  FROM order_items WHERE status IN ('completed', 'refunded', 'cancelled') GROUP BY seller_id;--> statement-breakpoint
-- The inbox also remembers who began a conversation, and how long the other side took to answer.
DROP TRIGGER conversations_written;--> statement-breakpoint
CREATE TRIGGER conversations_written AFTER INSERT ON messages BEGIN
  INSERT INTO conversations (user_id, other_id, last_message_id, last_at, unread, product_id, order_id, order_item_id, asked_at)
  VALUES
    (new.sender_id, new.recipient_id, new.id, new.created_at, 0, new.product_id, new.order_id, new.order_item_id, NULL),
    (new.recipient_id, new.sender_id, new.id, new.created_at, new.read = 0, new.product_id, new.order_id, new.order_item_id, new.created_at)
  ON CONFLICT (user_id, other_id) DO UPDATE SET
    unread = unread + excluded.unread,
    product_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.product_id ELSE product_id END,
    order_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_id ELSE order_id END,
    order_item_id = CASE WHEN excluded.product_id IS NOT NULL AND excluded.last_at >= last_at THEN excluded.order_item_id ELSE order_item_id END,
    last_message_id = CASE WHEN excluded.last_at >= last_at THEN excluded.last_message_id ELSE last_message_id END,
    last_at = MAX(last_at, excluded.last_at),
    reply_ms = CASE WHEN excluded.asked_at IS NULL AND asked_at IS NOT NULL AND reply_ms IS NULL THEN MAX(0, excluded.last_at - asked_at) ELSE reply_ms END;
END;--> statement-breakpoint
UPDATE conversations SET asked_at = (
  SELECT CASE sender_id WHEN conversations.other_id THEN created_at END FROM messages
  WHERE thread = MIN(conversations.user_id, conversations.other_id) || ':' || MAX(conversations.user_id, conversations.other_id) ORDER BY created_at, id LIMIT 1
);--> statement-breakpoint
UPDATE conversations SET reply_ms = (
  SELECT MIN(created_at) - conversations.asked_at FROM messages
  WHERE thread = MIN(conversations.user_id, conversations.other_id) || ':' || MAX(conversations.user_id, conversations.other_id) AND sender_id = conversations.user_id
) WHERE asked_at IS NOT NULL;--> statement-breakpoint
-- What is verified about a person follows from their documents and their confirmed email address.
CREATE VIEW verified_levels AS
SELECT p.id, CASE
    WHEN p.deleted_at IS NOT NULL THEN 'none'
    WHEN p.verification_status = 'approved' AND p.account_type = 'wholesaler' THEN 'business'
    WHEN p.verification_status = 'approved' THEN 'student'
    WHEN c.email_confirmed_at IS NULL THEN 'none'
    WHEN p.account_type = 'student' AND EXISTS (SELECT 1 FROM university_domains d
      WHERE substr(c.email, -length(d.domain) - 1) IN ('@' || d.domain, '.' || d.domain)) THEN 'student'
    ELSE 'email'
  END AS level
FROM profiles p JOIN credentials c ON c.id = p.id;--> statement-breakpoint
CREATE TRIGGER verified_by_profile AFTER INSERT ON profiles BEGIN
  UPDATE profiles SET verified_level = (SELECT level FROM verified_levels v WHERE v.id = profiles.id) WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER verified_by_document AFTER UPDATE OF verification_status, account_type, deleted_at ON profiles BEGIN
  UPDATE profiles SET verified_level = (SELECT level FROM verified_levels v WHERE v.id = profiles.id) WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER verified_by_email AFTER UPDATE OF email, email_confirmed_at ON credentials
  WHEN (old.email, old.email_confirmed_at) IS NOT (new.email, new.email_confirmed_at) BEGIN
  UPDATE profiles SET verified_level = (SELECT level FROM verified_levels v WHERE v.id = profiles.id) WHERE id = new.id;
END;--> statement-breakpoint
-- The listings of verified sellers are marked, so that an index finds them.
CREATE TRIGGER products_verified AFTER UPDATE OF verified_level ON profiles
  WHEN (old.verified_level IN ('student', 'business')) <> (new.verified_level IN ('student', 'business')) BEGIN
  UPDATE products SET seller_verified = new.verified_level IN ('student', 'business') WHERE seller_id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER products_verified_before AFTER INSERT ON products
  WHEN new.seller_verified = 0 AND EXISTS (SELECT 1 FROM profiles WHERE id = new.seller_id AND verified_level IN ('student', 'business')) BEGIN
  UPDATE products SET seller_verified = 1 WHERE id = new.id;
END;--> statement-breakpoint
-- Where Chuoni begins. Admins edit the list.
INSERT INTO university_domains (domain, name, created_at) VALUES
  ('uonbi.ac.ke', 'University of Nairobi', 0),
  ('ku.ac.ke', 'Kenyatta University', 0),
  ('jkuat.ac.ke', 'Jomo Kenyatta University of Agriculture and Technology', 0),
  ('mu.ac.ke', 'Moi University', 0),
  ('egerton.ac.ke', 'Egerton University', 0),
  ('maseno.ac.ke', 'Maseno University', 0),
  ('mmust.ac.ke', 'Masinde Muliro University of Science and Technology', 0),
  ('tukenya.ac.ke', 'Technical University of Kenya', 0),
  ('tum.ac.ke', 'Technical University of Mombasa', 0),
  ('dkut.ac.ke', 'Dedan Kimathi University of Technology', 0),
  ('mut.ac.ke', 'Murang''a University of Technology', 0),
  ('must.ac.ke', 'Meru University of Science and Technology', 0),
  ('seku.ac.ke', 'South Eastern Kenya University', 0),
  ('pu.ac.ke', 'Pwani University', 0),
  ('laikipia.ac.ke', 'Laikipia University', 0),
  ('chuka.ac.ke', 'Chuka University', 0),
  ('kisiiuniversity.ac.ke', 'Kisii University', 0),
  ('karu.ac.ke', 'Karatina University', 0),
  ('uoeld.ac.ke', 'University of Eldoret', 0),
  ('embuni.ac.ke', 'University of Embu', 0),
  ('kyu.ac.ke', 'Kirinyaga University', 0),
  ('mmarau.ac.ke', 'Maasai Mara University', 0),
  ('rongovarsity.ac.ke', 'Rongo University', 0),
  ('ttu.ac.ke', 'Taita Taveta University', 0),
  ('gau.ac.ke', 'Garissa University', 0),
  ('cuk.ac.ke', 'Co-operative University of Kenya', 0),
  ('mksu.ac.ke', 'Machakos University', 0),
  ('kibu.ac.ke', 'Kibabii University', 0),
  ('jooust.ac.ke', 'Jaramogi Oginga Odinga University of Science and Technology', 0),
  ('mmu.ac.ke', 'Multimedia University of Kenya', 0),
  ('strathmore.edu', 'Strathmore University', 0),
  ('usiu.ac.ke', 'United States International University Africa', 0),
  ('daystar.ac.ke', 'Daystar University', 0),
  ('cuea.edu', 'Catholic University of Eastern Africa', 0),
  ('kabarak.ac.ke', 'Kabarak University', 0),
  ('mku.ac.ke', 'Mount Kenya University', 0),
  ('kemu.ac.ke', 'Kenya Methodist University', 0),
  ('anu.ac.ke', 'Africa Nazarene University', 0),
  ('spu.ac.ke', 'St. Paul''s University', 0),
  ('zetech.ac.ke', 'Zetech University', 0),
  ('riarauniversity.ac.ke', 'Riara University', 0),
  ('kcau.ac.ke', 'KCA University', 0),
  ('ueab.ac.ke', 'University of Eastern Africa, Baraton', 0),
  ('mua.ac.ke', 'Management University of Africa', 0);--> statement-breakpoint
UPDATE profiles SET verified_level = (SELECT level FROM verified_levels v WHERE v.id = profiles.id);--> statement-breakpoint
CREATE TRIGGER verified_by_domain AFTER INSERT ON university_domains BEGIN
  UPDATE profiles SET verified_level = 'student' WHERE verified_level = 'email'
    AND id IN (SELECT v.id FROM verified_levels v JOIN credentials c ON c.id = v.id
      WHERE substr(c.email, -length(new.domain) - 1) IN ('@' || new.domain, '.' || new.domain) AND v.level = 'student');
END;--> statement-breakpoint
CREATE TRIGGER verified_by_domain_no_more AFTER DELETE ON university_domains BEGIN
  UPDATE profiles SET verified_level = (SELECT level FROM verified_levels v WHERE v.id = profiles.id) WHERE verified_level = 'student'
    AND id IN (SELECT id FROM credentials WHERE substr(email, -length(old.domain) - 1) IN ('@' || old.domain, '.' || old.domain));
END;--> statement-breakpoint
INSERT INTO prohibited_terms (id, kind, term, created_at) VALUES
  (lower(hex(randomblob(16))), 'word', 'gun', 0),
  (lower(hex(randomblob(16))), 'word', 'pistol', 0),
  (lower(hex(randomblob(16))), 'word', 'rifle', 0),
  (lower(hex(randomblob(16))), 'word', 'ammunition', 0),
  (lower(hex(randomblob(16))), 'word', 'bullet', 0),
  (lower(hex(randomblob(16))), 'word', 'grenade', 0),
  (lower(hex(randomblob(16))), 'word', 'bhang', 0),
  (lower(hex(randomblob(16))), 'word', 'weed', 0),
  (lower(hex(randomblob(16))), 'word', 'marijuana', 0),
  (lower(hex(randomblob(16))), 'word', 'cannabis', 0),
  (lower(hex(randomblob(16))), 'word', 'cocaine', 0),
  (lower(hex(randomblob(16))), 'word', 'heroin', 0),
  (lower(hex(randomblob(16))), 'word', 'meth', 0),
  (lower(hex(randomblob(16))), 'word', 'tramadol', 0),
  (lower(hex(randomblob(16))), 'word', 'codeine', 0),
  (lower(hex(randomblob(16))), 'word', 'chang''aa', 0),
  (lower(hex(randomblob(16))), 'word', 'busaa', 0),
  (lower(hex(randomblob(16))), 'word', 'leaked exam', 0),
  (lower(hex(randomblob(16))), 'word', 'exam leakage', 0),
  (lower(hex(randomblob(16))), 'word', 'exam paper', 0),
  (lower(hex(randomblob(16))), 'word', 'fake id', 0),
  (lower(hex(randomblob(16))), 'word', 'fake certificate', 0),
  (lower(hex(randomblob(16))), 'word', 'fake degree', 0),
  (lower(hex(randomblob(16))), 'word', 'fake notes', 0),
  (lower(hex(randomblob(16))), 'word', 'counterfeit', 0),
  (lower(hex(randomblob(16))), 'word', 'passport', 0),
  (lower(hex(randomblob(16))), 'word', 'ivory', 0),
  (lower(hex(randomblob(16))), 'word', 'rhino horn', 0),
  (lower(hex(randomblob(16))), 'word', 'sim card registered', 0),
  (lower(hex(randomblob(16))), 'word', 'stolen', 0);--> statement-breakpoint
-- The reviews so far were written by buyers, and everybody could see them.
INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, text, created_at, publish_at, published_at)
  SELECT r.id, r.order_item_id, r.user_id, r.shop_id, 'seller', r.rating, COALESCE(r.comment, ''), r.created_at, r.created_at, r.created_at
  FROM shop_reviews r JOIN order_items i ON i.id = r.order_item_id;
