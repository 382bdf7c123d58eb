import "./meetings.css";
import { MEETING } from "#app/db/states/meeting.ts";
import { mayMeet } from "#app/meetings/meeting-rules.ts";
import { MEETING_TEXTS, meetingLabel } from "#app/meetings/meeting-texts.ts";
import type { LiveMeeting } from "#app/platform/live-events.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { MeetingCard } from "./meeting-card.tsx";
import { SafetyTips } from "./safety-tips.tsx";

interface MeetingPanelProps {
  itemId: string;
  itemName: string;
  /** The other side, inside a sentence. */
  other: string;
  /** The item is paid and not handed over yet. */
  isOpen: boolean;
  meeting: LiveMeeting | null;
  viewerId: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** Another panel of the page has the safety tips. */
  hideTips?: boolean;
}

/** The meeting on an order's page: what is arranged, or the way to suggest a place and time. */
export function MeetingPanel({ itemId, itemName, other, isOpen, meeting, viewerId, now, hideTips }: MeetingPanelProps) {
  // After the handover only a meeting that was arranged is worth reading.
  if (!isOpen && !(meeting && MEETING.isAccepted(meeting.state))) return null;
  return (
    <div className="stack">
      {meeting ? (
        <MeetingCard meeting={meeting} itemName={itemName} viewerId={viewerId} now={now} wide />
      ) : (
        <section className="card row row--apart" aria-label={meetingLabel(itemName)}>
          <p>Where and when do you want to meet {other}?</p>
          <LinkButton to={`/meetings/${itemId}`} variant="soft" size="small">
            {MEETING_TEXTS.suggest}
          </LinkButton>
        </section>
      )}
      {!hideTips && mayMeet(meeting) && <SafetyTips />}
    </div>
  );
}
