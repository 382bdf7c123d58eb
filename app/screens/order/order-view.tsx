import "#app/messaging/components/messaging.css";
import "#app/ui/feedback/moment.css";
import "#app/ui/summary-rows.css";
import { Suspense } from "react";
import type { TrackedOrder } from "./order.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { NextStepPanel } from "#app/deals/components/next-step-panel.tsx";
import { IssueReport } from "#app/deals/components/issue-report.tsx";
import { SafetyTips } from "#app/meetings/components/safety-tips.tsx";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { OrderHead } from "#app/orders/components/order-head.tsx";
import {
  orderStatusOf,
  orderTitle,
  pickupStep,
  pickupSteps,
  PROGRESS_STEPS,
  progressStep,
  shortOrderId,
} from "#app/orders/order-rules.ts";
import type { ClosedOrder } from "#app/payments/collect/order-payment-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { formatPrice } from "#app/ui/money.ts";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { useBecame, useHeld } from "#app/ui/feedback/use-held.ts";
import { RefreshLink } from "#app/ui/refresh-link.tsx";
import { Steps } from "#app/ui/steps.tsx";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { TrackedItem } from "./tracked-item.tsx";
import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";

const CodeRight = import.meta.env.SSR
  ? (await import("./code-right.tsx")).CodeRight
  : lazyPart(async () => (await import("./code-right.tsx")).CodeRight);
const OrderFacts = import.meta.env.SSR
  ? (await import("./order-facts.tsx")).OrderFacts
  : lazyPart(async () => (await import("./order-facts.tsx")).OrderFacts);

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

/** An order as its buyer follows it: of each item the next step first. */
export function OrderView({
  order,
  items,
  handedOver,
  payment,
  mayMeet,
  viewerId,
  messageKey,
  now,
  origin,
  result,
}: OrderViewProps) {
  usePolling(REFRESH_MS, true);
  const { closed } = payment;
  const progress = !closed && <OrderProgress order={order} items={items} />;
  const sorted = openFirst(items);
  const isOne = items.length === 1;
  const others = items.filter(({ canReport }) => !canReport);
  const [only] = isOne ? items : [];
  const held = useHeld(handedOver);
  const [became] = useBecame(items, ({ isByCode }) => isByCode);
  const celebrated = items.find(({ id }) => id === held) ?? became ?? null;
  return (
    <div className="page order">
      {celebrated && (
        <Suspense>
          <CodeRight key={celebrated.id} item={celebrated} />
        </Suspense>
      )}
      <OrderHead
        title={orderTitle(items)}
        thing={only ?? null}
        lead={only ? <OneLead item={only} /> : formatPrice(order.amount)}
        small={
          <>
            Order {shortOrderId(order.id)} · {formatDate(order.createdAt)}
            {only && <ItemBadge status={only.status} handover={only.handover} />}
          </>
        }
        back={{ to: "/profile?tab=orders", label: "My Orders" }}
      />
      <div className="stack">
        {result?.itemId === "" && <Callout tone={result.ok ? "green" : "red"}>{result.message}</Callout>}
        <div className="split">
          <div className="stack">
            {closed ? <ClosedNotice order={order} closed={closed} /> : <OpenNotice order={order} payment={payment} />}
            {!isOne && progress}
            <div>
              <ul className="tracked" role="list">
                {sorted.map((item, index) => (
                  <li key={item.id}>
                    <TrackedItem
                      item={item}
                      orderId={order.id}
                      isOne={isOne}
                      isFirst={index === 0}
                      isTold={item === celebrated}
                      progress={isOne && progress}
                      viewerId={viewerId}
                      messageKey={`${messageKey}:${item.id}`}
                      now={now}
                      origin={origin}
                      result={result}
                    />
                  </li>
                ))}
              </ul>
              {mayMeet && (
                <div className="folds">
                  <SafetyTips folded />
                </div>
              )}
            </div>
          </div>
          <aside aria-label="About this order" className="stack">
            <Suspense>
              <OrderFacts order={order} badge={payment.badge} />
            </Suspense>
            <div className="row row--apart">
              {others.length > 0 && <IssueReport items={others} orderId={order.id} />}
              <RefreshLink variant="ghost" failed="Failed to load order details">
                Refresh
              </RefreshLink>
            </div>
          </aside>
        </div>
      </div>
    </div>
  );
}

/** What an order of one thing costs, and who sells it. */
function OneLead({ item }: { item: TrackedOrder["items"][number] }) {
  return (
    <>
      <strong>{formatPrice(item.paid)}</strong>
      {item.quantity > 1 && ` for ${item.quantity}`} · Seller: {item.sellerName || "Anonymous"}
    </>
  );
}

/** What is over comes after what the buyer still has to do with. */
function openFirst(items: TrackedOrder["items"]): TrackedOrder["items"] {
  return items.toSorted((one, other) => Number(ITEM.isOver(one.status)) - Number(ITEM.isOver(other.status)));
}

/** How far the order has come. Where nothing is shipped, the steps are those of a meeting. */
function OrderProgress({ order, items }: Pick<TrackedOrder, "order" | "items">) {
  const status = orderStatusOf(items.map((item) => item.status));
  if (status === "cancelled") return null;
  const paid = order.paymentStatus === "completed";
  // What isn't a parcel has no steps of one.
  if (order.deliveryOption === "delivery" && items.every(({ called }) => called.isParcel))
    return <Steps label="Progress" steps={PROGRESS_STEPS} current={paid ? progressStep(status) : NOT_CONFIRMED} />;
  return (
    <Steps
      label="Progress"
      steps={pickupSteps(order.amount > 0, new Set(items.map(({ called }) => called.ended)))}
      current={paid ? pickupStep(items.map(({ progress }) => progress)) : 0}
      isNext
    />
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
    <NextStepPanel
      words={{
        tone: failed ? "red" : "orange",
        title: failed ? "Payment failed" : waiting ? "Waiting for your payment" : "This order is not paid yet",
        sentences: [(failed && unpaidText) || "The seller will start once you've paid."],
      }}
    >
      <LinkButton to={`/checkout/${order.id}`} wide>
        {failed ? "Try Payment Again" : waiting ? "See Payment" : "Complete Your Payment"}
      </LinkButton>
    </NextStepPanel>
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
