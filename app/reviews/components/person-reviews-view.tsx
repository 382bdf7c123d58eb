import "./reviews.css";
import { useFetcher } from "react-router";
import { distributionOf, ratingOf } from "#app/accounts/trust/rating-rules.ts";
import type { PersonReviews } from "#app/reviews/find-reviews.server.ts";
import { personReviewsPath } from "#app/reviews/review-paths.ts";
import { personReviewsTitle } from "#app/reviews/review-texts.ts";
import { RatingDistribution } from "#app/shops/components/rating-distribution.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";
import { ReviewList } from "./review-list.tsx";

/** All published reviews of a person in one role, newest first. */
export function PersonReviewsView({ page }: { page: PersonReviews }) {
  const { person, as, stars, after } = page;
  const fetcher = useFetcher<PersonReviews | FailedPage>();
  const path = personReviewsPath(person.id, as);
  const pages = useMorePages(page, fetcher, {
    rowsOf: (shown) => shown.reviews,
    nextOf: ({ next }) => next && `${path}&after=${next}`,
  });
  const { rows: reviews, nextPath, isSeveral } = pages;
  const rating = ratingOf(stars);
  return (
    <div className="page page--reading stack">
      <PageHeader
        title={personReviewsTitle(person.name, as)}
        lead={rating && <Rating rating={rating} />}
        {...(as === "seller" && { back: { to: `/seller/${person.id}`, label: person.name } })}
      />
      {person.meetings && <p className="quiet">{person.meetings}</p>}
      {rating && <RatingDistribution shares={distributionOf(stars)} />}
      {after && (
        <p>
          <LinkButton to={path} variant="soft">
            Newest reviews
          </LinkButton>
        </p>
      )}
      {reviews.length === 0 ? (
        <EmptyState
          icon="star"
          title="No reviews yet"
          sentence="After each deal, buyer and seller can review each other."
        />
      ) : (
        <ReviewList reviews={reviews} subject={person.name} />
      )}
      <LiveRegion text={isSeveral ? `${reviews.length} reviews shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </div>
  );
}
