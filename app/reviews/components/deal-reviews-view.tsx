import "./reviews.css";
import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { capitalized } from "#app/platform/word-rules.ts";
import type { DealReview } from "#app/reviews/find-deal-reviews.server.ts";
import type { ReviewAnswer } from "#app/reviews/review-forms.ts";
import type { DealReviewsPage } from "#app/reviews/review-page.server.ts";
import { editableParts, editUntil, REVIEW_TEXT_MAX } from "#app/reviews/review-rules.ts";
import { blindText, lateText, refusalText, waitingText } from "#app/reviews/review-texts.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useSaves } from "#app/ui/forms/use-saves.ts";
import { ReviewCard } from "./review-card.tsx";
import { ReviewForm } from "./review-form.tsx";

interface DealReviewsViewProps extends DealReviewsPage {
  /** Ms since 1970, when the server made the page. */
  now: number;
  answer: ReviewAnswer | null;
}

/** The reviews of a deal for one side: writing, changing, reading both once they are published, and replying. */
export function DealReviewsView(props: DealReviewsViewProps) {
  const { item, role, otherName, own, others, othersHasWritten, refusal, answer } = props;
  const [hasTyped, setHasTyped] = useState(false);
  // The other review may be published while the reader writes theirs. What they typed stays, to be used in a reply.
  const isLate = refusal === "other_published" && (hasTyped || answer?.intent === "write");
  return (
    <div className="page page--reading stack">
      <PageHeader
        title={own || others || refusal ? "Reviews" : `Review ${otherName}`}
        lead={item.name}
        back={
          role === "buyer"
            ? { to: `/orders/${item.orderId}`, label: "The order" }
            : { to: `/seller/orders/${item.id}`, label: "The sale" }
        }
      />
      {answer?.intent === "write" && own && <FormError error={answer.errors.form} />}
      {(refusal === null || isLate) && (
        <>
          <Callout tone={isLate ? "red" : "gold"} icon="star" role={isLate ? "alert" : undefined}>
            {isLate ? lateText(capitalized(otherName)) : blindText(capitalized(otherName), othersHasWritten)}
          </Callout>
          <section className="card" onInput={() => setHasTyped(true)}>
            <ReviewForm role={role} otherName={otherName} own={null} answer={answer} isClosed={isLate} />
          </section>
        </>
      )}
      {refusal !== null && refusal !== "already_written" && !isLate && (
        <Callout tone="gray">{refusalText(refusal, capitalized(otherName))}</Callout>
      )}
      {own && <OwnReview {...props} own={own} />}
      {others && <OthersReview {...props} others={others} />}
    </div>
  );
}

function OwnReview({ own, item, role, otherName, publishAt, now, answer }: DealReviewsViewProps & { own: DealReview }) {
  const parts = editableParts(own, now);
  const refused = answer?.intent === "edit";
  const { state, formData } = useNavigation();
  const saves = useSaves(state !== "idle" && formData?.get("intent") === "edit", refused && answer);
  return (
    <section className="card stack" aria-labelledby="own-review">
      <h2 id="own-review">Your review of {otherName}</h2>
      {own.removedAt !== null && (
        <Callout tone="red">Our team removed this review. Nobody else can see it, and it doesn't count.</Callout>
      )}
      {own.publishedAt === null && own.removedAt === null && (
        <Callout tone="gray" icon="clock">
          {waitingText(otherName, publishAt)}
        </Callout>
      )}
      <ReviewCard
        review={{ ...own, author: "You", isEdited: own.editedAt !== null, isRefunded: item.isRefunded }}
        subject={otherName}
      >
        {own.reply !== null && (
          <p className="small">
            <TextLink to={`/report/reply/${own.id}`}>Report this reply</TextLink>
          </p>
        )}
      </ReviewCard>
      {refused && parts === null && <FormError error={answer.errors.form} />}
      {parts !== null && (
        // A saved change closes it. What is being typed stays when the page reloads its data.
        <details key={saves} className="review-edit" open={refused}>
          <summary>Change your review</summary>
          <div className="stack">
            <p className="quiet small">
              You can change it until {formatDateTime(editUntil(own.createdAt))}.
              {parts === "words" && " It's published, so the stars stay as they are, and it will say “Edited”."}
            </p>
            <ReviewForm role={role} otherName={otherName} own={own} answer={answer} />
          </div>
        </details>
      )}
    </section>
  );
}

function OthersReview({ others, item, selfName, otherName, answer }: DealReviewsViewProps & { others: DealReview }) {
  return (
    <section className="card stack" aria-labelledby="others-review">
      <h2 id="others-review">{capitalized(otherName)}'s review of you</h2>
      <ReviewCard
        review={{
          ...others,
          author: capitalized(otherName),
          isEdited: others.editedAt !== null,
          isRefunded: item.isRefunded,
        }}
        subject={selfName}
      >
        <p className="small">
          <TextLink to={`/report/review/${others.id}`}>Report this review</TextLink>
        </p>
      </ReviewCard>
      {others.replyRemovedAt !== null && (
        <Callout tone="red">Our team removed your reply. Nobody else can see it.</Callout>
      )}
      {others.reply === null ? (
        <ReplyForm answer={answer?.intent === "reply" ? answer : null} />
      ) : (
        answer?.intent === "reply" && <FormError error={answer.errors.form} />
      )}
    </section>
  );
}

function ReplyForm({ answer }: { answer: ReviewAnswer | null }) {
  const errors = useFieldErrors(answer?.errors);
  useFormDraft(errors.form.ref, "reply");
  return (
    <Form method="post" className="stack" noValidate preventScrollReset {...errors.form}>
      <input type="hidden" name="intent" value="reply" />
      <FormError error={errors.of("form")} />
      <Field
        label="Your reply"
        error={errors.of("text")}
        hint="Everybody who reads the review sees it. You can reply once, and you can't change it later."
      >
        <TextArea name="text" rows={3} maxLength={REVIEW_TEXT_MAX} defaultValue={answer?.values?.text} />
      </Field>
      <SubmitButton variant="soft" busyLabel="Saving...">
        Publish Reply
      </SubmitButton>
    </Form>
  );
}
