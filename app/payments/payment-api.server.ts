import { and, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { pick } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts, payoutItems, payouts } from "./tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { TRANSFER, type TransferState, type WaitReason } from "#app/db/states/transfer.ts";
import { payoutSentence } from "./transfers/payout-summary.ts";
import { payoutOfItem, type PayoutView, retryPayout, startPayout } from "./transfers/start-payout.server.ts";
import { unpaidText, waitText } from "./payment-texts.ts";
import { dealEnd } from "./books/seller-money.server.ts";
import { heldReason } from "./books/seller-money-lines.ts";
import { formatKes } from "#app/ui/money.ts";
import type { PaymentServices } from "./payment-services.ts";
import { toPayout } from "./transfers/transfers.server.ts";

interface PaymentStatusView {
  amount: number;
  paymentStatus: "pending" | "processing" | "completed" | "failed";
  receipt: string | null;
  error: string | null;
}

/** A payment's state in our database, by order or by checkout request; null when it isn't this user's. */
export async function findPaymentStatus(
  db: Database,
  by: { userId: string } & ({ orderId: string } | { checkoutRequestId: string }),
): Promise<PaymentStatusView | null> {
  const columns = pick(orders, "amount", "paymentStatus", "receipt", "paymentReview", "paymentFailure", "closedReason");
  const mine = eq(orders.userId, by.userId);
  const [found] =
    "orderId" in by
      ? await db
          .select(columns)
          .from(orders)
          .where(and(eq(orders.id, by.orderId), mine))
      : await db
          .select(columns)
          .from(paymentAttempts)
          .innerJoin(orders, eq(orders.id, paymentAttempts.orderId))
          .where(and(eq(paymentAttempts.checkoutRequestId, by.checkoutRequestId), mine));
  if (!found) return null;
  const { amount, paymentStatus, receipt } = found;
  return { amount, paymentStatus, receipt, error: unpaidText(found) };
}

export type PayoutCallResult =
  /** `receipt` is M-Pesa's; null until the money has been sent. */
  | { ok: true; message: string; receipt: string | null }
  | { ok: false; code: "not_found" | "mismatch"; error: string }
  /** The money is held or refunded. `error` says what it waits for and until when. */
  | { ok: false; code: "held"; error: string }
  /** Nothing was asked. It is parked, or due and waits (`isDue`). */
  | { ok: false; code: "not_ready"; isDue: boolean; waitReason: WaitReason | null; error: string };

/** What a caller says about a payout. It is compared with our data and never used. `phone` as 254XXXXXXXXX. */
export interface PayoutClaims {
  phone?: string | undefined;
  amount?: number | undefined;
  orderId?: string | undefined;
  sellerId?: string | undefined;
}

/**
 * Starts or retries the payout of a delivered item. Recipient, phone and amount are ours; a claim that differs is
 * refused before anything happens. Asking twice pays once.
 */
export async function deliveredPayout(
  services: PaymentServices,
  input: { orderItemId: string; sellerId: string; claims?: PayoutClaims },
): Promise<PayoutCallResult> {
  const [found] = await services.db
    .select({ payout: payouts, share: payoutItems.amount, orderId: orderItems.orderId, phone: profiles.phone })
    .from(payoutItems)
    .innerJoin(payouts, eq(payouts.id, payoutItems.payoutId))
    .innerJoin(orderItems, eq(orderItems.id, payoutItems.orderItemId))
    .leftJoin(profiles, eq(profiles.id, payouts.sellerId))
    .where(and(eq(payoutItems.orderItemId, input.orderItemId), eq(payouts.sellerId, input.sellerId)));
  if (!found) return refuseUnreleased(services, input);
  const { payout } = found;
  const mismatch = payoutMismatch(input.claims ?? {}, {
    sellerId: payout.sellerId,
    amount: found.share,
    orderId: found.orderId,
    phone: payoutPhone(payout, found.phone),
  });
  if (mismatch) return { ok: false, code: "mismatch", error: mismatch };
  if (payout.state === "done") return { ok: true, message: "Already paid", receipt: payout.receipt };
  if (payout.state !== "parked" || (await retryPayout(services, toPayout(payout))))
    await startPayout(services, payout.id, input.orderItemId);
  const [after] = await payoutOfItem(services.db, input.orderItemId);
  if (after?.state === "parked" || (after?.state === "due" && after.waitReason !== null)) return notReady(after);
  return { ok: true, message: "Payout initiated", receipt: after?.receipt ?? null };
}

function notReady(
  payout: Pick<PayoutView, "state" | "waitReason" | "waitDetail" | "numberHeldUntil">,
): PayoutCallResult {
  const { state, waitReason } = payout;
  // Only this sentence says until when.
  const held = waitReason === "number_changed" ? payoutSentence(payout) : null;
  const error = held ?? waitText("payout", payout) ?? "The payout is waiting for our team.";
  return { ok: false, code: "not_ready", isDue: state === "due", waitReason, error };
}

/** Why there is no payout of a seller's item. */
async function refuseUnreleased(
  { db }: PaymentServices,
  { orderItemId, sellerId }: { orderItemId: string; sellerId: string },
): Promise<PayoutCallResult> {
  const itemRow = alias(orderItems, "item_row");
  const [item] = await db
    .select({ status: itemRow.status, subtotal: itemRow.subtotal, until: dealEnd(itemRow) })
    .from(itemRow)
    .where(and(eq(itemRow.id, orderItemId), eq(itemRow.sellerId, sellerId)));
  if (!item || ITEM.isUnpaid(item.status))
    return { ok: false, code: "not_found", error: "There is no paid order item of yours with this id." };
  if (item.subtotal === 0) return { ok: false, code: "held", error: "This item is free, so there is no payout." };
  const isHeld = ITEM.isHeld(item.status) ? "We hold this money. " : "";
  return { ok: false, code: "held", error: `${isHeld}${heldReason(item.status, item.until)}.` };
}

/** The phone that a payout was or will be sent to; null when the seller has none. */
function payoutPhone(
  payout: { state: TransferState; phone: string | null },
  profilePhone: string | null,
): string | null {
  if (!TRANSFER.isUnsent(payout.state)) return payout.phone;
  const reading = readPhone(profilePhone ?? "");
  return reading.ok ? reading.phone : null;
}

/** The first claim about a payout that is wrong; null when all are right. */
function payoutMismatch(
  claims: PayoutClaims,
  ours: { phone: string | null; amount: number; orderId: string; sellerId: string },
): string | null {
  if (claims.amount !== undefined && claims.amount !== ours.amount)
    return `The payout of this item is ${formatKes(ours.amount)}.`;
  if (claims.orderId !== undefined && claims.orderId !== ours.orderId) return "This item belongs to another order.";
  if (claims.sellerId !== undefined && claims.sellerId !== ours.sellerId)
    return "This item was sold by another seller.";
  // Without a stored phone there is nothing to compare with. The payout is refused for that reason.
  if (claims.phone !== undefined && ours.phone !== null && claims.phone !== ours.phone)
    return "Payouts go to the phone of the seller's profile, which is another.";
  return null;
}
