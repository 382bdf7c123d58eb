import { publishDueReviews, type PublishServices } from "#app/reviews/publish-reviews.server.ts";

/** Every minute: publishes the reviews whose week is over. */
export async function runReviewsJob(services: PublishServices): Promise<void> {
  const published = await publishDueReviews(services);
  if (published > 0) services.log({ event: "reviews_published", published });
}
