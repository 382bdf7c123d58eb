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
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { Moment } from "#app/ui/feedback/moment.tsx";
import { useHeld } from "#app/ui/feedback/use-held.ts";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { Paper } from "./paper.tsx";
import { PaymentFacts } from "./payment-facts.tsx";

const POLL_MS = 5000;

/**
 * What was ordered and how it was paid, laid out like a receipt. `isNews`: its buyer hasn't seen yet that it is paid.
 */
export function ConfirmationView({ order, items, isNews }: BuyerOrder & { isNews: boolean }) {
  const held = useHeld(isNews ? order.id : null);
  const said = confirmationOf(order, items);
  const underWay = isUnderWay(said.status);
  usePolling(POLL_MS, underWay);
  const papers = new Set(items.map(({ called }) => called.paper));
  const isMoment = held === order.id && said.status === "paid";
  return (
    <div className="page page--reading stack stack--loose confirmation">
      <LiveRegion text={underWay ? "" : said.title} />
      {isMoment ? (
        <Moment
          kind="paid"
          title={<h1>{said.title}</h1>}
          sum={formatPrice(order.amount)}
          sentence={said.lead}
          photo={<Photo {...imageSources(items[0]?.image ?? null, "140px")} alt="" fill />}
          action={
            <LinkButton to={said.next.to} icon="package">
              See Your Handover Code
            </LinkButton>
          }
        >
          <AskForPush reason="order" />
        </Moment>
      ) : (
        <header className="confirmation__head">
          <span className="tick-mark" data-kind={said.mark} aria-hidden="true">
            <Icon name={said.icon} />
          </span>
          <h1>{said.title}</h1>
          <p className="page-header__lead">{said.lead}</p>
        </header>
      )}
      {said.note && (
        <Callout tone={said.note.tone} title={said.note.title}>
          {said.note.text}
        </Callout>
      )}
      <Paper
        kind={said.paper === "Receipt" && papers.size === 1 ? [...papers].join("") : said.paper}
        title={`Order ${shortOrderId(order.id)}`}
        line={`${brand.name} · ${formatDate(order.createdAt)}`}
      >
        <OrderLines items={items} />
        <hr className="paper__tear" />
        <OrderTotals {...order} />
        <hr className="paper__tear" />
        <h3>Payment</h3>
        <PaymentFacts payment={order} badge={PAYMENT_BADGES[said.status]} />
      </Paper>
      <NextSteps said={said} isShopping={isMoment} />
      {order.paymentStatus === "completed" && !isMoment && <AskForPush reason="order" />}
      {order.paymentStatus === "completed" && <InstallOffer />}
    </div>
  );
}

/** `isShopping`: the next step stands above. */
function NextSteps({ said: { next, paper }, isShopping }: { said: Confirmation; isShopping: boolean }) {
  const shop = "/studentmarketplace";
  return (
    <div className="confirmation__next">
      {!isShopping && (
        <LinkButton to={next.to} icon={paper === "Receipt" ? "package" : undefined}>
          {next.label}
        </LinkButton>
      )}
      {next.to !== shop && (
        <LinkButton to={shop} variant="soft">
          Continue Shopping
        </LinkButton>
      )}
      {paper !== "Closed" && (
        <Button className="scripted" variant="ghost" icon="printer" onClick={() => window.print()}>
          Print Receipt
        </Button>
      )}
    </div>
  );
}
