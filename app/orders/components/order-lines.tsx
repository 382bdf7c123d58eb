import "./orders.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { BuyerOrder } from "#app/orders/orders.server.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatPrice, formatTotal } from "#app/ui/money.ts";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";

type Item = BuyerOrder["items"][number];

/** The items of an order above its totals: photo, quantity and unit price, place, seller and subtotal of each. */
export function OrderLines({ items }: { items: readonly Item[] }) {
  return (
    <ul className="order-lines" role="list">
      {items.map((item) => (
        <li key={item.id}>
          <OrderLine item={item} seller={item} format={formatTotal} />
        </li>
      ))}
    </ul>
  );
}

interface OrderLineProps {
  item: Omit<Item, "sellerName" | "sellerCampus" | "sellerPhotoUrl">;
  /** Shown to the buyer only. */
  seller?: Pick<Item, "sellerName" | "sellerCampus" | "sellerPhotoUrl">;
  /** How the screen writes amounts (KES). */
  format?: (amount: number) => string;
}

function OrderLine({ item, seller, format = formatPrice }: OrderLineProps) {
  return (
    <div className="order-line">
      <div className="order-line__photo">
        <Photo {...imageSources(item.image, "72px")} alt="" fill />
      </div>
      <div className="order-line__words">
        <p className="order-line__name">
          {item.removed ? (
            withWholeAmounts(item.name)
          ) : (
            <Link className="text-link" to={`/product/${item.productId}`}>
              {withWholeAmounts(item.name)}
            </Link>
          )}
        </p>
        <p className="order-line__amount">
          <span className="order-line__fact">
            {item.quantity} × {format(item.price)}
          </span>
          <span className="order-line__sum">{format(item.subtotal)}</span>
        </p>
        {item.called.receipt && <p className="order-line__fact">{item.called.receipt}</p>}
        {item.location && <p className="order-line__fact">{item.location}</p>}
        {seller && (
          <p className="order-line__fact row">
            {seller.sellerPhotoUrl && <Avatar name={seller.sellerName ?? ""} url={seller.sellerPhotoUrl} />}
            <span>
              Seller: {seller.sellerName || "Anonymous"}
              {seller.sellerCampus && `, ${seller.sellerCampus}`}
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
