import { useEffect, useRef, useState } from "react";
import { Link, useFetcher } from "react-router";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { PROBLEM_LABELS, TO_OUR_TEAM } from "#app/deals/problems/problem-rules.ts";
import { ISSUE_MAX_LENGTH } from "#app/orders/order-rules.ts";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { addToFormDraft, writeFormDraft } from "#app/ui/forms/form-drafts.ts";
import { useDraftAddress, useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { useLeadToStep } from "./use-lead-to-step.ts";

interface ReportableItem {
  id: string;
  name: string;
  sellerName: string | null;
  /** KES. */
  subtotal: number;
  /** The seller must answer what its buyer reports now. */
  canReport: boolean;
}

export interface IssueReportProps {
  /** One that its seller must answer for, or any whose problems our team reads. */
  items: readonly ReportableItem[];
  orderId: string;
}

const NOTHING_SENT = { data: undefined, state: "idle" } as const;

interface IssueFormProps extends IssueReportProps {
  /** No script says when there is something to send. */
  unscripted?: boolean;
  onDone: (answer: string) => void;
}

/** Says what is wrong with an order. The tab keeps what is typed until it is sent. */
export function IssueForm({ items, orderId, unscripted, onDone }: IssueFormProps) {
  const fetcher = useFetcher<ActionResult>();
  const answer = fetcher.data;
  const only = items.length === 1 ? items[0] : undefined;
  const about = only?.canReport ? only : undefined;
  // What the seller must answer is the next step. What our team reads is answered at the button.
  useResultToast(answer?.ok && !about ? null : answer);
  useLeadToStep(about?.id, about ? fetcher : NOTHING_SENT);
  useEffect(() => {
    if (answer?.ok) onDone(about ? "" : answer.message);
    // Each answer closes the dialog once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [answer]);
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const draft = `issue ${only?.id ?? ""}`;
  useFormDraft(answer?.ok ? null : form, draft);
  return (
    <fetcher.Form method="post" className="stack" ref={form}>
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
      {only && <input type="hidden" name="itemId" value={only.id} />}
      {about && (
        <RadioCards
          legend="What is wrong?"
          name="kind"
          required
          onChange={setKind}
          choices={[
            ...PROBLEM_KINDS.map((value) => ({ value, label: PROBLEM_LABELS[value] })),
            { value: TO_OUR_TEAM, label: "It's about the seller or the payment", detail: "Only our team reads it." },
          ]}
        />
      )}
      <Field
        label="What happened?"
        id="issue"
        error={answer && !answer.ok ? answer.message : null}
        hint={about && kind ? readersOf(about, kind) : "For example: it never arrived, or it isn't what was described"}
      >
        <TextArea
          name="description"
          rows={4}
          required
          maxLength={ISSUE_MAX_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {about && kind !== TO_OUR_TEAM && (
        <PhotosLink itemId={about.id} draft={draft} typed={{ kind, description: text }} />
      )}
      <SubmitButton
        name="intent"
        value="report"
        disabled={!unscripted && text.trim() === ""}
        busy={fetcher.state !== "idle"}
        busyLabel="Sending..."
      >
        Send Report
      </SubmitButton>
      <p className="small">
        Nothing is wrong, but you have a question?{" "}
        <Link className="text-link" to={`/help/contact?order=${orderId}`}>
          Get help with this order
        </Link>
      </p>
    </fetcher.Form>
  );
}

/** The form with photos takes along what was typed here. */
function PhotosLink({ itemId, draft, typed }: { itemId: string; draft: string; typed: Record<string, string> }) {
  const path = `/problems/${itemId}`;
  const address = useDraftAddress(draft);
  function handOn(): void {
    addToFormDraft(path, typed);
    writeFormDraft(address, null);
  }
  return (
    <p className="small">
      Do you have photos of it?{" "}
      <Link className="text-link" to={path} onClick={handOn}>
        Report it with photos
      </Link>
    </p>
  );
}

/** Who reads what is reported, and what then happens to the money. */
function readersOf({ sellerName, subtotal }: ReportableItem, kind: string): string {
  if (kind === TO_OUR_TEAM) return "Our team reads it and replies by email.";
  return `${sellerName || "The seller"} reads it and has to answer.${subtotal > 0 ? " Your money stays with us." : ""}`;
}
