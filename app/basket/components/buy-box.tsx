import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { QUANTITY_MAX_WARNING } from "#app/basket/rules.ts";
import { Callout } from "#app/ui/callout.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { QuantityStepper } from "#app/ui/quantity-stepper.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { toast } from "#app/ui/toast.ts";

export interface BuyResult {
  ok: boolean;
  message: string;
}

interface BuyBoxProps {
  product: { price: number; status: string };
  /** Makes a double click on Buy Now place one order. */
  orderKey: string;
  /** What the last press came to, where scripts do not run. */
  result: BuyResult | null;
}

/** Quantity, Add to Cart and Buy Now (commerce spec §2, product detail). */
export function BuyBox({ product, orderKey, result }: BuyBoxProps) {
  const [quantity, setQuantity] = useState(1);
  const fetcher = useFetcher<BuyResult>();
  const shown = fetcher.data ?? result;
  const available = product.status === "active";
  const sending = fetcher.formData?.get("intent");

  useEffect(() => {
    if (fetcher.data?.ok) toast.success(fetcher.data.message);
    else if (fetcher.data) toast.error(fetcher.data.message);
  }, [fetcher.data]);

  return (
    <fetcher.Form method="post" className="stack">
      <input type="hidden" name="orderKey" value={orderKey} />
      <input type="hidden" name="price" value={product.price} />
      {shown && !shown.ok && (
        <Callout tone="red" role="alert">
          {shown.message}
        </Callout>
      )}
      <div className="row row--apart">
        <QuantityStepper
          label="Quantity"
          name="quantity"
          value={quantity}
          onChange={setQuantity}
          onTooMany={() => toast.warning(QUANTITY_MAX_WARNING)}
          disabled={!available}
        />
        <p className="quiet">Total {formatPrice(product.price * quantity)}</p>
      </div>
      <div className="sticky-bar">
        <SubmitButton name="intent" value="add-to-cart" variant="soft" icon="shopping-cart" busy={sending === "add-to-cart"} busyLabel="Adding..." disabled={!available}>
          {available ? "Add to Cart" : "Not Available"}
        </SubmitButton>
        {available && (
          <SubmitButton name="intent" value="buy-now" busy={sending === "buy-now"} busyLabel="One moment...">
            Buy Now
          </SubmitButton>
        )}
      </div>
    </fetcher.Form>
  );
}
