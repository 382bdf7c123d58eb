import { ITEM } from "#app/db/states/item.ts";
import { divideMoney } from "#app/orders/item-price-rules.ts";
import { readStars } from "#app/accounts/trust/ratings.server.ts";
import { handoverPath } from "#app/deals/code/handover-link.server.ts";
import { linkDay } from "#app/deals/code/handover-link-rules.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import { dealOfItem } from "#app/deals/words/deal-views.server.ts";
import { dealMeeting, isStopped, summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import type { Store } from "#app/db/client.ts";
import { selectMeetings } from "#app/meetings/find-meeting.server.ts";
import { type MessageReader, readPage, selectPage } from "#app/messaging/conversations/messages.server.ts";
import { buyerSeen } from "#app/orders/order-rules.ts";
import { withOrdered } from "#app/orders/ordered-listing.server.ts";
import { itemForSeller } from "#app/orders/orders.server.ts";
import { payoutOfItem } from "#app/payments/transfers/start-payout.server.ts";
import { inviteTo } from "#app/reviews/review-texts.ts";
import { readNextReviews, selectReviewsOfItem } from "#app/reviews/review-steps.server.ts";
import { read } from "#app/db/batch.ts";
import { unseenAbout } from "#app/notifications/seen.server.ts";

/**
 * An order item as its seller sees it, with its deal, payout, messages and meeting; null when it isn't theirs. The
 * buyer's contacts and address are included only as `buyerSeen` says. One round trip.
 */
export async function findSoldItem(
  { db, now, origin, passwordPepper }: Store & MessageReader & { passwordPepper: string },
  itemId: string,
  sellerId: string,
) {
  const { items, deals, payouts, written, reviews, meetings, news } = await read(db, {
    items: itemForSeller(db, itemId, sellerId),
    deals: dealOfItem(db, itemId, sellerId),
    payouts: payoutOfItem(db, itemId),
    written: selectPage(db, { viewerId: sellerId, scope: { item: itemId }, now: now() }),
    reviews: selectReviewsOfItem(db, itemId, sellerId),
    meetings: selectMeetings(db, { itemId }),
    news: unseenAbout(sellerId, "new_sale", [`item:${itemId}`]),
  });
  const item = items[0];
  const deal = deals[0];
  if (!item || !deal) return null;
  const { blocked, ...sold } = item;
  const { contact, address } = buyerSeen(item.status, blocked === 1);
  // Only the buyer sees where the refund is.
  const own = { ...deal, refund: null };
  const meeting = meetings[0]?.meeting ?? null;
  return {
    item: {
      ...withOrdered(sold),
      contact,
      ...(contact !== "shown" && { buyerPhone: null, buyerEmail: null }),
      ...(!address && { deliveryAddress: null, deliveryInstructions: null }),
    },
    deal: own,
    /** What the seller earns, KES: without what the last event of a completed deal gave back to the buyer. */
    earned: ITEM.isReturned(item.status)
      ? 0
      : divideMoney(deal, ITEM.isCompleted(item.status) ? (deal.latest?.amount ?? 0) : 0).seller,
    summary: summarizeDeal(
      "seller",
      own,
      { buyer: item.buyerName || "the buyer", seller: "you" },
      dealMeeting(meeting, sellerId),
      now(),
    ),
    /** The seller hasn't seen that it is sold. */
    isNews: news.length > 0,
    payout: payouts[0] ?? null,
    page: readPage(origin, sellerId, written),
    nextReview: inviteTo(readNextReviews(reviews, now()).get(itemId)),
    buyerStars: reviews[0]?.buyerStars ?? readStars(null),
    meeting,
    helper: helperOf(own, itemId, { passwordPepper, now: now() }),
  };
}

/**
 * For a seller who lets somebody else hand the item over on the day of the meeting (YYYY-MM-DD): the address of their
 * link, null before they have made one. Null where nothing can be handed over by a link.
 */
function helperOf(
  deal: DealView,
  itemId: string,
  { passwordPepper, now }: { passwordPepper: string; now: number },
): { day: string; path: string | null } | null {
  const { handoverLink: link, turn } = deal;
  const day = linkDay({ ...deal, agreedFor: turn.missed.agreedFor }, now);
  // While our team looks at it, its seller meets the buyer.
  if (day === null || isStopped(deal)) return null;
  return { day, path: link?.day === day ? handoverPath(passwordPepper, itemId, link) : null };
}

export type SoldItem = NonNullable<Awaited<ReturnType<typeof findSoldItem>>>;
