import { networkOf } from "#app/platform/network.ts";

interface PaymentLimits {
  payment(key: string): Promise<boolean>;
  address(key: string): Promise<boolean>;
}

/**
 * Whether somebody may ask for one more payment now: counted by account, and by network, generously, for a campus shares one
 * address. How often one phone may ring is counted besides, by `promptAllowances`.
 */
export async function mayAskForPayment(
  limits: PaymentLimits,
  by: { userId: string; address: string | null },
): Promise<boolean> {
  return (await limits.payment(by.userId)) && limits.address(`payment:${networkOf(by.address)}`);
}
