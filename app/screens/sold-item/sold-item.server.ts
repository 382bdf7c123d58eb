import { readStars } from "#app/accounts/ratings.server.ts";
import { dealOfItem } from "#app/deals/deal-views.server.ts";
import type { Store } from "#app/db/client.ts";
import { selectMeetings } from "#app/meetings/find-meeting.server.ts";
import { readPage, selectMessages } from "#app/messaging/messages.server.ts";
import { itemForSeller } from "#app/orders/orders.server.ts";
import { payoutOfItem } from "#app/payments/payment-api.server.ts";
import { readNextReviews, selectReviewsOfItem } from "#app/reviews/review-steps.server.ts";

/**
 * An order item as its seller sees it, with its deal, payout, messages and meeting; null when it isn't theirs. The
 * buyer's phone and email are included only once the order is paid. One round trip.
 */
export async function findSoldItem({ db, now }: Store, itemId: string, sellerId: string) {
  const [items, deals, payouts, written, reviews, meetings] = await db.batch([
    itemForSeller(db, itemId, sellerId),
    dealOfItem(db, itemId, sellerId),
    payoutOfItem(db, itemId),
    selectMessages(db, sellerId, { item: itemId }),
    selectReviewsOfItem(db, itemId, sellerId),
    selectMeetings(db, { itemId }),
  ]);
  const item = items[0];
  const deal = deals[0];
  if (!item || !deal) return null;
  const paid = item.paymentStatus === "completed";
  return {
    item: { ...item, buyerPhone: paid ? item.buyerPhone : null, buyerEmail: paid ? item.buyerEmail : null },
    // Only the buyer sees where the refund is.
    deal: { ...deal, refund: null },
    payout: payouts[0] ?? null,
    page: readPage(written),
    nextReview: readNextReviews(reviews, now()).get(itemId) ?? null,
    buyerStars: reviews[0]?.buyerStars ?? readStars(null),
    meeting: meetings[0]?.meeting ?? null,
  };
}

export type SoldItem = NonNullable<Awaited<ReturnType<typeof findSoldItem>>>;
