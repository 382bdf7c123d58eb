/** What the people of the demo campus were told lately, as the notification centre shows it. */
import { type Kind, type KindData, type Notification, thingOf } from "#app/notifications/kinds.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import type { Product } from "./stock.ts";
import { DAY, HOUR, type Row, type Rows } from "./rows.ts";

const LATELY = 14 * DAY;

type Known = Pick<Rows, "orders" | "orderItems" | "offers" | "wishlistItems"> & { products: Product[] };

/** In the order of time. What is older than a day was read. */
export function notificationRows(now: number, known: Known): Row<"notifications">[] {
  return [...ordersOf(known), ...offersOf(known), ...savesOf(known)]
    .filter(({ createdAt }) => createdAt > now - LATELY && createdAt <= now)
    .toSorted((one, other) => one.createdAt - other.createdAt)
    .map((row) => ({ ...row, readAt: row.createdAt < now - DAY ? row.createdAt + HOUR : null }));
}

function told<K extends Kind>(userId: string, key: string, createdAt: number, kind: K, data: KindData[K]) {
  const thing = thingOf({ kind, data });
  return { userId, key, createdAt, kind, data: data as object, thing } satisfies Row<"notifications">;
}

function ordersOf({ orders = [], orderItems = [] }: Known) {
  return orders.flatMap(({ id, userId, amount, paymentDate }) => {
    if (!paymentDate) return [];
    const paid = { orderId: id, amount, receipt: null };
    return [
      told(userId, `payment_received:${id}`, paymentDate, "payment_received", paid),
      ...orderItems
        .filter(({ orderId }) => orderId === id)
        .map((item) =>
          told(item.sellerId, `new_sale:${item.id}`, paymentDate, "new_sale", {
            orderItemId: item.id,
            productName: item.productName,
            quantity: item.quantity,
            subtotal: item.subtotal,
            taken: false,
            hasMeeting: false,
          }),
        ),
    ];
  });
}

function offersOf({ offers = [], products }: Known) {
  return offers.map((offer) => {
    const isOpen = offer.state === "open";
    const productName = products.find(({ id }) => id === offer.productId)?.name ?? "";
    const data: Extract<Notification, { kind: "offer_step" }>["data"] = {
      role: isOpen ? "seller" : "buyer",
      step: isOpen ? "offered" : "seller_accepted",
      productName,
      amount: offer.amount,
      until: offer.expiresAt,
      otherId: isOpen ? offer.buyerId : offer.sellerId,
      offerId: offer.id,
    };
    const reader = isOpen ? offer.sellerId : offer.buyerId;
    return told(reader, `offer:${offer.id}:${data.step}:${data.role}`, offer.updatedAt, "offer_step", data);
  });
}

/** Once a day and listing, as many as saved it. */
function savesOf({ wishlistItems = [], products }: Known) {
  const days = Map.groupBy(wishlistItems, ({ productId, createdAt }) => `saved:${productId}:${dayName(createdAt)}`);
  return [...days].flatMap(([key, saves]) => {
    const product = products.find(({ id }) => id === saves[0]?.productId);
    if (!product) return [];
    const last = Math.max(...saves.map(({ createdAt }) => createdAt));
    const count = saves.length;
    const data = { productId: product.id, productName: product.name, count };
    return [{ ...told(product.sellerId, key, last, "saved", data), count }];
  });
}
