import "./reviews.css";
import type { PublishedReview } from "#app/reviews/find-reviews.server.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { ReviewCard } from "./review-card.tsx";

interface ReviewListProps {
  reviews: readonly PublishedReview[];
  /** The name of the reviewed person or shop. */
  subject: string;
}

/** Published reviews of a person. Each can be reported, except by its author. */
export function ReviewList({ reviews, subject }: ReviewListProps) {
  return (
    <ul className="review-list" role="list">
      {reviews.map((review) => (
        <li key={review.id}>
          <ReviewCard review={review} subject={subject}>
            {!review.isOwn && (
              <p className="small">
                <TextLink to={`/report/review/${review.id}`} aria-label={`Report the review by ${review.author}`}>
                  Report
                </TextLink>
              </p>
            )}
          </ReviewCard>
        </li>
      ))}
    </ul>
  );
}
