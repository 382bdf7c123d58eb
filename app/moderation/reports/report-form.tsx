import "./moderation.css";
import { Form } from "react-router";
import type { Reportable } from "./report.server.ts";
import { REASONS, reasonsFor, REPORT_TEXT_MAX } from "./report-rules.ts";
import { reportWords } from "./report-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";

/** Why the report wasn't sent, and what was typed, for browsers without scripts. */
export interface ReportAnswer {
  errors: Partial<Record<"reason" | "text" | "form", string>>;
  typed: { reason: string; text: string } | null;
}

interface ReportFormProps {
  reportable: Reportable;
  answer: ReportAnswer | null;
}

/** The form of a report: a reason, and words if the reporter wants to add some. */
export function ReportForm({ reportable, answer }: ReportFormProps) {
  const { subject, name, quote, seenAt, isReported } = reportable;
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref);
  const { title, lead } = reportWords(subject, name);
  return (
    <>
      <PageHeader title={title} lead={lead} back={{ to: seenAt, label: "Back" }} />
      {quote !== "" && <blockquote className="card quoted">{quote}</blockquote>}
      {isReported ? (
        <div className="stack">
          <Callout tone="green">You've reported this. Our team will look at it, and email you the outcome.</Callout>
          <div>
            <LinkButton to={seenAt}>Back</LinkButton>
          </div>
        </div>
      ) : (
        <Form method="post" className="stack" noValidate {...errors.form}>
          <FormError error={errors.of("form")} />
          <RadioCards
            legend="What's wrong?"
            name="reason"
            choices={reasonsFor(subject).map((reason) => ({
              value: reason,
              label: REASONS[reason].label,
              detail: REASONS[reason].hint,
            }))}
            defaultValue={answer?.typed?.reason}
            onChange={() => errors.put("reason", null)}
            error={errors.of("reason")}
          />
          <Field
            label="What should our team know?"
            hint="If somebody is in danger now, call 999 or 112 first."
            error={errors.of("text")}
            optional
          >
            <TextArea name="text" rows={4} maxLength={REPORT_TEXT_MAX} defaultValue={answer?.typed?.text ?? ""} />
          </Field>
          <SubmitButton busyLabel="Sending...">Send Report</SubmitButton>
        </Form>
      )}
    </>
  );
}
