import { displayPhone } from "#app/accounts/profile/phone.ts";
import { ratingOf, type StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { ITEM } from "#app/db/states/item.ts";
import { DeliveryFacts } from "#app/orders/components/delivery-facts.tsx";
import { BUYER_HIDDEN_TEXTS, shortOrderId } from "#app/orders/order-rules.ts";
import { personReviewsPath } from "#app/reviews/review-paths.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { formatKes } from "#app/ui/money.ts";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import type { SoldItem } from "./sold-item.server.ts";

type Item = SoldItem["item"];

/** Who bought an item, how it gets to them, and what the seller earns. */
export function SoldItemFacts({ item, deal, buyerStars }: Pick<SoldItem, "item" | "deal" | "buyerStars">) {
  return (
    <div className="stack">
      {item.paymentStatus === "completed" && <BuyerFacts item={item} stars={buyerStars} />}
      {item.deliveryOption && <DeliveryFacts title="Delivery Information" of={item} />}
      <SaleFacts item={item} deal={deal} />
    </div>
  );
}

function BuyerFacts({ item, stars }: { item: Item; stars: StarCounts }) {
  const rating = ratingOf(stars);
  const hasReviews = stars.some((count) => count > 0);
  return (
    <section className="card stack" aria-labelledby="buyer">
      <div className="row">
        {item.buyerPhotoUrl && <Avatar name={item.buyerName ?? ""} url={item.buyerPhotoUrl} />}
        <h2 id="buyer">Buyer Information</h2>
      </div>
      <SummaryRows
        rows={[
          { label: "Name", value: item.buyerName || "Anonymous" },
          ...(item.contact === "shown" ? contactRows(item) : []),
          {
            label: "Reviews",
            value: hasReviews ? (
              <TextLink to={personReviewsPath(item.buyerId, "buyer")}>
                {rating ? <Rating rating={rating} /> : "Read the reviews"}
              </TextLink>
            ) : (
              "No reviews yet"
            ),
          },
          { label: "Location", value: item.buyerCampus || "Location not specified" },
        ]}
      />
      {(item.contact === "over" || item.contact === "blocked") && (
        <p className="quiet">{BUYER_HIDDEN_TEXTS[item.contact]}</p>
      )}
    </section>
  );
}

function contactRows(item: Item) {
  return [
    {
      label: "Phone",
      value: item.buyerPhone ? (
        <a className="text-link" href={`tel:+${item.buyerPhone}`}>
          {displayPhone(item.buyerPhone)}
        </a>
      ) : (
        "Not given"
      ),
    },
    {
      label: "Email",
      value: item.buyerEmail ? (
        <a className="text-link" href={`mailto:${item.buyerEmail}`}>
          <EmailAddress address={item.buyerEmail} />
        </a>
      ) : (
        "Not given"
      ),
    },
  ];
}

function SaleFacts({ item, deal }: Pick<SoldItem, "item" | "deal">) {
  // What a completed deal's last event gave back to the buyer.
  const returned = ITEM.isCompleted(item.status) ? (deal.latest?.amount ?? 0) : 0;
  const earned = ITEM.isReturned(item.status) ? 0 : item.subtotal - returned;
  return (
    <section className="card stack" aria-labelledby="order">
      <h2 id="order">Order Information</h2>
      <SummaryRows
        rows={[
          { label: "Order", value: shortOrderId(item.orderId) },
          { label: "Placed", value: formatDateTime(item.orderCreatedAt) },
          ...(item.paymentDate ? [{ label: "Paid", value: formatDateTime(item.paymentDate) }] : []),
          ...(item.shippedAt ? [{ label: "Shipped", value: formatDateTime(item.shippedAt) }] : []),
          ...(item.deliveredAt ? [{ label: "Delivered", value: formatDateTime(item.deliveredAt) }] : []),
          { label: "Quantity", value: String(item.quantity) },
          { label: "You earn", value: formatKes(earned), total: true },
        ]}
      />
    </section>
  );
}
