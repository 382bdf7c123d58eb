import { predicates } from "./predicates.ts";

/** `meetings.state`. The transitions are in `meetings/meeting-rules.ts`. */
export const MEETING_STATES = [
  /** The other side must answer. */
  "proposed",
  "accepted",
  "declined",
  /** One of the two can't come after all. */
  "cancelled",
] as const;
export type MeetingState = (typeof MEETING_STATES)[number];

export const MEETING = predicates(MEETING_STATES, {
  isAccepted: ["accepted"],
  /** There is a time to meet, or there may be one. */
  isActive: ["proposed", "accepted"],
});

/** What the buyer and the seller can do with a meeting. */
export const MEETING_EVENTS = [
  /** A place and time: the first one, or another one. */
  "suggested",
  "accepted",
  "declined",
  "cancelled",
] as const;
export type MeetingEvent = (typeof MEETING_EVENTS)[number];
