import "./deal-steps.css";
import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { NOTE_MAX_LENGTH } from "#app/deals/words/deal-texts.ts";
import { type ButtonProps, LinkButton } from "#app/ui/button.tsx";
import { AskingForm, type Question } from "#app/ui/forms/asking-form.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { useLeadToStep } from "./use-lead-to-step.ts";

interface DealFormProps extends Pick<ButtonProps, "icon" | "danger" | "variant" | "size" | "wide"> {
  itemId: string;
  intent: string;
  label: string;
  busyLabel: string;
  /** What is asked first. */
  confirm?: Question;
  /** Fields above the button. */
  children?: ReactNode;
}

/** A form about one item. Its answer shows in a toast, and what was typed stays until it is accepted. */
export function DealForm({ itemId, intent, label, busyLabel, confirm, children, ...button }: DealFormProps) {
  const fetcher = useFetcher<ActionResult>();
  useResultToast(fetcher.data);
  useLeadToStep(itemId, fetcher);
  return (
    <AskingForm fetcher={fetcher} className="stack" confirm={confirm}>
      <input type="hidden" name="itemId" value={itemId} />
      <input type="hidden" name="intent" value={intent} />
      {children}
      <SubmitButton {...button} busy={fetcher.state !== "idle"} busyLabel={busyLabel}>
        {label}
      </SubmitButton>
    </AskingForm>
  );
}

/** An optional note to the other side. */
export function NoteField({ label }: { label: string }) {
  return (
    <Field label={label} optional>
      <TextArea name="note" rows={3} maxLength={NOTE_MAX_LENGTH} />
    </Field>
  );
}

/** A form that is closed until it is needed. */
export function DealMore({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details>
      <summary>{label}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}

/** Leads to the page of the problem with an item. */
export function SeeProblem({
  itemId,
  label = "See the Problem",
  variant,
}: {
  itemId: string;
  label?: string;
  variant?: "soft";
}) {
  return (
    <LinkButton to={`/problems/${itemId}`} icon="message-circle" variant={variant} wide>
      {label}
    </LinkButton>
  );
}
