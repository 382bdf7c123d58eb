import { and, desc, eq, gt, isNull, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Block } from "#app/accounts/block-rules.ts";
import { blockOf } from "#app/accounts/blocks.server.ts";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { type Rating, ratingOf } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { latestConversationStarts, readAnswerMs } from "#app/accounts/reliability.server.ts";
import { prepareOnce, type RowOf, runBatch } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, namedByKey, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, offers, type ProductImage, products, profiles, shops } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import { PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import type { ShownImage } from "./photos/image-sources.ts";
import { placeholderGradient } from "./photos/placeholder-rules.ts";
import { displayCategory, LINE_LENGTH, toLine } from "./labels.ts";
import { p } from "./product-alias.server.ts";
import type { PriceStep } from "./selling/price-step-rules.ts";
import { OFFER_PRICE } from "./offer-price.server.ts";
import { STEPS_OF } from "./selling/wholesale.server.ts";
import { stockLabel } from "./selling/listing-stock-rules.ts";
import { waitFields } from "./stock/stock-waits-columns.server.ts";
import {
  type Condition,
  type Cursor,
  FEED_PAGE_SIZE,
  MORE_FROM_SELLER,
  type ProductStatus,
  UNKNOWN_CAMPUS,
} from "./catalogue-rules.ts";

/** A product as a card shows it. Prices in KES. */
export interface ProductSummary {
  id: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ShownImage | null;
  /** The beginning of its description; null when it has none. */
  about: string | null;
  condition: Condition;
  /** The campus; null where nobody knows it. */
  location: string | null;
  /** The category for display. */
  category: string;
  /** The category as stored, for the address of its page; null when it has none. */
  categoryKey: string | null;
  sellerId: string;
  /** The seller's; null for a new seller. Left out of lists of one seller's products, which show it with the seller. */
  rating?: Rating | null;
  status: ProductStatus;
  /** Pieces that the seller has, including the reserved ones; null means no limit. */
  stock: number | null;
  /** Pieces promised to payments under way and accepted offers. */
  reserved: number;
  /** "Only 2 left" or "Sold out"; null where there is nothing to say. */
  stockLabel: string | null;
  /** Only its seller sees it: our team has taken it down, or looks at it before it is published. */
  hidden?: HiddenListing;
  /** Its last change or sale, ms since 1970. Only its own page and the lists of its seller have it. */
  updatedAt?: number;
  /** Its shop has a running plan. */
  featured: boolean;
  /** It has a smallest order or price steps. */
  wholesale: boolean;
}

type RatedSummary = ProductSummary & { rating: Rating | null };

export interface HiddenListing {
  /** What our team looks at, as `products.held_for` has it; null for a listing that was taken down. */
  heldFor: string | null;
}

/** A row of `summaryFields`. */
export type SummaryRow = RowOf<ReturnType<typeof feedRows>>;

/** SQL on products `p`: neither deleted nor taken down. */
const LIVE = and(isNull(p.deletedAt), isNull(p.suspendedAt));

/** SQL on products `p`: null for a listing that everybody sees. */
const HIDDEN = asJson<HiddenListing | null>(
  sql`CASE WHEN ${p.suspendedAt} IS NOT NULL THEN json_object('heldFor', ${p.heldFor}) END`,
);

/** SQL on products `p`: can be bought now. Written like the condition of the indexes `products_for_sale…`. */
export const FOR_SALE = sql`${p.status} = 'active' AND ${p.deletedAt} IS NULL AND ${p.suspendedAt} IS NULL`;

/**
 * SQL on products `p`: its seller takes offers. Listings with a smallest order, and the cheapest ones, can't have any.
 */
export const TAKES_OFFERS = sql`(${p.takesOffers} = 1 AND ${p.price} > ${sql.raw(String(PAYOUT_LIMITS.min))} AND ${p.minQuantity} = 1)`;

/** Who views the products, and when (ms). */
export interface ViewContext {
  /** Null for a visitor. */
  viewerId: string | null;
  now: number;
}

/** SQL on products `p`: the photo on its card. */
export const COVER = asJson<ProductImage | null>(sql`json_extract(${p.images}, '$[0]')`);

/** SQL: a listing's campus from its `location`; null where nobody knows it. */
export function campusOf(location: SQLWrapper): SQL<string | null> {
  return sql<string | null>`NULLIF(${location}, ${UNKNOWN_CAMPUS})`.inlineParams();
}

/** What a summary needs of products `p`, joined with their categories. */
const LISTING = namedByKey({
  ...pick(p, "id", "name", "price", "originalPrice"),
  image: COVER,
  about: sql<string>`substr(trim(${p.description}), 1, ${sql.raw(String(2 * LINE_LENGTH))})`,
  ...pick(p, "condition", "category"),
  location: campusOf(p.location),
  categoryName: sql<string | null>`${categories.name}`,
  ...pick(p, "sellerId", "status", "stock", "reserved", "wholesale", "createdAt"),
});

/** The fields of a summary, of products `p` joined with their categories. The shop's row tells whether it is featured. */
export function summaryFields(now: number | SQLWrapper) {
  const hasPlan = hasRow(shops, and(eq(shops.id, p.sellerId), gt(shops.featuredUntil, now)));
  return { ...LISTING, ...namedByKey({ featured: asBoolean(hasPlan), stars: STARS }) };
}

const STARS = sql<string | null>`${sellerStars(sql`${p.sellerId}`)}`;

/** The same for the seller's own products. They need neither the plan nor the rating. */
export const OWN_FIELDS = {
  ...LISTING,
  updatedAt: p.updatedAt,
  ...namedByKey({ hidden: HIDDEN, featured: asBoolean(sql`0`), stars: sql<string | null>`NULL` }),
};

/** `hidden` and `updatedAt`: few queries have them. */
export function toSummary({
  categoryName,
  stars,
  hidden,
  createdAt: _createdAt,
  ...row
}: SummaryRow & { hidden?: HiddenListing | null; updatedAt?: number }): RatedSummary {
  return {
    ...row,
    ...(hidden && { hidden }),
    categoryKey: row.category,
    rating: ratingOf(readStars(stars)),
    stockLabel: stockLabel(row),
    image: row.image && toShown(row.image),
    about: toLine(row.about) || null,
    category: displayCategory(row.category, categoryName),
  };
}

/** A stored picture as pages get it. */
export function toShown({ thumbhash, tone, preview: _preview, ...image }: ProductImage): ShownImage {
  return { ...image, tone: placeholderGradient(thumbhash) ?? tone };
}

export interface FeedPage {
  products: ProductSummary[];
  /** The cursor of the next page; null at the end. */
  next: Cursor | null;
}

// The values of prepared queries.
const [NOW, VIEWER, PRODUCT] = [sql.placeholder("now"), sql.placeholder("viewerId"), sql.placeholder("productId")];

/** The products for sale now, newest first. One row more than a page shows tells whether there is a next page. */
export function feedRows({ now }: ViewContext, cursor: Cursor | null) {
  return FEED({ now, ...(cursor ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" }) });
}

const FEED = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(sql`${products} p INDEXED BY products_for_sale`)
    .leftJoin(categories, eq(categories.id, p.category))
    .where(and(FOR_SALE, sql`(${p.createdAt}, ${p.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`))
    .orderBy(desc(p.createdAt), desc(p.id))
    .limit(FEED_PAGE_SIZE + 1),
);

export const NEWEST_FIRST = [desc(p.createdAt), desc(p.id)];

/** SQL on products `p`, newest first: those of the page that begins at the cursor. */
export function isAfter(cursor: Cursor | null): SQL | undefined {
  return cursor ? sql`(${p.createdAt}, ${p.id}) < (${cursor.createdAt}, ${cursor.id})` : undefined;
}

/** For lists of one seller's products. */
export function withoutRating({ rating: _rating, ...product }: ProductSummary): ProductSummary {
  return product;
}

export function toPage(rows: readonly (SummaryRow & { hidden?: HiddenListing | null })[]): FeedPage {
  const shown = rows.slice(0, FEED_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    products: shown.map(toSummary),
    next: rows.length > FEED_PAGE_SIZE && last ? { createdAt: last.createdAt, id: last.id } : null,
  };
}

/** A product as its own page shows it. */
export interface ProductDetail extends RatedSummary {
  description: string;
  images: ShownImage[];
  /** Ms since 1970. */
  listedAt: number;
  /** Raised by each edit of its name, condition, description or photos. */
  revision: number;
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
  const [[detail], others] = await runBatch(store.db, [DETAIL({ productId, ...view }), OTHERS({ productId, ...view })]);
  if (!detail) return null;
  return { product: toDetail(detail, view.now), more: others.map((other) => withoutRating(toSummary(other))) };
}

/** Of products `p`, joined with the profiles and shops of their sellers. */
export function sellerFields(viewerId: null | SQLWrapper, now: number | SQLWrapper) {
  const name = sql<string | null>`(SELECT ${verifiedName(viewerId)} FROM ${profiles} p WHERE p.id = ${profiles.id})`;
  return {
    sellerName: profiles.fullName,
    sellerCampus: profiles.campusLocation,
    level: profiles.verifiedLevel,
    shopName: shops.shopName,
    offersDelivery: shops.offersDelivery,
    ...namedByKey({ verifiedName: name, awayUntil: awayUntil(sql`${p.sellerId}`, now) }),
  };
}

const OWN_OFFER = asJson<OwnOffer | null>(sql`(SELECT
    json_object('id', ${offers.id}, 'state', ${offers.state}, 'amount', ${OFFER_PRICE})
  FROM ${offers} WHERE ${offers.productId} = ${p.id} AND ${offers.buyerId} = ${VIEWER} AND ${stateIs(offers.state, OFFER.isActive)})`);

const DETAIL = prepareOnce(
  build
    .select({
      ...summaryFields(NOW),
      ...namedByKey({
        ...waitFields(VIEWER),
        takesOffers: asBoolean(TAKES_OFFERS),
        hidden: HIDDEN,
        steps: STEPS_OF,
        ownOffer: OWN_OFFER,
        pictureUrl: sql<string | null>`COALESCE(${shops.logoUrl}, ${profiles.photoUrl})`,
        block: blockOf(VIEWER, sql`${p.sellerId}`),
        asked: sql<string>`${latestConversationStarts(sql`${p.sellerId}`)}`,
      }),
      ...pick(p, "description", "images", "revision", "minQuantity", "updatedAt"),
      ...sellerFields(VIEWER, NOW),
    })
    .from(p)
    .leftJoin(categories, eq(categories.id, p.category))
    .leftJoin(profiles, eq(profiles.id, p.sellerId))
    .leftJoin(shops, eq(shops.id, p.sellerId))
    .where(and(eq(p.id, PRODUCT), or(LIVE, and(eq(p.sellerId, VIEWER), isNull(p.deletedAt))))),
);

const OTHERS = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(p)
    .leftJoin(categories, eq(categories.id, p.category))
    .where(
      and(
        eq(p.sellerId, build.select({ id: products.sellerId }).from(products).where(eq(products.id, PRODUCT))),
        FOR_SALE,
        ne(p.id, PRODUCT),
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(MORE_FROM_SELLER),
);

function toDetail(
  {
    description,
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
    ...summary
  }: RowOf<ReturnType<typeof DETAIL>>,
  now: number,
): ProductDetail {
  return {
    ...toSummary(summary),
    description,
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
      offersDelivery: offersDelivery ?? false,
      pictureUrl,
      level: level ?? "none",
      verifiedAs: otherName(sellerVerifiedName, sellerName ?? ""),
      awayUntil: sellerAwayUntil,
      block,
      answerMs: readAnswerMs(asked, now),
    },
  };
}
