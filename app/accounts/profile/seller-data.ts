import type { Organization } from "schema-dts";
import { publicShopPath } from "#app/public-links.ts";
import type { Rating } from "#app/accounts/trust/rating-rules.ts";

/**
 * A seller in the vocabulary of schema.org. Reviews are about people and never about a product, so the rating stands
 * here. `title`: the public one. `origin`: this site's.
 */
export function sellerData(
  { id, title, rating }: { id: string; title: string; rating: Rating | null },
  origin: string,
): Organization {
  return {
    "@type": "Organization",
    name: title,
    url: origin + publicShopPath({ id, title }),
    ...(rating && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: rating.average,
        reviewCount: rating.count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
  };
}
