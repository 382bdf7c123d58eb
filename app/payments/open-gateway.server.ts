import { recordDiscrepancy } from "./books/discrepancies.server.ts";
import type { PaymentGateway } from "./gateway.ts";
import type { PaymentServices } from "./payment-services.ts";

/**
 * The gateway, or null while it can't work because a setting is missing; then our team is told once. Ask before writing
 * that something is being sent, because nothing will be.
 */
export async function openGateway(services: PaymentServices): Promise<PaymentGateway | null> {
  try {
    return services.gateway;
  } catch (error) {
    // The message names settings, and none of their values.
    await recordDiscrepancy(services, "gateway_configuration", "daraja", String(error));
    return null;
  }
}
