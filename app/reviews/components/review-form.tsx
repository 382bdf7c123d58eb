import { useState } from "react";
import { Form } from "react-router";
import { PhotoField } from "#app/catalogue/photos/components/photo-field.tsx";
import { usePhotoDraft } from "#app/catalogue/photos/components/use-photo-draft.ts";
import { usePhotoSubmit } from "#app/catalogue/photos/components/use-photo-submit.ts";
import { usePhotos } from "#app/catalogue/photos/components/use-photos.ts";
import type { DealReview } from "#app/reviews/find-deal-reviews.server.ts";
import type { ReviewAnswer } from "#app/reviews/review-forms.ts";
import { type Stars, STARS } from "#app/reviews/review-labels.ts";
import {
  otherRole,
  REVIEW_PHOTOS_MAX,
  REVIEW_TEXT_MAX,
  type ReviewRole,
  reviewTexts,
  TAGS_ABOUT,
} from "#app/reviews/review-rules.ts";
import { TAG_LABELS } from "#app/reviews/review-labels.ts";
import { OPENED, writeOpened } from "#app/platform/edit-rules.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field, FieldError } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { StarField } from "./star-field.tsx";

interface ReviewFormProps {
  /** What the author was in the deal. */
  role: ReviewRole;
  otherName: string;
  /** The review that is changed; null for a new one. */
  own: DealReview | null;
  answer: ReviewAnswer | null;
  /** It can't be sent any more. The page says why. */
  isClosed?: boolean;
}

/** Writes a review or changes it. Buyers can add photos. Once it is published, its stars aren't in the form. */
export function ReviewForm({ role, otherName, own, answer, isClosed = false }: ReviewFormProps) {
  const intent = own ? "edit" : "write";
  const sent = answer?.intent === intent ? answer : null;
  const typed = sent?.values;
  const errors = useFieldErrors(sent?.errors);
  useFormDraft(own ? null : errors.form.ref);
  const photos = usePhotos({ initial: sent?.images ?? own?.photos ?? [], max: REVIEW_PHOTOS_MAX });
  usePhotoDraft(own ? null : photos);
  const { isWaiting, onSubmit } = usePhotoSubmit(photos, errors);
  // When the page reloads its data, the fields stay, so this stays, too.
  const [openedWith] = useState(
    () => own && writeOpened(reviewTexts({ ...own, photoKeys: own.photos.map(({ key }) => key) })),
  );
  const ticked: readonly string[] = typed ? (typed.tags ?? []) : (own?.tags ?? []);
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
      <input type="hidden" name="intent" value={intent} />
      {openedWith !== null && <input type="hidden" name={OPENED} value={sent?.opened ?? openedWith} />}
      <FormError error={isClosed ? undefined : errors.of("form")} />
      {own?.publishedAt == null && (
        <StarField
          legend={`How was it with ${otherName}?`}
          defaultValue={starsOf(typed?.rating) ?? own?.rating}
          error={errors.of("rating")}
          onChange={() => errors.put("rating", null)}
        />
      )}
      <fieldset className="field">
        <legend className="field__label">
          Which of these apply? <span className="field__optional">(optional)</span>
        </legend>
        <div className="tag-field">
          {TAGS_ABOUT[otherRole(role)].map((tag) => (
            <Checkbox key={tag} id={`tag-${tag}`} name="tags" value={tag} defaultChecked={ticked.includes(tag)}>
              {TAG_LABELS[tag]}
            </Checkbox>
          ))}
        </div>
        {errors.of("tags") && <FieldError message={errors.of("tags") ?? ""} />}
      </fieldset>
      <Field
        label="Your review"
        optional
        error={errors.of("text")}
        hint={`Up to ${REVIEW_TEXT_MAX} characters. Leave out phone numbers and other private details.`}
      >
        <TextArea name="text" rows={5} maxLength={REVIEW_TEXT_MAX} defaultValue={typed?.text ?? own?.text} />
      </Field>
      {role === "buyer" && (
        <PhotoField
          photos={photos}
          label="Photos"
          optional
          name="photos"
          fileName="photoFile"
          error={errors.of("photos")}
          hint={`Up to ${REVIEW_PHOTOS_MAX} photos of what you got. Everybody can see them once your review is published.`}
        />
      )}
      {!isClosed && (
        <SubmitButton {...(isWaiting && { busy: true })} busyLabel={isWaiting ? "Uploading photos..." : "Saving..."}>
          {own ? "Save Changes" : "Send Review"}
        </SubmitButton>
      )}
    </Form>
  );
}

function starsOf(value: string | undefined): Stars | undefined {
  return STARS.find((stars) => String(stars) === value);
}
