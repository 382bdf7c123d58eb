-- Universities log their students in. An account keeps the id that its university's login has for it.
CREATE TABLE `login_issuers` (
	`domain` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`campus_id` integer,
	`is_on` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`domain`) REFERENCES `university_domains`(`domain`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campus_id`) REFERENCES `campus_locations`(`id`) ON UPDATE no action ON DELETE no action
);

ALTER TABLE `credentials` ADD `issuer_subject` text;
CREATE UNIQUE INDEX `credentials_issuer` ON `credentials` (`issuer_subject`);
