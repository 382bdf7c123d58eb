import "./reviews.css";
import { STARS, type Stars } from "#app/reviews/review-labels.ts";
import { countOfStars } from "#app/reviews/review-labels.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** The stars of one review. */
export function StarRow({ rating }: { rating: Stars }) {
  return (
    <span className="star-row" role="img" aria-label={countOfStars(rating)}>
      {STARS.map((star) => (
        <Icon key={star} name="star" size="small" filled={star <= rating} />
      ))}
    </span>
  );
}
