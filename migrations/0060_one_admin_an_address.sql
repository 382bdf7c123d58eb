-- An address in ADMIN_EMAILS makes one account an admin, ever. Otherwise its owner frees it and signs up again, and is two admins.
CREATE TABLE `admin_emails` (
	`email_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- Admins who have left an address already have used it up.
INSERT INTO admin_emails (email_hash, user_id, created_at)
  SELECT f.email_hash, f.user_id, MIN(f.created_at) FROM former_emails f JOIN profiles p ON p.id = f.user_id WHERE p.is_admin = 1 GROUP BY f.email_hash;
