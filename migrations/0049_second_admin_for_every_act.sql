-- One table for every act of an admin that a second one must confirm. `decision_proposals` knew decisions about items only.
CREATE TABLE `admin_moves` (
	`admin_id` text NOT NULL,
	`money_id` text NOT NULL,
	`act` text NOT NULL,
	`buyer_id` text,
	`seller_id` text,
	`amount` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`admin_id`, `money_id`),
	FOREIGN KEY (`admin_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`buyer_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`seller_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `admin_proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	`admin_id` text NOT NULL,
	`input` text NOT NULL,
	`reasons` text NOT NULL,
	`amount` integer NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	FOREIGN KEY (`admin_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decided_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `admin_proposals_open` ON `admin_proposals` (`subject`) WHERE state = 'open';--> statement-breakpoint
CREATE TABLE `deal_holds` (
	`order_item_id` text NOT NULL,
	`proposal_id` text NOT NULL,
	`held_at` integer NOT NULL,
	PRIMARY KEY(`order_item_id`, `proposal_id`),
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proposal_id`) REFERENCES `admin_proposals`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deal_holds_proposal` ON `deal_holds` (`proposal_id`);--> statement-breakpoint
CREATE TABLE `transfer_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`payout_id` text,
	`refund_id` text,
	`receipt` text NOT NULL,
	`phone` text,
	`token` text NOT NULL,
	`asked_by` text NOT NULL,
	`state` text DEFAULT 'asked' NOT NULL,
	`detail` text,
	`created_at` integer NOT NULL,
	`answered_at` integer,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `refunds`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`asked_by`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfer_checks_token` ON `transfer_checks` (`token`);--> statement-breakpoint
CREATE INDEX `transfer_checks_payout` ON `transfer_checks` (`payout_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `transfer_checks_refund` ON `transfer_checks` (`refund_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `transfer_checks_receipt` ON `transfer_checks` (`receipt`);--> statement-breakpoint
INSERT INTO `admin_proposals` (`id`, `act`, `subject`, `admin_id`, `input`, `reasons`, `amount`, `created_at`)
  SELECT lower(hex(randomblob(16))), CASE p.decision WHEN 'refund' THEN 'team_refunded' WHEN 'split' THEN 'team_split' ELSE 'team_released' END,
    'order_item:' || p.order_item_id, p.admin_id, json_object('decision', p.decision, 'amount', p.amount), p.reasons, i.subtotal, p.created_at
  FROM `decision_proposals` p JOIN `order_items` i ON i.id = p.order_item_id WHERE i.status = 'in_review';
