-- Who may have to be told of messages that they have not read. The job finds the due ones by an index of the waiting rows alone.
CREATE TABLE `message_notices` (
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`due_at` integer,
	`since` integer NOT NULL,
	`told_at` integer,
	PRIMARY KEY(`user_id`, `other_id`),
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`other_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `message_notices_due` ON `message_notices` (`due_at`) WHERE due_at IS NOT NULL;