import "./basket.css";
import "./cart.css";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { holidayText } from "#app/accounts/profile/holiday.ts";
import type { CartLine } from "#app/basket/cart.server.ts";
import {
  cartAfter,
  cartTotals,
  isAccepted,
  isOrdered,
  isSettled,
  leftOutText,
  ONLY_OFFERS_TEXT,
} from "#app/basket/list-rules.ts";
import { quantityError, quantityWarning } from "#app/basket/quantity-rules.ts";
import { agreedFeeText, feesOf } from "#app/catalogue/fees/fee-rules.ts";
import { piecesText, productsText } from "#app/catalogue/selling/price-step-rules.ts";
import { ReservedNotice } from "#app/catalogue/stock/components/reserved-notice.tsx";
import { Button, IconButton, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";
import { formatPrice, formatTotal } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { QuantityStepper } from "#app/ui/forms/quantity-stepper.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { ClearBasket } from "./clear-basket.tsx";
import { BasketForm } from "./basket-form.tsx";
import { BasketLine } from "./basket-line.tsx";
import { useBasket } from "./basket-provider.tsx";
import { NextStep } from "./next-step.tsx";

interface CartViewProps {
  lines: CartLine[];
  /** When they were read, ms. */
  readAt: number;
  /** The same lines always have the same key, so a double click places one order. */
  orderKey: string;
  /** The result of Proceed to Checkout, if it didn't lead to the checkout. */
  result: ActionResult | null;
  /** The button that pays an accepted offer. */
  payOffer: (offer: NonNullable<CartLine["offer"]>, feeRule: CartLine["feeRule"]) => ReactNode;
}

/** The cart: its lines, its total, and the way to checkout. */
export function CartView({ lines: saved, readAt, orderKey, result, payOffer }: CartViewProps) {
  const basket = useBasket();
  useResultToast(result);
  // What was refused was another cart than the one that the buyer has changed since.
  const [past, setPast] = useState<ActionResult | null>(null);
  if (basket?.pending.size && past !== result) setPast(result);
  const lines = cartAfter(saved, basket?.pending.values() ?? []);
  if (lines.length === 0) {
    return (
      <div className="page">
        <EmptyState
          level={1}
          icon="shopping-cart"
          title="Your Cart is Empty"
          sentence="Add something you like."
          action={<LinkButton to="/studentmarketplace">Continue Shopping</LinkButton>}
        />
      </div>
    );
  }
  const totals = cartTotals(lines);
  const counted = productsText(totals.items, totals.quantity);
  const due = formatTotal(totals.total + totals.fees);
  return (
    <div className="page basket">
      <PageHeader title="Cart" lead={counted} actions={<ClearBasket list="cart" />} />
      {result && !result.ok && result !== past && (
        <Callout tone="red" role="alert">
          {result.message}
        </Callout>
      )}
      <div className="split">
        <ul className="cart" role="list">
          {lines.map((line) => (
            <CartRow key={line.id} line={line} readAt={readAt} payOffer={payOffer} />
          ))}
        </ul>
        <aside className="card stack" aria-label="Summary">
          <h2>Summary</h2>
          <SummaryRows
            rows={[
              { label: "Items", value: totals.items },
              { label: "Total quantity", value: totals.quantity },
              { label: "Subtotal", value: formatTotal(totals.total) },
              ...(totals.fees > 0 ? [{ label: "Service fee", value: formatTotal(totals.fees) }] : []),
              { label: "Delivery", value: "Free" },
              { label: "Total", value: due, total: true },
            ]}
          />
          <LiveRegion text={`${counted}, total ${due}`} />
          <ProceedToCheckout
            orderKey={orderKey}
            saved={cartTotals(saved).total}
            shown={totals.total}
            toPay={due}
            settled={lines.some(isOrdered) && lines.every(isSettled)}
            leftOut={leftOutText(lines)}
            todo={
              lines.every((line) => line.offer)
                ? ONLY_OFFERS_TEXT
                : lines.every((line) => line.quantity >= line.minQuantity || !isOrdered(line))
                  ? lines.some(isOrdered)
                    ? "Accept what has changed to continue."
                    : null
                  : "Raise each quantity to the smallest order to continue."
            }
          />
          <LinkButton to="/studentmarketplace" variant="ghost">
            Continue Shopping
          </LinkButton>
        </aside>
      </div>
    </div>
  );
}

interface ProceedProps {
  orderKey: string;
  /** The server's total and the total on the screen, in KES, without fees. They differ while a change is being sent. */
  saved: number;
  shown: number;
  /** What the buyer pays. */
  toPay: string;
  /** Every line can be ordered as it is. */
  settled: boolean;
  /** What isn't ordered; null when everything is. */
  leftOut: string | null;
  /** What to do about the lines that can't be ordered yet. */
  todo: string | null;
}

/**
 * Orders what is on the screen. A press while a change is being sent waits for it, and is dropped if the change fails.
 */
function ProceedToCheckout({ orderKey, saved, shown, toPay, settled, leftOut, todo }: ProceedProps) {
  const form = useRef<HTMLFormElement>(null);
  const basket = useBasket();
  const navigation = useNavigation();
  const changing = (basket?.pending.size ?? 0) > 0;
  /** The total on the screen when it was pressed, in KES. */
  const [pressedAt, setPressedAt] = useState<number | null>(null);

  const due = pressedAt !== null && !changing;
  if (due && saved !== pressedAt) setPressedAt(null);

  useEffect(() => {
    if (due) form.current?.requestSubmit();
  }, [due]);

  function wait(event: FormEvent) {
    if (changing) event.preventDefault();
    setPressedAt(changing ? shown : null);
  }
  const busy = pressedAt !== null || navigation.formData?.get("intent") === "checkout";
  return (
    <Form method="post" ref={form} className="stack stack--tight sticky-bar" onSubmit={wait}>
      <input type="hidden" name="intent" value="checkout" />
      <input type="hidden" name="orderKey" value={orderKey} />
      <input type="hidden" name="total" value={saved} />
      {leftOut && <p className="cart__unsettled">{leftOut}</p>}
      {!settled && todo && <p className="cart__unsettled">{todo}</p>}
      <p className="cart__bar-total">
        Total <strong>{toPay}</strong>
      </p>
      <SubmitButton busy={busy} busyLabel="One moment..." disabled={!settled}>
        Proceed to Checkout
      </SubmitButton>
    </Form>
  );
}

function CartRow({ line, readAt, payOffer }: { line: CartLine } & Pick<CartViewProps, "readAt" | "payOffer">) {
  const basket = useBasket();
  const { productId, name, quantity, minQuantity, maxQuantity, price, pricing, offer } = line;
  const [isWrong, setWrong] = useState(false);
  const settingQuantity = { intent: "set-quantity", productId, quantity } as const;
  return (
    <BasketLine
      product={line}
      facts={
        <>
          {offer ? (
            <p className="quiet">
              Your offer was accepted. You pay it by itself, so it isn't in the total.{" "}
              {agreedFeeText("buyer", offer.amount, feesOf(line.feeRule, offer.amount))}
            </p>
          ) : line.available && line.awayUntil !== null ? (
            <p className="cart__gone">
              {line.sellerName || "The seller"} is on {holidayText(line.awayUntil)}.
            </p>
          ) : line.available && !isAccepted(line) ? (
            <LineChange line={line} />
          ) : (
            <>
              <p className="quiet">
                {maxQuantity === 1
                  ? `${formatPrice(price)}, the seller has one`
                  : price === 0
                    ? "Free"
                    : `${formatPrice(price)} each`}
              </p>
              {/* Why fewer can't be chosen. */}
              {line.available && minQuantity > 1 && quantity === minQuantity && minQuantity < maxQuantity && (
                <p className="quiet">Smallest order: {piecesText(minQuantity)}</p>
              )}
              {line.available && quantity < minQuantity ? (
                <BelowMinimum line={line} />
              ) : (
                line.available && <NextStep pricing={pricing} quantity={quantity} maximum={maxQuantity} />
              )}
            </>
          )}
          {line.reservedByOthers && (
            <p className="cart__left">
              <ReservedNotice reservedUntil={line.reservedUntil} readAt={readAt} />
            </p>
          )}
        </>
      }
      actions={
        <>
          {offer && payOffer(offer, line.feeRule)}
          {isOrdered(line) && (
            <>
              <BasketForm change={settingQuantity} onPress={() => {}} className="row">
                <QuantityStepper
                  label={`Quantity of ${name}`}
                  value={quantity}
                  minimum={minQuantity}
                  maximum={maxQuantity}
                  onChange={(wish) => basket?.change({ ...settingQuantity, quantity: wish })}
                  errorOf={quantityError({ minimum: minQuantity, maximum: maxQuantity })}
                  onTooMany={() => toast.warning(quantityWarning(maxQuantity))}
                  onWrong={setWrong}
                  onZero={() => basket?.change({ intent: "remove-from-cart", productId })}
                />
                <Unscripted>
                  <Button type="submit" variant="soft" size="small" aria-label={`Set the quantity of ${name}`}>
                    Set
                  </Button>
                </Unscripted>
              </BasketForm>
              {!isWrong && <strong className="cart__sum">{formatPrice(price * quantity)}</strong>}
            </>
          )}
          {line.listed && (
            <BasketForm change={{ intent: "move-to-wishlist", productId }} className="cart__push">
              <IconButton type="submit" icon="heart" variant="ghost" label={`Move ${name} to wishlist`} />
            </BasketForm>
          )}
          <BasketForm change={{ intent: "remove-from-cart", productId }}>
            <IconButton type="submit" icon="trash-2" variant="ghost" label={`Remove ${name}`} />
          </BasketForm>
        </>
      }
    />
  );
}

/** The line has fewer pieces than the seller's smallest order. One press raises it. */
function BelowMinimum({ line: { productId, name, minQuantity } }: { line: CartLine }) {
  return (
    <div className="cart__line-change">
      <p>Smallest order: {piecesText(minQuantity)}</p>
      <BasketForm change={{ intent: "set-quantity", productId, quantity: minQuantity }}>
        <Button
          type="submit"
          size="small"
          variant="soft"
          aria-label={`Change to ${piecesText(minQuantity)} of ${name}`}
        >
          Change to {minQuantity}
        </Button>
      </BasketForm>
    </div>
  );
}

/** The seller has changed the price, or what the listing says. The buyer accepts it or removes the line. */
function LineChange({ line }: { line: CartLine }) {
  const { productId, name, price, priceWhenAdded, revision, revisionWhenAdded } = line;
  const isPrice = price !== priceWhenAdded;
  const isListing = revision !== revisionWhenAdded;
  return (
    <div className="cart__line-change">
      {isPrice && (
        <p>
          Price changed from <s>{formatPrice(priceWhenAdded)}</s> to <strong>{formatPrice(price)}</strong>
        </p>
      )}
      {isListing && (
        <p>
          The seller changed this listing. <TextLink to={`/product/${productId}`}>Read it again</TextLink>
        </p>
      )}
      <BasketForm change={{ intent: "accept-price", productId, price, revision }}>
        <Button
          type="submit"
          size="small"
          variant="soft"
          aria-label={isListing ? `Accept ${name} as it is now` : `Accept new price of ${name}`}
        >
          {isListing ? "Accept" : "Accept new price"}
        </Button>
      </BasketForm>
    </div>
  );
}
