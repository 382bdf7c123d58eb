import { publishDueReviews } from "#app/reviews/publish-reviews.server.ts";
import type { ReviewServices } from "#app/reviews/write-review.server.ts";

interface JobServices extends ReviewServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

/** Every minute: publishes the reviews whose week is over. */
export async function runReviewsJob(services: JobServices): Promise<void> {
  const published = await publishDueReviews(services);
  if (published > 0) services.log({ event: "reviews_published", published });
}
