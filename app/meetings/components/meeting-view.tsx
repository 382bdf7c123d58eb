import "./meetings.css";
import { useState } from "react";
import { Form } from "react-router";
import { MEETING } from "#app/db/states/meeting.ts";
import { type MeetingErrors, type MeetingPlaces, type MeetingValues } from "#app/meetings/meeting-rules.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import type { LiveMeeting } from "#app/live/live-events.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";
import { MeetingCard } from "./meeting-card.tsx";
import { MeetingFields } from "./meeting-fields.tsx";
import { SafetyTips } from "./safety-tips.tsx";

/** The answer to a button of the card or to the form. */
export interface MeetingAnswer extends ActionResult {
  /** What is wrong with a suggestion, and what was typed. */
  errors?: MeetingErrors & { form?: string };
  typed?: MeetingValues;
}

export interface MeetingViewProps {
  itemId: string;
  productName: string;
  /** The other side, inside a sentence. */
  other: string;
  /** The order's page of the viewer. */
  orderPath: string;
  isOpen: boolean;
  meeting: LiveMeeting | null;
  /** What the form starts with. */
  values: MeetingValues | null;
  places: MeetingPlaces;
  viewerId: string;
  now: number;
  answer: MeetingAnswer | null;
}

/** The page of one meeting: what is arranged, and the form to suggest a place and time. */
export function MeetingView(props: MeetingViewProps) {
  const { productName, other, orderPath, isOpen, meeting, viewerId, now, answer } = props;
  const round = meeting?.round ?? 0;
  const [begun, setBegun] = useState(round);
  const [hasTyped, setHasTyped] = useState(false);
  // Another suggestion that comes fills in the form anew, but nothing that somebody has typed is lost.
  if (begun !== round && !hasTyped && !answer?.typed) setBegun(round);
  return (
    <>
      <PageHeader
        title={meeting ? "Meeting" : MEETING_TEXTS.suggest}
        lead={`You and ${other} meet for ${productName}.`}
        back={{ to: orderPath, label: "Back to the order" }}
      />
      {isOpen ? <SafetyTips /> : <Callout>{MEETING_TEXTS.not_open}</Callout>}
      {meeting && (
        <MeetingCard
          meeting={meeting}
          itemName={productName}
          viewerId={viewerId}
          now={now}
          answer={answer?.errors ? null : answer}
          wide
          hideChange
        />
      )}
      {isOpen && <SuggestionForm key={begun} {...props} isLate={begun !== round} onType={() => setHasTyped(true)} />}
    </>
  );
}

interface SuggestionFormProps extends MeetingViewProps {
  /** Whether another suggestion has come while somebody was typing. */
  isLate: boolean;
  onType: () => void;
}

function SuggestionForm({ meeting, values, places, now, answer, isLate, onType }: SuggestionFormProps) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref);
  const isChange = meeting !== null && MEETING.isActive(meeting.state);
  return (
    <section className="stack" aria-labelledby={meeting ? "suggest" : undefined} onInput={onType}>
      {meeting && <h2 id="suggest">{isChange ? "Suggest another place or time" : MEETING_TEXTS.suggest}</h2>}
      <Form
        method="post"
        className="stack"
        noValidate
        {...errors.form}
        aria-label={meeting ? undefined : MEETING_TEXTS.suggest}
      >
        <input type="hidden" name="round" value={meeting?.round ?? 0} />
        {isLate && !errors.of("form") && (
          <Callout tone="gold" role="alert">
            {MEETING_TEXTS.newer}
          </Callout>
        )}
        <FormError error={errors.of("form")} />
        <MeetingFields
          places={places}
          values={answer?.typed ?? values}
          errors={{
            point: errors.of("point"),
            otherPlace: errors.of("otherPlace"),
            day: errors.of("day"),
            time: errors.of("time"),
          }}
          now={now}
        />
        <SubmitButton name="intent" value="suggested" busyLabel="Sending...">
          {isChange ? "Send New Suggestion" : "Send Suggestion"}
        </SubmitButton>
      </Form>
    </section>
  );
}
