-- The link that changes an email names the new address, and the one that undoes it the old one.
ALTER TABLE `email_tokens` ADD `email` text;