-- Who came by whose link, and when the first deal of the two brought each a week.
CREATE TABLE `invitations` (
	`invited_id` text PRIMARY KEY NOT NULL,
	`inviter_id` text,
	`created_at` integer NOT NULL,
	`counted_at` integer,
	`invited_week_at` integer,
	`inviter_week_at` integer,
	FOREIGN KEY (`invited_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`inviter_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `invitations_inviter` ON `invitations` (`inviter_id`);