-- Names the last request that added pieces to a line, so that the same request again, after a lost answer, adds nothing.
ALTER TABLE `cart_items` ADD `last_addition_key` text;