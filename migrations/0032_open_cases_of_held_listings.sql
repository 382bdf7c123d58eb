-- A listing that is held must come to our team, however it was written. The case starts with the harm of a held listing
-- (HELD_HARM in moderation/moderation-rules.ts): nobody can see the listing, but its seller waits. Earlier cases against
-- the seller raise it. A case that is open about the listing already is kept.
CREATE TRIGGER products_held AFTER UPDATE OF held_for ON products WHEN old.held_for IS NULL AND new.held_for IS NOT NULL BEGIN
  INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, harm, reports, appeal_token, created_at, updated_at)
  VALUES (lower(hex(randomblob(16))), 'listing', new.id, new.seller_id, 'open',
    20 + 10 * MIN(3, (SELECT COUNT(*) FROM moderation_cases c WHERE c.reported_id = new.seller_id AND c.decision IN ('removed', 'warned', 'suspended') AND c.appeal_granted IS NOT 1)),
    0, lower(hex(randomblob(16))), new.updated_at, new.updated_at)
  ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER products_held_before AFTER INSERT ON products WHEN new.held_for IS NOT NULL BEGIN
  INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, harm, reports, appeal_token, created_at, updated_at)
  VALUES (lower(hex(randomblob(16))), 'listing', new.id, new.seller_id, 'open',
    20 + 10 * MIN(3, (SELECT COUNT(*) FROM moderation_cases c WHERE c.reported_id = new.seller_id AND c.decision IN ('removed', 'warned', 'suspended') AND c.appeal_granted IS NOT 1)),
    0, lower(hex(randomblob(16))), new.created_at, new.created_at)
  ON CONFLICT DO NOTHING;
END;
