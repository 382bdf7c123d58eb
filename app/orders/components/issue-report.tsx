import { useEffect, useState } from "react";
import { Link, useFetcher } from "react-router";
import { ISSUE_MAX_LENGTH } from "#app/orders/order-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";

interface IssueReportProps {
  items: readonly { id: string; name: string; sellerName: string | null }[];
  /** Items whose buyer can report a problem, which the seller has to answer. */
  problems: readonly { id: string; name: string }[];
}

/** "Report Issue": asks in a dialog what went wrong. Without scripts the form is on the page. */
export function IssueReport({ items, problems }: IssueReportProps) {
  const [open, setOpen] = useState(false);
  // Kept outside the dialog, so that closing it by accident loses nothing.
  const [text, setText] = useState("");
  function finish() {
    setOpen(false);
    setText("");
  }
  return (
    <>
      <Button variant="soft" icon="circle-alert" onClick={() => setOpen(true)}>
        Report Issue
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Report Issue"
        description="Tell us what went wrong. We read every report and reply by email."
      >
        <IssueForm items={items} problems={problems} text={text} onText={setText} onDone={finish} />
      </Dialog>
      <noscript>
        <IssueForm items={items} problems={problems} text={text} onText={setText} unscripted onDone={() => {}} />
      </noscript>
    </>
  );
}

interface IssueFormProps extends IssueReportProps {
  text: string;
  onText: (text: string) => void;
  unscripted?: boolean;
  onDone: () => void;
}

function IssueForm({ items, problems, text, onText, unscripted, onDone }: IssueFormProps) {
  const fetcher = useFetcher<ActionResult>();
  const answer = fetcher.data;
  useResultToast(answer);
  useEffect(() => {
    if (answer?.ok) onDone();
    // Each answer closes the dialog once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [answer]);
  return (
    <fetcher.Form method="post" className="stack">
      {problems.map(({ id, name }) => (
        <p key={id}>
          Is something wrong with {name}?{" "}
          <Link className="text-link" to={`/problems/${id}`}>
            Report a problem to the seller
          </Link>
        </p>
      ))}
      {items.length > 1 && (
        <RadioCards
          legend="What is it about?"
          name="itemId"
          defaultValue=""
          choices={[
            { value: "", label: "The whole order" },
            ...items.map(({ id, name, sellerName }) => ({
              value: id,
              label: name,
              detail: `Seller: ${sellerName || "Anonymous"}`,
            })),
          ]}
        />
      )}
      {items.length === 1 && <input type="hidden" name="itemId" value={items[0]?.id} />}
      <Field
        label="What went wrong?"
        id="issue"
        error={answer && !answer.ok ? answer.message : null}
        hint="For example: it never arrived, or it isn't what was described"
      >
        {(control) => (
          <TextArea
            {...control}
            name="description"
            rows={5}
            required
            maxLength={ISSUE_MAX_LENGTH}
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      <SubmitButton
        name="intent"
        value="report"
        disabled={!unscripted && text.trim() === ""}
        busy={fetcher.state !== "idle"}
        busyLabel="Sending..."
      >
        Send Report
      </SubmitButton>
    </fetcher.Form>
  );
}
