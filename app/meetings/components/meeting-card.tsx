import "./meetings.css";
import { useFetcher } from "react-router";
import { MEETING, type MeetingEvent } from "#app/db/states/meeting.ts";
import { nextMeetingState } from "#app/meetings/meeting-rules.ts";
import { meetingLabel, meetingStatus, meetingTime } from "#app/meetings/meeting-texts.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";
import { Guarded } from "./guarded.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { type ButtonProps, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { AskingForm, type Question } from "#app/ui/forms/asking-form.tsx";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { pressOf, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";

interface MeetingCardProps {
  meeting: LiveMeeting;
  /** Tells the meetings of a page apart. */
  itemName: string;
  viewerId: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** The last answer, for browsers without scripts. */
  answer?: ActionResult | null;
  /** As wide as the page. */
  wide?: boolean;
  /** It stands in a card that says what to do about it. */
  inCard?: boolean;
  /** The card says when and where. */
  isSaid?: boolean;
  /** The page has the form to change it. */
  hideChange?: boolean;
}

const CANCELLING: Question = {
  title: "Cancel the meeting?",
  description:
    "We tell the other person that you can't come. To meet all the same, you'd have to agree on a time again.",
  confirmLabel: "Yes, Cancel It",
  cancelLabel: "Keep It",
  destructive: true,
};

/** A meeting as it is now: the place, the time, whose turn it is, and the buttons of the viewer. */
export function MeetingCard({
  meeting,
  itemName,
  viewerId,
  now,
  answer = null,
  wide,
  inCard,
  isSaid,
  hideChange,
}: MeetingCardProps) {
  const fetcher = useFetcher<ActionResult>();
  const action = useSendPath(`/meetings/${meeting.itemId}`);
  useResultToast(fetcher.data);
  const size = inCard ? "small" : undefined;
  const isProposer = meeting.proposedBy === viewerId;
  const status = meetingStatus(meeting, { isProposer, now });
  const hasPassed = meeting.startsAt <= now;
  const can = (event: MeetingEvent) => meeting.isOpen && nextMeetingState(meeting.state, event, isProposer) !== null;
  const button = (step: MeetingEvent, label: string, variant?: ButtonProps["variant"], confirm?: Question) => (
    <AskingForm fetcher={fetcher} action={action} confirm={confirm}>
      <input type="hidden" name="intent" value={step} />
      <input type="hidden" name="round" value={meeting.round} />
      <SubmitButton variant={variant} size={size} {...pressOf(fetcher, step)} busyLabel="One moment...">
        {label}
      </SubmitButton>
    </AskingForm>
  );
  return (
    <section
      className={classNames(
        "meeting-card",
        inCard ? "meeting-card--in-card" : "card",
        wide && "meeting-card--wide",
        isSaid && "meeting-card--said",
      )}
      aria-label={meetingLabel(itemName)}
    >
      <p className="meeting-card__line">
        {!isSaid && <span className="meeting-card__time">{meetingTime(meeting.startsAt)}</span>}
        <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
      </p>
      {!isSaid && (
        <p className="meeting-card__place">
          <Icon name="map-pin" size="small" />
          <span>
            {meeting.place} {meeting.isGuarded && <Guarded />}
          </span>
        </p>
      )}
      {!isProposer && <TextWarning>{meeting.warning}</TextWarning>}
      {status.sentence && !inCard && <p className="small quiet">{status.sentence}</p>}
      {answer && !fetcher.data && (
        <Callout tone={answer.ok ? "green" : "red"} role="alert">
          {answer.message}
        </Callout>
      )}
      {meeting.isOpen && (
        <div className="meeting-card__buttons">
          {can("accepted") && !hasPassed && button("accepted", "Accept")}
          {can("declined") && button("declined", "Decline", "soft")}
          {MEETING.isAccepted(meeting.state) && !hasPassed && <CalendarLink itemId={meeting.itemId} size={size} />}
          {!hideChange && (
            <LinkButton to={`/meetings/${meeting.itemId}`} variant="soft" size={size}>
              {MEETING.isActive(meeting.state) && !hasPassed ? "Change" : "Suggest Again"}
            </LinkButton>
          )}
          {can("cancelled") &&
            !hasPassed &&
            (MEETING.isAccepted(meeting.state)
              ? button("cancelled", "Cancel Meeting", "soft", CANCELLING)
              : button("cancelled", "Withdraw", "soft"))}
        </div>
      )}
    </section>
  );
}

function CalendarLink({ itemId, size }: { itemId: string; size: ButtonProps["size"] }) {
  return (
    <LinkButton to={`/meetings/${itemId}/meeting.ics`} reloadDocument icon="clock" variant="soft" size={size}>
      Add to Calendar
    </LinkButton>
  );
}
