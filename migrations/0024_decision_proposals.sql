CREATE TABLE `decision_proposals` (
	`order_item_id` text PRIMARY KEY NOT NULL,
	`admin_id` text NOT NULL,
	`decision` text NOT NULL,
	`amount` integer NOT NULL,
	`reasons` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`order_item_id`) REFERENCES `order_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`admin_id`) REFERENCES `credentials`(`id`) ON UPDATE no action ON DELETE no action
);
