import { and, desc, eq, gt, type SQLWrapper, sql } from "drizzle-orm";
import { type Rating, ratingOf } from "#app/accounts/trust/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/trust/ratings.server.ts";
import { prepareOnce, type RowOf } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, named, pick } from "#app/db/build.ts";
import { categories, products } from "./tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { productRow } from "./table-rows.server.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { displayCategory, LINE_LENGTH, toLine } from "./labels.ts";
import { stockLabel } from "#app/catalogue/selling/listing-stock-rules.ts";
import { type Condition, type Cursor, FEED_PAGE_SIZE, type ProductStatus } from "./catalogue-rules.ts";

import { campusOf, COVER, FOR_SALE } from "./listing-columns.server.ts";
import { SHOWN_CONDITION } from "#app/catalogue/types/handover.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";

/**
 * A product as a card shows it. Prices in KES. A page carries many, so what few of them have is left out of the others.
 */
export interface ProductSummary {
  id: string;
  name: string;
  price: number;
  originalPrice?: number | null;
  image: ShownImage | null;
  /** The beginning of its description. */
  about?: string | null;
  /** Null where new or used says nothing. */
  condition: Condition | null;
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
  /** "Only 2 left" or "Sold out". */
  stockLabel?: string | null;
  /** Only its seller sees it: our team has taken it down, or looks at it before it is published. */
  hidden?: HiddenListing;
  /** Its last change or sale, ms since 1970. Only its own page and the lists of its seller have it. */
  updatedAt?: number;
  /** Its shop has a running plan. */
  featured?: boolean;
  /** It has a smallest order or price steps. */
  wholesale?: boolean;
}

export type RatedSummary = ProductSummary & { rating: Rating | null };

export interface HiddenListing {
  /** What our team looks at, as `products.held_for` has it; null for a listing that was taken down. */
  heldFor: string | null;
}

/** A row of `summaryFields`. */
export type SummaryRow = RowOf<ReturnType<typeof feedRows>>;

/** SQL on `productRow`: null for a listing that everybody sees. */
export const HIDDEN = asJson<HiddenListing | null>(
  sql`CASE WHEN ${productRow.suspendedAt} IS NOT NULL THEN json_object('heldFor', ${productRow.heldFor}) END`,
);

/** Who views the products, and when (ms). */
export interface ViewContext {
  /** Null for a visitor. */
  viewerId: string | null;
  now: number;
}

/** What a summary needs of `productRow`, joined with their categories. */
const LISTING = named({
  ...pick(productRow, "id", "name", "price", "originalPrice"),
  image: COVER,
  about: sql<string>`substr(trim(${productRow.description}), 1, ${sql.raw(String(2 * LINE_LENGTH))})`,
  ...pick(productRow, "condition", "category"),
  shownCondition: SHOWN_CONDITION,
  location: campusOf(productRow.location),
  categoryName: sql<string | null>`${categories.name}`,
  ...pick(productRow, "sellerId", "status", "stock", "reserved", "wholesale", "createdAt"),
});

/**
 * The fields of a summary, of `productRow` joined with their categories. The shop's row tells whether it is featured.
 */
export function summaryFields(now: number | SQLWrapper) {
  const hasPlan = hasRow(shops, and(eq(shops.id, productRow.sellerId), gt(shops.featuredUntil, now)));
  return { ...LISTING, ...named({ featured: asBoolean(hasPlan), stars: STARS }) };
}

const STARS = sql<string | null>`${sellerStars(sql`${productRow.sellerId}`)}`;

/** The same for the seller's own products. They need neither the plan nor the rating. */
export const OWN_FIELDS = {
  ...LISTING,
  updatedAt: productRow.updatedAt,
  ...named({ hidden: HIDDEN, featured: asBoolean(sql`0`), stars: sql<string | null>`NULL` }),
};

/** `hidden` and `updatedAt`: few queries have them. */
export function toSummary({
  categoryName,
  stars,
  hidden,
  createdAt: _createdAt,
  originalPrice,
  reserved,
  featured,
  wholesale,
  about,
  condition,
  shownCondition,
  ...row
}: SummaryRow & { hidden?: HiddenListing | null; updatedAt?: number }): RatedSummary {
  const label = stockLabel({ ...row, condition, reserved });
  const line = toLine(about);
  return {
    ...row,
    condition: shownCondition,
    ...(hidden && { hidden }),
    ...(originalPrice !== null && { originalPrice }),
    ...(line !== "" && { about: line }),
    ...(label !== null && { stockLabel: label }),
    ...(featured && { featured }),
    ...(wholesale && { wholesale }),
    categoryKey: row.category,
    rating: ratingOf(readStars(stars)),
    image: row.image && toShown(row.image),
    category: displayCategory(row.category, categoryName),
  };
}

export interface FeedPage {
  products: ProductSummary[];
  /** The cursor of the next page; null at the end. */
  next: Cursor | null;
}

// A value of the prepared query.
const NOW = sql.placeholder("now");

/** The products for sale now, newest first. One row more than a page shows tells whether there is a next page. */
export function feedRows(now: number, cursor: Cursor | null) {
  return FEED({ now, ...(cursor ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" }) });
}

const FEED = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(sql`${products} product_row INDEXED BY products_for_sale`)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(
      and(
        FOR_SALE,
        sql`(${productRow.createdAt}, ${productRow.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(desc(productRow.createdAt), desc(productRow.id))
    .limit(FEED_PAGE_SIZE + 1),
);

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
