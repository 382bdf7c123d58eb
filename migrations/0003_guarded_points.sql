-- Guarded meeting points, and campuses whose sellers hand over at meeting points alone.
ALTER TABLE `campus_locations` ADD `points_only_since` integer;
ALTER TABLE `meeting_points` ADD `is_guarded` integer DEFAULT false NOT NULL;