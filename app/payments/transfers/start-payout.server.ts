/** A payout as its seller sees it, and what makes it leave at once. */
import { eq, sql } from "drizzle-orm";
import { profiles } from "#app/accounts/tables.server.ts";
import { pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { findUnconfirmedAttempt, queryAttempt } from "#app/payments/collect/queries.server.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { payoutItems, payouts } from "#app/payments/tables.server.ts";
import { itemsOfPayout } from "./payouts.server.ts";
import { advanceTransfer } from "./send-transfer.server.ts";
import { canSellerRetry } from "./transfer-rules.ts";
import { type Payout, retryParked } from "./transfers.server.ts";

/**
 * The query for what a seller sees of the payout that an item is part of. No row until the money is released. Await it,
 * or send it in a batch.
 */
export function payoutOfItem(db: Database, orderItemId: string) {
  return db
    .select({
      id: payouts.id,
      state: payouts.state,
      /** KES, of all its items. */
      amount: payouts.amount,
      /** KES, of this item. */
      share: sql<number>`${payoutItems.amount}`.as("share"),
      /** How many items it pays for. */
      items: itemsOfPayout.as("items"),
      ...pick(payouts, "providerConversationId", "receipt", "resultCode", "resultDesc", "waitReason", "waitDetail"),
      ...pick(payouts, "sendCount", "lookupCount", "createdAt", "sentAt", "doneAt", "updatedAt"),
      numberHeldUntil: profiles.payoutsHeldUntil,
    })
    .from(payoutItems)
    .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
    .where(eq(payoutItems.orderItemId, orderItemId));
}

export type PayoutView = Awaited<ReturnType<typeof payoutOfItem>>[number];

/**
 * Tries a parked payout again if its seller can fix the cause. False if not, or if it has changed since it was read.
 */
export async function retryPayout(services: PaymentServices, payout: Payout): Promise<boolean> {
  return canSellerRetry(payout.waitReason) && retryParked(services, payout);
}

/**
 * Sends a payout at once, instead of in the job's next run. If needed, the buyer's payment is confirmed first, but
 * never asked about more often than the schedule allows, however often a seller presses.
 */
export async function startPayout(services: PaymentServices, payoutId: string, orderItemId: string): Promise<void> {
  const [item] = await services.db
    .select({ orderId: orderItems.orderId })
    .from(orderItems)
    .where(eq(orderItems.id, orderItemId));
  const unconfirmed = item && (await findUnconfirmedAttempt(services, item.orderId));
  if (unconfirmed) await queryAttempt(services, unconfirmed);
  await advanceTransfer(services, { kind: "payout", id: payoutId });
}
