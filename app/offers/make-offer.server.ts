import { sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { type Party, partyJson, readParty } from "#app/accounts/party.server.ts";
import { expectOneChange, PreconditionFailed, UniqueViolation } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import { FOR_SALE, TAKES_OFFERS } from "#app/catalogue/products.server.ts";
import { findMessageByKey } from "#app/messaging/messages.server.ts";
import { type MessagingServices, type SendRefusal, sendMessage } from "#app/messaging/send-message.server.ts";
import { offerEmails } from "./offer-emails.server.ts";
import {
  ALL_OFFERS_A_DAY,
  type AmountRefusal,
  OFFER_NOTE_MAX,
  OFFERS_A_DAY,
  offerExpiry,
  OPEN_OFFERS_MAX,
  refuseAmount,
} from "./offer-rules.ts";
import { offerMessage } from "./offer-texts.ts";

/** Why no offer can be made for a listing, whatever the amount. */
export type OfferObstacle = "not_found" | "own" | "not_offered" | "away" | "active" | "open_max";

export type OfferRefusal =
  | OfferObstacle
  | AmountRefusal
  | "note_too_long"
  /** It says something else than what the buyer read. */
  | "listing_changed"
  /** Below the lowest price that the seller accepts. */
  | "too_low"
  /** Too many offers today, for this listing or in all. */
  | "too_many"
  | SendRefusal;

export type MakeOfferResult = { ok: true; sellerId: string } | { ok: false; code: OfferRefusal };

interface OfferInput {
  buyerId: string;
  productId: string;
  /** KES for one piece. */
  amount: number;
  /** `products.revision` as the buyer read it. */
  revision: number;
  /** The buyer's message; empty for none. */
  note: string;
  /** Made by the page. The same key makes one offer. */
  key: string;
}

const DAY_MS = 24 * 60 * 60_000;
/** How often to look again when the data changed between a refusal and the search for its reason. */
const MAX_RACES = 3;

/**
 * Offers a price for one piece of a listing. The offer and its message in the conversation are one batch. Amounts below
 * the seller's lowest price are refused and never reach the seller. Safe to repeat with the same key.
 */
export async function makeOffer(services: MessagingServices, input: OfferInput): Promise<MakeOfferResult> {
  const note = input.note.trim();
  const [listing, made] = await Promise.all([
    findListing(services, input),
    findMessageByKey(services.db, input.buyerId, input.key),
  ]);
  if (made?.productId === input.productId) return { ok: true, sellerId: made.recipientId };
  if (!listing) return { ok: false, code: "not_found" };
  const refusal = obstacleOf(listing) ?? refuseAmount(input.amount, listing.price);
  if (refusal) return { ok: false, code: refusal };
  if (input.revision !== listing.revision) return { ok: false, code: "listing_changed" };
  if ([...note].length > OFFER_NOTE_MAX) return { ok: false, code: "note_too_long" };
  const today = [
    { key: `offers:${input.productId}:${input.buyerId}`, max: OFFERS_A_DAY, windowMs: DAY_MS },
    { key: `offers:${input.buyerId}`, max: ALL_OFFERS_A_DAY, windowMs: DAY_MS },
  ];
  if (!(await takeAllowance(services, today))) return { ok: false, code: "too_many" };
  if (listing.lowestOffer !== null && input.amount < listing.lowestOffer) return { ok: false, code: "too_low" };
  return write(services, { ...input, note }, listing, MAX_RACES);
}

interface Listing {
  name: string;
  price: number;
  revision: number;
  lowestOffer: number | null;
  seller: Party;
  buyer: Party;
  isOwn: boolean;
  takesOffers: boolean;
  /** The seller is on holiday. */
  isAway: boolean;
  hasActive: boolean;
  openOffers: number;
}

/** SQL on products `p`: buyers can make offers for it now. */
const CAN_GET_OFFERS = sql`${TAKES_OFFERS} AND ${FOR_SALE}`;

async function findListing(
  { db, now }: Store,
  { productId, buyerId }: { productId: string; buyerId: string },
): Promise<Listing | null> {
  const [row] = await db.all<{
    name: string;
    price: number;
    revision: number;
    lowestOffer: number | null;
    seller: string;
    takesOffers: number;
    isAway: number;
    hasActive: number;
    openOffers: number;
  }>(
    sql`SELECT p.name, p.price, p.revision, p.lowest_offer AS lowestOffer, ${partyJson(sql`p.seller_id`)} AS seller, ${CAN_GET_OFFERS} AS takesOffers, ${awayUntil(sql`p.seller_id`, now())} IS NOT NULL AS isAway,
        EXISTS (SELECT 1 FROM offers WHERE product_id = p.id AND buyer_id = ${buyerId} AND ${stateIs("state", OFFER.isActive)}) AS hasActive,
        ${openOffers(buyerId)} AS openOffers
      FROM products p WHERE p.id = ${productId} AND p.deleted_at IS NULL AND p.suspended_at IS NULL`,
  );
  if (!row) return null;
  const seller = readParty(row.seller);
  return {
    name: row.name,
    price: row.price,
    revision: row.revision,
    lowestOffer: row.lowestOffer,
    seller,
    buyer: { id: buyerId, email: "", name: "", isClosed: false, isDeleted: false },
    isOwn: seller.id === buyerId,
    takesOffers: row.takesOffers === 1,
    isAway: row.isAway === 1,
    hasActive: row.hasActive === 1,
    openOffers: row.openOffers,
  };
}

function openOffers(buyerId: string) {
  return sql`(SELECT COUNT(*) FROM offers WHERE buyer_id = ${buyerId} AND ${stateIs("state", OFFER.isNegotiated)})`;
}

function obstacleOf(listing: Listing): OfferObstacle | null {
  if (listing.isOwn) return "own";
  if (listing.hasActive) return "active";
  if (!listing.takesOffers) return "not_offered";
  if (listing.isAway) return "away";
  return listing.openOffers >= OPEN_OFFERS_MAX ? "open_max" : null;
}

/** What the form of an offer shows. Never the seller's lowest price. */
export interface OfferPage {
  productId: string;
  name: string;
  price: number;
  sellerId: string;
  sellerName: string;
  /** `products.revision`. */
  revision: number;
  /** Why no offer can be made; null when one can. */
  obstacle: Exclude<OfferObstacle, "not_found"> | null;
}

/** The data of the form; null when there is no such listing. One round trip. */
export async function findOfferPage(
  store: Store,
  { productId, buyerId }: { productId: string; buyerId: string },
): Promise<OfferPage | null> {
  const listing = await findListing(store, { productId, buyerId });
  if (!listing) return null;
  const obstacle = obstacleOf(listing);
  return {
    productId,
    name: listing.name,
    price: listing.price,
    sellerId: listing.seller.id,
    sellerName: listing.seller.name,
    revision: listing.revision,
    obstacle: obstacle === "not_found" ? null : obstacle,
  };
}

async function write(
  services: MessagingServices,
  input: OfferInput,
  listing: Listing,
  races: number,
): Promise<MakeOfferResult> {
  const { buyerId, productId, amount } = input;
  const now = services.now();
  const id = crypto.randomUUID();
  const expiresAt = offerExpiry("open", now) ?? now;
  const facts = { ...listing, id, productName: listing.name, amount, counterAmount: null };
  try {
    const sent = await sendMessage(services, {
      senderId: buyerId,
      about: { kind: "product", id: productId },
      text: offerMessage(amount, input.note),
      key: input.key,
      step: {
        kind: "offer",
        offerId: id,
        statements: [
          sql`INSERT INTO offers (id, product_id, buyer_id, seller_id, amount, state, expires_at, created_at, updated_at)
            SELECT ${id}, p.id, ${buyerId}, p.seller_id, ${amount}, ${"open" satisfies OfferState}, ${expiresAt}, ${now}, ${now} FROM products p
            WHERE p.id = ${productId} AND p.seller_id <> ${buyerId} AND ${CAN_GET_OFFERS} AND ${awayUntil(sql`p.seller_id`, now)} IS NULL AND p.price > ${amount} AND p.revision = ${input.revision}
              AND (p.lowest_offer IS NULL OR p.lowest_offer <= ${amount}) AND ${openOffers(buyerId)} < ${OPEN_OFFERS_MAX}
              AND NOT EXISTS (SELECT 1 FROM credentials WHERE id IN (${buyerId}, p.seller_id) AND suspended_at IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM blocks WHERE (user_id = ${buyerId} AND blocked_id = p.seller_id) OR (user_id = p.seller_id AND blocked_id = ${buyerId}))`,
          expectOneChange(),
          ...offerEmails(facts, "offered", expiresAt, now),
        ],
      },
    });
    return sent.ok ? { ok: true, sellerId: listing.seller.id } : sent;
  } catch (error) {
    if (error instanceof UniqueViolation) return { ok: false, code: "active" };
    if (!(error instanceof PreconditionFailed)) throw error;
    return explain(services, input, error, races);
  }
}

/** Whether one of the two was suspended, or has blocked the other, since the offer was begun. */
async function isShutOut({ db }: Store, buyerId: string, sellerId: string): Promise<boolean> {
  const [row] = await db.all<{ isShutOut: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM credentials WHERE id IN (${buyerId}, ${sellerId}) AND suspended_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM blocks WHERE (user_id = ${buyerId} AND blocked_id = ${sellerId}) OR (user_id = ${sellerId} AND blocked_id = ${buyerId})) AS isShutOut`,
  );
  return row?.isShutOut === 1;
}

/** Why the batch refused: something has changed since the listing was read. */
async function explain(
  services: MessagingServices,
  input: OfferInput,
  error: PreconditionFailed,
  races: number,
): Promise<MakeOfferResult> {
  const listing = await findListing(services, input);
  if (!listing) return { ok: false, code: "not_found" };
  const refusal = obstacleOf(listing) ?? refuseAmount(input.amount, listing.price);
  if (refusal) return { ok: false, code: refusal };
  if (input.revision !== listing.revision) return { ok: false, code: "listing_changed" };
  if (listing.lowestOffer !== null && input.amount < listing.lowestOffer) return { ok: false, code: "too_low" };
  if (await isShutOut(services, input.buyerId, listing.seller.id)) return { ok: false, code: "not_found" };
  if (races === 0) throw error;
  return write(services, input, listing, races - 1);
}
