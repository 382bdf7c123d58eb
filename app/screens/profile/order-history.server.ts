import { eq, inArray } from "drizzle-orm";
import { memberRow, readMember } from "#app/accounts/member.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { type Cursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import type { Database, Store } from "#app/db/client.ts";
import { buyerStepColumns, readStep } from "#app/screens/listed-steps.server.ts";
import { listOrdersOfBuyer, pageOfOrders } from "#app/orders/orders.server.ts";
import { read } from "#app/db/batch.ts";

const PAGE_SIZE = 20;

/**
 * A member's profile and one page of their orders, newest first, after `cursor`, each with the next step of its items.
 * Null when there is no profile. One round trip.
 */
export async function findOrderHistory({ db, now }: Store, userId: string, cursor: Cursor | null) {
  const { members, rows, steps } = await read(db, {
    members: memberRow(db, userId, listedBy(userId)),
    rows: listOrdersOfBuyer(db, userId, PAGE_SIZE + 1, cursor ?? undefined),
    steps: selectSteps(db, userId, cursor),
  });
  const member = readMember(members);
  if (!member) return null;
  const page = rows.slice(0, PAGE_SIZE).map((row) => ({
    ...row,
    firstImage: row.firstImage ? (JSON.parse(row.firstImage) as ProductImage | null) : null,
    step: stepOf(
      steps.filter(({ orderId }) => orderId === row.id),
      now(),
    ),
  }));
  const last = page.at(-1);
  return { member, orders: page, next: rows.length > PAGE_SIZE && last ? writeCursor(last) : null };
}

/** The query for what the next steps of the items of one page depend on. */
function selectSteps(db: Database, userId: string, cursor: Cursor | null) {
  return db
    .select({
      orderId: orderItems.orderId,
      ...buyerStepColumns(userId),
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .leftJoin(meetings, eq(meetings.orderItemId, orderItems.id))
    .where(inArray(orderItems.orderId, pageOfOrders(userId, PAGE_SIZE, cursor ?? undefined)))
    .orderBy(orderItems.createdAt, orderItems.id);
}

/** The first step of an order's items that the status doesn't say. */
function stepOf(items: Awaited<ReturnType<typeof selectSteps>>, now: number): string | null {
  for (const item of items) {
    const step = readStep("buyer", item, now).text;
    if (step !== null) return step;
  }
  return null;
}

export type PastOrder = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>["orders"][number];
