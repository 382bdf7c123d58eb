import "./meetings.css";
import { Link } from "react-router";
import { MEETING } from "#app/db/states/meeting.ts";
import { MEETING_TEXTS, meetingLabel } from "#app/meetings/meeting-texts.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { MeetingCard } from "./meeting-card.tsx";

interface MeetingPanelProps {
  itemId: string;
  itemName: string;
  /** The item is paid and not handed over yet. */
  isOpen: boolean;
  meeting: LiveMeeting | null;
  viewerId: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
}

/** A meeting that isn't the next step of an order: what was arranged, or the way to suggest a place and time. */
export function MeetingPanel({ itemId, itemName, isOpen, meeting, viewerId, now }: MeetingPanelProps) {
  // After the handover only a meeting that was arranged is worth reading.
  if (!isOpen && !(meeting && MEETING.isAccepted(meeting.state))) return null;
  if (meeting) return <MeetingCard meeting={meeting} itemName={itemName} viewerId={viewerId} now={now} wide />;
  return (
    <section aria-label={meetingLabel(itemName)}>
      <Link className="fold-link" to={`/meetings/${itemId}`}>
        {MEETING_TEXTS.suggest}
        <Icon name="chevron-right" size="small" />
      </Link>
    </section>
  );
}
