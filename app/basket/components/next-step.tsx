import { nextPriceStep, type Pricing } from "#app/catalogue/selling/price-step-rules.ts";
import { formatKes } from "#app/ui/money.ts";

interface NextStepProps {
  pricing: Pricing;
  quantity: number;
  /** The largest quantity that the buyer can order. */
  maximum: number;
}

/** How many more pieces lower the price of each; nothing when there is no further step. */
export function NextStep({ pricing, quantity, maximum }: NextStepProps) {
  const next = nextPriceStep(pricing, quantity);
  if (!next || quantity + next.more > maximum) return null;
  return (
    <p className="quiet">
      Add {next.more.toLocaleString("en")} more to pay {formatKes(next.price)} each
    </p>
  );
}
