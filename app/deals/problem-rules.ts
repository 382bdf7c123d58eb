/** Reported problems: pure rules. */

/** How many photos a report can have. */
export const PROBLEM_PHOTOS_MAX = 6;
