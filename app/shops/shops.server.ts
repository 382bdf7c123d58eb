import { type SQL, sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import type { VerifiedLevel } from "#app/accounts/verified-rules.ts";
import { blockBetween } from "#app/accounts/blocks.server.ts";
import { distributionOf, type Rating, ratingOf, type StarShare } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import type { SellerRecord } from "#app/accounts/reliability-rules.ts";
import { latestConversationStarts, readAnswerMs, readRecord, sellerRecord } from "#app/accounts/reliability.server.ts";
import { type Category, categoryRows, type ProductPage, readCategories } from "#app/catalogue/browse.server.ts";
import {
  feedRows,
  FOR_SALE,
  type ProductSummary,
  toShown,
  sellerRows,
  type SummaryRow,
  toPage,
  withoutRating,
  type ViewContext,
} from "#app/catalogue/products.server.ts";
import { publicProductName } from "#app/catalogue/public-listings.server.ts";
import { withoutContacts } from "#app/platform/public-text.ts";
import { HOME_CATEGORIES } from "#app/catalogue/labels.ts";
import { NEWEST_ON_HOME, readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { type Read, rowOf, rowsOf, runBatch, runRead } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { ShownImage } from "#app/catalogue/image-sources.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { hoursInWords, readHours } from "./hours-rules.ts";
import {
  EXACT_MAX,
  FEATURED_PRODUCTS,
  FEATURED_SHOPS,
  readShopPlace,
  rotationTurn,
  sellerTitle,
  type ShopOrder,
  type ShopPlace,
  writeShopPlace,
} from "./shop-rules.ts";

/** Whether the viewer follows a shop, and how many people do: exact up to 1,000, then 1,001. */
export interface Following {
  follows: boolean;
  followers: number;
}

/** A seller for their public page. Null for what nobody filled in. */
export interface SellerProfile {
  id: string;
  /** The shop's name, else the person's, else "Seller". Visitors get `publicTitle`. */
  title: string;
  /** The same without a last name, for links and posters. */
  publicTitle: string;
  campusLocation: string | null;
  level: VerifiedLevel;
  /** The name in the documents, if it differs from the title. */
  verifiedAs: string | null;
  featured: boolean;
  /** Only for members. */
  email: string | null;
  description: string | null;
  bannerUrl: string | null;
  offersDelivery: boolean;
  /** Only for members. */
  preferredContact: string | null;
  /** In words, as lines. */
  hours: string | null;
  policies: string | null;
  /** Null until the seller has opened a shop. Before that there is nothing to rate or follow. */
  shop: Following | null;
  /** When their holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** How long people usually wait for their first answer, in ms; null when too few have asked. */
  answerMs: number | null;
  record: SellerRecord;
  /** Null for a new seller. */
  rating: Rating | null;
  /** How the reviews are spread over the stars. Empty for a new seller. */
  distribution: StarShare[];
}

export interface SellerPage extends ProductPage {
  seller: SellerProfile;
}

interface SellerRow {
  shopId: string | null;
  shopName: string | null;
  fullName: string | null;
  campusLocation: string | null;
  level: VerifiedLevel | null;
  verifiedName: string | null;
  featured: number;
  email: string | null;
  description: string | null;
  bannerUrl: string | null;
  offersDelivery: number | null;
  preferredContact: string | null;
  hours: string | null;
  policies: string | null;
  follows: number;
  followers: number;
  stars: string | null;
  awayUntil: number | null;
  asked: string;
  record: string | null;
}

/**
 * A seller with one page of their products for sale, newest first. Null for people who never sold anything, because
 * this page is public. One round trip; its cost depends only on the page's size.
 */
export async function openSellerPage(
  store: Store,
  input: { sellerId: string; viewerId: string | null; after: string | null },
): Promise<SellerPage | null> {
  const cursor = readCursor(input.after);
  const view = { viewerId: input.viewerId, now: store.now() };
  const [sellers, rows] = await runBatch(store.db, [
    sellerRow(input.sellerId, view),
    sellerRows(input.sellerId, view, cursor),
  ]);
  const row = rowOf<SellerRow>(sellers);
  if (!row) return null;
  const page = toPage(rowsOf<SummaryRow>(rows));
  return {
    seller: toSeller(input.sellerId, row, view),
    products: page.products.map((product) => ({
      ...withoutRating(product),
      ...(input.viewerId === null && {
        name: publicProductName(product.name),
        about: product.about && withoutContacts(product.about),
      }),
    })),
    after: cursor && input.after,
    next: page.next && writeCursor(page.next),
  };
}

function sellerRow(sellerId: string, { viewerId, now }: ViewContext): SQL {
  const mayContact = viewerId === null ? sql`0` : sql`NOT ${blockBetween(viewerId, sellerId)}`;
  return sql`SELECT h.id AS shopId, h.shop_name AS shopName, p.full_name AS fullName, p.campus_location AS campusLocation,
      p.verified_level AS level, ${verifiedName(viewerId)} AS verifiedName, COALESCE(h.featured_until > ${now}, 0) AS featured,
      CASE WHEN ${mayContact} THEN p.email END AS email, h.description, h.banner_url AS bannerUrl, h.offers_delivery AS offersDelivery,
      CASE WHEN ${mayContact} THEN h.preferred_contact END AS preferredContact, h.business_hours AS hours, h.policies,
      EXISTS (SELECT 1 FROM shop_follows f WHERE f.user_id = ${viewerId} AND f.shop_id = h.id) AS follows, ${followersOf(sql`h.id`)} AS followers,
      ${sellerStars(sql`c.id`)} AS stars, ${awayUntil(sql`c.id`, now)} AS awayUntil,
      ${latestConversationStarts(sql`c.id`)} AS asked, ${sellerRecord(sql`c.id`)} AS record
    FROM credentials c LEFT JOIN profiles p ON p.id = c.id AND p.deleted_at IS NULL LEFT JOIN shops h ON h.id = c.id
    WHERE c.id = ${sellerId} AND c.suspended_at IS NULL
      AND (h.id IS NOT NULL OR p.is_seller = 1 OR p.id IS NOT NULL AND EXISTS (SELECT 1 FROM products l WHERE l.seller_id = c.id AND l.deleted_at IS NULL))`;
}

/** The number of a shop's followers. Never counts beyond 1,001. */
export function followersOf(shopId: SQL): SQL {
  return sql`(SELECT COUNT(*) FROM (SELECT 1 FROM shop_follows WHERE shop_id = ${shopId} LIMIT ${EXACT_MAX + 1}))`;
}

function toSeller(id: string, row: SellerRow, { viewerId, now }: ViewContext): SellerProfile {
  const publicTitle = publicShopTitle(row);
  const title = viewerId === null ? publicTitle : sellerTitle(row);
  const shown = (text: string | null) => (viewerId === null && text !== null ? withoutContacts(text) : text);
  const stars = readStars(row.stars);
  const rating = ratingOf(stars);
  return {
    id,
    title,
    publicTitle,
    campusLocation: row.campusLocation,
    level: row.level ?? "none",
    verifiedAs: otherName(row.verifiedName, title),
    featured: row.featured === 1,
    email: row.email,
    description: shown(row.description),
    bannerUrl: row.bannerUrl,
    offersDelivery: row.offersDelivery === 1,
    preferredContact: row.preferredContact,
    hours: shown(hoursInWords(readHours(row.hours))),
    policies: shown(row.policies),
    shop: row.shopId ? { follows: row.follows === 1, followers: row.followers } : null,
    awayUntil: row.awayUntil,
    answerMs: readAnswerMs(row.asked, now),
    record: readRecord(row.record),
    rating,
    distribution: rating ? distributionOf(stars) : [],
  };
}

type ShopProduct = Omit<ListedShop["products"][number], "image"> & { image: ProductImage | null };

/** A shop for a card, with its newest products for sale. */
export interface ListedShop {
  id: string;
  name: string;
  campusLocation: string | null;
  /** It has a running plan. */
  featured: boolean;
  /** The viewer's own shop. */
  own: boolean;
  follows: boolean;
  /** Null for a new seller. */
  rating: Rating | null;
  products: { id: string; name: string; price: number; image: ShownImage | null }[];
}

interface ShopRow {
  id: string;
  shopName: string;
  fullName: string | null;
  campusLocation: string | null;
  featured: number;
  follows: number;
  stars: string | null;
  products: string;
}

/** How many shops (featured ones and the best rated) are searched for some that have something for sale. */
const FEATURED_LOOKED_AT = 100;
const RATED_LOOKED_AT = 60;
/** How many shops a page of the list of all shops searches. */
const LISTED_LOOKED_AT = 36;

export interface HomePage {
  shops: ListedShop[];
  /** The newest products for sale in the whole marketplace. */
  newest: ProductSummary[];
  /** The most used first. */
  categories: Category[];
  /** By category. */
  covers: Partial<Record<string, ShownImage>>;
}

/**
 * The shops of the home page: six with something for sale, featured ones first (they take turns by the hour), then the
 * best rated. One round trip. It reads no more rows when shops and products grow in number.
 */
export function openHome(store: Store, viewerId: string): Promise<HomePage> {
  return runRead(store.db, homeRead({ viewerId, now: store.now() }));
}

/** The read of `openHome`, to share a round trip. */
export function homeRead(view: ViewContext & { viewerId: string }): Read<HomePage> {
  return {
    statements: [featuredRows(view), feedRows(view, null), categoryRows(), coverRows()],
    read: ([shops, newest, categories, covers]) => ({
      shops: rowsOf<ShopRow>(shops).map((row) => toListed(row, view.viewerId)),
      newest: toPage(rowsOf<SummaryRow>(newest)).products.slice(0, NEWEST_ON_HOME),
      categories: readCategories(categories),
      covers: Object.fromEntries(
        rowsOf<{ id: string; image: string | null }>(covers).flatMap(({ id, image }) =>
          image ? [[id, toShown(JSON.parse(image) as ProductImage)]] : [],
        ),
      ),
    }),
  };
}

function toListed({ shopName, fullName, stars, products, ...row }: ShopRow, viewerId: string): ListedShop {
  return {
    ...row,
    name: sellerTitle({ shopName, fullName }),
    featured: row.featured === 1,
    own: row.id === viewerId,
    follows: row.follows === 1,
    rating: ratingOf(readStars(stars)),
    products: (JSON.parse(products) as ShopProduct[]).map(({ image, ...product }) => ({
      ...product,
      image: image && toShown(image),
    })),
  };
}

/** The cover of the newest listing in each category of the home page. */
function coverRows(): SQL {
  return sql`SELECT c.value AS id,
      (SELECT json_extract(p.images, '$[0]') FROM products p WHERE p.category = c.value AND ${FOR_SALE} ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS image
    FROM json_each(${JSON.stringify(HOME_CATEGORIES.map(({ id }) => id))}) c`;
}

export interface ShopsPage {
  shops: ListedShop[];
  order: ShopOrder;
  /** The cursor of this page; null for the first. */
  after: string | null;
  /** The next page's cursor; null at the end. */
  next: string | null;
}

/**
 * One page of the shops that have something for sale. Equally rated shops come newest first. One round trip; the number
 * of rows read is bounded.
 */
export async function listShops(
  store: Store,
  { viewerId, after, order }: { viewerId: string; after: string | null; order: ShopOrder },
): Promise<ShopsPage> {
  const place = readShopPlace(after, order);
  const [rows] = await runBatch(store.db, [listedRows({ viewerId, now: store.now() }, order, place)]);
  const looked = rowsOf<ShopRow & ShopPlace & { sells: number }>(rows);
  const last = looked[LISTED_LOOKED_AT - 1];
  return {
    shops: looked
      .slice(0, LISTED_LOOKED_AT)
      .filter(({ sells }) => sells === 1)
      .map(({ score: _score, createdAt: _createdAt, sells: _sells, ...row }) => toListed(row, viewerId)),
    order,
    after: place && after,
    next: looked.length > LISTED_LOOKED_AT && last ? writeShopPlace(last, order) : null,
  };
}

/** One row more than a page searches tells whether there is a next page. */
function listedRows(view: ViewContext, order: ShopOrder, place: ShopPlace | null): SQL {
  const columns = order === "rated" ? sql`rating_score DESC, created_at DESC, id DESC` : sql`created_at DESC, id DESC`;
  return sql`WITH chosen AS MATERIALIZED (
      SELECT id, rating_score, created_at, COALESCE(featured_until > ${view.now}, 0) AS featured FROM shops ${afterPlace(order, place)}
      ORDER BY ${columns} LIMIT ${LISTED_LOOKED_AT + 1})
    SELECT ${cardColumns(view)}, chosen.rating_score AS score, chosen.created_at AS createdAt, ${SELLS} AS sells
    FROM chosen JOIN shops h ON h.id = chosen.id LEFT JOIN profiles s ON s.id = h.id
    ORDER BY ${order === "rated" ? sql`chosen.rating_score DESC,` : sql``} chosen.created_at DESC, chosen.id DESC`;
}

function afterPlace(order: ShopOrder, place: ShopPlace | null): SQL {
  if (!place) return sql``;
  return order === "rated"
    ? sql`WHERE (rating_score, created_at, id) < (${place.score}, ${place.createdAt}, ${place.id})`
    : sql`WHERE (created_at, id) < (${place.createdAt}, ${place.id})`;
}

/** SQL on shops `h`: it has something for sale, and its owner isn't suspended. */
const SELLS = sql`(EXISTS (SELECT 1 FROM products p WHERE p.seller_id = h.id AND ${FOR_SALE})
    AND EXISTS (SELECT 1 FROM credentials c WHERE c.id = h.id AND c.suspended_at IS NULL))`;

/** The columns of a card for a chosen shop `h`, with its owner's profile `s`. */
function cardColumns({ viewerId }: Pick<ViewContext, "viewerId">): SQL {
  return sql`h.id, h.shop_name AS shopName, s.full_name AS fullName, s.campus_location AS campusLocation, chosen.featured,
      EXISTS (SELECT 1 FROM shop_follows f WHERE f.user_id = ${viewerId} AND f.shop_id = h.id) AS follows,
      ${sellerStars(sql`h.id`)} AS stars,
      (SELECT json_group_array(json_object('id', p.id, 'name', p.name, 'price', p.price, 'image', json_extract(p.images, '$[0]'))) FROM
        (SELECT * FROM products p WHERE p.seller_id = h.id AND ${FOR_SALE} ORDER BY p.created_at DESC, p.id DESC LIMIT ${FEATURED_PRODUCTS}) p) AS products`;
}

function featuredRows(view: ViewContext): SQL {
  const { now } = view;
  return sql`WITH featured AS MATERIALIZED (
      SELECT h.id, ROW_NUMBER() OVER (ORDER BY h.id) - 1 AS place, COUNT(*) OVER () AS total
      FROM (SELECT id FROM shops WHERE featured_until > ${now} ORDER BY featured_until LIMIT ${FEATURED_LOOKED_AT}) h WHERE ${SELLS}),
    rated AS MATERIALIZED (
      SELECT h.id, ROW_NUMBER() OVER (ORDER BY h.rating_score DESC, h.created_at DESC, h.id DESC) AS place
      FROM (SELECT id, rating_score, created_at, featured_until FROM shops
        ORDER BY rating_score DESC, created_at DESC, id DESC LIMIT ${RATED_LOOKED_AT}) h
      WHERE (h.featured_until IS NULL OR h.featured_until <= ${now}) AND ${SELLS} LIMIT ${FEATURED_SHOPS}),
    chosen AS MATERIALIZED (
      SELECT id, 1 AS featured, (place - ${rotationTurn(now)} % total + total) % total AS place FROM featured
      UNION ALL SELECT id, 0, place FROM rated ORDER BY featured DESC, place LIMIT ${FEATURED_SHOPS})
    SELECT ${cardColumns(view)}
    FROM chosen JOIN shops h ON h.id = chosen.id LEFT JOIN profiles s ON s.id = h.id
    ORDER BY chosen.featured DESC, chosen.place`;
}
