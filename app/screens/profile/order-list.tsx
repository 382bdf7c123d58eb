import "#app/orders/components/order-rows.css";
import { Link, useFetcher } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { PastOrder } from "./order-history.server.ts";
import { paymentNote } from "#app/orders/order-payment-rules.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { MoreLink } from "#app/ui/more-link.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { OrderBadge } from "#app/orders/components/status-badges.tsx";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";

interface Page {
  orders: PastOrder[];
  /** The next page's cursor; null at the end. */
  next: string | null;
}

/** A buyer's orders, newest first; "Show more" appends the next page, and without scripts leads to it. */
export function OrderList({ first }: { first: Page }) {
  const fetcher = useFetcher<Page | FailedPage>();
  const pages = useMorePages(first, fetcher, {
    rowsOf: (page) => page.orders,
    nextOf: ({ next }) => next && `/profile?tab=orders&after=${next}`,
  });
  const { rows: orders, nextPath, isSeveral } = pages;
  return (
    <>
      <ul className="order-rows order-table" role="list">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderRow order={order} />
          </li>
        ))}
      </ul>
      <LiveRegion text={isSeveral ? `${orders.length} orders shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </>
  );
}

function OrderRow({ order }: { order: PastOrder }) {
  const others = order.itemStatuses.length - 1;
  return (
    <Link className="order-row" to={`/orders/${order.id}`}>
      <span className="order-row__photo">
        <Photo {...imageSources(order.firstImage, "64px")} alt="" fill />
      </span>
      <span className="order-row__words">
        <span className="order-row__line">
          <span className="order-row__name" data-title>
            {withWholeAmounts(order.firstName)}
            {others > 0 && ` and ${others} more`}
          </span>
          <span className="order-row__sum">{formatPrice(order.amount)}</span>
        </span>
        <span className="order-row__fact">
          Order {shortOrderId(order.id)} · {formatDate(order.createdAt)}
        </span>
        <span className="order-row__line">
          {order.step === null ? (
            <span className="order-row__fact">{paymentNote(order)}</span>
          ) : (
            <span className="small">{order.step}</span>
          )}
          <OrderBadge order={order} />
        </span>
      </span>
    </Link>
  );
}
