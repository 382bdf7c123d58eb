-- M-Pesa gives each receipt once, so no two refunds may have the same.
CREATE UNIQUE INDEX `refunds_receipt` ON `refunds` (`receipt`);