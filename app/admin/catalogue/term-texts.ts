import { TERM_MAX_LENGTH } from "#app/catalogue/selling/prohibited-rules.ts";

/** The messages of the list of prohibited goods. */
export const TERM_TEXTS = {
  added: "Added. New and edited listings are checked for it from now on.",
  removed: "Removed. What is held already stays held until our team decides.",
  empty: "Enter a word with at least one letter, or choose a category",
  too_long: `Please use at most ${TERM_MAX_LENGTH} characters`,
  known: "This is on the list already",
  no_category: "This category no longer exists. Choose another one.",
  full: "The list is full. Remove something that you no longer need.",
} as const;
