import { type SQL, sql } from "drizzle-orm";
import { type Party, partyJson, readParty } from "#app/accounts/party.server.ts";
import { SHOWN_NAME } from "#app/catalogue/shown-product.server.ts";
import type { LiveOffer } from "#app/platform/live-events.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import type { OfferEndReason, OfferState } from "#app/db/states/offer.ts";

/** An offer with everything that decides its next step. Amounts in KES, times in ms since 1970. */
export interface Offer {
  id: string;
  productId: string;
  productName: string;
  /** Of the listing, for one piece. */
  price: number;
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

interface Row extends Omit<Offer, "isBeingPaid" | "hasFreePiece" | "buyer" | "seller"> {
  isBeingPaid: number;
  hasFreePiece: number;
  buyer: string;
  seller: string;
}

/** SQL: a payment for an offer is under way. `offerId` as a value or as a column. */
export function isBeingPaid(offerId: string | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM order_items i JOIN payment_attempts a ON a.order_id = i.order_id
    WHERE i.offer_id = ${offerId} AND ${stateIs("a.state", ATTEMPT.isUnderWay)})`;
}

/** The offers that match `condition`, which is SQL on offers `f`. */
export async function findOffers({ db }: Pick<Store, "db">, condition: SQL): Promise<Offer[]> {
  const rows = await db.all<Row>(
    sql`SELECT f.id, f.product_id AS productId, ${SHOWN_NAME} AS productName, p.price, f.amount, f.counter_amount AS counterAmount, f.state,
        f.end_reason AS endReason, f.expires_at AS expiresAt, ${isBeingPaid(sql`f.id`)} AS isBeingPaid,
        p.stock IS NULL OR p.stock > p.reserved AS hasFreePiece, (SELECT away_until FROM shops WHERE id = f.seller_id) AS sellerAwayUntil,
        ${partyJson(sql`f.buyer_id`)} AS buyer, ${partyJson(sql`f.seller_id`)} AS seller
      FROM offers f JOIN products p ON p.id = f.product_id
      WHERE ${condition}`,
  );
  return rows.map(toOffer);
}

export async function findOffer(store: Pick<Store, "db">, offerId: string): Promise<Offer | null> {
  const [offer] = await findOffers(store, sql`f.id = ${offerId}`);
  return offer ?? null;
}

/** An offer as its page shows it to its buyer or seller; null for others. One round trip. */
export async function findOfferFor(
  store: Pick<Store, "db">,
  offerId: string,
  viewerId: string,
): Promise<{ offer: LiveOffer; product: { id: string; name: string }; otherId: string } | null> {
  const found = await findOffer(store, offerId);
  if (!found || (viewerId !== found.buyer.id && viewerId !== found.seller.id)) return null;
  const { id, amount, counterAmount, state, endReason, expiresAt, buyer, seller } = found;
  return {
    offer: { id, buyerId: buyer.id, amount, counterAmount, state, endReason, expiresAt },
    product: { id: found.productId, name: found.productName },
    otherId: viewerId === buyer.id ? seller.id : buyer.id,
  };
}

function toOffer(row: Row): Offer {
  return {
    ...row,
    isBeingPaid: row.isBeingPaid === 1,
    hasFreePiece: row.hasFreePiece === 1,
    buyer: readParty(row.buyer),
    seller: readParty(row.seller),
  };
}
