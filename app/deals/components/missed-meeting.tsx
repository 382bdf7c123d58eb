import type { MissedMeeting as Missed } from "#app/deals/words/missed-words.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { DealForm, DealMore } from "./deal-form.tsx";

interface MissedMeetingProps {
  itemId: string;
  missed: Missed;
}

/** "They didn't come", closed until somebody wants to say it; or what the other side says, and the answer to it. */
export function MissedMeeting({ itemId, missed }: MissedMeetingProps) {
  const { title, sentence, button } = missed;
  if (button?.question)
    return (
      <div className="folds">
        <DealMore label={button.question.title}>
          <p>{sentence}</p>
          <MissedForm itemId={itemId} button={button} />
        </DealMore>
      </div>
    );
  return (
    <Callout tone={title === null ? "gray" : "orange"} icon="clock" title={title ?? undefined}>
      <span className="row row--apart">
        <span>{sentence}</span>
        {button && <MissedForm itemId={itemId} button={button} />}
      </span>
    </Callout>
  );
}

function MissedForm({ itemId, button }: { itemId: string; button: NonNullable<Missed["button"]> }) {
  return (
    <DealForm
      itemId={itemId}
      intent="missed"
      label={button.label}
      busyLabel="Saving..."
      variant="soft"
      wide={false}
      confirm={
        button.question
          ? { ...button.question, confirmLabel: "Yes, They Didn't Come", cancelLabel: "Not Yet" }
          : undefined
      }
    />
  );
}
