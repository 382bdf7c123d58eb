import { OWN_LABELS } from "#app/platform/label-rules.ts";
interface RatingProps {
  /** `count` counts people, each with the latest review. Null for a seller with too few of them. */
  rating: { average: number; count: number } | null;
}

/** A seller's rating, "★ 4.8 (12)", or "New seller". */
export function Rating({ rating }: RatingProps) {
  if (!rating) return OWN_LABELS.badges.unrated;
  const average = rating.average.toFixed(1);
  return (
    <span className="rating" role="img" aria-label={`Rated ${average} of 5 by ${rating.count} people`}>
      {average} ({rating.count})
    </span>
  );
}
