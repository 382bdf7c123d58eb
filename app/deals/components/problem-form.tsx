import { Form } from "react-router";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { usePhotoDraft } from "#app/catalogue/photos/components/use-photo-draft.ts";
import { usePhotoSubmit } from "#app/catalogue/photos/components/use-photo-submit.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import { PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { PROBLEM_LABELS, PROBLEM_PHOTOS_MAX, PROBLEM_TEXT_MAX } from "#app/deals/problems/problem-rules.ts";
import type { ProblemAnswer } from "#app/deals/problems/problem-forms.ts";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";

const CHOICES = PROBLEM_KINDS.map((value) => ({ value, label: PROBLEM_LABELS[value] }));

/** The buyer's report: what is wrong, what happened, and photos that only the two sides and our team see. */
export function ProblemForm({ answer }: { answer: ProblemAnswer | null }) {
  const own = answer?.intent === "report" ? answer : null;
  const errors = useFieldErrors(own?.errors);
  useFormDraft(errors.form.ref);
  const photos = usePhotos({ initial: own?.images ?? [], max: PROBLEM_PHOTOS_MAX, isPrivate: true });
  usePhotoDraft(photos);
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
      {/* The script that sends the form after the last upload presses no button. */}
      <input type="hidden" name="intent" value="report" />
      <FormError error={errors.of("form")} />
      <RadioCards
        legend="What is wrong?"
        name="kind"
        choices={CHOICES}
        defaultValue={own?.values?.kind}
        onChange={() => errors.put("kind", null)}
        error={errors.of("kind")}
      />
      <Field
        label="What happened?"
        error={errors.of("description")}
        hint="The seller reads this. Say what you expected and what you got."
      >
        <TextArea
          name="description"
          rows={5}
          maxLength={PROBLEM_TEXT_MAX}
          defaultValue={own?.values?.description}
          aria-required
        />
      </Field>
      <PhotoField
        photos={photos}
        label="Photos"
        optional
        name="photos"
        fileName="photoFile"
        error={errors.of("photos")}
        hint={`Up to ${PROBLEM_PHOTOS_MAX} photos. Only you, the seller and our team can see them.`}
      />
      <SubmitButton {...(isWaiting && { busy: true })} busyLabel={isWaiting ? "Uploading photos..." : "Sending..."}>
        Report the Problem
      </SubmitButton>
    </Form>
  );
}
