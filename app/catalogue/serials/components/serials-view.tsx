import { useEffect, useState } from "react";
import { Form } from "react-router";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { usePhotoDraft } from "#app/catalogue/photos/components/use-photo-draft.ts";
import { usePhotoSubmit } from "#app/catalogue/photos/components/use-photo-submit.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import type { SerialAnswer } from "#app/catalogue/serials/serial-forms.ts";
import { readSerial, serialEnding } from "#app/catalogue/serials/serial-rules.ts";
import { PROOF_PHOTOS_MAX, STOLEN_TEXT } from "#app/catalogue/serials/serial-limits.ts";
import { SERIAL_TEXTS } from "#app/catalogue/serials/serial-texts.ts";
import type { OwnReport } from "#app/catalogue/serials/stolen-serials.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { readFormDraft, writeFormDraft } from "#app/ui/forms/form-drafts.ts";
import { useDraftAddress, useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { formatDate } from "#app/ui/dates.ts";

/** Tells the draft of a report from others on its page. */
const DRAFT = "stolen";

interface SerialsViewProps {
  /** They are a verified student. */
  mayReport: boolean;
  /** What they have reported, the newest first. */
  reports: readonly OwnReport[];
  answer: SerialAnswer | null;
}

/** Asks whether a thing was reported as stolen, and reports one. */
export function SerialsView({ mayReport, reports, answer }: SerialsViewProps) {
  const answerTo = (intent: SerialAnswer["intent"]) => (answer?.intent === intent ? answer : null);
  const [answered, setAnswered] = useState({ answer, reports: reports.length });
  if (answer !== answered.answer) setAnswered({ answer, reports: reports.length });
  // A new form: what the last one was answered isn't about it.
  const isNext = reports.length > answered.reports;
  return (
    <div className="page page--form stack stack--loose">
      <PageHeader
        title="Was it stolen?"
        lead="Before you buy a phone, a laptop or a tablet, check its serial number here. A phone shows it when you dial *#06#."
      />
      <AskForm answer={answerTo("ask")} />
      <section className="stack" aria-labelledby="report">
        <h2 id="report">Yours was stolen?</h2>
        {mayReport ? (
          <ReportForm key={reports.length} answer={isNext ? null : answerTo("report")} reports={reports} />
        ) : (
          <p className="quiet">
            Verified students can report its serial number. <TextLink to="/verified">How to get verified</TextLink>
          </p>
        )}
        <FormError error={answerTo("back")?.errors.form} />
        {reports.length > 0 && <OwnReports reports={reports} />}
      </section>
    </div>
  );
}

function AskForm({ answer }: { answer: SerialAnswer | null }) {
  const errors = useFieldErrors(answer?.errors);
  return (
    <Form method="post" className="stack" noValidate preventScrollReset {...errors.form}>
      <input type="hidden" name="intent" value="ask" />
      <FormError error={errors.of("form")} />
      <Field label="IMEI or serial number" error={errors.of("serial")}>
        <TextField name="serial" autoComplete="off" maxLength={40} defaultValue={answer?.typed?.serial} aria-required />
      </Field>
      {answer && answer.isReported !== null && (
        <Callout role="alert" tone={answer.isReported ? "red" : "green"}>
          {answer.isReported ? SERIAL_TEXTS.is_reported : SERIAL_TEXTS.is_not_reported}{" "}
          {answer.isReported && <TextLink to="/help/contact">Tell our team</TextLink>}
        </Callout>
      )}
      <SubmitButton busyLabel="Asking...">Ask</SubmitButton>
    </Form>
  );
}

function ReportForm({ answer, reports }: Pick<SerialsViewProps, "answer" | "reports">) {
  const errors = useFieldErrors(answer?.errors);
  const address = useDraftAddress(DRAFT);
  useEffect(() => {
    // It was sent, and its answer was lost.
    if (isListed(readFormDraft(address)?.serial?.join(), reports)) writeFormDraft(address, null);
  }, [address, reports]);
  useFormDraft(errors.form.ref, DRAFT);
  const photos = usePhotos({ initial: answer?.images ?? [], max: PROOF_PHOTOS_MAX, isPrivate: true });
  usePhotoDraft(photos, DRAFT);
  const { isWaiting, onSubmit } = usePhotoSubmit(photos, errors);
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      className="stack"
      noValidate
      preventScrollReset
      onSubmit={onSubmit}
      {...errors.form}
    >
      <input type="hidden" name="intent" value="report" />
      <p>
        If somebody lists a thing with this number, we hold the listing until our team has looked at it. Nobody learns
        who reported it.
      </p>
      <FormError error={errors.of("form")} />
      <Field label="Its IMEI or serial number" error={errors.of("serial")}>
        <TextField name="serial" autoComplete="off" maxLength={40} defaultValue={answer?.typed?.serial} aria-required />
      </Field>
      <Field
        label="When and where was it taken?"
        error={errors.of("text")}
        hint="With the number of the police abstract (OB), if you have one. Only our team reads this."
      >
        <TextArea name="text" rows={3} maxLength={STOLEN_TEXT.max} defaultValue={answer?.typed?.text} aria-required />
      </Field>
      <PhotoField
        photos={photos}
        label="Proof that it is yours"
        name="photos"
        fileName="photoFile"
        error={errors.of("photos")}
        hint={`Up to ${PROOF_PHOTOS_MAX} photos: the receipt, the box, the police abstract. Only our team sees them.`}
      />
      <SubmitButton
        variant="soft"
        {...(isWaiting && { busy: true })}
        busyLabel={isWaiting ? "Uploading photos..." : "Sending..."}
      >
        Report It as Stolen
      </SubmitButton>
    </Form>
  );
}

function isListed(typed: string | undefined, reports: readonly OwnReport[]): boolean {
  const reading = readSerial(typed ?? "");
  return reading.ok && reports.some(({ stands, ending }) => stands && ending === serialEnding(reading.serial));
}

function OwnReports({ reports }: { reports: readonly OwnReport[] }) {
  return (
    <ul className="stack stack--tight" role="list" aria-label="Your reports">
      {reports.map(({ id, ending, createdAt, stands }) => (
        <li key={id}>
          <Form method="post" className="row row--apart">
            <input type="hidden" name="intent" value="back" />
            <input type="hidden" name="id" value={id} />
            <span>
              Ends in {ending}, {formatDate(createdAt)}
              {!stands && <span className="quiet">, not reported any more</span>}
            </span>
            {stands && (
              <Button type="submit" size="small" variant="ghost">
                Take It Back
                <span className="visually-hidden"> {ending}</span>
              </Button>
            )}
          </Form>
        </li>
      ))}
    </ul>
  );
}
