import type { FeeRule } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { and, eq, exists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { HIDDEN_NAME, nameToTell } from "#app/catalogue/product/shown-product.server.ts";
import type { LiveOffer } from "#app/live/live-events.ts";
import { asBoolean, build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { offers } from "#app/catalogue/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { OfferEndReason, OfferState } from "#app/db/states/offer.ts";

/** An offer with everything that decides its next step. Amounts in KES, times in ms since 1970. */
export interface Offer {
  id: string;
  productId: string;
  /** As each side may read it: its buyer nothing of a listing that is held, taken down or deleted. */
  productName: { buyer: string | null; seller: string };
  /** Of the listing, for one piece. */
  price: number;
  /** The service fee that its order would have now; null for none. */
  feeRule: FeeRule | null;
  amount: number;
  counterAmount: number | null;
  state: OfferState;
  endReason: OfferEndReason | null;
  expiresAt: number;
  /** A payment at its price is under way. */
  isBeingPaid: boolean;
  /** The listing has a piece that isn't promised to anybody. */
  hasFreePiece: boolean;
  /** When the seller's latest holiday ends, which may be in the past; null when they never took one. */
  sellerAwayUntil: number | null;
  buyer: Party;
  seller: Party;
}

/** SQL: a payment for an offer is under way. `offerId` as a value or as a column. */
export function isBeingPaid(offerId: string | SQLWrapper): SQL {
  return exists(
    build
      .select({ id: orderItems.id })
      .from(orderItems)
      .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orderItems.orderId))
      .where(and(eq(orderItems.offerId, offerId), stateIs(paymentAttempts.state, ATTEMPT.isUnderWay))),
  );
}

/** The offers that match `condition`. */
export function findOffers({ db, now }: Store, condition: SQL): Promise<Offer[]> {
  return db
    .select({
      id: offers.id,
      productId: offers.productId,
      productName: { buyer: nameToTell(productRow), seller: productRow.name },
      price: productRow.price,
      feeRule: feeRule(now()),
      ...pick(offers, "amount", "counterAmount", "state", "endReason", "expiresAt"),
      isBeingPaid: asBoolean(isBeingPaid(offers.id)),
      hasFreePiece: asBoolean(sql`${productRow.stock} IS NULL OR ${productRow.stock} > ${productRow.reserved}`),
      sellerAwayUntil: shops.awayUntil,
      buyer: partyJson(sql`${offers.buyerId}`).mapWith(readParty),
      seller: partyJson(sql`${offers.sellerId}`).mapWith(readParty),
    })
    .from(offers)
    .innerJoin(productRow, eq(productRow.id, offers.productId))
    .leftJoin(shops, eq(shops.id, offers.sellerId))
    .where(condition);
}

export async function findOffer(store: Store, offerId: string): Promise<Offer | null> {
  const [offer] = await findOffers(store, eq(offers.id, offerId));
  return offer ?? null;
}

/** An offer as its page shows it to its buyer or seller; null for others. One round trip. */
export async function findOfferFor(
  store: Store,
  offerId: string,
  viewerId: string,
): Promise<{
  offer: LiveOffer;
  product: { id: string; name: string };
  otherId: string;
} | null> {
  const found = await findOffer(store, offerId);
  if (!found || (viewerId !== found.buyer.id && viewerId !== found.seller.id)) return null;
  const { id, amount, counterAmount, price, feeRule: currentFee, state, endReason, expiresAt, buyer, seller } = found;
  return {
    offer: { id, buyerId: buyer.id, amount, counterAmount, price, feeRule: currentFee, state, endReason, expiresAt },
    product: {
      id: found.productId,
      name: found.productName[viewerId === buyer.id ? "buyer" : "seller"] ?? HIDDEN_NAME,
    },
    otherId: viewerId === buyer.id ? seller.id : buyer.id,
  };
}
