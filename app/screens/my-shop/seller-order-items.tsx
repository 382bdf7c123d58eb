import "#app/orders/components/order-rows.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { shippingStep, shortOrderId } from "#app/orders/order-rules.ts";
import type { SoldItem } from "./sold-items.server.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { ItemBadge, StepBadge } from "#app/orders/components/status-badges.tsx";

/** A seller's order items. Each line leads to the item and shows its next step and how long ago it was ordered. */
export function SellerOrderItems({ items }: { items: readonly SoldItem[] }) {
  return (
    <ul className="order-rows order-table" role="list">
      {items.map((item) => (
        <li key={item.id}>
          <Link className="order-row" to={`/seller/orders/${item.id}`} data-tour="orders-details">
            <span className="order-row__photo">
              <Photo {...imageSources(item.image, "64px")} alt="" fill />
            </span>
            <span className="order-row__words">
              <span className="order-row__line">
                <span className="order-row__name">
                  {item.quantity > 1 && `${item.quantity} × `}
                  <span data-title>{withWholeAmounts(item.name)}</span>
                </span>
                <span className="order-row__sum">{formatPrice(item.subtotal)}</span>
              </span>
              <span className="order-row__fact" data-tour="orders-message">
                {item.buyerName || "Anonymous"} · <span className="numbers">{shortOrderId(item.orderId)}</span> ·{" "}
                {daysAgo(item.days)}
              </span>
              <span className="order-row__line">
                <span className="small">{item.step.text}</span>
                <span data-tour="orders-update">
                  {item.status === "processing" ? (
                    <StepBadge step={shippingStep(item)} handover={item.handover} />
                  ) : (
                    <ItemBadge status={item.status} handover={item.handover} />
                  )}
                </span>
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function daysAgo(days: number): string {
  if (days === 0) return "Ordered today";
  return days === 1 ? "Ordered yesterday" : `Ordered ${days} days ago`;
}
