import { and, asc, desc, eq, gt, inArray, not, or, type SQL } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { read } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { asJson, build, pick } from "#app/db/build.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { ORDER } from "#app/db/states/order.ts";
import type { ListedStep } from "#app/deals/words/next-step-texts.ts";
import { amountDue } from "#app/offers/offer-rules.ts";
import { offerTodo } from "#app/offers/offer-texts.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-limit-rules.ts";
import { pageOfOrders } from "#app/orders/orders.server.ts";
import { DEAL_ENDED_AT } from "#app/reviews/find-deal-reviews.server.ts";
import { readNextReviews, reviewColumns } from "#app/reviews/review-steps.server.ts";
import { inviteTo } from "#app/reviews/review-texts.ts";
import { buyerStepColumns, readStep } from "#app/screens/listed-steps.server.ts";
import { openItems, readSoldItems } from "#app/screens/my-shop/sold-items.server.ts";
import { formatKes } from "#app/ui/money.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** A deal or an offer under way, or a deal to review, as Home shows it to one side. */
export interface OpenStep {
  /** Of the order's item, of the offer, or of the order to pay. */
  id: string;
  path: string;
  name: string;
  image: ProductImage | null;
  /** The next step in a few words. */
  step: string;
  /** Its screen has the step for a title, not the name. Undefined for no, which writes no attribute. */
  isTitle: true | undefined;
}

/** How many of each kind Home reads. Lists have them all. */
const READ = 10;
/** Of how many orders of a buyer Home looks for open ones: the newest. */
const ORDERS_READ = 10;

function boughtItems(userId: string) {
  return build
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.productName,
      image: orderItems.productImage,
      ...buyerStepColumns(userId),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(meetings, eq(meetings.orderItemId, orderItems.id))
    .where(
      and(
        inArray(orderItems.orderId, pageOfOrders(userId, ORDERS_READ, undefined)),
        stateIs(orderItems.status, ITEM.isRunning),
      ),
    )
    .orderBy(asc(orderItems.createdAt), asc(orderItems.id));
}

/** Orders whose payment failed and can be tried again, by their items. */
function failedPayments(buyerId: string) {
  return build
    .select({
      orderId: orderItems.orderId,
      name: orderItems.productName,
      image: orderItems.productImage,
      ...pick(orders, "createdAt", "paymentFailure"),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        inArray(orderItems.orderId, pageOfOrders(buyerId, ORDERS_READ, undefined)),
        eq(orders.paymentStatus, "failed"),
        not(stateIs(orders.orderStatus, ORDER.isClosed)),
      ),
    )
    .orderBy(desc(orderItems.createdAt), desc(orderItems.id));
}

/** How long after the end of a deal Home asks its buyer for a review, ms. The order's page does so for longer. */
const ASKS_FOR_MS = 7 * DAY_MS;

function itemsToReview(buyerId: string, now: number) {
  return build
    .select({ name: orderItems.productName, image: orderItems.productImage, ...reviewColumns(buyerId) })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(profiles, eq(profiles.id, orderItems.sellerId))
    .where(
      and(
        inArray(orderItems.orderId, pageOfOrders(buyerId, ORDERS_READ, undefined)),
        stateIs(orderItems.status, ITEM.isReviewable),
        gt(DEAL_ENDED_AT, now - ASKS_FOR_MS),
        not(blockBetween(buyerId, orderItems.sellerId)),
      ),
    )
    .orderBy(desc(orderItems.createdAt), desc(orderItems.id));
}

/** Offers that wait for one side. An index finds them oldest first, so few rows are read of however many. */
function offersThat(waitFor: SQL | undefined, now: number) {
  return build
    .select({
      ...pick(offers, "id", "buyerId", "sellerId", "state", "amount", "counterAmount", "expiresAt"),
      price: productRow.price,
      name: SHOWN_NAME,
      image: asJson<ProductImage | null>(SHOWN_COVER),
    })
    .from(offers)
    .innerJoin(productRow, eq(productRow.id, offers.productId))
    .where(and(waitFor, gt(offers.expiresAt, now)))
    .limit(READ);
}

/**
 * What somebody who buys or sells does next: first what has a time, the nearest first, then what else waits for
 * them, then what they wait for as a buyer, then whom they may review, and last what they chose not to pay.
 */
export async function findOpenSteps({ db, now: clock }: Store, userId: string): Promise<OpenStep[]> {
  const now = clock();
  const { bought, sold, made, received, finished, unpaid } = await read(db, {
    bought: boughtItems(userId),
    sold: openItems(userId, "all", null, READ),
    made: offersThat(
      and(
        eq(offers.buyerId, userId),
        or(stateIs(offers.state, OFFER.awaitsBuyer), stateIs(offers.state, OFFER.isAccepted)),
      ),
      now,
    ),
    received: offersThat(and(eq(offers.sellerId, userId), stateIs(offers.state, OFFER.awaitsSeller)), now),
    finished: itemsToReview(userId, now),
    unpaid: failedPayments(userId),
  });
  const buying = bought.map(({ orderId, ...row }) => ({
    ...row,
    path: `/orders/${orderId}`,
    ...ranked(readStep("buyer", row, now)),
  }));
  const selling = readSoldItems(sold, now)
    .filter(({ step }) => step.isTurn)
    .map(({ step, ...item }) => {
      const { text, rank } = ranked(step);
      const withBuyer = [text, item.buyerName].filter(Boolean).join(" · ");
      return { ...item, path: `/seller/orders/${item.id}`, text: withBuyer, rank };
    });
  const negotiating = [...made, ...received].map(({ buyerId, sellerId, expiresAt, ...offer }) => ({
    ...offer,
    path: `/profile?tab=messages&with=${buyerId === userId ? sellerId : buyerId}`,
    text: `${offerTodo(offer.state)}: ${formatKes(amountDue(offer))}`,
    rank: expiresAt,
  }));
  const paying = [...new Map(unpaid.map((item) => [item.orderId, item])).values()].map(
    ({ orderId: id, createdAt, paymentFailure, ...item }) => ({
      ...item,
      id,
      path: `/checkout/${id}`,
      text: "Try the payment again",
      rank: paymentFailure === "cancelled" ? RANKS.declined : createdAt + UNPAID_ORDER_LIFE_MS,
    }),
  );
  const invitations = readNextReviews(finished, now);
  const reviewing = finished.flatMap(({ itemId: id, name, image }) => {
    const invitation = inviteTo(invitations.get(id));
    return invitation?.isOpen
      ? [{ id, path: `/reviews/${id}`, name, image, text: invitation.button, rank: RANKS.review }]
      : [];
  });
  return [...negotiating, ...paying, ...selling, ...buying, ...reviewing]
    .toSorted((one, other) => one.rank - other.rank)
    .flatMap(({ id, path, name, image, text, rank }) =>
      text === null
        ? []
        : [
            {
              id,
              path,
              name,
              image,
              step: text,
              isTitle: rank === RANKS.review || undefined,
            },
          ],
    );
}

/** The places of what has no time, after all times. */
const RANKS = {
  turn: Number.MAX_SAFE_INTEGER - 3,
  waiting: Number.MAX_SAFE_INTEGER - 2,
  review: Number.MAX_SAFE_INTEGER - 1,
  declined: Number.MAX_SAFE_INTEGER,
};

function ranked({ text, isTurn, by }: ListedStep): { text: string | null; rank: number } {
  return { text, rank: by ?? (isTurn ? RANKS.turn : RANKS.waiting) };
}
