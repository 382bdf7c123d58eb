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
  /** The button to write to the seller, beside those to buy. */
  contact: ReactNode;
  /** Instead of Buy Now, for a buyer with an accepted offer: the button that pays the agreed price. */
  payAgreed?: ReactNode;
  /** What they have ordered already, on the public page: pieces, and KES for one piece. It is sent at once. */
  pressed?: { quantity: number; price: number; revision: number } | null;
}

const FORM = "buy-box";

/** Quantity, Add to Cart and Buy Now on the page of a product that is for sale. */
export function BuyBox({ product, orderKey, result, contact, payAgreed, pressed = null }: BuyBoxProps) {
  const [quantity, setQuantity] = useState(smallestOrder(product));
  const basket = useBasket();
  const { pathname } = useLocation();
  const buying = useFetcher<ActionResult>();
  useResultToast(buying.data);
  const shown = buying.data ?? result;
  useSendOnArrival(buying.submit, orderKey, payAgreed || product.reservedByOthers ? null : pressed);
  const maximum = maxQuantity(product);
  const { id: productId, price, revision } = product;
  const steps = JSON.stringify(product.steps);
  const addition = { intent: "add-to-cart", productId, quantity, price, steps, revision } as const;

  return (
    <>
      <buying.Form
        method="post"
        id={FORM}
        className="stack"
        hidden={maximum === 1 && (shown?.ok ?? true)}
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent;
          if (!(submitter instanceof HTMLButtonElement) || submitter.value !== addition.intent) return;
          event.preventDefault();
          basket?.change(addition);
        }}
      >
        <input type="hidden" name="productId" value={productId} />
        <input type="hidden" name="from" value={pathname} />
        <input type="hidden" name="orderKey" value={orderKey} />
        <input type="hidden" name="price" value={price} />
        <input type="hidden" name="revision" value={revision} />
        {product.steps.length > 0 && <input type="hidden" name="steps" value={steps} />}
        {shown && !shown.ok && (
          <Callout tone="red" role="alert">
            {shown.message}
          </Callout>
        )}
        {maximum === 1 ? (
          <input type="hidden" name="quantity" value="1" />
        ) : (
          <QuantityAndTotal product={product} quantity={quantity} onChange={setQuantity} />
        )}
        <NextStep pricing={product} quantity={quantity} maximum={maximum} />
      </buying.Form>
      {/* Outside the form, because a form can't stand in another. */}
      <div className="sticky-bar product-bar">
        {contact}
        <SubmitButton
          form={FORM}
          name="intent"
          value={addition.intent}
          formAction={BASKET_ACTION}
          variant="soft"
          busy={basket?.pending.has(targetOf(addition)) ?? false}
          wide={false}
          busyLabel="Adding..."
        >
          Add to Cart
        </SubmitButton>
        {payAgreed ?? (
          <SubmitButton
            form={FORM}
            name="intent"
            value="buy-now"
            busy={buying.formData != null}
            wide={false}
            busyLabel="One moment..."
            disabled={product.reservedByOthers}
          >
            Buy Now
          </SubmitButton>
        )}
      </div>
    </>
  );
}

/** Sends what they have ordered already, once, when the page opens. */
function useSendOnArrival(
  submit: ReturnType<typeof useFetcher>["submit"],
  orderKey: string,
  pressed: BuyBoxProps["pressed"],
): void {
  useEffect(() => {
    if (!pressed) return;
    const { quantity, price, revision } = pressed;
    void submit({ intent: "buy-now", orderKey, quantity, price, revision }, { method: "post" });
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

interface QuantityAndTotalProps {
  product: BuyBoxProps["product"];
  quantity: number;
  onChange: (quantity: number) => void;
}

function QuantityAndTotal({ product, quantity, onChange }: QuantityAndTotalProps) {
  const [isWrong, setWrong] = useState(false);
  const [minimum, maximum] = [smallestOrder(product), maxQuantity(product)];
  const each = unitPrice(product, quantity);
  return (
    <div className="row row--apart">
      <QuantityStepper
        value={quantity}
        minimum={minimum}
        maximum={maximum}
        onChange={onChange}
        errorOf={quantityError({ minimum, maximum })}
        onTooMany={() => toast.warning(quantityWarning(maximum))}
        onWrong={setWrong}
      />
      {/* Of a number that can't be ordered there is no total. */}
      {!isWrong && (
        <p className="quiet">
          Total {formatPrice(each * quantity)}
          {each < product.price && `, ${formatPrice(each)} each`}
        </p>
      )}
    </div>
  );
}
