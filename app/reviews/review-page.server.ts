import { firstName } from "#app/accounts/trust/name-rules.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { ITEM } from "#app/db/states/item.ts";
import { type DealReview, findDealReviews } from "./find-deal-reviews.server.ts";
import { publishAtOf, type ReviewRole } from "./review-rules.ts";
import { refuseReview, type WriteRefusal } from "./review-step-rules.ts";

/** What the screen of a deal's reviews shows to one side. Never the other side's review before it is published. */
export interface DealReviewsPage {
  item: { id: string; orderId: string; name: string; image: ProductImage | null; isRefunded: boolean };
  /** What the reader was in the deal. */
  role: ReviewRole;
  /** First names, for use inside a sentence. */
  selfName: string;
  otherName: string;
  /** Written by the reader. */
  own: DealReview | null;
  /** Written by the other side: published and not removed. */
  others: DealReview | null;
  /** The other side has written, whether or not it is published. */
  othersHasWritten: boolean;
  /** When the reader's review is published if it stays alone, ms; null where our team decides about the deal first. */
  publishAt: number | null;
  /** Why the reader can't write now; null when they can. */
  refusal: WriteRefusal | null;
}

/** The reviews of a deal for its buyer or its seller; null for everybody else. One round trip. */
export async function findReviewPage(
  db: Database,
  { itemId, viewerId, now }: { itemId: string; viewerId: string; now: number },
): Promise<DealReviewsPage | null> {
  const deal = await findDealReviews(db, itemId, viewerId);
  if (!deal) return null;
  const { own, others, role } = deal;
  return {
    item: {
      id: deal.itemId,
      orderId: deal.orderId,
      name: deal.productName,
      image: deal.productImage,
      isRefunded: ITEM.isRefunded(deal.status),
    },
    role,
    selfName: firstName(deal.self.name) || "You",
    otherName: firstName(deal.other.name) || (role === "buyer" ? "the seller" : "the buyer"),
    own,
    others: others && others.publishedAt !== null && others.removedAt === null ? others : null,
    othersHasWritten: others !== null,
    // Of a deal that was reopened, the week counts from the decision.
    publishAt: own && ITEM.isReviewable(deal.status) ? Math.max(own.publishAt, publishAtOf(deal.endedAt)) : null,
    refusal: refuseReview(deal, { own, other: others, otherIsGone: deal.other.isDeleted }, now),
  };
}
