import { feesOf } from "#app/catalogue/fees/fee-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import type { OfferMailStep } from "#app/notifications/kinds.ts";
import { notify } from "#app/notifications/notify.server.ts";
import type { Offer } from "./find-offer.server.ts";
import { agreedAmount, OFFER_READERS } from "./offer-rules.ts";

/** What is told about an offer. */
type Facts = Pick<Offer, "id" | "productName" | "feeRule" | "amount" | "counterAmount" | "buyer" | "seller">;

/** Tells each side that the step concerns. `until`: when the next answer is due, ms; null for never. */
export function tellOffer(offer: Facts, step: OfferMailStep, until: number | null, now: number): Statement[] {
  return OFFER_READERS[step].flatMap((role) => {
    const [reader, other] = role === "buyer" ? [offer.buyer, offer.seller] : [offer.seller, offer.buyer];
    const data = {
      role,
      step,
      productName: offer.productName[role],
      amount: agreedAmount(offer),
      ...feesOf(offer.feeRule, agreedAmount(offer)),
      until,
      otherId: other.id,
      offerId: offer.id,
    };
    return notify(reader, { kind: "offer_step", data }, `offer:${offer.id}:${step}:${role}`, now);
  });
}
