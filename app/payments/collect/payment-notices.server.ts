/** What open pages are told about a payment over the live connection. */
import { eq } from "drizzle-orm";
import { orderItems, type orders } from "#app/orders/tables.server.ts";
import type { paymentAttempts } from "#app/payments/tables.server.ts";
import { orderTitle } from "#app/orders/order-rules.ts";
import type { PaymentFailure } from "#app/db/states/order.ts";
import { closedReasonOf, type OwedRefund } from "./order-settlement.server.ts";
import { comingBackText, FAILURE_TEXTS, REVIEW_TEXTS } from "#app/payments/payment-texts.ts";
import { formatKes } from "#app/ui/money.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

type Attempt = typeof paymentAttempts.$inferSelect;
type Order = typeof orders.$inferSelect;

interface Move {
  next: Attempt["state"];
  /** Null when the payment is kept. */
  refund: OwedRefund | null;
  failure: PaymentFailure | null;
}

/** Tells the open pages of the buyer and the sellers. Never fails. */
export async function announceMove(
  services: PaymentServices,
  { attempt, order }: { attempt: Attempt; order: Order | null },
  move: Move,
): Promise<void> {
  const orderId = attempt.orderId;
  if (!orderId || !order) return services.notifier.send(attempt.userId, { type: "plan" });
  const items = await itemsOf(services, orderId);
  await services.notifier.send(attempt.userId, {
    type: "payment",
    orderId,
    notice: noticeOf(attempt, order, orderTitle(items), move),
    shownOn: `/checkout/${orderId}`,
  });
  if (move.next === "succeeded" && !move.refund) await tellSellersOf(services, orderId, items);
}

/** The toast on the buyer's other pages. The checkout shows the details itself. */
function noticeOf(attempt: Attempt, order: Order, name: string, { next, refund, failure }: Move): string | undefined {
  if (refund?.reason === "order_already_paid" || refund?.reason === "paid_in_another_order")
    return `You paid for ${name} twice. We are sending ${formatKes(attempt.amount)} back to you.`;
  if (refund) return comingBackText(closedReasonOf(refund.reason));
  if (next === "succeeded") return `Paid: ${formatKes(attempt.amount)} for ${name}`;
  if (order.paymentStatus === "completed") return undefined;
  if (next === "held") return `About ${name}: ${REVIEW_TEXTS.mismatch}`;
  if (!failure || failure === "abandoned" || next === "refused") return undefined;
  return `The payment for ${name} did not go through. ${FAILURE_TEXTS[failure]}`;
}

type Item = Pick<typeof orderItems.$inferSelect, "id" | "sellerId"> & { name: string };

function itemsOf({ db }: Pick<PaymentServices, "db">, orderId: string): Promise<Item[]> {
  return db
    .select({ id: orderItems.id, sellerId: orderItems.sellerId, name: orderItems.productName })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId));
}

/** A live notice to each seller of the order. */
export async function tellSellers(services: Pick<PaymentServices, "db" | "notifier">, orderId: string): Promise<void> {
  await tellSellersOf(services, orderId, await itemsOf(services, orderId));
}

async function tellSellersOf(
  services: Pick<PaymentServices, "notifier">,
  orderId: string,
  items: readonly Item[],
): Promise<void> {
  await Promise.all(
    items.map((item) =>
      services.notifier.send(item.sellerId, {
        type: "order",
        orderId,
        orderItemId: item.id,
        notice: `New order: ${item.name}`,
      }),
    ),
  );
}
