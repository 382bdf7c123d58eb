-- Codes in place of the sentences that the app stored and compared. Sentences are looked up by code when they are shown.
ALTER TABLE `orders` ADD `payment_failure` text;
--> statement-breakpoint
ALTER TABLE `orders` ADD `payment_review` text;
--> statement-breakpoint
ALTER TABLE `orders` ADD `closed_reason` text;
--> statement-breakpoint
ALTER TABLE `payouts` ADD `reason_code` text;
--> statement-breakpoint
-- A payment that came in and did not fit its order.
UPDATE orders SET payment_review = 'mismatch' WHERE payment_status = 'processing' AND payment_error IS NOT NULL;
--> statement-breakpoint
-- Orders that were closed because their money goes back; the refund tells it too, where a later failure overwrote the sentence.
UPDATE orders SET closed_reason = CASE
    WHEN payment_error = 'You had paid for this in another order already, so we are sending this payment back to you.' THEN 'paid_in_another_order'
    WHEN payment_error = 'Somebody else bought this just before your payment reached us, so we are sending your money back to you.' THEN 'sold_to_someone_else'
    WHEN EXISTS (SELECT 1 FROM refunds f WHERE f.order_id = orders.id AND f.reason LIKE 'Order % had been paid in its place') THEN 'paid_in_another_order'
    WHEN EXISTS (SELECT 1 FROM refunds f WHERE f.order_id = orders.id AND f.reason = 'It had been sold to somebody else before this payment came in') THEN 'sold_to_someone_else'
    WHEN replaced_by IS NOT NULL THEN 'replaced'
    ELSE 'expired_unpaid'
  END
  WHERE order_status = 'expired' AND payment_status <> 'completed';
--> statement-breakpoint
-- One sentence stood for three faults on our side: it becomes the first of them. The attempt keeps the exact one.
UPDATE orders SET payment_failure = CASE payment_error
    WHEN 'You cancelled the request on your phone. You can try again.' THEN 'cancelled'
    WHEN 'The M-Pesa PIN was wrong. Try again with the right PIN.' THEN 'wrong_pin'
    WHEN 'There is not enough money in that M-Pesa account. Top up or use another number.' THEN 'insufficient_funds'
    WHEN 'The phone did not answer in time. Keep it on and unlocked, then try again.' THEN 'no_answer'
    WHEN 'The request expired before it was answered. You can try again.' THEN 'expired'
    WHEN 'That M-Pesa PIN is locked. Call 100 to unlock it, or use another number.' THEN 'pin_locked'
    WHEN 'This payment is over the M-Pesa limit of that number. Use another number.' THEN 'payer_limit'
    WHEN 'M-Pesa does not take this amount in one payment.' THEN 'amount_limit'
    WHEN 'M-Pesa refuses the same amount twice within two minutes. Wait a moment, then try again.' THEN 'duplicate_request'
    WHEN 'Another M-Pesa request is open on that phone. Finish or cancel it, then try again in a minute.' THEN 'payer_busy'
    WHEN 'M-Pesa does not know that phone number. Check it and try again.' THEN 'invalid_phone'
    WHEN 'That phone number is not registered for M-Pesa.' THEN 'not_registered'
    WHEN 'The receiving M-Pesa account is full for now.' THEN 'receiver_limit'
    WHEN 'M-Pesa is busy. Please try again in a few minutes.' THEN 'provider_busy'
    WHEN 'M-Pesa payments are not available right now. We have been told and are on it.' THEN 'our_configuration'
    WHEN 'We heard nothing from M-Pesa. If you did pay, it will show here by itself; otherwise you can try again.' THEN 'no_result'
    WHEN 'We have looked into your payment: it did not go through, or has been sent back to you. You can pay again.' THEN 'dismissed'
    ELSE 'other'
  END
  WHERE payment_status = 'failed' AND payment_error IS NOT NULL
    AND payment_error NOT IN ('You had paid for this in another order already, so we are sending this payment back to you.', 'Somebody else bought this just before your payment reached us, so we are sending your money back to you.');
--> statement-breakpoint
UPDATE payouts SET reason_code = CASE reason
    WHEN 'Your phone number is not registered for M-Pesa.' THEN 'not_registered'
    WHEN 'M-Pesa does not know your phone number.' THEN 'invalid_phone'
    WHEN 'Your M-Pesa account has reached its limit.' THEN 'receiver_limit'
    WHEN 'M-Pesa does not pay out this amount.' THEN 'amount_limit'
    WHEN 'We are topping up our M-Pesa account.' THEN 'our_float'
    WHEN 'M-Pesa payouts are paused on our side.' THEN 'our_configuration'
    WHEN 'Seller phone number not found in profile' THEN 'no_phone'
    WHEN 'Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX' THEN 'unreadable_phone'
    WHEN 'Please enter a phone number' THEN 'unreadable_phone'
    WHEN 'M-Pesa pays out KES 10 or more' THEN 'amount_too_small'
    WHEN 'M-Pesa pays out at most KES 250,000 at a time' THEN 'amount_too_large'
    WHEN 'Payouts are paused' THEN 'payouts_paused'
    WHEN 'Waiting for M-Pesa to confirm the buyer''s payment' THEN 'payment_unconfirmed'
    WHEN 'The M-Pesa number changed while money was on its way' THEN 'number_changed'
    WHEN 'The answer to the payout was lost' THEN 'answer_lost'
    WHEN 'M-Pesa has seen this payout before' THEN 'already_known'
    WHEN 'The result of the payout is overdue' THEN 'result_overdue'
    WHEN 'M-Pesa has no record of the payout' THEN 'no_record'
    WHEN 'M-Pesa''s queue timed out' THEN 'queue_timed_out'
    ELSE CASE WHEN state = 'parked' AND result_code IS NULL AND result_desc IS NULL THEN 'parked_by_admin' ELSE 'other' END
  END
  WHERE reason IS NOT NULL;
--> statement-breakpoint
-- Of the words only those remain that an admin or M-Pesa wrote.
UPDATE payouts SET reason = NULL WHERE reason_code NOT IN ('parked_by_admin', 'other');
--> statement-breakpoint
UPDATE refunds SET reason = CASE
    WHEN reason = 'The plan had been paid before' THEN 'plan_already_paid'
    WHEN reason LIKE 'Order % had been paid in its place' THEN 'paid_in_another_order'
    WHEN reason = 'It had been sold to somebody else before this payment came in' THEN 'sold_to_someone_else'
    ELSE 'order_already_paid'
  END;
--> statement-breakpoint
UPDATE payment_callbacks SET outcome = CASE outcome
    WHEN 'unknown token' THEN 'unknown_token'
    WHEN 'foreign id' THEN 'foreign_id'
    WHEN 'to be confirmed by query' THEN 'awaiting_query'
    WHEN 'look-up timed out' THEN 'lookup_timed_out'
    WHEN 'in doubt' THEN 'in_doubt'
    WHEN 'to be sent again' THEN 'to_send_again'
    WHEN 'missing' THEN 'unknown_payout'
    ELSE outcome
  END
  WHERE outcome IS NOT NULL;
