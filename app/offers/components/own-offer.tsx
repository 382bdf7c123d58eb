import { Form } from "react-router";
import type { ProductPageSummary } from "#app/catalogue/product/product-page-summary.server.ts";
import type { OwnOffer as Offer } from "#app/catalogue/products.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

interface OwnOfferProps {
  sellerId: string;
  offer: Offer;
  summary: NonNullable<ProductPageSummary["offer"]>;
}

/** The viewer's offer, on a product's page. An agreed price can be paid. */
export function OwnOffer({ sellerId, offer: { id, amount }, summary: { title, isAccepted } }: OwnOfferProps) {
  const open = (
    <LinkButton to={`/profile?tab=messages&with=${sellerId}`} variant="soft" size="small">
      Open My Offer
    </LinkButton>
  );
  if (!isAccepted)
    return (
      <Callout title={title}>
        <div className="row row--apart">
          {formatKes(amount)}
          {open}
        </div>
      </Callout>
    );
  return (
    <Callout tone="green" title={title}>
      <p>We keep one for you at this price. Pay before the offer expires.</p>
      <div className="row offer-way">
        <Form method="post" action={`/offers/${id}`}>
          <input type="hidden" name="intent" value="pay" />
          <SubmitButton size="small" busyLabel="One moment...">
            Pay {formatKes(amount)}
          </SubmitButton>
        </Form>
        {open}
      </div>
    </Callout>
  );
}
