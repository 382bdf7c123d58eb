import "./payments.css";
import { OrderLines } from "#app/orders/components/order-lines.tsx";
import { OrderTotals } from "#app/orders/components/order-totals.tsx";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { shortOrderId } from "#app/orders/rules.ts";
import { brand } from "#app/ui/brand.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";
import { LiveRegion } from "#app/ui/live-region.tsx";
import { usePolling } from "#app/ui/use-polling.ts";
import { PaymentFacts } from "./payment-facts.tsx";

const POLL_MS = 5000;

type Status = BuyerOrder["order"]["paymentStatus"];

const HEADS: Record<"paid" | "waiting" | "failed", { icon: IconName; title: string; lead: string }> = {
  paid: { icon: "check", title: "Order Confirmed!", lead: "The seller has been told and will write to you about the handover." },
  waiting: { icon: "clock", title: "Order Received", lead: "It is confirmed as soon as your payment is through." },
  failed: { icon: "x", title: "Payment Failed", lead: "Your order is kept for you, and you can pay it again." },
};

function headOf(status: Status): keyof typeof HEADS {
  if (status === "completed") return "paid";
  return status === "failed" ? "failed" : "waiting";
}

/** What was ordered and how it was paid, like a receipt (commerce spec §2, order confirmation). */
export function ConfirmationView({ order, items }: BuyerOrder) {
  const kind = headOf(order.paymentStatus);
  const head = HEADS[kind];
  usePolling(POLL_MS, kind === "waiting");
  return (
    <div className="page page--reading stack stack--loose confirmation">
      <LiveRegion text={kind === "waiting" ? "" : head.title} />
      <header className="confirmation__head">
        <span className="tick-mark" data-kind={kind} aria-hidden="true">
          <Icon name={head.icon} />
        </span>
        <h1>{head.title}</h1>
        <p className="page-header__lead">{head.lead}</p>
      </header>
      {kind === "waiting" && <Callout tone="orange">Your payment is still being processed. We will update the status once confirmed.</Callout>}
      {kind === "failed" && (
        <Callout tone="red" title="Payment failed">
          {order.paymentError}
        </Callout>
      )}
      <section className="paper" aria-labelledby="paper-title">
        <p className="paper__letterhead" aria-hidden="true">
          <strong>{brand.name}</strong> {brand.tagline}
          <span>{kind === "paid" ? "Receipt" : "Not paid yet"}</span>
        </p>
        <header className="paper__head">
          <h2 id="paper-title">Order {shortOrderId(order.id)}</h2>
          <p className="paper__brand">
            {brand.name} · {formatDate(order.createdAt)}
          </p>
        </header>
        <OrderLines items={items} />
        <hr className="paper__tear" />
        <OrderTotals amount={order.amount} />
        <hr className="paper__tear" />
        <h3>Payment</h3>
        <PaymentFacts payment={order} />
      </section>
      <NextSteps order={order} kind={kind} />
    </div>
  );
}

function NextSteps({ order, kind }: { order: BuyerOrder["order"]; kind: keyof typeof HEADS }) {
  const canPay = (order.paymentStatus === "failed" || order.paymentStatus === "pending") && order.orderStatus !== "expired";
  return (
    <div className="confirmation__next">
      {canPay ? (
        <LinkButton to={`/checkout/${order.id}`} size="large">
          {kind === "failed" ? "Try Payment Again" : "Complete Your Payment"}
        </LinkButton>
      ) : (
        <LinkButton to={`/orders/${order.id}`} size="large" icon="package">
          Track Order
        </LinkButton>
      )}
      <LinkButton to="/studentmarketplace" variant="soft" tone="gray" size="large">
        Continue Shopping
      </LinkButton>
      <Button variant="ghost" tone="gray" size="large" icon="printer" onClick={() => window.print()}>
        Print Receipt
      </Button>
    </div>
  );
}
