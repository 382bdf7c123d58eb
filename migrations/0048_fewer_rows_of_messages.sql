-- Each message was written into these indexes. The inbox reads all conversations of one person and sorts them. A message's
-- id follows from its sender and key (a UUID of version 8), so the primary key refuses the same message twice. The index
-- stays for ids that the code before this made (version 4), because that code relies on it until it is replaced.
DROP INDEX `conversations_inbox`;--> statement-breakpoint
DROP INDEX `messages_idempotency`;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_idempotency` ON `messages` (`sender_id`,`idempotency_key`) WHERE substr(id, 15, 1) = '4';