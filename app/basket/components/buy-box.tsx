import { type ReactNode, useEffect, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { maxQuantity, quantityError, quantityWarning, smallestOrder } from "#app/basket/quantity-rules.ts";
import { targetOf } from "#app/basket/basket-rules.ts";
import { type PriceStep, unitPrice } from "#app/catalogue/selling/price-step-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { QuantityStepper } from "#app/ui/forms/quantity-stepper.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { BASKET_ACTION } from "./basket-changes.ts";
import { useBasket } from "./basket-provider.tsx";
import { NextStep } from "./next-step.tsx";

interface BuyBoxProps {
  product: {
    id: string;
    price: number;
    status: string;
    stock: number | null;
    reservedByOthers: boolean;
    wholesale: boolean;
    minQuantity: number;
    steps: readonly PriceStep[];
    revision: number;
  };
  /** The idempotency key of the order: a double click on Buy Now places one order. */
  orderKey: string;
  /** The result of the last Buy Now, for browsers without scripts. */
  result: ActionResult | null;
  /** Stands with the buttons: why one of them is disabled, or a better way to buy. It may have forms of its own. */
  notice?: ReactNode;
  /** False for a buyer with an accepted offer, whose notice has a button with the agreed price. */
  hasBuyNow?: boolean;
  /** What they have ordered already, on the public page: pieces, and KES for one piece. It is sent at once. */
  pressed?: { quantity: number; price: number; revision: number } | null;
}

const FORM = "buy-box";

/** Quantity, Add to Cart and Buy Now on a product's page. */
export function BuyBox({ product, orderKey, result, notice, hasBuyNow = true, pressed = null }: BuyBoxProps) {
  const minimum = smallestOrder(product);
  const [quantity, setQuantity] = useState(minimum);
  const basket = useBasket();
  const { pathname } = useLocation();
  const buying = useFetcher<ActionResult>();
  useResultToast(buying.data);
  const shown = buying.data ?? result;
  useEffect(() => {
    if (pressed && hasBuyNow && !product.reservedByOthers)
      void buying.submit(
        { intent: "buy-now", orderKey, quantity: pressed.quantity, price: pressed.price, revision: pressed.revision },
        { method: "post" },
      );
    // Once, when the page opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const available = product.status === "active";
  const maximum = maxQuantity(product);
  const each = unitPrice(product, quantity);
  const addition = { intent: "add-to-cart", productId: product.id, quantity, revision: product.revision } as const;

  return (
    <div className="stack">
      <buying.Form
        method="post"
        id={FORM}
        className="stack"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent;
          if (!(submitter instanceof HTMLButtonElement) || submitter.value !== addition.intent) return;
          event.preventDefault();
          basket?.change(addition);
        }}
      >
        <input type="hidden" name="productId" value={product.id} />
        <input type="hidden" name="from" value={pathname} />
        <input type="hidden" name="orderKey" value={orderKey} />
        <input type="hidden" name="price" value={product.price} />
        <input type="hidden" name="revision" value={product.revision} />
        {product.steps.length > 0 && <input type="hidden" name="steps" value={JSON.stringify(product.steps)} />}
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
            minimum={minimum}
            maximum={maximum}
            onChange={setQuantity}
            errorOf={quantityError({ minimum, maximum })}
            onTooMany={() => toast.warning(quantityWarning(maximum))}
            disabled={!available}
          />
          <p className="quiet">
            {available && maximum === 1 ? "Only one available" : `Total ${formatPrice(each * quantity)}`}
            {each < product.price && `, ${formatPrice(each)} each`}
          </p>
        </div>
        <NextStep pricing={product} quantity={quantity} maximum={maximum} />
      </buying.Form>
      {/* Outside the form, because a form can't stand in another. */}
      <div className="sticky-bar">
        {notice && <div className="sticky-bar__notice">{notice}</div>}
        <SubmitButton
          form={FORM}
          name="intent"
          value={addition.intent}
          formAction={BASKET_ACTION}
          variant="soft"
          icon="shopping-cart"
          busy={basket?.pending.has(targetOf(addition)) ?? false}
          busyLabel="Adding..."
          disabled={!available}
        >
          {available ? "Add to Cart" : "Not Available"}
        </SubmitButton>
        {available && hasBuyNow && (
          <SubmitButton
            form={FORM}
            name="intent"
            value="buy-now"
            busy={buying.formData != null}
            busyLabel="One moment..."
            disabled={product.reservedByOthers}
          >
            Buy Now
          </SubmitButton>
        )}
      </div>
    </div>
  );
}
