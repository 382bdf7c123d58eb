import { IssueReport } from "#app/orders/components/issue-report.tsx";
import { OrderTotals } from "#app/orders/components/order-totals.tsx";
import { PaymentFacts } from "#app/payments/components/payment-facts.tsx";
import type { PaymentBadge } from "#app/payments/collect/order-payment-texts.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import type { TrackedOrder } from "./order.server.ts";

interface OrderFactsProps extends Pick<TrackedOrder, "order" | "items"> {
  badge: PaymentBadge;
}

/** How an order is paid and delivered, and where to get help with it. */
export function OrderFacts({ order, items, badge }: OrderFactsProps) {
  const reportable = items.filter(({ summary }) => summary.actions.includes("problem_reported"));
  return (
    <div className="stack stack--loose">
      <section className="card stack" aria-labelledby="payment">
        <h2 id="payment">Payment</h2>
        <PaymentFacts payment={order} badge={badge} />
        <OrderTotals amount={order.amount} />
      </section>
      {order.deliveryOption && <DeliveryFacts order={order} />}
      <section className="row row--apart" aria-label="Help">
        <p className="quiet">Is something wrong with this order?</p>
        <IssueReport items={items} problems={reportable} />
      </section>
    </div>
  );
}

function DeliveryFacts({ order }: { order: TrackedOrder["order"] }) {
  return (
    <section className="card stack" aria-labelledby="delivery">
      <h2 id="delivery">Delivery</h2>
      <SummaryRows
        rows={[
          { label: "Option", value: order.deliveryOption === "delivery" ? "Delivery" : "Pickup" },
          ...(order.deliveryAddress ? [{ label: "Address", value: order.deliveryAddress }] : []),
          ...(order.deliveryInstructions ? [{ label: "Instructions", value: order.deliveryInstructions }] : []),
        ]}
      />
    </section>
  );
}
