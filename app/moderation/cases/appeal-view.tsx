import "#app/moderation/reports/moderation.css";
import { Form } from "react-router";
import type { AppealPage } from "./appeals.server.ts";
import { APPEAL_MAX } from "./case-rules.ts";
import { APPEAL_TEXTS, decisionWords } from "./decision-words.ts";
import { SUBJECT_WORDS } from "#app/moderation/reports/report-texts.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";

/** Why the appeal wasn't sent, and what was typed, for browsers without scripts. */
export interface AppealAnswer {
  errors: Partial<Record<"appeal" | "form", string>>;
  typed: string | null;
}

/** What our team decided, and the form to appeal it, or the answer. */
export function AppealView({ page, answer }: { page: AppealPage; answer: AppealAnswer | null }) {
  const errors = useFieldErrors(answer?.errors);
  const { subject, title, decision, statement, decidedAt, state, appeal } = page;
  return (
    <>
      <PageHeader title={`About your ${SUBJECT_WORDS[subject]}`} lead={formatDateTime(decidedAt)} />
      <section className="card stack" aria-label="Our decision">
        {title !== "" && <blockquote className="quoted quiet">{title}</blockquote>}
        <p>{decisionWords(subject, decision)}</p>
        <p className="quoted">Reason: {statement}</p>
      </section>
      {appeal !== null && (
        <section className="card stack" aria-label="Your appeal">
          <p className="quiet small">You wrote</p>
          <p className="quoted">{appeal}</p>
        </section>
      )}
      {state === "appealed" && (
        <Callout tone="blue" icon="clock">
          {APPEAL_TEXTS.sent}
        </Callout>
      )}
      {state === "closed" && (
        <Callout
          tone={page.appealGranted ? "green" : "gray"}
          title={page.appealGranted ? "You were right. We've undone our decision." : "Our decision stays."}
        >
          <p className="quoted">{page.appealAnswer}</p>
        </Callout>
      )}
      {state === "decided" &&
        (page.canAppeal ? (
          <Form method="post" className="stack" noValidate {...errors.form}>
            <FormError error={errors.of("form")} />
            <Field
              label="Why do you think we're wrong?"
              hint={`Our team will look at it again. You can appeal once, until ${formatDateTime(page.endsAt)}.`}
              error={errors.of("appeal")}
            >
              <TextArea name="appeal" rows={6} maxLength={APPEAL_MAX} defaultValue={answer?.typed ?? ""} />
            </Field>
            <SubmitButton busyLabel="Sending...">Send Appeal</SubmitButton>
          </Form>
        ) : (
          <Callout>{APPEAL_TEXTS.over}</Callout>
        ))}
    </>
  );
}
