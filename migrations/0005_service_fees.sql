-- A service fee that two owners set, what each item pays of it, and what a month cost.
CREATE TABLE `monthly_costs` (
	`month` text PRIMARY KEY NOT NULL,
	`amount` integer NOT NULL,
	`set_by` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`set_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `service_fees` (
	`id` text PRIMARY KEY NOT NULL,
	`category` text,
	`payer` text NOT NULL,
	`share` integer NOT NULL,
	`smallest` integer NOT NULL,
	`largest` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`set_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_by` text,
	`confirmed_at` integer,
	FOREIGN KEY (`set_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`confirmed_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE INDEX `service_fees_begin` ON `service_fees` (`category`,`starts_at`);
ALTER TABLE `order_items` ADD `buyer_fee` integer DEFAULT 0 NOT NULL;
ALTER TABLE `order_items` ADD `seller_fee` integer DEFAULT 0 NOT NULL;
ALTER TABLE `order_items` ADD `fee_taken` integer DEFAULT 0 NOT NULL;