-- An admin accepts a payment only after M-Pesa has confirmed its receipt, so each question about one is kept with its answer.
CREATE TABLE `receipt_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt_id` text NOT NULL,
	`receipt` text NOT NULL,
	`token` text NOT NULL,
	`asked_by` text NOT NULL,
	`state` text DEFAULT 'asked' NOT NULL,
	`detail` text,
	`created_at` integer NOT NULL,
	`answered_at` integer,
	FOREIGN KEY (`attempt_id`) REFERENCES `payment_attempts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asked_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipt_checks_token` ON `receipt_checks` (`token`);--> statement-breakpoint
CREATE INDEX `receipt_checks_attempt` ON `receipt_checks` (`attempt_id`,`created_at`);