import { eq } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { reviews } from "./tables.server.ts";
import { afterReviewsChanged } from "./review-effects.server.ts";

/**
 * The account is being deleted: what others said about it goes. What it said about others loses its words; the stars
 * count.
 */
export function eraseReviews(userId: string): Statement[] {
  return [
    build.delete(reviews).where(eq(reviews.subjectId, userId)),
    ...afterReviewsChanged(idList(userId)),
    build.update(reviews).set({ text: "", photos: [] }).where(eq(reviews.authorId, userId)),
  ];
}
