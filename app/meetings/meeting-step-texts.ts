/** What people read after a step of a meeting. Only the server writes it. */
import type { MeetingEvent, MeetingState } from "#app/db/states/meeting.ts";
import { MESSAGE_TEXTS } from "#app/messaging/message-rules.ts";
import { SUGGESTIONS_MAX } from "./meeting-rules.ts";
import { MEETING_TEXTS, meetingTime } from "./meeting-texts.ts";
import type { StepRefusal } from "./meetings.server.ts";

/** The message of each step. `state`: the meeting's before it. */
export function stepMessage(
  step: MeetingEvent,
  { place, startsAt }: { place: string; startsAt: number },
  state: MeetingState | null,
): string {
  switch (step) {
    case "suggested":
      return `Let's meet on ${meetingTime(startsAt)}. Place: ${place}`;
    case "accepted":
      // The card shows the place. In words it would outlive the account of the person who chose it.
      return `That works for me. See you on ${meetingTime(startsAt)}.`;
    case "declined":
      return "Sorry, I can't meet then.";
    case "cancelled":
      return state === "accepted" ? "Sorry, I can't come to our meeting." : "I've withdrawn my suggestion to meet.";
  }
}

/** What the person who pressed the button reads. */
export const STEP_DONE: Record<MeetingEvent, string> = {
  suggested: "Suggestion sent. We'll email you when they answer.",
  accepted: "Accepted. See you there!",
  declined: "Declined. You can suggest another place or time.",
  cancelled: "Cancelled. We've told the other side.",
};

const REFUSALS = {
  changed: "This meeting has changed in the meantime. Please check it again.",
  past: "This time has passed. Suggest another one.",
  too_many: `You've both suggested ${SUGGESTIONS_MAX} places and times already. Please write a message instead.`,
} as const;

/** Why a step wasn't taken. */
export function stepRefusalText(code: Exclude<StepRefusal, "invalid">): { status: number; message: string } {
  switch (code) {
    case "not_open":
      return { status: 409, message: MEETING_TEXTS.not_open };
    case "changed":
    case "past":
      return { status: 409, message: REFUSALS[code] };
    case "too_many_suggestions":
      return { status: 429, message: REFUSALS.too_many };
    default:
      return { status: 403, message: MESSAGE_TEXTS[code] };
  }
}
