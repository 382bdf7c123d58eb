import { useFetcher } from "react-router";
import { type FeeRule, feesOf } from "#app/catalogue/fees/fee-rules.ts";
import type { ProductPageSummary } from "#app/catalogue/product/product-page-summary.server.ts";
import type { OwnOffer as Offer } from "#app/catalogue/product/product-page.server.ts";
import type { OfferCardAnswer } from "./offer-card.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { useSendPath } from "#app/ui/forms/send-path.ts";
import { formatKes } from "#app/ui/money.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

interface OwnOfferProps {
  sellerId: string;
  offer: Offer;
  summary: NonNullable<ProductPageSummary["offer"]>;
}

/** The viewer's offer, on a product's page. */
export function OwnOffer({ sellerId, offer: { amount }, summary: { title, isAccepted } }: OwnOfferProps) {
  return (
    <Callout tone={isAccepted ? "green" : undefined} title={title}>
      {isAccepted ? "Yours at this price. Pay before the offer expires." : formatKes(amount)}{" "}
      <TextLink to={`/profile?tab=messages&with=${sellerId}`}>Open My Offer</TextLink>
    </Callout>
  );
}

interface PayAgreedPriceProps {
  offer: Pick<Offer, "id" | "amount">;
  /** The service fee that its order would have now; null for none. */
  feeRule: FeeRule | null;
  wide?: boolean;
}

/** Orders a piece at the price of an accepted offer. */
export function PayAgreedPrice({ offer: { id, amount }, feeRule, wide = true }: PayAgreedPriceProps) {
  const fetcher = useFetcher<OfferCardAnswer>();
  const action = useSendPath(`/offers/${id}`);
  useResultToast(fetcher.data);
  return (
    <fetcher.Form method="post" action={action}>
      <input type="hidden" name="intent" value="pay" />
      <input type="hidden" name="amount" value={amount} />
      <SubmitButton wide={wide} busy={fetcher.state !== "idle"} busyLabel="One moment...">
        Pay {formatKes(amount + feesOf(feeRule, amount).buyerFee)}
      </SubmitButton>
    </fetcher.Form>
  );
}
