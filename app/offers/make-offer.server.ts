import { buyerFeeText, type FeeRule } from "#app/catalogue/fees/fee-rules.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import { and, type Column, eq, gt, isNotNull, isNull, lt, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Block } from "#app/accounts/trust/block-rules.ts";
import { blockBetween, blockOf } from "#app/accounts/trust/blocks.server.ts";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { partyJson, readParty } from "#app/accounts/party.server.ts";
import type { Party } from "#app/notifications/recipient-rules.ts";
import { expectOneChange, holds, PreconditionFailed, UniqueViolation } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, insertEach, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { FOR_SALE, TAKES_OFFERS } from "#app/catalogue/listing-columns.server.ts";
import { findMessageByKey } from "#app/messaging/conversations/messages.server.ts";
import { type MessagingServices, type SendRefusal, sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { tellOffer } from "./tell-offer.server.ts";
import {
  ALL_OFFERS_A_DAY,
  type AmountRefusal,
  OFFER_NOTE_MAX,
  OFFERS_A_DAY,
  offerExpiry,
  OPEN_OFFERS_MAX,
  refuseOfferAmount,
} from "./offer-rules.ts";
import { offerMessage } from "./offer-texts.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** Why no offer can be made for a listing, whatever the amount. */
export type OfferObstacle = "own" | "not_offered" | "away" | "active" | "open_max" | "blocked_by_me" | "blocked";

export type OfferRefusal =
  | "not_found"
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

export type MakeOfferResult =
  | { ok: true; sellerId: string }
  | { ok: false; code: Exclude<OfferRefusal, "listing_changed"> }
  /** `revision`: what the listing says now. */
  | { ok: false; code: "listing_changed"; revision: number };

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
    findMessageByKey(services, input.buyerId, input.key),
  ]);
  if (made?.productId === input.productId && made.offer?.amount === input.amount)
    return { ok: true, sellerId: made.recipientId };
  if (!listing) return { ok: false, code: "not_found" };
  const refusal = obstacleOf(listing) ?? refuseOfferAmount(input.amount, listing.price);
  if (refusal) return { ok: false, code: refusal };
  if (input.revision !== listing.revision) return { ok: false, code: "listing_changed", revision: listing.revision };
  if ([...note].length > OFFER_NOTE_MAX) return { ok: false, code: "note_too_long" };
  const today = [
    { key: `offers:${input.productId}:${input.buyerId}`, max: OFFERS_A_DAY, windowMs: DAY_MS },
    { key: `offers:${input.buyerId}`, max: ALL_OFFERS_A_DAY, windowMs: DAY_MS },
  ];
  if (!(await takeAllowance(services, today))) return { ok: false, code: "too_many" };
  if (listing.lowestOffer !== null && input.amount < listing.lowestOffer) return { ok: false, code: "too_low" };
  // Another price from the same page is another offer.
  const key = made ? crypto.randomUUID() : input.key;
  return writeOffer(services, { ...input, note, key }, listing, MAX_RACES);
}

interface Listing {
  name: string;
  price: number;
  revision: number;
  lowestOffer: number | null;
  feeRule: FeeRule | null;
  seller: Party;
  buyer: Party;
  isOwn: boolean;
  takesOffers: boolean;
  /** The seller is on holiday. */
  isAway: boolean;
  block: Block | null;
  hasActive: boolean;
  openOffers: number;
}

/** SQL on `productRow`: buyers can make offers for it now. */
const CAN_GET_OFFERS = sql`${TAKES_OFFERS} AND ${FOR_SALE}`;

async function findListing(
  { db, now }: Store,
  { productId, buyerId }: { productId: string; buyerId: string },
): Promise<Listing | null> {
  const isActive = and(
    eq(offers.productId, productRow.id),
    eq(offers.buyerId, buyerId),
    stateIs(offers.state, OFFER.isActive),
  );
  const [row] = await db
    .select({
      ...pick(productRow, "name", "price", "revision", "lowestOffer"),
      feeRule: feeRule(now()),
      seller: partyJson(sql`${productRow.sellerId}`).mapWith(readParty),
      takesOffers: asBoolean(CAN_GET_OFFERS),
      isAway: asBoolean(isNotNull(awayUntil(sql`${productRow.sellerId}`, now()))),
      block: blockOf(buyerId, productRow.sellerId),
      hasActive: asBoolean(hasRow(offers, isActive)),
      openOffers: openOffers(buyerId),
    })
    .from(productRow)
    .where(and(eq(productRow.id, productId), isNull(productRow.deletedAt), isNull(productRow.suspendedAt)));
  if (!row) return null;
  const buyer = { id: buyerId, email: "", name: "", isClosed: false, isDeleted: false };
  return { ...row, buyer, isOwn: row.seller.id === buyerId };
}

function openOffers(buyerId: string): SQL<number> {
  return sql`${build.$count(offers, and(eq(offers.buyerId, buyerId), stateIs(offers.state, OFFER.isNegotiated)))}`;
}

function obstacleOf(listing: Listing): OfferObstacle | null {
  if (listing.isOwn) return "own";
  if (listing.block) return listing.block === "mine" ? "blocked_by_me" : "blocked";
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
  /** The service fee that the buyer pays, in words; null for none. */
  feeText: string | null;
  sellerId: string;
  sellerName: string;
  /** `products.revision`. */
  revision: number;
  /** Why no offer can be made; null when one can. */
  obstacle: OfferObstacle | null;
}

/** The data of the form; null when there is no such listing. One round trip. */
export async function findOfferPage(
  store: Store,
  { productId, buyerId }: { productId: string; buyerId: string },
): Promise<OfferPage | null> {
  const listing = await findListing(store, { productId, buyerId });
  if (!listing) return null;
  return {
    productId,
    name: listing.name,
    price: listing.price,
    feeText: buyerFeeText(listing.feeRule),
    sellerId: listing.seller.id,
    sellerName: listing.seller.name,
    revision: listing.revision,
    obstacle: obstacleOf(listing),
  };
}

async function writeOffer(
  services: MessagingServices,
  input: OfferInput,
  listing: Listing,
  races: number,
): Promise<MakeOfferResult> {
  const { buyerId, productId, amount } = input;
  const now = services.now();
  const id = crypto.randomUUID();
  const expiresAt = offerExpiry("open", now) ?? now;
  const productName = { buyer: listing.name, seller: listing.name };
  const facts = { ...listing, id, productName, amount, counterAmount: null };
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
          insertEach(
            offers,
            {
              id,
              productId: productRow.id,
              buyerId,
              sellerId: productRow.sellerId,
              amount,
              listingPrice: productRow.price,
              revision: productRow.revision,
              state: "open",
              expiresAt,
              createdAt: now,
              updatedAt: now,
            },
            sql`FROM ${products} product_row WHERE ${and(
              eq(productRow.id, productId),
              ne(productRow.sellerId, buyerId),
              CAN_GET_OFFERS,
              isNull(awayUntil(sql`${productRow.sellerId}`, now)),
              gt(productRow.price, amount),
              eq(productRow.revision, input.revision),
              or(isNull(productRow.lowestOffer), lte(productRow.lowestOffer, amount)),
              lt(openOffers(buyerId), OPEN_OFFERS_MAX),
              not(isShutOut(buyerId, productRow.sellerId)),
            )}`,
          ),
          expectOneChange(),
          ...tellOffer(facts, "offered", expiresAt, now),
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

/** SQL: one of the two is suspended, or has blocked the other. */
function isShutOut(buyerId: string, seller: string | Column): SQL {
  const isParty = or(eq(credentials.id, buyerId), eq(credentials.id, seller));
  const isSuspended = hasRow(credentials, and(isParty, isNotNull(credentials.suspendedAt)));
  return sql`(${isSuspended} OR ${blockBetween(buyerId, seller)})`;
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
  const refusal = obstacleOf(listing) ?? refuseOfferAmount(input.amount, listing.price);
  if (refusal) return { ok: false, code: refusal };
  if (input.revision !== listing.revision) return { ok: false, code: "listing_changed", revision: listing.revision };
  if (listing.lowestOffer !== null && input.amount < listing.lowestOffer) return { ok: false, code: "too_low" };
  if (await holds(services.db, isShutOut(input.buyerId, listing.seller.id))) return { ok: false, code: "not_found" };
  if (races === 0) throw error;
  return writeOffer(services, input, listing, races - 1);
}
