-- A batch that is repeated while the database is away finds out by its mark whether an earlier try was written.
CREATE TABLE `write_marks` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
