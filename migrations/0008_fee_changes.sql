-- A category can have the fee of all others again, and two owners take back a fee that they confirmed.
ALTER TABLE `service_fees` ADD `as_others` integer DEFAULT false NOT NULL;
ALTER TABLE `service_fees` ADD `take_back_by` text REFERENCES credentials(id);
ALTER TABLE `service_fees` ADD `take_back_at` integer;