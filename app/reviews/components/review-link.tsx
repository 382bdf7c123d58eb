import { ratingOf, type StarCounts } from "#app/accounts/rating-rules.ts";
import { personReviewsPath } from "#app/reviews/review-paths.ts";
import { type ReviewRole } from "#app/reviews/review-rules.ts";
import { Rating } from "#app/ui/rating.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

/** A link to what others wrote about a person in one role: their rating, or how many reviews below 3. */
export function ReviewLink({ personId, as, stars }: { personId: string; as: ReviewRole; stars: StarCounts }) {
  const count = stars.reduce((sum, reviews) => sum + reviews, 0);
  const rating = ratingOf(stars);
  return (
    <TextLink to={personReviewsPath(personId, as)}>
      {rating ? <Rating rating={rating} /> : `${count} ${count === 1 ? "review" : "reviews"}`} as a {as}
    </TextLink>
  );
}
