import type { MouseEvent } from "react";
import type { CheckoutMeeting } from "#app/meetings/checkout-meeting.server.ts";
import { type MeetingErrors, meetingValues, type MeetingValues } from "#app/meetings/meeting-rules.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { smoothly } from "#app/ui/browser/motion.ts";
import { MeetingFields } from "./meeting-fields.tsx";

interface CheckoutMeetingFieldsProps extends CheckoutMeeting {
  /** What was typed before, for browsers without scripts. */
  typed: Partial<MeetingValues> | undefined;
  errors: MeetingErrors;
  /** Ms since 1970, when the server made the page. */
  now: number;
}

/** Lets a buyer suggest a meeting before they pay. Closed until they want to. */
export function CheckoutMeetingFields({ points, askedBy, suggestion, typed, errors, now }: CheckoutMeetingFieldsProps) {
  const saved = suggestion && meetingValues(suggestion, points);
  const { point = "", otherPlace = "", day = "", time = "" } = typed ?? saved ?? {};
  const hasErrors = Boolean(errors.point ?? errors.otherPlace ?? errors.day ?? errors.time);
  return (
    <details className="checkout-meeting" open={hasErrors || point !== "" || time !== "" || undefined}>
      <summary onClick={showBelow}>{MEETING_TEXTS.suggest} (optional)</summary>
      <div className="stack">
        <p className="small quiet">The seller can accept it, or suggest another place or time, once you've paid.</p>
        <MeetingFields
          places={{ points, askedBy }}
          values={{ point, otherPlace, day, time }}
          errors={errors}
          now={now}
        />
      </div>
    </details>
  );
}

/** On a phone the bar with Pay would cover what opens. */
function showBelow({ currentTarget: summary }: MouseEvent<HTMLElement>): void {
  // The click opens it, or closes it, only after this.
  requestAnimationFrame(() => {
    if (summary.closest("details")?.open) summary.scrollIntoView({ block: "start", behavior: smoothly() });
  });
}
