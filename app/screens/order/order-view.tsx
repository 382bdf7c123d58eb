import "#app/messaging/components/messaging.css";
import "#app/payments/components/payments.css";
import "#app/ui/summary-rows.css";
import { ITEM } from "#app/db/states/item.ts";
import type { TrackedOrder } from "./order.server.ts";
import { MeetingPanel } from "#app/meetings/components/meeting-panel.tsx";
import { orderStatusOf, PROGRESS_STEPS, progressStep, shortOrderId } from "#app/orders/order-rules.ts";
import type { ClosedOrder } from "#app/payments/collect/order-payment-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { RefreshLink } from "#app/ui/refresh-link.tsx";
import { Steps } from "#app/ui/steps.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { OrderFacts } from "./order-facts.tsx";
import { TrackedItem } from "./tracked-item.tsx";
import { ItemConversation } from "#app/messaging/components/item-conversation.tsx";
import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";
import { messageBoxId } from "#app/messaging/message-box.ts";

/** How often the page reloads its data, in ms. */
const REFRESH_MS = 60_000;
/** Before the first step of the progress bar: an order is confirmed once it is paid. */
const NOT_CONFIRMED = -1;

interface OrderViewProps extends TrackedOrder {
  viewerId: string;
  messageKey: string;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  result: ItemResult | null;
}

/** An order as its buyer follows it. */
export function OrderView({
  order,
  items,
  payment,
  tipsItemId,
  viewerId,
  messageKey,
  now,
  origin,
  result,
}: OrderViewProps) {
  usePolling(REFRESH_MS, true);
  const first = items[0];
  const { closed } = payment;
  const paid = order.paymentStatus === "completed";
  const status = orderStatusOf(items.map((item) => item.status));
  return (
    <div className="page">
      <PageHeader
        title={`Order ${shortOrderId(order.id)}`}
        lead={`Placed ${formatDateTime(order.createdAt)}`}
        back={{ to: "/profile?tab=orders", label: "My Orders" }}
        actions={
          <>
            <RefreshLink variant="soft" failed="Failed to load order details">
              Refresh
            </RefreshLink>
            {first && <ContactSeller itemId={first.id} />}
          </>
        }
      />
      <div className="stack stack--loose">
        {result?.itemId === "" && <Callout tone={result.ok ? "green" : "red"}>{result.message}</Callout>}
        {closed ? <ClosedNotice order={order} closed={closed} /> : <OpenNotice order={order} payment={payment} />}
        {!closed && status !== "cancelled" && (
          <Steps label="Progress" steps={PROGRESS_STEPS} current={paid ? progressStep(status) : NOT_CONFIRMED} />
        )}
        <div className="split">
          <ul className="tracked" role="list">
            {items.map((item) => (
              <li key={item.id} className="stack">
                <TrackedItem item={item} result={result} />
                <MeetingPanel
                  itemId={item.id}
                  itemName={item.name}
                  other={item.sellerName || "the seller"}
                  isOpen={ITEM.isMeetable(item.status)}
                  meeting={item.meeting}
                  viewerId={viewerId}
                  now={now}
                  hideTips={item.id !== tipsItemId}
                />
                <ItemConversation
                  itemId={item.id}
                  itemName={item.name}
                  otherId={item.sellerId}
                  otherName={item.sellerName || "the seller"}
                  viewerId={viewerId}
                  first={item.page}
                  now={now}
                  origin={origin}
                  messageKey={`${messageKey}:${item.id}`}
                  hasPaid={ITEM.isSold(item.status) && item.price > 0}
                />
              </li>
            ))}
          </ul>
          <aside>
            <OrderFacts order={order} items={items} badge={payment.badge} />
          </aside>
        </div>
      </div>
    </div>
  );
}

/** Jumps to the message box for the first item's seller. */
function ContactSeller({ itemId }: { itemId: string }) {
  const box = messageBoxId(itemId);
  return (
    <LinkButton
      to={`#${box}`}
      icon="message-circle"
      variant="soft"
      onClick={(event) => {
        event.preventDefault();
        const element = document.getElementById(box);
        // No messages yet: shows the button that opens the message box.
        if (element instanceof HTMLAnchorElement) return element.click();
        element?.focus({ preventScroll: true });
        element?.scrollIntoView({ block: "center", behavior: "smooth" });
      }}
    >
      Contact Seller
    </LinkButton>
  );
}

function OpenNotice({ order, payment: { status, unpaidText } }: Pick<TrackedOrder, "order" | "payment">) {
  if (order.paymentStatus === "completed") return null;
  if (status === "under_review") {
    return (
      <Callout tone="orange" icon="shield-check" title="We are checking your payment">
        {unpaidText}
      </Callout>
    );
  }
  const waiting = status === "waiting";
  const failed = status === "failed";
  return (
    <Callout
      tone={failed ? "red" : "orange"}
      title={failed ? "Payment failed" : waiting ? "Waiting for your payment" : "This order is not paid yet"}
    >
      <span className="row row--apart">
        {failed ? unpaidText : "The seller will start once you've paid."}
        <LinkButton to={`/checkout/${order.id}`} size="small">
          {failed ? "Try Payment Again" : waiting ? "See Payment" : "Complete Your Payment"}
        </LinkButton>
      </span>
    </Callout>
  );
}

/** Says why the order was closed, and offers the buyer a way on. */
function ClosedNotice({
  order,
  closed: { tone, icon, title, sentence, next },
}: {
  order: TrackedOrder["order"];
  closed: ClosedOrder;
}) {
  return (
    <Callout tone={tone} icon={icon} title={title}>
      <span className="row row--apart">
        {sentence}
        <LinkButton to={order.replacedBy ? `/orders/${order.replacedBy}` : next.to} size="small" variant="soft">
          {next.label}
        </LinkButton>
      </span>
    </Callout>
  );
}
