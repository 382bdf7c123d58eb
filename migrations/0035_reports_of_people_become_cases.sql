-- Reports of conversations become cases about the person, where reports of everything else are. Open ones about the same
-- person join one case. Nobody decided about the closed ones in today's terms, so they count against nobody; their outcome
-- stays as the statement. Where a case has the id of its report, the notes in the audit log are found under it.
INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, harm, reports, appeal_token, created_at, updated_at)
  SELECT MIN(id), 'person', reported_id, reported_id, 'open', 10 + MIN(30, 5 * (COUNT(DISTINCT user_id) - 1)), COUNT(DISTINCT user_id),
    lower(hex(randomblob(16))), MIN(created_at), MAX(created_at)
  FROM message_reports WHERE status = 'open' GROUP BY reported_id;--> statement-breakpoint
INSERT INTO reports (id, case_id, reporter_id, reason, text, created_at)
  SELECT m.id, c.id, m.user_id, 'other', m.reason, m.created_at
  FROM message_reports m JOIN moderation_cases c ON c.subject = 'person' AND c.subject_id = m.reported_id AND c.state = 'open'
  WHERE m.status = 'open' ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, harm, reports, decision, statement, decided_at, closed_at, appeal_token, created_at, updated_at)
  SELECT id, 'person', reported_id, reported_id, 'closed', 10, 1, 'dismissed', outcome, closed_at, closed_at, lower(hex(randomblob(16))), created_at, COALESCE(closed_at, created_at)
  FROM message_reports WHERE status = 'closed';--> statement-breakpoint
INSERT INTO reports (id, case_id, reporter_id, reason, text, created_at)
  SELECT id, id, user_id, 'other', reason, created_at FROM message_reports WHERE status = 'closed';--> statement-breakpoint
-- A second copy of people's words would outlive their accounts.
DELETE FROM message_reports;
