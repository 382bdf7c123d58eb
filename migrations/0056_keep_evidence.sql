-- A deleted account stays blocked by those who had blocked it. Cases that wait for our team get a copy of what they are about,
-- as it is now, because the sweep of photos looks at copies.
CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
  SELECT DISTINCT v.kind, v.subject_id, v.owner_id, v.content, v.photos, k.updated_at FROM moderation_cases k
    JOIN copyable v ON v.kind = k.subject AND v.subject_id = k.subject_id
  WHERE k.state IN ('open', 'appealed') AND NOT EXISTS (SELECT 1 FROM copies c WHERE c.kind = k.subject AND c.subject_id = k.subject_id);
