import { recipientOf } from "#app/accounts/recipient-rules.ts";
import type { Mail, OfferMailStep } from "#app/platform/mailer.ts";
import type { Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { Offer } from "./find-offer.server.ts";
import { agreedAmount, OFFER_EMAILS } from "./offer-rules.ts";

/** What an email says about an offer. */
type Facts = Pick<Offer, "id" | "productName" | "amount" | "counterAmount" | "buyer" | "seller">;

/** One email to each side that the step concerns. `until`: when the next answer is due, ms; null for never. */
export function offerEmails(offer: Facts, step: OfferMailStep, until: number | null, now: number): Statement[] {
  return OFFER_EMAILS[step].flatMap((role) => {
    const [reader, other] = role === "buyer" ? [offer.buyer, offer.seller] : [offer.seller, offer.buyer];
    const to = recipientOf(reader, "use");
    if (to === null) return [];
    const mail: Mail = {
      to,
      template: "offer_step",
      data: {
        name: reader.name,
        role,
        step,
        productName: offer.productName,
        amount: agreedAmount(offer),
        until,
        otherId: other.id,
      },
    };
    return [queueEffect("mail", `offer:${offer.id}:${step}:${role}`, mail, now)];
  });
}
