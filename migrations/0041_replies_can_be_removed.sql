-- Our team can remove the reply to a review and leave the review.
ALTER TABLE `reviews` ADD `reply_removed_at` integer;