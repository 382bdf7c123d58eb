import "./orders.css";
import type { ReactNode } from "react";
import { imageSources } from "#app/catalogue/image-sources.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { formatKes, formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/photo.tsx";

type Item = BuyerOrder["items"][number];

/** What was ordered: photo, quantity and unit price, place, seller, subtotal (commerce spec §2, checkout). */
export function OrderLines({ items }: { items: readonly Item[] }) {
  return (
    <ul className="order-lines" role="list">
      {items.map((item) => (
        <li key={item.id}>
          <OrderLine item={item} />
        </li>
      ))}
    </ul>
  );
}

/** One line; `badge` stands under its words. */
export function OrderLine({ item, badge }: { item: Item; badge?: ReactNode }) {
  return (
    <div className="order-line">
      <div className="order-line__photo">
        <Photo {...imageSources(item.image, "72px")} alt="" fill />
      </div>
      <div className="order-line__words">
        <p className="order-line__name">{item.name}</p>
        <p className="order-line__fact">
          {item.quantity} × {formatPrice(item.price)}
        </p>
        <p className="order-line__fact">{item.location}</p>
        <p className="order-line__fact">
          Seller: {item.sellerName || "Anonymous"}
          {item.sellerCampus && `, ${item.sellerCampus}`}
        </p>
        {badge && <p className="order-line__badge">{badge}</p>}
      </div>
      <p className="order-line__sum">{formatKes(item.subtotal)}</p>
    </div>
  );
}
