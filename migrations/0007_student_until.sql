-- A proof that somebody is a student ends. Students of before get their end from the job, at least 90 days away.
ALTER TABLE `profiles` ADD `student_until` integer;
ALTER TABLE `profiles` ADD `student_told_at` integer;
CREATE INDEX `profiles_students` ON `profiles` (`student_until`) WHERE verified_level = 'student';
CREATE INDEX `profiles_students_untold` ON `profiles` (`student_until`) WHERE verified_level = 'student' AND student_told_at IS NULL;
