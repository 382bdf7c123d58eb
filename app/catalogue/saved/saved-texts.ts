import { type Frequency, SAVED_MAX } from "./saved-search-rules.ts";

export const SAVED_TEXTS = {
  saved: "Saved. We'll tell you when something new fits.",
  nothing: "Search for something first, or choose a filter",
  full: `You have saved ${SAVED_MAX} searches already. Delete one of them first.`,
  failed: "We couldn't save this search. Please try again.",
  deleted: "Search deleted",
  unchanged: "We couldn't change this. Please try again.",
  missing: "This saved search is gone",
} as const;

/** What a changed frequency means. */
export const FREQUENCY_TEXTS: Record<Frequency, string> = {
  at_once: "We'll tell you at once",
  daily: "We'll tell you once a day, in the evening",
  never: "We won't tell you about this search",
};
