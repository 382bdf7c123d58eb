import { delivers } from "#app/accounts/profile/points-only.server.ts";
import { feeRule } from "#app/catalogue/fees/fees.server.ts";
import type { FeeRule } from "#app/catalogue/fees/fee-rules.ts";
import { and, eq, isNull, ne, or, type SQLWrapper, sql } from "drizzle-orm";
import type { Block } from "#app/accounts/trust/block-rules.ts";
import { blockOf } from "#app/accounts/trust/blocks.server.ts";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { latestConversationStarts, readAnswerMs } from "#app/accounts/trust/reliability.server.ts";
import { type RowOf, prepareOnce, read } from "#app/db/batch.ts";
import { asBoolean, asJson, build, named, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, offers, products } from "#app/catalogue/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import type { ShownFact } from "#app/catalogue/facts/fact-field-rules.ts";
import { shownFacts } from "#app/catalogue/facts/listing-facts.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { HAS_SERIAL } from "#app/catalogue/serials/serial-types.server.ts";
import { HANDOVER } from "#app/catalogue/types/handover.server.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { PriceStep } from "#app/catalogue/selling/price-step-rules.ts";
import { OFFER_PRICE } from "#app/catalogue/offer-price.server.ts";
import { STEPS_OF } from "#app/catalogue/selling/wholesale.server.ts";
import { waitFields } from "#app/catalogue/stock/stock-waits-columns.server.ts";
import { MORE_FROM_SELLER } from "#app/catalogue/catalogue-rules.ts";

import { FOR_SALE, LIVE, NEWEST_FIRST, TAKES_OFFERS } from "#app/catalogue/listing-columns.server.ts";
import {
  HIDDEN,
  type ProductSummary,
  type RatedSummary,
  summaryFields,
  toSummary,
  withoutRating,
} from "#app/catalogue/products.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";

// The values of prepared queries.
const [NOW, VIEWER, PRODUCT] = [sql.placeholder("now"), sql.placeholder("viewerId"), sql.placeholder("productId")];

/** A product as its own page shows it. */
export interface ProductDetail extends RatedSummary {
  /** How its deal ends. */
  handover: Handover;
  /** Its buyer should ask whether its serial number is reported as stolen. */
  hasSerial: boolean;
  /** The service fee that its orders have; null for none. */
  feeRule: FeeRule | null;
  description: string;
  facts: ShownFact[];
  images: ShownImage[];
  /** Ms since 1970. */
  listedAt: number;
  /** Raised by each edit of its name, condition, facts, description or photos. */
  revision: number;
  wholesale: boolean;
  /** Pieces: the smallest order. */
  minQuantity: number;
  steps: PriceStep[];
  seller: ProductSeller;
  /** Its seller takes offers. */
  takesOffers: boolean;
  /** The viewer's offer that isn't over; null when there is none. */
  ownOffer: OwnOffer | null;
  /** Others have reserved all that is left. */
  reservedByOthers: boolean;
  /** When the first of their reservations may end, ms since 1970; null when nobody knows. */
  reservedUntil: number | null;
  /** The viewer's unpaid order that has reserved some of it. */
  payingOrderId: string | null;
  /** The viewer is on its waiting list. */
  waiting: boolean;
}

export interface OwnOffer {
  id: string;
  state: OfferState;
  /** KES: what the buyer pays, or would pay. */
  amount: number;
}

/** The seller of a product. Names are null when nobody entered them. */
export interface ProductSeller {
  id: string;
  name: string | null;
  campusLocation: string | null;
  shopName: string | null;
  offersDelivery: boolean;
  /** The path of the shop's logo, or else of their photo, in its smallest variant. */
  pictureUrl: string | null;
  level: VerifiedLevel;
  /** The name in the documents, if it differs from `name`. */
  verifiedAs: string | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** The viewer or the seller has blocked the other; null when neither has. */
  block: Block | null;
  /** How long people usually wait for their first answer, in ms; null when too few have asked. */
  answerMs: number | null;
}

export interface ProductPageData {
  product: ProductDetail;
  /** The seller's newest other products for sale. */
  more: ProductSummary[];
}

/**
 * A product with its seller and the seller's other products, or null. Its seller also sees it while it is hidden. One
 * round trip.
 */
export async function findProductPage(
  store: Store,
  productId: string,
  viewerId: string | null,
): Promise<ProductPageData | null> {
  const view = { viewerId, now: store.now() };
  const {
    detail: [detail],
    others,
  } = await read(store.db, { detail: DETAIL({ productId, ...view }), others: OTHERS({ productId, ...view }) });
  if (!detail) return null;
  return { product: toDetail(detail, view.now), more: others.map((other) => withoutRating(toSummary(other))) };
}

/** Of `productRow`, joined with the profiles and shops of their sellers. */
export function sellerFields(viewerId: null | SQLWrapper, now: number | SQLWrapper) {
  const name = sql<
    string | null
  >`(SELECT ${verifiedName(viewerId)} FROM ${profiles} person_row WHERE ${personRow.id} = ${profiles.id})`;
  return {
    sellerName: profiles.fullName,
    sellerCampus: profiles.campusLocation,
    level: profiles.verifiedLevel,
    shopName: shops.shopName,
    offersDelivery: asBoolean(delivers(productRow.sellerId)),
    ...named({ verifiedName: name, awayUntil: awayUntil(sql`${productRow.sellerId}`, now) }),
  };
}

/** How fast its seller answered those who asked last: `readAnswerMs` reads it. */
export const ASKED = sql<string>`${latestConversationStarts(sql`${productRow.sellerId}`)}`;

const OWN_OFFER = asJson<OwnOffer | null>(sql`(SELECT
    json_object('id', ${offers.id}, 'state', ${offers.state}, 'amount', ${OFFER_PRICE})
  FROM ${offers} WHERE ${offers.productId} = ${productRow.id} AND ${offers.buyerId} = ${VIEWER}
    AND ${stateIs(offers.state, OFFER.isActive)})`);

const DETAIL = prepareOnce(
  build
    .select({
      ...summaryFields(NOW),
      ...named({
        ...waitFields(VIEWER),
        takesOffers: asBoolean(TAKES_OFFERS),
        hidden: HIDDEN,
        handover: HANDOVER,
        hasSerial: asBoolean(HAS_SERIAL),
        feeRule: feeRule(NOW),
        steps: STEPS_OF,
        ownOffer: OWN_OFFER,
        pictureUrl: sql<string | null>`COALESCE(${shops.logoUrl}, ${profiles.photoUrl})`,
        block: blockOf(VIEWER, sql`${productRow.sellerId}`),
        asked: ASKED,
      }),
      ...pick(productRow, "description", "facts", "images", "revision", "minQuantity", "updatedAt"),
      ...sellerFields(VIEWER, NOW),
    })
    .from(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .leftJoin(profiles, eq(profiles.id, productRow.sellerId))
    .leftJoin(shops, eq(shops.id, productRow.sellerId))
    .where(
      and(eq(productRow.id, PRODUCT), or(LIVE, and(eq(productRow.sellerId, VIEWER), isNull(productRow.deletedAt)))),
    ),
);

const OTHERS = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(
      and(
        eq(productRow.sellerId, build.select({ id: products.sellerId }).from(products).where(eq(products.id, PRODUCT))),
        FOR_SALE,
        ne(productRow.id, PRODUCT),
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(MORE_FROM_SELLER),
);

function toDetail(
  {
    description,
    facts,
    images,
    revision,
    minQuantity,
    steps,
    sellerName,
    sellerCampus,
    shopName,
    offersDelivery,
    level,
    verifiedName: sellerVerifiedName,
    awayUntil: sellerAwayUntil,
    pictureUrl,
    block,
    asked,
    takesOffers,
    ownOffer,
    reservedByOthers,
    reservedUntil,
    payingOrderId,
    waiting,
    handover,
    hasSerial,
    feeRule: currentFee,
    ...summary
  }: RowOf<ReturnType<typeof DETAIL>>,
  now: number,
): ProductDetail {
  return {
    ...toSummary(summary),
    wholesale: summary.wholesale,
    handover,
    hasSerial,
    feeRule: currentFee,
    description,
    facts: shownFacts(facts),
    images: images.map(toShown),
    listedAt: summary.createdAt,
    revision,
    takesOffers,
    ownOffer,
    minQuantity,
    steps: steps ?? [],
    reservedByOthers,
    reservedUntil,
    payingOrderId,
    waiting,
    seller: {
      id: summary.sellerId,
      name: sellerName,
      campusLocation: sellerCampus,
      shopName,
      offersDelivery,
      pictureUrl,
      level: level ?? "none",
      verifiedAs: otherName(sellerVerifiedName, sellerName ?? ""),
      awayUntil: sellerAwayUntil,
      block,
      answerMs: readAnswerMs(asked, now),
    },
  };
}
