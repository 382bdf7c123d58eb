import { type SQL, sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { type Rating, ratingOf } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { latestConversationStarts, readAnswerMs } from "#app/accounts/reliability.server.ts";
import { type Read, rowOf, rowsOf, runRead } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferState } from "#app/db/states/offer.ts";
import { PAYOUT_LIMITS } from "#app/platform/m-pesa-rules.ts";
import type { ListFilter } from "./browse-filter.ts";
import type { ShownImage } from "./image-sources.ts";
import { placeholderGradient } from "./placeholder-rules.ts";
import { displayCategory, LINE_LENGTH, toLine } from "./labels.ts";
import { type PriceStep, readSteps } from "./price-step-rules.ts";
import { STEPS_OF } from "./wholesale.server.ts";
import { stockLabel } from "./listing-stock-rules.ts";
import { waitColumns } from "./stock-waits-columns.server.ts";
import {
  type Condition,
  type Cursor,
  FEED_PAGE_SIZE,
  MORE_FROM_SELLER,
  type ProductStatus,
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
  location: string;
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

/** The columns that `summaryColumns` selects. */
export interface SummaryRow extends Omit<
  ProductSummary,
  "image" | "category" | "categoryKey" | "rating" | "stockLabel" | "hidden" | "featured" | "wholesale"
> {
  image: string | null;
  createdAt: number;
  category: string | null;
  categoryName: string | null;
  /** JSON: the seller's reviews by their stars. */
  stars: string | null;
  featured: number;
  wholesale: number;
  /** JSON. Only the queries for its seller have it. */
  hidden?: string | null;
}

/** SQL on products `p`: neither deleted nor taken down. */
const LIVE = sql.raw("p.deleted_at IS NULL AND p.suspended_at IS NULL");

/** SQL on products `p`: `HiddenListing` as JSON; NULL for a listing that everybody sees. */
const HIDDEN = sql.raw("CASE WHEN p.suspended_at IS NOT NULL THEN json_object('heldFor', p.held_for) END");

/** SQL on products `p`: can be bought now. Written like the condition of the indexes `products_for_sale…`. */
export const FOR_SALE = sql.raw("p.status = 'active' AND p.deleted_at IS NULL AND p.suspended_at IS NULL");

/**
 * SQL on products `p`: its seller takes offers. Listings with a smallest order, and the cheapest ones, can't have any.
 */
export const TAKES_OFFERS = sql.raw(`(p.takes_offers = 1 AND p.price > ${PAYOUT_LIMITS.min} AND p.min_quantity = 1)`);

/** Who views the products, and when (ms). */
export interface ViewContext {
  /** Null for a visitor. */
  viewerId: string | null;
  now: number;
}

/** SQL on products `p` and categories `k`: the summary. The shop's row tells whether it is featured. */
export function summaryColumns({ now }: Pick<ViewContext, "now">): SQL {
  return sql`${listingColumns()},
    EXISTS (SELECT 1 FROM shops f WHERE f.id = p.seller_id AND f.featured_until > ${now}) AS featured,
    ${sellerStars(sql`p.seller_id`)} AS stars`;
}

/** The same for the seller's own products. They need neither the plan nor the rating. */
export function ownColumns(): SQL {
  return sql`${listingColumns()}, ${HIDDEN} AS hidden, 0 AS featured, NULL AS stars`;
}

function listingColumns(): SQL {
  return sql`p.id, p.name, p.price, p.original_price AS originalPrice, json_extract(p.images, '$[0]') AS image,
    substr(trim(p.description), 1, ${sql.raw(String(2 * LINE_LENGTH))}) AS about, p.condition, p.location,
    p.category, k.name AS categoryName, p.seller_id AS sellerId, p.status, p.stock, p.reserved, p.wholesale, p.created_at AS createdAt`;
}

export function toSummary({ categoryName, stars, hidden, createdAt: _createdAt, ...row }: SummaryRow): RatedSummary {
  return {
    ...row,
    ...(hidden && { hidden: JSON.parse(hidden) as HiddenListing }),
    categoryKey: row.category,
    rating: ratingOf(readStars(stars)),
    stockLabel: stockLabel(row),
    image: row.image ? toShown(JSON.parse(row.image) as ProductImage) : null,
    about: toLine(row.about ?? "") || null,
    category: displayCategory(row.category, categoryName),
    featured: row.featured === 1,
    wholesale: row.wholesale === 1,
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

/** The products for sale now, newest first. One row more than a page shows tells whether there is a next page. */
export function feedRows(view: ViewContext, cursor: Cursor | null, filter: Partial<ListFilter> = {}): SQL {
  const after = cursor ? sql`AND (p.created_at, p.id) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  return sql`SELECT ${summaryColumns(view)}
    FROM products p INDEXED BY ${feedIndex(filter)} LEFT JOIN categories k ON k.id = p.category
    WHERE ${FOR_SALE} ${filter.wholesale ? sql`AND p.wholesale = 1` : sql``} ${filter.verified ? sql`AND p.seller_verified = 1` : sql``}
      ${after} ORDER BY p.created_at DESC, p.id DESC LIMIT ${FEED_PAGE_SIZE + 1}`;
}

/** Nearly all wholesale listings are of verified businesses, so their index serves both filters together. */
function feedIndex({ wholesale, verified }: Partial<ListFilter>): SQL {
  return sql.raw(`products_for_sale${wholesale ? "_wholesale" : verified ? "_verified" : ""}`);
}

/** For lists of one seller's products. */
export function withoutRating({ rating: _rating, ...product }: ProductSummary): ProductSummary {
  return product;
}

export function toPage(rows: SummaryRow[]): FeedPage {
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
  level: VerifiedLevel;
  /** The name in the documents, if it differs from `name`. */
  verifiedAs: string | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** How long people usually wait for their first answer, in ms; null when too few have asked. */
  answerMs: number | null;
}

export interface ProductPageData {
  product: ProductDetail;
  /** The seller's newest other products for sale. */
  more: ProductSummary[];
}

interface DetailRow extends SummaryRow {
  description: string;
  images: string;
  revision: number;
  minQuantity: number;
  steps: string | null;
  sellerName: string | null;
  sellerCampus: string | null;
  shopName: string | null;
  level: VerifiedLevel | null;
  verifiedName: string | null;
  awayUntil: number | null;
  asked: string;
  takesOffers: number;
  /** JSON. */
  ownOffer: string | null;
  reservedByOthers: number;
  reservedUntil: number | null;
  payingOrderId: string | null;
  waiting: number;
}

/**
 * A product with its seller and the seller's other products, or null. Its seller also sees it while it is hidden. One
 * round trip.
 */
export function findProductPage(
  store: Store,
  productId: string,
  viewerId: string | null,
): Promise<ProductPageData | null> {
  return runRead(store.db, productRead(productId, { viewerId, now: store.now() }));
}

/** The read of `findProductPage`, to share a round trip. */
export function productRead(productId: string, view: ViewContext): Read<ProductPageData | null> {
  const { viewerId } = view;
  const statements = [
    sql`SELECT ${summaryColumns(view)}, ${HIDDEN} AS hidden, p.description, p.images, p.revision, ${waitColumns(viewerId)}, p.min_quantity AS minQuantity, ${STEPS_OF} AS steps, ${TAKES_OFFERS} AS takesOffers,
        (SELECT json_object('id', f.id, 'state', f.state, 'amount', COALESCE(f.counter_amount, f.amount)) FROM offers f
          WHERE f.product_id = p.id AND f.buyer_id = ${viewerId} AND ${stateIs("f.state", OFFER.isActive)}) AS ownOffer, s.full_name AS sellerName, s.campus_location AS sellerCampus,
        s.verified_level AS level,
        (SELECT ${verifiedName(viewerId)} FROM profiles p WHERE p.id = s.id) AS verifiedName, h.shop_name AS shopName,
        ${awayUntil(sql`p.seller_id`, view.now)} AS awayUntil, ${latestConversationStarts(sql`p.seller_id`)} AS asked
      FROM products p LEFT JOIN categories k ON k.id = p.category LEFT JOIN profiles s ON s.id = p.seller_id LEFT JOIN shops h ON h.id = p.seller_id
      WHERE p.id = ${productId} AND (${LIVE} OR (p.seller_id = ${viewerId} AND p.deleted_at IS NULL))`,
    sql`SELECT ${summaryColumns(view)}
      FROM products p LEFT JOIN categories k ON k.id = p.category
      WHERE p.seller_id = (SELECT seller_id FROM products WHERE id = ${productId}) AND ${FOR_SALE} AND p.id <> ${productId}
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${MORE_FROM_SELLER}`,
  ];
  return {
    statements,
    read([detail, more]) {
      const row = rowOf<DetailRow>(detail);
      return row ? { product: toDetail(row, view.now), more: readSummaries(more).map(withoutRating) } : null;
    },
  };
}

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
    level,
    verifiedName: sellerVerifiedName,
    awayUntil: sellerAwayUntil,
    asked,
    takesOffers,
    ownOffer,
    reservedByOthers,
    reservedUntil,
    payingOrderId,
    waiting,
    ...summary
  }: DetailRow,
  now: number,
): ProductDetail {
  return {
    ...toSummary(summary),
    description,
    images: (JSON.parse(images) as ProductImage[]).map(toShown),
    revision,
    takesOffers: takesOffers === 1,
    ownOffer: ownOffer === null ? null : (JSON.parse(ownOffer) as OwnOffer),
    minQuantity,
    steps: readSteps(steps),
    reservedByOthers: reservedByOthers === 1,
    reservedUntil,
    payingOrderId,
    waiting: waiting === 1,
    seller: {
      id: summary.sellerId,
      name: sellerName,
      campusLocation: sellerCampus,
      shopName,
      level: level ?? "none",
      verifiedAs: otherName(sellerVerifiedName, sellerName ?? ""),
      awayUntil: sellerAwayUntil,
      answerMs: readAnswerMs(asked, now),
    },
  };
}

/**
 * The query for one page of a seller's products for sale, newest first, after `cursor`. Send it in a batch and read the
 * result with `toPage`.
 */
export function sellerRows(sellerId: string, view: ViewContext, cursor: Cursor | null): SQL {
  const after = cursor ? sql`AND (p.created_at, p.id) < (${cursor.createdAt}, ${cursor.id})` : sql``;
  return sql`SELECT ${summaryColumns(view)}
    FROM products p LEFT JOIN categories k ON k.id = p.category
    WHERE p.seller_id = ${sellerId} AND ${FOR_SALE} ${after}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${FEED_PAGE_SIZE + 1}`;
}

/** The result of a query for summaries that was sent in a batch. */
function readSummaries(answer: unknown): ProductSummary[] {
  return rowsOf<SummaryRow>(answer).map(toSummary);
}
