import { dealsOfOrder } from "#app/deals/words/deal-views.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { dealMeeting, summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import { pickupProgress } from "#app/deals/words/next-step-rules.ts";
import type { DealView } from "#app/deals/words/deal-view.ts";
import { usableCode } from "#app/deals/code/enter-code.server.ts";
import { writeHandoverQr } from "#app/deals/code/handover-code-rules.ts";
import { refuseDealEvent } from "#app/deals/deal-rules.ts";
import { orderPaymentStatus } from "#app/orders/order-payment-rules.ts";
import { orderForBuyer, readOrder } from "#app/orders/orders.server.ts";
import { mayMeet } from "#app/meetings/meeting-rules.ts";
import { selectMeetings } from "#app/meetings/find-meeting.server.ts";
import {
  type MessagePage,
  type MessageReader,
  readPage,
  selectPage,
} from "#app/messaging/conversations/messages.server.ts";
import { closedOrder, PAYMENT_BADGES } from "#app/payments/collect/order-payment-texts.ts";
import { unpaidText } from "#app/payments/payment-texts.ts";
import { drawQr, type QrDrawing } from "#app/platform/qr-code.ts";
import { inviteTo } from "#app/reviews/review-texts.ts";
import { readNextReviews, selectReviewsOfOrder } from "#app/reviews/review-steps.server.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { build } from "#app/db/build.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { read } from "#app/db/batch.ts";
import { ITEM } from "#app/db/states/item.ts";
import { unseenAbout } from "#app/notifications/seen.server.ts";

/** A handover code, in digits and as a QR code. */
interface OwnCode {
  code: string;
  qr: QrDrawing;
}

/**
 * An order as its buyer follows it, with each item's deal, its meeting, its handover code while it works, and the
 * messages about it, oldest first. Null when it isn't the user's. One round trip.
 */
export async function findTrackedOrder(
  services: Pick<DealServices, "db" | "now" | "deals"> & MessageReader,
  orderId: string,
  userId: string,
) {
  const { db } = services;
  const { deals, written, reviews, meetings, news, ...found } = await read(db, {
    ...orderForBuyer(orderId, userId),
    deals: dealsOfOrder(orderId, userId),
    written: selectPage(db, { viewerId: userId, scope: { order: orderId }, now: services.now() }),
    reviews: selectReviewsOfOrder(db, orderId, userId),
    meetings: selectMeetings(db, { orderId }),
    news: unseenAbout(userId, "deal_outcome", itemsOf(orderId)),
  });
  const order = readOrder(found);
  if (!order) return null;
  const page = readPage(services.origin, userId, written);
  // Messages older than the latest ones of the order are older for each item, too.
  const pageOf = (itemId: string): MessagePage => ({
    ...page,
    messages: page.messages.filter(({ orderItemId }) => orderItemId === itemId),
  });
  const meetingOf = (itemId: string) => meetings.find(({ meeting }) => meeting.itemId === itemId)?.meeting ?? null;
  const now = services.now();
  const nextReviews = readNextReviews(reviews, now);
  const dealOf = new Map(deals.map((deal) => [deal.id, deal]));
  const tracked = order.items.flatMap((item) => {
    const deal = dealOf.get(item.id);
    return deal ? [{ item, deal }] : [];
  });
  const handedOver = news.find(({ data }) => data.step === "code_entered")?.data.orderItemId ?? null;
  return {
    ...order,
    /** The item whose code was right, which the buyer hasn't seen yet; null for none. */
    handedOver,
    payment: readPayment(order),
    /** One of its items has a meeting that is arranged, or may be. */
    mayMeet: tracked.some(({ item }) => mayMeet(meetingOf(item.id))),
    items: await Promise.all(
      tracked.map(async ({ item, deal }) => ({
        ...item,
        // What else is said of it stands on other pages.
        called: { ended: item.called.ended, isParcel: item.called.isParcel },
        /** The seller has entered its code. */
        isByCode: ITEM.isCompleted(item.status) && deal.latest?.event === "code_entered",
        progress: pickupProgress(deal, dealMeeting(meetingOf(item.id), userId)),
        canReport: refuseDealEvent("problem_reported", deal, now) === null,
        page: pageOf(item.id),
        summary: summarizeDeal(
          "buyer",
          deal,
          { buyer: "you", seller: item.sellerName || "the seller" },
          dealMeeting(meetingOf(item.id), userId),
          now,
        ),
        meeting: meetingOf(item.id),
        ownCode: await ownCodeOf(services, deal),
        nextReview: inviteTo(nextReviews.get(item.id)),
      })),
    ),
  };
}

/** A SELECT of an order's items, as notifications name them. */
function itemsOf(orderId: string): SQL {
  const { id, orderId: order } = orderItems;
  return sql`${build
    .select({ thing: sql`'item:' || ${id}` })
    .from(orderItems)
    .where(eq(order, orderId))}`;
}

/** What the buyer reads about the payment. */
function readPayment({ order, items }: NonNullable<ReturnType<typeof readOrder>>) {
  const status = orderPaymentStatus(order);
  return {
    status,
    badge: PAYMENT_BADGES[status],
    unpaidText: unpaidText(order),
    closed: closedOrder(order, items),
  };
}

export type TrackedOrder = Omit<NonNullable<Awaited<ReturnType<typeof findTrackedOrder>>>, "waitingEmails">;

async function ownCodeOf(services: Pick<DealServices, "now" | "deals">, deal: DealView): Promise<OwnCode | null> {
  const code = await usableCode(services, deal);
  return code === null ? null : { code, qr: drawQr(writeHandoverQr(deal.id, code)) };
}
