import "./reviews.css";
import type { PublishedReview } from "#app/reviews/find-reviews.server.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { ReviewCard } from "./review-card.tsx";

interface ReviewListProps {
  reviews: readonly PublishedReview[];
  /** The name of the reviewed person or shop. */
  subject: string;
}

/** Published reviews of a person. Each review and each reply can be reported, except by its author. */
export function ReviewList({ reviews, subject }: ReviewListProps) {
  return (
    <ul className="review-list" role="list">
      {reviews.map((review) => (
        <li key={review.id}>
          <ReviewCard review={review} subject={subject}>
            <ReportLinks review={review} />
          </ReviewCard>
        </li>
      ))}
    </ul>
  );
}

function ReportLinks({ review }: { review: PublishedReview }) {
  const hasReply = review.reply !== null && !review.isAboutViewer;
  if (review.isOwn && !hasReply) return null;
  return (
    <p className="row small">
      {!review.isOwn && (
        <TextLink to={`/report/review/${review.id}`} aria-label={`Report review by ${review.author}`}>
          Report
        </TextLink>
      )}
      {hasReply && (
        <TextLink to={`/report/reply/${review.id}`} aria-label={`Report reply to ${review.author}`}>
          Report reply
        </TextLink>
      )}
    </p>
  );
}
