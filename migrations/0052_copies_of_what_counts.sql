-- What somebody wrote is copied when it begins to count: a listing when it is ordered, anything when it is reported or held.
-- Otherwise whoever is accused could rewrite it, or delete it with the account. Rows from before have no copy.
CREATE TABLE `copies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`content` text NOT NULL,
	`photos` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `copies_subject` ON `copies` (`kind`,`subject_id`,`id`);--> statement-breakpoint
CREATE INDEX `copies_owner` ON `copies` (`owner_id`);--> statement-breakpoint
CREATE TABLE `deleted_accounts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`email_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deleted_accounts_email` ON `deleted_accounts` (`email_hash`);--> statement-breakpoint
ALTER TABLE `moderation_cases` ADD `copy_id` integer REFERENCES copies(id);--> statement-breakpoint
ALTER TABLE `order_items` ADD `copy_id` integer REFERENCES copies(id);--> statement-breakpoint
ALTER TABLE `reports` ADD `copy_id` integer REFERENCES copies(id);--> statement-breakpoint
ALTER TABLE `uploads` ADD `copies` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Everything that can be copied, as it is now. `db/copies.ts` says what the columns of `content` mean.
CREATE VIEW copyable AS
  SELECT 'listing' AS kind, p.id AS subject_id, p.seller_id AS owner_id,
    json_object('name', p.name, 'description', p.description, 'condition', p.condition,
      'category', COALESCE((SELECT k.name FROM categories k WHERE k.id = p.category), p.category), 'campus', p.location,
      'delivery', COALESCE((SELECT s.offers_delivery FROM shops s WHERE s.id = p.seller_id), 0),
      'price', p.price, 'minQuantity', p.min_quantity,
      'steps', (SELECT json_group_array(json_object('fromQuantity', t.from_quantity, 'price', t.price))
        FROM (SELECT from_quantity, price FROM price_steps WHERE product_id = p.id AND p.wholesale = 1 ORDER BY from_quantity) t),
      'images', json(p.images)) AS content,
    (SELECT json_group_array(i.value ->> 'key') FROM json_each(p.images) i) AS photos
  FROM products p
  UNION ALL
  SELECT 'review', r.id, r.author_id,
    json_object('rating', r.rating, 'tags', json(r.tags), 'text', r.text, 'images', json(r.photos)),
    (SELECT json_group_array(i.value ->> 'key') FROM json_each(r.photos) i)
  FROM reviews r
  UNION ALL
  SELECT 'reply', r.id, r.subject_id, json_object('text', r.reply), '[]' FROM reviews r WHERE r.reply IS NOT NULL
  UNION ALL
  SELECT 'person', p.id, p.id,
    json_object('name', p.full_name, 'campus', p.campus_location, 'shopName', s.shop_name, 'description', s.description,
      'policies', s.policies, 'contact', s.preferred_contact, 'banner', s.banner_url),
    json(iif(s.banner_url LIKE '/files/img/%', json_array('img/' || substr(s.banner_url, 12, instr(substr(s.banner_url, 12), '/') - 1)), '[]'))
  FROM profiles p LEFT JOIN shops s ON s.id = p.id
  UNION ALL
  SELECT 'message', m.id, m.sender_id,
    json_object('text', m.message, 'images', json(m.images)),
    (SELECT json_group_array(i.value ->> 'key') FROM json_each(m.images) i)
  FROM messages m;
--> statement-breakpoint
-- The sweep of photos asks for the number of copies that show a photo.
CREATE TRIGGER copies_photos_kept AFTER INSERT ON copies WHEN new.photos <> '[]' BEGIN
  UPDATE uploads SET copies = copies + 1 WHERE key IN (SELECT value FROM json_each(new.photos));
END;
--> statement-breakpoint
CREATE TRIGGER copies_photos_released AFTER UPDATE OF photos ON copies WHEN old.photos <> '[]' AND new.photos = '[]' BEGIN
  UPDATE uploads SET copies = copies - 1, attached_at = NULL WHERE key IN (SELECT value FROM json_each(old.photos));
END;
--> statement-breakpoint
-- Each case has a copy of what it is about, whoever opens it.
CREATE TRIGGER moderation_cases_copied AFTER INSERT ON moderation_cases BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, new.created_at FROM copyable v
    WHERE v.kind = new.subject AND v.subject_id = new.subject_id
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = new.subject AND c.subject_id = new.subject_id ORDER BY c.id DESC LIMIT 1);
  UPDATE moderation_cases SET copy_id = (SELECT MAX(c.id) FROM copies c WHERE c.kind = new.subject AND c.subject_id = new.subject_id) WHERE id = new.id;
END;
--> statement-breakpoint
-- What has been copied once is copied again at each edit. The erasure of a deleted account isn't an edit.
CREATE TRIGGER products_copied AFTER UPDATE OF name, description, condition, category, location, price, images ON products
WHEN new.deleted_at IS NULL AND EXISTS (SELECT 1 FROM copies c WHERE c.kind = 'listing' AND c.subject_id = new.id) BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, new.updated_at FROM copyable v
    WHERE v.kind = 'listing' AND v.subject_id = new.id
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = 'listing' AND c.subject_id = new.id ORDER BY c.id DESC LIMIT 1);
END;
--> statement-breakpoint
CREATE TRIGGER reviews_copied AFTER UPDATE OF rating, tags, text, photos ON reviews
WHEN EXISTS (SELECT 1 FROM copies c WHERE c.kind = 'review' AND c.subject_id = new.id) BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, COALESCE(new.edited_at, new.created_at) FROM copyable v
    WHERE v.kind = 'review' AND v.subject_id = new.id
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = 'review' AND c.subject_id = new.id ORDER BY c.id DESC LIMIT 1);
END;
--> statement-breakpoint
CREATE TRIGGER profiles_copied AFTER UPDATE OF full_name, campus_location ON profiles
WHEN new.deleted_at IS NULL AND EXISTS (SELECT 1 FROM copies c WHERE c.kind = 'person' AND c.subject_id = new.id) BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, new.updated_at FROM copyable v
    WHERE v.kind = 'person' AND v.subject_id = new.id
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = 'person' AND c.subject_id = new.id ORDER BY c.id DESC LIMIT 1);
END;
--> statement-breakpoint
CREATE TRIGGER shops_copied AFTER UPDATE OF shop_name, description, policies, preferred_contact, banner_url ON shops
WHEN EXISTS (SELECT 1 FROM copies c WHERE c.kind = 'person' AND c.subject_id = new.id) BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, new.updated_at FROM copyable v
    WHERE v.kind = 'person' AND v.subject_id = new.id
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = 'person' AND c.subject_id = new.id ORDER BY c.id DESC LIMIT 1);
END;
--> statement-breakpoint
CREATE TRIGGER shops_opened_copied AFTER INSERT ON shops
WHEN EXISTS (SELECT 1 FROM copies c WHERE c.kind = 'person' AND c.subject_id = new.id) BEGIN
  INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, new.created_at FROM copyable v
    WHERE v.kind = 'person' AND v.subject_id = new.id;
END;
