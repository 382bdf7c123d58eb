import { applyCallback, type IncomingCallback, storeCallback, UNKNOWN_TOKEN } from "#app/payments/callbacks.server.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

/** Like the endpoint: stores a callback, and applies it if its token is known. */
export async function receiveCallback(
  services: PaymentServices,
  incoming: Omit<IncomingCallback, "sourceAddress" | "requestId"> & Partial<IncomingCallback>,
): Promise<CallbackOutcome> {
  const stored = await storeCallback(services, { sourceAddress: null, requestId: "test", ...incoming });
  return stored ? applyCallback(services, stored) : UNKNOWN_TOKEN;
}
