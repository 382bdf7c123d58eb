import "./rating-distribution.css";
import type { StarShare } from "#app/accounts/trust/rating-rules.ts";
import { countOf } from "#app/shops/shop-rules.ts";

/** How many people gave 5, 4, 3, 2 and 1 stars, each with the latest review. */
export function RatingDistribution({ shares }: { shares: readonly StarShare[] }) {
  return (
    <ul className="rating-distribution" role="list" aria-label="Reviews by stars">
      {shares.map(({ stars, count, percent }) => (
        <li key={stars}>
          <span>{countOf(stars, "star", "stars")}</span>
          <span className="rating-distribution__bar" aria-hidden="true">
            <span style={{ width: `${percent}%` }} />
          </span>
          <span className="numbers">
            {count}
            <span className="visually-hidden"> {count === 1 ? "person" : "people"}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
