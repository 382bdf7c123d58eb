import { networkOf } from "#app/platform/network.ts";

interface PaymentLimits {
  payment(key: string): Promise<boolean>;
  address(key: string): Promise<boolean>;
}

/**
 * Whether a user may request one more payment now. Counts by account and, generously, by network, because a campus
 * shares one address. `promptAllowances` also limits how often one phone may ring.
 */
export async function mayAskForPayment(
  limits: PaymentLimits,
  by: { userId: string; address: string | null },
): Promise<boolean> {
  return (await limits.payment(by.userId)) && limits.address(`payment:${networkOf(by.address)}`);
}
