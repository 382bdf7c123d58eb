import { and, asc, eq, gt, inArray, or, type SQL } from "drizzle-orm";
import { p } from "#app/catalogue/product-alias.server.ts";
import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { type Read, readOf } from "#app/db/batch.ts";
import { asJson, build } from "#app/db/build.ts";
import { meetings, offers, orderItems, orders, type ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { offerTodo } from "#app/offers/offer-texts.ts";
import { pageOfOrders } from "#app/orders/orders.server.ts";
import { readStep, stepColumns } from "#app/screens/listed-steps.server.ts";
import { openItems, readSoldItems } from "#app/screens/my-shop/sold-items.server.ts";

/** A deal or an offer under way, as Home shows it to one side. */
export interface OpenStep {
  /** Of the order's item, or of the offer. */
  id: string;
  path: string;
  name: string;
  image: ProductImage | null;
  /** The next step in a few words. */
  step: string;
}

const SHOWN = 3;
/** Of how many orders of a buyer Home looks for open ones: the newest. */
const ORDERS_READ = 10;

function boughtItems(userId: string) {
  return build
    .select({
      id: orderItems.id,
      orderId: orderItems.orderId,
      name: orderItems.productName,
      image: orderItems.productImage,
      ...stepColumns(userId),
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

/** Offers that wait for one side. An index finds them oldest first, so few rows are read of however many. */
function offersThat(waitFor: SQL | undefined, now: number) {
  return build
    .select({
      id: offers.id,
      buyerId: offers.buyerId,
      sellerId: offers.sellerId,
      state: offers.state,
      name: SHOWN_NAME,
      image: asJson<ProductImage | null>(SHOWN_COVER),
    })
    .from(offers)
    .innerJoin(p, eq(p.id, offers.productId))
    .where(and(waitFor, gt(offers.expiresAt, now)))
    .limit(SHOWN);
}

/**
 * The read of what somebody who buys or sells does next: meetings by their time, then offers, which end by themselves, then
 * what else waits for them, then what they wait for as a buyer. Few, because lists have them all.
 */
export function openStepsRead(userId: string, now: number): Read<OpenStep[]> {
  const statements = [
    boughtItems(userId),
    openItems(userId, "all", null, SHOWN),
    offersThat(
      and(
        eq(offers.buyerId, userId),
        or(stateIs(offers.state, OFFER.awaitsBuyer), stateIs(offers.state, OFFER.isAccepted)),
      ),
      now,
    ),
    offersThat(and(eq(offers.sellerId, userId), stateIs(offers.state, OFFER.awaitsSeller)), now),
  ] as const;
  return readOf(statements, ([bought, sold, made, received]) => {
    const buying = bought.map((row) => ({
      ...row,
      path: `/orders/${row.orderId}`,
      step: readStep("buyer", row, now),
    }));
    const selling = readSoldItems(sold, now)
      .map((item) => ({ ...item, path: `/seller/orders/${item.id}` }))
      .filter(({ step }) => step.isTurn);
    const negotiating = [...made, ...received].map(({ id, buyerId, sellerId, state, name, image }) => ({
      id,
      path: `/profile?tab=messages&with=${buyerId === userId ? sellerId : buyerId}`,
      name,
      image,
      step: { text: offerTodo(state), isOffer: true, isTurn: true, meetsAt: null },
    }));
    return [...negotiating, ...selling, ...buying]
      .toSorted((one, other) => rank(one.step) - rank(other.step))
      .flatMap(({ id, path, name, image, step: { text } }) =>
        text === null ? [] : [{ id, path, name, image, step: text }],
      )
      .slice(0, SHOWN);
  });
}

/** Meetings come first, in the order of their times. */
function rank({ isTurn, meetsAt, isOffer }: { isTurn: boolean; meetsAt: number | null; isOffer?: boolean }): number {
  return meetsAt ?? Number.MAX_SAFE_INTEGER - (isOffer ? 2 : isTurn ? 1 : 0);
}
