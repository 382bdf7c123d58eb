-- Ms since 1970. After a change of the M-Pesa number while money is coming, payouts wait until then, so that the owner can react.
ALTER TABLE `profiles` ADD `payouts_held_until` integer;
