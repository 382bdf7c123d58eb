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

export const MEETING = predicates(MEETING_STATES, {
  isProposed: ["proposed"],
  isAccepted: ["accepted"],
  /** There is a time to meet, or there may be one. */
  isActive: ["proposed", "accepted"],
});
