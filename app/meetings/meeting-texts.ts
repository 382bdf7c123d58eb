/** What people read about meetings. */
import type { MeetingState } from "#app/db/states/meeting.ts";
import { formatTime, formatWeekday } from "#app/ui/dates.ts";
import type { Tone } from "#app/ui/tone.ts";
import { remindAt } from "./meeting-rules.ts";

/** "Thu 19 Nov 2026, 14:00". */
export function meetingTime(ms: number): string {
  return `${formatWeekday(ms)}, ${formatTime(ms)}`;
}

export const MEETING_TEXTS = {
  not_open: "You can arrange to meet only for an item that is paid and not handed over yet.",
  newer: "There is a newer suggestion above. What you typed is still here.",
  failed: "That didn't work. Please try again.",
  suggest: "Suggest a place and time",
  guarded: "Guarded",
} as const;

interface MeetingStatus {
  label: string;
  tone: Tone;
  /** What happens next; null when the label says it. */
  sentence: string | null;
}

/** What one side reads about a meeting. */
export function meetingStatus(
  { state, startsAt, isOpen }: { state: MeetingState; startsAt: number; isOpen: boolean },
  { isProposer, now }: { isProposer: boolean; now: number },
): MeetingStatus {
  const hasPassed = startsAt <= now;
  switch (state) {
    case "proposed":
      if (!isOpen || hasPassed) return { label: "Not answered", tone: "gray", sentence: null };
      return isProposer
        ? { label: "Suggested", tone: "orange", sentence: "They can accept it, decline it, or suggest another time." }
        : { label: "New suggestion", tone: "orange", sentence: "Does this place and time work for you?" };
    case "accepted":
      if (!isOpen) return { label: "Over", tone: "gray", sentence: null };
      return {
        label: "Accepted",
        tone: "green",
        sentence: remindAt(startsAt, now) !== null ? "We'll remind you both an hour before." : null,
      };
    case "declined":
      return { label: "Declined", tone: "gray", sentence: isOpen ? "Suggest another place or time." : null };
    case "cancelled":
      return { label: "Cancelled", tone: "gray", sentence: isOpen ? "Suggest another place or time." : null };
  }
}

/** How to meet safely. */
export const SAFETY_TIPS = [
  "Meet at a public place on campus, in daylight if you can.",
  "Buyers: check the item before you give the seller your handover code.",
  "Sellers: hand the item over only when the code is accepted. A message or a screenshot is no payment.",
  "Don't lend your phone. Nobody needs it to pay.",
  "Never pay or take money outside Chuoni, and never a fee to see something. If somebody asks for it, report them.",
] as const;

/** The name of the region with a meeting. */
export function meetingLabel(itemName: string): string {
  return itemName === "" ? "Meeting" : `Meeting for ${itemName}`;
}
