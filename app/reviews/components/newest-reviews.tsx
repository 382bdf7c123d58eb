import type { PersonReviews } from "#app/reviews/find-reviews.server.ts";
import { personReviewsPath } from "#app/reviews/review-paths.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ReviewList } from "./review-list.tsx";

interface NewestReviewsProps {
  sellerId: string;
  /** The title of the seller's page. */
  name: string;
  newest: Pick<PersonReviews, "reviews" | "next">;
}

/** The newest reviews of a seller, with a link to all of them. */
export function NewestReviews({ sellerId, name, newest }: NewestReviewsProps) {
  return (
    <div className="stack">
      <ReviewList reviews={newest.reviews} subject={name} />
      {newest.next && (
        <p>
          <LinkButton to={personReviewsPath(sellerId, "seller")} variant="soft">
            All reviews
          </LinkButton>
        </p>
      )}
    </div>
  );
}
