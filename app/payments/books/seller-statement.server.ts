import { and, eq, gt, isNotNull, lt, sql, or } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { buyerFeeBack } from "#app/orders/item-price.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { ledgerEntries, payouts, refunds } from "#app/payments/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { refundPlace } from "#app/payments/transfers/refund-place.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { monthBounds } from "#app/platform/east-africa-time.ts";
import { type MoneyChange, type SellerStatement, sellerStatement } from "./seller-statement-lines.ts";

/** SQL on an item and an entry: its money was released, or held again. By the index of the transactions' names. */
const isOfItem = or(
  ...["release", "reclaim"].map((cause) => {
    const name = sql`${`${cause}:`} || ${orderItems.id}`;
    return sql`${ledgerEntries.transactionId} BETWEEN ${name} AND ${name} || ':~'`;
  }),
);

/**
 * A seller's statement of a month (YYYY-MM), and who the seller is. One round trip; it reads all of the seller's sales
 * until then, which few people ask for, and seldom.
 */
export async function openSellerStatement(
  { db }: Pick<Store, "db">,
  { sellerId, month }: { sellerId: string; month: string },
): Promise<{ statement: SellerStatement; seller: string }> {
  const { until } = monthBounds(month);
  const {
    seller: [seller],
    sold,
    sentBack,
    fees,
    paidOut,
  } = await read(db, {
    seller: build.select({ name: profiles.fullName }).from(profiles).where(eq(profiles.id, sellerId)),
    sold: build
      .select({
        id: orderItems.id,
        orderId: orderItems.orderId,
        name: orderItems.productName,
        ...named({ amount: orderItems.subtotal }),
        at: sql<number>`${orderItems.paidAt}`.as("at"),
      })
      .from(orderItems)
      .where(
        and(
          eq(orderItems.sellerId, sellerId),
          gt(orderItems.subtotal, 0),
          isNotNull(orderItems.paidAt),
          lt(orderItems.paidAt, until),
        ),
      ),
    sentBack: build
      .select({
        id: refunds.id,
        orderId: orderItems.orderId,
        name: orderItems.productName,
        // Of a fee that the buyer pays nothing is the seller's, so neither is what goes back of it.
        amount: sql<number>`${refunds.amount} - ${buyerFeeBack()}`.as("of_price"),
        place: refundPlace().as("place"),
        ...named({ at: refunds.createdAt }),
      })
      .from(orderItems)
      .innerJoin(refunds, eq(refunds.orderItemId, orderItems.id))
      .where(and(eq(orderItems.sellerId, sellerId), lt(refunds.createdAt, until))),
    fees: build
      .select({
        id: ledgerEntries.id,
        orderId: orderItems.orderId,
        name: orderItems.productName,
        amount: sql<number>`-${ledgerEntries.amount}`.as("fee"),
        ...named({ at: ledgerEntries.createdAt }),
      })
      .from(orderItems)
      .innerJoin(ledgerEntries, and(eq(ledgerEntries.account, "fees"), isOfItem))
      .where(and(eq(orderItems.sellerId, sellerId), gt(orderItems.sellerFee, 0), lt(ledgerEntries.createdAt, until))),
    paidOut: build
      .select({
        ...pick(payouts, "id", "amount", "receipt"),
        at: sql<number>`${payouts.doneAt}`.as("at"),
      })
      .from(payouts)
      .where(and(eq(payouts.sellerId, sellerId), stateIs(payouts.state, TRANSFER.isDone), lt(payouts.doneAt, until))),
  });
  const changes: MoneyChange[] = [
    ...sold.map((sale) => ({ kind: "sale" as const, ...sale, receipt: null, place: null })),
    ...sentBack.map((refund) => ({ kind: "refund" as const, ...refund, receipt: null })),
    ...fees.map((fee) => ({ kind: "fee" as const, ...fee, receipt: null, place: null })),
    ...paidOut.map((payout) => ({ kind: "payout" as const, ...payout, name: null, orderId: null, place: null })),
  ];
  return { statement: sellerStatement(changes, month), seller: seller?.name ?? "" };
}
