import { displayPhone } from "#app/accounts/profile/phone.ts";
import { ratingOf, type StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { DeliveryFacts } from "#app/orders/components/delivery-facts.tsx";
import { BUYER_HIDDEN_TEXTS, itemStatusLabel, shortOrderId } from "#app/orders/order-rules.ts";
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

/** Who bought an item, how it gets to them, and when what happened. */
export function SoldItemFacts({ item, buyerStars }: Pick<SoldItem, "item" | "buyerStars">) {
  return (
    <>
      {item.paymentStatus === "completed" && <BuyerFacts item={item} stars={buyerStars} />}
      {item.deliveryOption === "delivery" && item.deliveryAddress && (
        <DeliveryFacts title="Delivery Information" of={item} />
      )}
      <SaleFacts item={item} />
    </>
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
          ...(item.buyerMeetings ? [{ label: "Meetings", value: item.buyerMeetings }] : []),
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

function SaleFacts({ item }: Pick<SoldItem, "item">) {
  return (
    <section className="card stack" aria-labelledby="order">
      <h2 id="order">Order Information</h2>
      <SummaryRows
        rows={[
          { label: "Order", value: shortOrderId(item.orderId) },
          { label: "Placed", value: formatDateTime(item.orderCreatedAt) },
          ...(item.paymentDate ? [{ label: "Paid", value: formatDateTime(item.paymentDate) }] : []),
          ...(item.shippedAt
            ? [{ label: itemStatusLabel("shipped", item.handover), value: formatDateTime(item.shippedAt) }]
            : []),
          ...(item.deliveredAt
            ? [{ label: itemStatusLabel("delivered", item.handover), value: formatDateTime(item.deliveredAt) }]
            : []),
          ...(item.quantity > 1 ? [{ label: "Quantity", value: `${item.quantity} × ${formatKes(item.price)}` }] : []),
          ...(item.earned < item.subtotal
            ? [
                { label: "Price", value: formatKes(item.subtotal) },
                { label: "Service fee", value: formatKes(item.subtotal - item.earned) },
              ]
            : []),
        ]}
      />
    </section>
  );
}
