import { Form } from "react-router";
import { imageSources, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import type { HandoverLinkState } from "#app/deals/code/handover-link-rules.ts";
import { CODE_FIELD_LENGTH } from "#app/ui/forms/code-field.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

/** The answer to a code. */
export interface HandoverAnswer {
  /** What follows from a right code; null for any other. */
  right: { tone: "green" | "orange"; message: string } | null;
  /** What is wrong with the code. */
  errors: Partial<Record<"code" | "form", string>>;
  typed: string;
}

interface HandoverViewProps {
  state: HandoverLinkState;
  title: string;
  sentence: string;
  image: ShownImage | null;
  /** Where and when, and with whom; empty once that is over. */
  facts: { label: string; value: string }[];
  /** The button. */
  confirm: string;
  answer: HandoverAnswer | null;
}

/** For somebody whom the seller asked: what they hand over, where and to whom, and the field for the buyer's code. */
export function HandoverView({ state, title, sentence, image, facts, confirm, answer }: HandoverViewProps) {
  const errors = useFieldErrors(answer?.errors);
  const right = answer?.right ?? null;
  return (
    <>
      {right ? <PageHeader title="The code is right" /> : <PageHeader title={title} lead={sentence} />}
      {right && (
        <Callout tone={right.tone} role="alert">
          {right.message}
        </Callout>
      )}
      {image && (
        <div className="handover-thing">
          <Photo {...imageSources(image, "160px")} alt="" fill />
        </div>
      )}
      {facts.length > 0 && <SummaryRows rows={facts} />}
      {state === "open" && (
        <Form method="post" className="stack" noValidate {...errors.form}>
          <FormError error={errors.of("form")} />
          <Field label="The buyer's code" error={errors.of("code")}>
            <TextField
              name="code"
              inputMode="numeric"
              autoComplete="off"
              maxLength={CODE_FIELD_LENGTH}
              placeholder="123 456"
              defaultValue={answer?.typed}
            />
          </Field>
          <SubmitButton icon="package-check" busyLabel="Checking the code...">
            {confirm}
          </SubmitButton>
        </Form>
      )}
    </>
  );
}
