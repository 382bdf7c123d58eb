import "./payments.css";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import { smoothly } from "#app/ui/browser/motion.ts";
import { displayPhone } from "#app/accounts/profile/phone.ts";
import { productsText } from "#app/catalogue/selling/price-step-rules.ts";
import { OrderLines } from "#app/orders/components/order-lines.tsx";
import { MoneyPromise } from "#app/catalogue/product/components/money-promise.tsx";
import { ChangesBeforePaying } from "#app/orders/components/changes-before-paying.tsx";
import { OrderTotals } from "#app/orders/components/order-totals.tsx";
import { ReservedNotice } from "#app/catalogue/stock/components/reserved-notice.tsx";
import type { ReservedItem } from "#app/payments/collect/availability.server.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import {
  ADDRESS_MAX_LENGTH,
  type CheckoutErrors,
  type CheckoutValues,
  INSTRUCTIONS_MAX_LENGTH,
  readCheckoutValues,
  refuseCheckout,
} from "#app/payments/collect/checkout-form.ts";
import type { NextStep } from "#app/payments/collect/order-payment-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Checkbox, RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { formatTotal } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { RefreshLink } from "#app/ui/refresh-link.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextArea } from "#app/ui/forms/form-fields.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFormDraft } from "#app/ui/forms/use-form-draft.ts";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { useFocusOnPhone } from "./use-focus-on-phone.ts";
import { useUntilSeen } from "./use-until-seen.ts";
import { PaymentProgress } from "./payment-progress.tsx";
import { PhoneField } from "./phone-field.tsx";

/** The result of pressing the pay button. */
export interface CheckoutResult {
  ok: boolean;
  message: string;
  /** We can't see where the payment stands. The page looks until it can. */
  unsure?: boolean;
  errors?: CheckoutErrors;
  /** What was typed, to fill in the form again. */
  values?: CheckoutValues;
}

interface CheckoutViewProps extends BuyerOrder {
  /** The remembered phone, or the one in the profile, for an order that has none yet. */
  phone: string | null;
  /** They asked us to remember the phone that pays. */
  remembers: boolean;
  /** Where the order was placed. */
  back: NextStep;
  /** Why it isn't paid; null when there is nothing to say. */
  unpaidText: string | null;
  result: CheckoutResult | null;
  /** A product of the order of which others have reserved all that is left; null when there is none. */
  reserved: ReservedItem | null;
  /** Why delivery can't be chosen; null when it can. */
  undeliverable: string | null;
  /** When the page's data was read, ms. */
  readAt: number;
  /** The fields to suggest a meeting, which belong to pickup. */
  renderMeeting: (errors: CheckoutErrors) => ReactNode;
}

/** How often the page asks for the payment's state, in ms. */
const POLL_MS = 5000;
/** How long a completed payment shows before the confirmation page opens, in ms. */
const CONFIRMATION_DELAY_MS = 2000;

/** The order, how it is handed over, and the M-Pesa number that pays it. */
export function CheckoutView({
  order,
  items,
  phone,
  remembers,
  back,
  unpaidText,
  result,
  reserved,
  undeliverable,
  readAt,
  renderMeeting,
}: CheckoutViewProps) {
  const { paymentStatus } = order;
  const form = useRef<HTMLFormElement>(null);
  const free = order.amount === 0;
  const unseen = useUntilSeen(result, paymentStatus, order);
  const requested = unseen?.ok === true;
  const locked = paymentStatus === "processing" || paymentStatus === "completed" || requested;
  const sending = useNavigation().formMethod === "POST";
  useFormDraft(locked ? null : form);
  usePolling(POLL_MS, paymentStatus === "processing" || requested || unseen?.unsure === true);
  useConfirmation(order);
  useFocusOnPhone(order, form);
  const { errors, check } = useErrors(result, form, free);
  const values = result?.values ?? firstValues(order, { phone, remembers });
  // After a payment that failed, the number stands below the reason: it may be what has to change.
  const summary = <Summary order={order} items={items} />;
  return (
    <div className="page">
      <PageHeader title="Complete Your Payment" back={back} />
      <LiveRegion text={statusText(order)} />
      <div className="stack stack--loose">
        {!(sending && paymentStatus === "failed") && (
          <PaymentProgress
            payment={order}
            amount={formatTotal(order.amount)}
            unpaidText={unpaidText}
            next="Taking you to your order…"
          />
        )}
        {unseen && !unseen.ok && !unseen.errors && (unseen.unsure || paymentStatus !== "failed") && (
          <Callout tone="red" role="alert">
            {unseen.message}
          </Callout>
        )}
        {reserved && !locked && <Reserved reserved={reserved} isOneOfMany={items.length > 1} readAt={readAt} />}
        {!locked && <ChangesBeforePaying items={items} />}
        <div className="checkout">
          {paymentStatus !== "failed" && summary}
          <Form method="post" className="checkout__form" noValidate preventScrollReset ref={form} onSubmit={check}>
            {!free && (
              <PhoneField value={values.phone} error={errors.phone} locked={locked}>
                <Checkbox id="remember" name="remember" defaultChecked={values.remember} disabled={locked}>
                  Remember this number
                </Checkbox>
              </PhoneField>
            )}
            <DeliveryFields
              key={`delivery-${order.id}`}
              values={values}
              errors={errors}
              locked={locked}
              undeliverable={undeliverable}
              meeting={renderMeeting(errors)}
            />
            <PayButton order={order} items={items} locked={locked} />
            <OtherThingsToDo />
          </Form>
          {paymentStatus === "failed" && summary}
        </div>
      </div>
    </div>
  );
}

/** What a form that hasn't been sent holds. */
function firstValues(
  order: BuyerOrder["order"],
  { phone, remembers }: Pick<CheckoutViewProps, "phone" | "remembers">,
): CheckoutValues {
  return {
    option: order.deliveryOption ?? "pickup",
    // So that one press pays. Whoever takes the tick out reads why it is needed.
    pickupConfirmed: true,
    address: order.deliveryAddress ?? "",
    instructions: order.deliveryInstructions ?? "",
    phone: displayPhone(order.phoneNumber ?? phone ?? ""),
    remember: remembers,
  };
}

/**
 * What is wrong with the form, as found before it is sent or as the server answered. The first field with an error gets
 * the focus.
 */
function useErrors(result: CheckoutResult | null, form: RefObject<HTMLFormElement | null>, free: boolean) {
  const [found, setFound] = useState<{ errors: CheckoutErrors; after: CheckoutResult | null }>();
  useEffect(() => {
    if (!result) return;
    if (result.ok) toast.info(result.message, { duration: 3000 });
    else toast.error(result.message);
    focusFirst(form.current, result.errors);
  }, [result, form]);
  return {
    // Errors found in the browser stay until the server has answered.
    errors: (found?.after === result ? found?.errors : result?.errors) ?? {},
    /** The server checks again. This only saves a request. */
    check(event: FormEvent<HTMLFormElement>): void {
      const refusals = refuseCheckout(readCheckoutValues(new FormData(event.currentTarget)), { free });
      setFound({ errors: refusals, after: result });
      if (Object.keys(refusals).length === 0) return;
      event.preventDefault();
      focusFirst(event.currentTarget, refusals);
    },
  };
}

/** What is paid for. On phones it is one line that opens, so that the number that pays stands above the button. */
function Summary({ order, items }: Pick<BuyerOrder, "order" | "items">) {
  const [only] = items.length === 1 ? items : [];
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <details className="checkout__summary checkout__order card">
      <summary>
        <span className="checkout__order-name">Order summary</span>
        <span className="checkout__order-things quiet small">{only?.name ?? productsText(items.length, pieces)}</span>
        <strong className="numbers">{formatTotal(order.amount)}</strong>
      </summary>
      <div className="stack">
        <h2>Order summary</h2>
        <OrderLines items={items} />
        <OrderTotals {...order} />
        <p className="quiet small">Order {shortOrderId(order.id)}</p>
      </div>
    </details>
  );
}

interface ReservedProps {
  reserved: ReservedItem;
  isOneOfMany: boolean;
  readAt: number;
}

function Reserved({ reserved, isOneOfMany, readAt }: ReservedProps) {
  return (
    <Callout tone="orange">
      <ReservedNotice
        name={isOneOfMany ? reserved.name : null}
        reservedUntil={reserved.reservedUntil}
        readAt={readAt}
      />{" "}
      <TextLink to={`/product/${reserved.productId}`}>See the product</TextLink>
    </Callout>
  );
}

function PayButton({ order, items, locked }: Pick<BuyerOrder, "order" | "items"> & { locked: boolean }) {
  const free = order.amount === 0;
  const [promise, ...others] = new Set(items.map(({ called }) => called.promise));
  return (
    <div className="sticky-bar stack stack--tight">
      {free ? (
        <p className="quiet small">This order is free, so there's nothing to pay.</p>
      ) : (
        <MoneyPromise text={others.length > 0 || !promise ? "We hold your money for each item by itself" : promise} />
      )}
      <SubmitButton
        name="intent"
        value={free ? "confirm" : "pay"}
        busyLabel={free ? "Confirming..." : "Sending the request..."}
        disabled={locked}
      >
        {payLabel(order)}
      </SubmitButton>
    </div>
  );
}

function OtherThingsToDo() {
  return (
    <div className="row checkout__others">
      <RefreshLink variant="ghost" failed="Failed to check payment status">
        Refresh Status
      </RefreshLink>
      <LinkButton to="/studentmarketplace" variant="ghost">
        Continue Shopping
      </LinkButton>
    </div>
  );
}

function payLabel(order: BuyerOrder["order"]): string {
  if (order.paymentStatus === "completed") return "Paid";
  if (order.paymentStatus === "processing")
    return order.paymentReview ? "Checking your payment..." : "Waiting for your PIN...";
  return order.amount === 0 ? "Confirm Order" : `Pay ${formatTotal(order.amount)} with M-Pesa`;
}

function statusText({ paymentStatus, paymentReview }: BuyerOrder["order"]): string {
  if (paymentStatus === "completed") return "Payment completed successfully!";
  if (paymentStatus !== "processing") return "";
  return paymentReview ? "We are checking your payment" : "Waiting for your payment";
}

function DeliveryFields({
  values,
  errors,
  locked,
  undeliverable,
  meeting,
}: {
  values: CheckoutValues;
  errors: CheckoutErrors;
  locked: boolean;
  /** Why delivery can't be chosen; null when it can. */
  undeliverable: string | null;
  meeting: ReactNode;
}) {
  return (
    <section
      className={classNames("stack checkout__delivery", undeliverable === null && "checkout__delivery--both")}
      aria-labelledby="delivery"
    >
      <h2 id="delivery">Delivery</h2>
      <RadioCards
        legend="Delivery option"
        hideLegend
        beside
        name="option"
        defaultValue={undeliverable ? "pickup" : values.option}
        disabled={locked}
        choices={[
          { value: "pickup", label: "Pickup", icon: "map-pin" },
          {
            value: "delivery",
            label: "Delivery",
            detail: undeliverable ?? undefined,
            icon: "truck",
            disabled: undeliverable !== null,
          },
        ]}
      />
      <fieldset className="checkout__pickup" disabled={locked}>
        <legend className="visually-hidden">Pickup</legend>
        <Checkbox
          id="pickupConfirmed"
          name="pickupConfirmed"
          defaultChecked={values.pickupConfirmed}
          error={errors.pickupConfirmed}
        >
          I'll agree on a pickup time and place with the seller
        </Checkbox>
        {meeting}
      </fieldset>
      <fieldset className="checkout__address stack" disabled={locked}>
        <legend className="visually-hidden">Delivery address</legend>
        <Field label="Delivery address" id="address" error={errors.address} hint="Hostel or building, block and room">
          <TextField
            name="address"
            icon="map-pin"
            autoComplete="street-address"
            maxLength={ADDRESS_MAX_LENGTH}
            defaultValue={values.address}
          />
        </Field>
        <Field label="Instructions" id="instructions" optional>
          <TextArea
            name="instructions"
            rows={2}
            maxLength={INSTRUCTIONS_MAX_LENGTH}
            defaultValue={values.instructions}
          />
        </Field>
      </fieldset>
    </section>
  );
}

function focusFirst(form: HTMLFormElement | null, errors: CheckoutErrors | undefined): void {
  const names = errors && Object.keys(errors);
  const field = names?.map((name) => form?.elements.namedItem(name)).find((element) => element instanceof HTMLElement);
  if (!field) return;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center", behavior: smoothly() });
}

/**
 * A payment that completes while the page is open shows for a moment before the confirmation page opens. One that was
 * complete before doesn't.
 */
function useConfirmation(order: BuyerOrder["order"]): void {
  const navigate = useNavigate();
  const completed = order.paymentStatus === "completed";
  const wasCompleted = useRef(completed);
  const path = `/order-confirmation/${order.id}`;
  useEffect(() => {
    if (!completed) return;
    if (wasCompleted.current) {
      void navigate(path, { replace: true });
      return;
    }
    const timer = setTimeout(() => void navigate(path, { replace: true }), CONFIRMATION_DELAY_MS);
    return () => clearTimeout(timer);
  }, [completed, navigate, path]);
}
