/** A chunk of its own, because few visits have it. */
import type { MissedMeeting as Missed } from "#app/deals/words/missed-words.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { DealForm } from "./deal-form.tsx";

/** "They didn't come", or the answer to it. */
export function MissedMeeting({ itemId, missed }: { itemId: string; missed: Missed }) {
  const { title, sentence, button } = missed;
  return (
    <Callout tone={title === null ? "gray" : "orange"} icon="clock" title={title ?? undefined}>
      <span className="row row--apart">
        <span>{sentence}</span>
        {button && (
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
        )}
      </span>
    </Callout>
  );
}
