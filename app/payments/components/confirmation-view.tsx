import "./payments.css";
import { OrderLines } from "#app/orders/components/order-lines.tsx";
import { OrderTotals } from "#app/orders/components/order-totals.tsx";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { isUnderWay } from "#app/orders/order-payment-rules.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import { type Confirmation, confirmationOf, PAYMENT_BADGES } from "#app/payments/collect/order-payment-texts.ts";
import { brand } from "#app/ui/page/brand.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { InstallOffer } from "#app/ui/feedback/install-offer.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { Paper } from "./paper.tsx";
import { PaymentFacts } from "./payment-facts.tsx";

const POLL_MS = 5000;

/** What was ordered and how it was paid, laid out like a receipt. */
export function ConfirmationView({ order, items }: BuyerOrder) {
  const said = confirmationOf(order, items);
  const underWay = isUnderWay(said.status);
  usePolling(POLL_MS, underWay);
  return (
    <div className="page page--reading stack stack--loose confirmation">
      <LiveRegion text={underWay ? "" : said.title} />
      <header className="confirmation__head">
        <span className="tick-mark" data-kind={said.mark} aria-hidden="true">
          <Icon name={said.icon} />
        </span>
        <h1>{said.title}</h1>
        <p className="page-header__lead">{said.lead}</p>
      </header>
      {said.note && (
        <Callout tone={said.note.tone} title={said.note.title}>
          {said.note.text}
        </Callout>
      )}
      <Paper
        kind={said.paper}
        title={`Order ${shortOrderId(order.id)}`}
        line={`${brand.name} · ${formatDate(order.createdAt)}`}
      >
        <OrderLines items={items} />
        <hr className="paper__tear" />
        <OrderTotals amount={order.amount} />
        <hr className="paper__tear" />
        <h3>Payment</h3>
        <PaymentFacts payment={order} badge={PAYMENT_BADGES[said.status]} />
      </Paper>
      <NextSteps said={said} />
      {order.paymentStatus === "completed" && <AskForPush reason="order" />}
      {order.paymentStatus === "completed" && <InstallOffer />}
    </div>
  );
}

function NextSteps({ said: { next, paper } }: { said: Confirmation }) {
  const shop = "/studentmarketplace";
  return (
    <div className="confirmation__next">
      <LinkButton to={next.to} icon={paper === "Receipt" ? "package" : undefined}>
        {next.label}
      </LinkButton>
      {next.to !== shop && (
        <LinkButton to={shop} variant="soft">
          Continue Shopping
        </LinkButton>
      )}
      {paper !== "Closed" && (
        <Button variant="ghost" icon="printer" onClick={() => window.print()}>
          Print Receipt
        </Button>
      )}
    </div>
  );
}
