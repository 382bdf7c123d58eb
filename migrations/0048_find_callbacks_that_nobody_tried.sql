-- The job applies callbacks that nobody has tried however old they are, and those that failed for a day. An index for each,
-- because those that failed for good are never applied, and no run should read them again.
DROP INDEX `payment_callbacks_unapplied`;--> statement-breakpoint
CREATE INDEX `payment_callbacks_untried` ON `payment_callbacks` (`received_at`) WHERE outcome IS NULL;--> statement-breakpoint
CREATE INDEX `payment_callbacks_failed` ON `payment_callbacks` (`received_at`) WHERE outcome = 'failed';