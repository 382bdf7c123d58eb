import type { Invitation } from "#app/reviews/review-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";

interface ReviewInvitationProps extends Invitation {
  itemId: string;
}

/** Invites a side of a finished deal to write a review, or leads to the reviews. */
export function ReviewInvitation({ itemId, isOpen, title, sentence, button }: ReviewInvitationProps) {
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
