import { ratingOf, type StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { personReviewsPath } from "#app/reviews/review-paths.ts";
import { type ReviewRole } from "#app/reviews/review-rules.ts";
import { Rating } from "#app/ui/rating.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

/** A link to what others wrote about a person in one role: their rating, or by how many people below 3. */
export function ReviewLink({ personId, as, stars }: { personId: string; as: ReviewRole; stars: StarCounts }) {
  const count = stars.reduce((sum, people) => sum + people, 0);
  const rating = ratingOf(stars);
  return (
    <TextLink to={personReviewsPath(personId, as)}>
      {rating ? <Rating rating={rating} /> : reviewedBy(count)} as a {as}
    </TextLink>
  );
}

function reviewedBy(people: number): string {
  if (people === 0) return "Reviews";
  return `Reviewed by ${people} ${people === 1 ? "person" : "people"}`;
}
