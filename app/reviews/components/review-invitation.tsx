import type { ReviewStep } from "#app/reviews/review-rules.ts";
import { stepText } from "#app/reviews/review-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";

interface ReviewInvitationProps {
  itemId: string;
  step: ReviewStep;
  /** The other side's first name. */
  otherName: string;
}

/** Invites a side of a finished deal to write a review, or leads to the reviews. */
export function ReviewInvitation({ itemId, step, otherName }: ReviewInvitationProps) {
  const isOpen = step === "write" || step === "write_too";
  const { title, sentence, button } = stepText(step, otherName);
  return (
    <Callout tone={isOpen ? "gold" : "gray"} icon="star" title={title}>
      <span className="row row--apart">
        {sentence}
        <LinkButton to={`/reviews/${itemId}`} size="small" variant={isOpen ? "solid" : "soft"}>
          {button}
        </LinkButton>
      </span>
    </Callout>
  );
}
