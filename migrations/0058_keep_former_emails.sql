-- An account keeps hashes of the addresses that it had before. While a case about it is open or upheld, nobody else uses them.
CREATE TABLE `former_emails` (
	`email_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`email_hash`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `former_emails_user` ON `former_emails` (`user_id`);