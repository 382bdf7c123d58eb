import { Form } from "react-router";
import type { OwnOffer } from "#app/catalogue/products.server.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/submit-button.tsx";

interface ProductOfferProps {
  product: { id: string; sellerId: string; takesOffers: boolean; ownOffer: OwnOffer | null };
}

/**
 * On a product's page: the button to make an offer, or the viewer's own offer. Nothing where the seller takes no
 * offers.
 */
export function ProductOffer({ product: { id, sellerId, takesOffers, ownOffer } }: ProductOfferProps) {
  if (!ownOffer)
    return takesOffers ? (
      <LinkButton className="make-offer" to={`/product/${id}/offer`} variant="soft" tone="gray" wide>
        Make an Offer
      </LinkButton>
    ) : null;
  const open = (
    <LinkButton to={`/profile?tab=messages&with=${sellerId}`} variant="soft" tone="gray" size="small">
      Open My Offer
    </LinkButton>
  );
  if (!OFFER.isAccepted(ownOffer.state))
    return (
      <Callout title={OFFER.awaitsBuyer(ownOffer.state) ? "The seller named another price" : "You made an offer"}>
        <div className="row row--apart">
          {formatKes(ownOffer.amount)}
          {open}
        </div>
      </Callout>
    );
  return (
    <Callout tone="green" title={`Your price: ${formatKes(ownOffer.amount)}`}>
      <p>We keep one for you at this price. Pay before the offer expires.</p>
      <div className="row offer-way">
        <Form method="post" action={`/offers/${ownOffer.id}`}>
          <input type="hidden" name="intent" value="pay" />
          <SubmitButton size="small" busyLabel="One moment...">
            Pay {formatKes(ownOffer.amount)}
          </SubmitButton>
        </Form>
        {open}
      </div>
    </Callout>
  );
}
