import { and, asc, eq, inArray } from "drizzle-orm";
import { type Read, readOf } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { meetings, orderItems, orders, type ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { pageOfOrders } from "#app/orders/orders.server.ts";
import { readStep, stepColumns } from "#app/screens/listed-steps.server.ts";
import { openItems, readSoldItems } from "#app/screens/my-shop/sold-items.server.ts";

/** A deal under way, as Home shows it to one side. */
export interface OpenStep {
  itemId: string;
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

/**
 * The read of what somebody who buys or sells does next: meetings by their time, then what waits for them, then what they
 * wait for as a buyer. Few, because lists have them all.
 */
export function openStepsRead(userId: string, now: number): Read<OpenStep[]> {
  return readOf([boughtItems(userId), openItems(userId, "all", null, SHOWN)], ([bought, sold]) => {
    const buying = bought.map((row) => ({
      ...row,
      path: `/orders/${row.orderId}`,
      step: readStep("buyer", row, now),
    }));
    const selling = readSoldItems(sold, now)
      .map((item) => ({ ...item, path: `/seller/orders/${item.id}` }))
      .filter(({ step }) => step.isTurn);
    return [...selling, ...buying]
      .toSorted((one, other) => rank(one.step) - rank(other.step))
      .flatMap(({ id, path, name, image, step: { text } }) =>
        text === null ? [] : [{ itemId: id, path, name, image, step: text }],
      )
      .slice(0, SHOWN);
  });
}

/** Meetings come first, in the order of their times. */
function rank({ isTurn, meetsAt }: { isTurn: boolean; meetsAt: number | null }): number {
  return meetsAt ?? (isTurn ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER);
}
