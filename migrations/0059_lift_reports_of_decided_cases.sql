-- Whether a report still stops the money of its reporter's orders is in `lifted_at` alone. Until now it also ended with its
-- case, whatever was decided: one admin who suspended an account, and took that back, let any sum go.
UPDATE reports SET lifted_at = (SELECT COALESCE(k.decided_at, k.updated_at) FROM moderation_cases k WHERE k.id = reports.case_id)
  WHERE lifted_at IS NULL AND case_id IN (SELECT id FROM moderation_cases WHERE state <> 'open');
