import { and, eq } from "drizzle-orm";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/**
 * Stops waiting for the phone that has the prompt of an order or a plan, so that the buyer can pay from another phone.
 * M-Pesa can't take a prompt back, so a payment from the first phone still counts, however late. `phone` (254XXXXXXXXX)
 * is the one on the buyer's page, so an outdated page can't abandon a newer request. Returns false if no request to
 * that phone is open any more.
 */
export async function abandonPayment(
  services: PaymentServices,
  input: { userId: string; phone: string } & ({ orderId: string } | { subscriptionId: string }),
): Promise<boolean> {
  const payable =
    "orderId" in input
      ? eq(paymentAttempts.orderId, input.orderId)
      : eq(paymentAttempts.subscriptionId, input.subscriptionId);
  const [attempt] = await services.db
    .select({ id: paymentAttempts.id })
    .from(paymentAttempts)
    .where(
      and(
        payable,
        eq(paymentAttempts.userId, input.userId),
        eq(paymentAttempts.phone, input.phone),
        stateIs("state", ATTEMPT.isLive),
      ),
    );
  if (!attempt) return false;
  return (await applyAttemptEvent(services, attempt.id, { event: "abandoned" })) === "applied";
}
