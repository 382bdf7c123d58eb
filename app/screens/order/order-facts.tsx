import { DeliveryFacts } from "#app/orders/components/delivery-facts.tsx";
import { Fold } from "#app/orders/components/fold.tsx";
import { PaymentFacts } from "#app/payments/components/payment-facts.tsx";
import type { PaymentBadge } from "#app/payments/collect/order-payment-texts.ts";
import { formatPrice } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import type { TrackedOrder } from "./order.server.ts";

interface OrderFactsProps extends Pick<TrackedOrder, "order"> {
  badge: PaymentBadge;
}

/** How an order is paid and delivered. */
export function OrderFacts({ order, badge }: OrderFactsProps) {
  const isBrought = order.deliveryOption === "delivery";
  return (
    <Fold label={isBrought ? "Payment and delivery" : "Payment"} hint={formatPrice(order.amount)} isAside>
      <section className="card stack" aria-labelledby="payment">
        <h2 id="payment">Payment</h2>
        <PaymentFacts payment={order} badge={badge} />
        <SummaryRows
          rows={[
            ...(isBrought ? [{ label: "Delivery", value: "Free" }] : []),
            ...(order.fee > 0 ? [{ label: "Service fee", value: formatPrice(order.fee) }] : []),
            { label: "Total", value: formatPrice(order.amount), total: true },
          ]}
        />
      </section>
      {isBrought && <DeliveryFacts title="Delivery" of={order} />}
    </Fold>
  );
}
