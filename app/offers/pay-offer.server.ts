import { feesOf } from "#app/catalogue/fees/fee-rules.ts";
import type { Store } from "#app/db/client.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { placeOrder, type PlaceOrderResult } from "#app/orders/place-order.server.ts";
import { findOffer } from "./find-offer.server.ts";
import { amountDue } from "./offer-rules.ts";

export type PayOfferResult = PlaceOrderResult | { ok: false; code: "not_found" };

/**
 * Places the order of an accepted offer at its price, for its buyer. Safe to repeat: it leads to the same order until
 * that order is closed, the listing costs less than it, or the service fee is another. `amount`: the price that the
 * buyer saw, in KES.
 */
export async function payOffer(
  store: Store,
  { offerId, buyerId, amount }: { offerId: string; buyerId: string; amount?: number },
): Promise<PayOfferResult> {
  const offer = await findOffer(store, offerId);
  if (!offer || offer.buyer.id !== buyerId) return { ok: false, code: "not_found" };
  if (!OFFER.isAccepted(offer.state)) return { ok: false, code: "offer_over" };
  const expectedAmount = amount ?? amountDue(offer);
  const { buyerFee } = feesOf(offer.feeRule, expectedAmount);
  return placeOrder(store, {
    userId: buyerId,
    idempotencyKey: `offer-${offer.id}-${expectedAmount}-${buyerFee}`,
    expectedAmount,
    from: { productId: offer.productId, quantity: 1, offerId: offer.id },
  });
}
