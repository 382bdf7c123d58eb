import { applyKeptObject } from "#app/payments/answers/apply-kept.server.ts";
import {
  applyCallback,
  type IncomingCallback,
  takeCallback,
  UNKNOWN_TOKEN,
} from "#app/payments/answers/callbacks.server.ts";
import type { CallbackOutcome } from "#app/db/states/callback.ts";
import type { PaymentServices } from "#app/payments/payment-services.ts";

/**
 * Like the endpoint: stores a callback, and applies it if its token is known. "kept": the database was away, and it was
 * applied afterwards.
 */
export async function receiveCallback(
  services: PaymentServices,
  incoming: Omit<IncomingCallback, "sourceAddress" | "requestId"> & Partial<IncomingCallback>,
): Promise<CallbackOutcome | "kept"> {
  const callback = { sourceAddress: null, requestId: "test", ...incoming };
  const taken = await takeCallback(services, callback, async () => true);
  if (taken.kind === "stored") return applyCallback(services, taken.stored);
  if (taken.kind === "unknown") return UNKNOWN_TOKEN;
  await applyKeptObject(services, taken.key);
  return "kept";
}
