-- How many protected deals the public page of a campus tells of.
ALTER TABLE `campus_locations` ADD `protected_deals` integer DEFAULT 0 NOT NULL;
ALTER TABLE `campus_locations` ADD `protected_period` text DEFAULT 'year' NOT NULL;