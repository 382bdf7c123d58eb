import { and, eq } from "drizzle-orm";
import { paymentAttempts } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { PaymentServices } from "./services.ts";
import { applyAttemptEvent } from "./settlement.server.ts";

/**
 * Stops waiting for the phone that is being asked to pay an order or a plan, so that the buyer can pay from another. M-Pesa cannot take
 * a prompt back: a payment from that phone still counts, however late. `phone` (254XXXXXXXXX) is the one that the buyer's page names;
 * a page that is out of date abandons no newer request. False where no request to that phone is waiting any more.
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
