import "./payments.css";
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { smoothly } from "#app/ui/browser/motion.ts";
import { displayPhone } from "#app/accounts/profile/phone.ts";
import type { PaymentState } from "#app/payments/collect/attempt-rules.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

/** How often a page without scripts loads itself again while it waits for the payment, in s. */
const REFRESH_S = "30";

interface PaymentProgressProps {
  payment: PaymentState;
  /** What is paid, as the screen writes amounts. */
  amount: string;
  /** Why it isn't paid, from `unpaidText`. */
  unpaidText: string | null;
  /** Shown once the payment is complete. */
  next: ReactNode;
}

/**
 * The state of the payment, above the form. Shows nothing before the first request. The route's action handles
 * `change-number`.
 */
export function PaymentProgress({ payment, amount, unpaidText, next }: PaymentProgressProps) {
  const [first] = useState(payment.paymentStatus);
  const isNews = payment.paymentStatus !== first;
  if (payment.paymentStatus === "completed") return <Done payment={payment} next={next} isNews={isNews} />;
  if (payment.paymentStatus === "processing")
    return payment.paymentReview ? <Held unpaidText={unpaidText} /> : <Waiting payment={payment} amount={amount} />;
  if (payment.paymentStatus === "failed") {
    return (
      <Callout tone="red" role="alert" title="Payment failed. Please try again.">
        {unpaidText}
      </Callout>
    );
  }
  if (payment.paymentFailure === "abandoned") {
    return (
      <Callout tone="blue" role="alert" icon="smartphone" title="Enter a different M-Pesa number">
        {unpaidText}
      </Callout>
    );
  }
  return null;
}

/** The payment doesn't match the order. Our team is checking it, and the buyer can't pay again until then. */
function Held({ unpaidText }: { unpaidText: string | null }) {
  return (
    <FocusedPanel>
      <Callout tone="orange" icon="shield-check" title="We are checking your payment">
        {unpaidText}
      </Callout>
    </FocusedPanel>
  );
}

interface FocusedPanelProps extends ComponentProps<"section"> {
  /** It hasn't been there from the first. */
  isNews?: boolean;
}

/** Takes the focus, so that it is seen and read out, unless somebody types in the bar at the top. */
function FocusedPanel({ isNews = true, ...section }: FocusedPanelProps) {
  const panel = useRef<HTMLElement>(null);
  // Before the focus is given to what follows the last panel (app/ui/browser/keep-focus.ts).
  useLayoutEffect(() => {
    const now = document.activeElement;
    if (!isNews || (now?.matches("input") && !now.closest("main"))) return;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "center", behavior: smoothly() });
  }, [isNews]);
  return <section {...section} ref={panel} tabIndex={-1} />;
}

/** Tells the buyer what to do on the phone. */
function Waiting({ payment, amount }: Pick<PaymentProgressProps, "payment" | "amount">) {
  return (
    <FocusedPanel className="payment-panel" aria-labelledby="payment-panel-title">
      <PhonePicture />
      <div className="payment-panel__words">
        <h2 id="payment-panel-title">Check your phone</h2>
        <p>
          Enter your M-Pesa PIN on{" "}
          <strong className="payment-panel__fact">{displayPhone(payment.phoneNumber ?? "")}</strong> to pay{" "}
          <strong className="payment-panel__fact">{amount}</strong>.
        </p>
        <p className="quiet small">
          You're only charged once you enter your PIN. This page updates when we receive your payment.
        </p>
        <p className="quiet small">No prompt? Keep the phone on and unlocked. You can try again in 5 minutes.</p>
        {payment.phoneNumber && <ChangeNumber phone={payment.phoneNumber} />}
      </div>
      {/* React renders nothing of it in the browser, so the browser's bundle leaves it out. */}
      <Unscripted>{import.meta.env.SSR && <meta httpEquiv="refresh" content={REFRESH_S} />}</Unscripted>
    </FocusedPanel>
  );
}

/** Stops waiting for `phone`, which may be mistyped, and opens the form again. */
function ChangeNumber({ phone }: { phone: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="asked" value={phone} />
      <SubmitButton name="intent" value="change-number" busyLabel="One moment..." variant="soft" wide={false}>
        Use a different number
      </SubmitButton>
    </Form>
  );
}

/** A drawing of a phone that shows a prompt. */
function PhonePicture() {
  return (
    <span className="ringing" aria-hidden="true">
      <span className="ringing__phone">
        <span className="ringing__dots">
          <span />
          <span />
          <span />
          <span />
        </span>
      </span>
    </span>
  );
}

function Done({ payment, next, isNews }: Pick<PaymentProgressProps, "payment" | "next"> & { isNews: boolean }) {
  return (
    <FocusedPanel isNews={isNews} className="payment-panel payment-panel--done" aria-labelledby="payment-panel-title">
      <span className="tick-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <div className="payment-panel__words">
        <h2 id="payment-panel-title">{payment.receipt ? "Thank you!" : "Payment completed successfully!"}</h2>
        <p>
          {payment.receipt
            ? `Payment successful! M-Pesa receipt: ${payment.receipt}`
            : "Your receipt number will appear here."}
        </p>
        <div className="quiet small">{next}</div>
      </div>
    </FocusedPanel>
  );
}
