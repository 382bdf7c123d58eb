import { delivers } from "#app/accounts/profile/points-only.server.ts";
import { semesterOffer, type SemesterOffer } from "#app/accounts/profile/semester.ts";
import { selectSemester, toSemesterNews } from "#app/accounts/profile/semester.server.ts";
import { and, count, desc, eq, gt, isNotNull, isNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { otherName, verifiedName } from "#app/accounts/member.server.ts";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { distributionOf, type Rating, ratingOf, type StarShare } from "#app/accounts/trust/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/trust/ratings.server.ts";
import type { SellerRecord } from "#app/accounts/trust/reliability-rules.ts";
import {
  latestConversationStarts,
  meetingRecord,
  readAnswerMs,
  readMeetingRecord,
  readRecord,
  sellerRecord,
} from "#app/accounts/trust/reliability.server.ts";
import { type Category, type FilteredPage, filteredList } from "#app/catalogue/browse/browse.server.ts";
import { browseCampusFeed } from "#app/catalogue/browse/campus-feed.server.ts";
import { type ListFilters, NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { type ProductSummary, withoutRating, type ViewContext } from "#app/catalogue/products.server.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { COVER, FOR_SALE, NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";
import { publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { withoutContacts } from "#app/safety/public-text-rules.ts";
import { HOME_CATEGORIES } from "#app/catalogue/labels.ts";
import { NEWEST_ON_HOME } from "#app/catalogue/catalogue-rules.ts";
import { type RowOf, prepareOnce, read } from "#app/db/batch.ts";
import { asBoolean, asJson, build, hasRow, oneRow, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { shopFollows } from "./tables.server.ts";
import { personRow } from "#app/accounts/table-rows.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
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
  /** The path of the shop's logo, or else, for members only, of the person's photo, in its smallest variant. */
  pictureUrl: string | null;
  offersDelivery: boolean;
  /** Only for members. */
  preferredContact: string | null;
  /** What to know about what the shop wrote; null for nothing, and for its owner. */
  warning: string | null;
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
  /** To how many of their meetings they didn't come, in words; null with too few. */
  meetings: string | null;
  /** Null for a new seller. */
  rating: Rating | null;
  /** How the reviews are spread over the stars. Empty for a new seller. */
  distribution: StarShare[];
}

export interface SellerPage extends FilteredPage {
  seller: SellerProfile;
  /** What the list is limited to. */
  filters: ListFilters;
}

type SellerRow = RowOf<ReturnType<typeof sellerRow>>;

/**
 * A seller with one page of their products for sale, newest first. Null for people who never sold anything, because
 * this page is public. Its cost depends only on the page's size.
 */
export async function openSellerPage(
  store: Store,
  input: { sellerId: string; viewerId: string | null; after: string | null; filters?: ListFilters },
): Promise<SellerPage | null> {
  const { sellerId, viewerId, after, filters = NO_LIST_FILTERS } = input;
  const view = { viewerId, now: store.now() };
  const [page, [row]] = await Promise.all([
    filteredList(store, { after, filters, sellerId }),
    read(store.db, sellerRow({ sellerId, ...view })),
  ]);
  if (!row) return null;
  return {
    seller: toSeller(sellerId, row, view),
    filters,
    facts: page.facts,
    products: page.products.map((product) => ({
      ...withoutRating(product),
      ...(viewerId === null && {
        name: publicProductName(product.name),
        about: product.about && withoutContacts(product.about),
      }),
    })),
    after: page.after,
    next: page.next,
  };
}

/** For `viewerId` (null for a visitor) at `now` (ms). */
const sellerRow = prepareOnce(
  selectSeller(sql.placeholder("sellerId"), sql.placeholder("viewerId"), sql.placeholder("now")),
);

function selectSeller(sellerId: SQLWrapper, viewerId: SQLWrapper, now: SQLWrapper) {
  const mayContact = sql`(${viewerId} IS NOT NULL AND NOT ${blockBetween(sql`${viewerId}`, sql`${sellerId}`)})`;
  const seller = sql`${credentials.id}`;
  const hasListed = hasRow(products, and(eq(products.sellerId, credentials.id), isNull(products.deletedAt)));
  const sells = or(isNotNull(shops.id), eq(personRow.isSeller, true), and(isNotNull(personRow.id), hasListed));
  return build
    .select({
      shopId: shops.id,
      shopName: shops.shopName,
      fullName: personRow.fullName,
      campusLocation: personRow.campusLocation,
      level: personRow.verifiedLevel,
      verifiedName: verifiedName(viewerId),
      featured: asBoolean(sql`COALESCE(${gt(shops.featuredUntil, now)}, 0)`),
      email: sql<string | null>`CASE WHEN ${mayContact} AND ${personRow.showsEmail} THEN ${personRow.email} END`,
      description: shops.description,
      bannerUrl: shops.bannerUrl,
      pictureUrl: sql<
        string | null
      >`COALESCE(${shops.logoUrl}, CASE WHEN ${viewerId} IS NOT NULL THEN ${personRow.photoUrl} END)`,
      offersDelivery: asBoolean(delivers(sql`${credentials.id}`)),
      preferredContact: sql<string | null>`CASE WHEN ${mayContact} THEN ${shops.preferredContact} END`,
      hours: shops.businessHours,
      policies: shops.policies,
      follows: asBoolean(isFollowing(viewerId, shops.id)),
      followers: followersOf(sql`${shops.id}`),
      stars: sql<string | null>`${sellerStars(seller)}`,
      awayUntil: awayUntil(seller, now),
      asked: sql<string>`${latestConversationStarts(seller)}`,
      record: sql<string>`${sellerRecord(seller)}`,
      meetings: sql<string>`${meetingRecord(seller)}`,
    })
    .from(credentials)
    .leftJoin(personRow, and(eq(personRow.id, credentials.id), isNull(personRow.deletedAt)))
    .leftJoin(shops, eq(shops.id, credentials.id))
    .where(and(eq(credentials.id, sellerId), isNull(credentials.suspendedAt), sells));
}

/** SQL: the viewer follows the shop. */
export function isFollowing(viewerId: string | null | SQLWrapper, shopId: SQLWrapper): SQL {
  return hasRow(shopFollows, and(sql`${shopFollows.userId} = ${viewerId}`, eq(shopFollows.shopId, shopId)));
}

/** SQL: somebody follows a shop. */
export function followsAny(userId: string): SQL {
  return hasRow(shopFollows, eq(shopFollows.userId, userId));
}

/** The number of a shop's followers. Never counts beyond 1,001. */
export function followersOf(shopId: SQL): SQL<number> {
  const followers = build
    .select({ id: shopFollows.userId })
    .from(shopFollows)
    .where(eq(shopFollows.shopId, shopId))
    .limit(EXACT_MAX + 1)
    .as("followers");
  return sql<number>`${build.select({ followers: count() }).from(followers)}`;
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
    featured: row.featured,
    email: row.email,
    description: shown(row.description),
    bannerUrl: row.bannerUrl,
    pictureUrl: row.pictureUrl,
    offersDelivery: row.offersDelivery,
    preferredContact: row.preferredContact,
    hours: shown(hoursInWords(readHours(row.hours))),
    policies: shown(row.policies),
    warning: viewerId === id ? null : shopWarning(row),
    shop: row.shopId ? { follows: row.follows, followers: row.followers } : null,
    awayUntil: row.awayUntil,
    answerMs: readAnswerMs(row.asked, now),
    record: readRecord(row.record),
    meetings: readMeetingRecord(row.meetings),
    rating,
    distribution: rating ? distributionOf(stars) : [],
  };
}

function shopWarning(row: SellerRow): string | null {
  const texts = [row.description, row.preferredContact, hoursInWords(readHours(row.hours)), row.policies];
  return textWarning(texts.filter((text) => text !== null).join("\n"));
}

type ShopProduct = Omit<ListedShop["products"][number], "image"> & { image: ProductImage | null };

/** A shop for a card, with its newest products for sale. */
export interface ListedShop {
  id: string;
  name: string;
  logoUrl: string | null;
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

/** How many shops (featured ones and the best rated) are searched for some that have something for sale. */
const FEATURED_LOOKED_AT = 100;
const RATED_LOOKED_AT = 60;
/** How many shops a page of the list of all shops searches. */
const LISTED_LOOKED_AT = 36;

export interface HomePage {
  shops: ListedShop[];
  /** The newest products for sale, as the feed begins. */
  newest: ProductSummary[];
  /** The viewer's campus, if they are of that alone. */
  ownCampus: string | null;
  /** The most used first. */
  categories: Category[];
  /** By category. */
  covers: Partial<Record<string, ShownImage>>;
  /** The viewer follows a shop. */
  followsAny: boolean;
  /** What the semester of the viewer's campus is good for now. */
  semester: SemesterOffer | null;
}

/**
 * The shops of the home page: six with something for sale, featured ones first (they take turns by the hour), then the
 * best rated. It reads no more rows when shops and products grow in number.
 */
export async function openHome(store: Store, { wantsAll, viewerId }: HomeInput): Promise<HomePage> {
  const view = { viewerId, now: store.now() };
  const [
    { products: newest, categories, ownCampus },
    {
      featured,
      covers,
      viewer: [viewer],
      semester,
    },
  ] = await Promise.all([
    browseCampusFeed(store, { viewerId, after: null, filters: NO_LIST_FILTERS, wantsAll }),
    read(store.db, {
      featured: featuredRows({ ...view, turn: rotationTurn(view.now) }),
      covers: coverRows({}),
      viewer: oneRow({ followsAny: asBoolean(followsAny(viewerId)) }),
      semester: selectSemester(viewerId),
    }),
  ]);
  return {
    shops: featured.map((row) => toListed(row, viewerId)),
    newest: newest.slice(0, NEWEST_ON_HOME),
    ownCampus,
    categories,
    followsAny: viewer?.followsAny ?? false,
    semester: semesterOffer(toSemesterNews(semester, view.now)),
    covers: Object.fromEntries(covers.flatMap(({ id, cover }) => (cover ? [[id, toShown(cover)]] : []))),
  };
}

interface HomeInput {
  viewerId: string;
  /** What is new in all campuses, although the own one may have enough. */
  wantsAll: boolean;
}

export function toListed(
  { shopName, fullName, stars, products: listed, ...row }: RowOf<ReturnType<typeof featuredRows>>,
  viewerId: string,
): ListedShop {
  return {
    ...row,
    name: sellerTitle({ shopName, fullName }),
    own: row.id === viewerId,
    rating: ratingOf(readStars(stars)),
    products: listed.map(({ image, ...product }) => ({ ...product, image: image && toShown(image) })),
  };
}

const COVER_OF_CATEGORY = build
  .select({ cover: COVER })
  .from(productRow)
  .where(and(sql`${productRow.category} = category.value`, FOR_SALE))
  .orderBy(...NEWEST_FIRST)
  .limit(1);

/** The cover of the newest listing in each category of the home page. */
const coverRows = prepareOnce(
  build
    .select({ id: sql<string>`category.value`, cover: asJson<ProductImage | null>(sql`${COVER_OF_CATEGORY}`) })
    .from(sql`json_each(${JSON.stringify(HOME_CATEGORIES.map(({ id }) => id))}) category`),
);

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
  const looked = await read(store.db, listedRows({ viewerId, now: store.now() }, order, place));
  const last = looked[LISTED_LOOKED_AT - 1];
  return {
    shops: looked
      .slice(0, LISTED_LOOKED_AT)
      .filter(({ sells }) => sells)
      .map(({ score: _score, createdAt: _createdAt, sells: _sells, ...row }) => toListed(row, viewerId)),
    order,
    after: place && after,
    next: looked.length > LISTED_LOOKED_AT && last ? writeShopPlace(last, order) : null,
  };
}

/** One row more than a page searches tells whether there is a next page. */
function listedRows(view: ViewContext, order: ShopOrder, place: ShopPlace | null) {
  const { id, ratingScore: score, createdAt } = shops;
  const chosen = build
    .select({ chosenId: id, score, createdAt, featured: isFeatured(view.now) })
    .from(shops)
    .where(afterPlace(order, place))
    .orderBy(...(order === "rated" ? [desc(score)] : []), desc(createdAt), desc(id))
    .limit(LISTED_LOOKED_AT + 1)
    .as("chosen");
  return build
    .select({
      ...cardFields(view.viewerId),
      score: chosen.score,
      createdAt: chosen.createdAt,
      sells: asBoolean(SELLS),
    })
    .from(chosen)
    .innerJoin(shops, eq(id, chosen.chosenId))
    .leftJoin(profiles, eq(profiles.id, id))
    .orderBy(...(order === "rated" ? [desc(chosen.score)] : []), desc(chosen.createdAt), desc(chosen.chosenId));
}

export function isFeatured(now: number) {
  return sql<number>`COALESCE(${shops.featuredUntil} > ${now}, 0)`.as("featured");
}

function afterPlace(order: ShopOrder, place: ShopPlace | null): SQL | undefined {
  if (!place) return undefined;
  const { ratingScore, createdAt, id } = shops;
  return order === "rated"
    ? sql`(${ratingScore}, ${createdAt}, ${id}) < (${place.score}, ${place.createdAt}, ${place.id})`
    : sql`(${createdAt}, ${id}) < (${place.createdAt}, ${place.id})`;
}

/** SQL on shops: its owner isn't suspended. */
export const IS_OPEN = isOpenAccount(shops.id);

/** SQL on shops: it has something for sale, and its owner isn't suspended. */
const SELLS = sql`(${hasRow(productRow, and(eq(productRow.sellerId, shops.id), FOR_SALE))} AND ${IS_OPEN})`;

/** What a card shows of a `chosen` shop, joined with its owner's profile. */
export function cardFields(viewerId: string | null | SQLWrapper) {
  const { id, name, price, images } = productRow;
  const newest = build
    .select({ id, name, price, images })
    .from(productRow)
    .where(and(eq(productRow.sellerId, shops.id), FOR_SALE))
    .orderBy(...NEWEST_FIRST)
    .limit(FEATURED_PRODUCTS)
    .as("newest");
  const product = sql`json_object('id', ${newest.id}, 'name', ${newest.name}, 'price', ${newest.price},
    'image', json_extract(${newest.images}, '$[0]'))`;
  return {
    ...pick(shops, "id", "shopName", "logoUrl"),
    fullName: profiles.fullName,
    campusLocation: profiles.campusLocation,
    featured: asBoolean(sql`chosen.featured`),
    follows: asBoolean(isFollowing(viewerId, shops.id)),
    stars: sql<string | null>`${sellerStars(sql`${shops.id}`)}`,
    products: asJson<ShopProduct[]>(sql`${build.select({ listed: sql`json_group_array(${product})` }).from(newest)}`),
  };
}

/**
 * The shops of the home page, for `viewerId` at `now` (ms), when the featured ones have taken turns `turn` times. They
 * are chosen in SQL, because windows number them.
 */
const featuredRows = prepareOnce(
  build
    .select(cardFields(sql.placeholder("viewerId")))
    .from(chosenForHome(sql.placeholder("now"), sql.placeholder("turn")))
    .innerJoin(shops, sql`${shops.id} = chosen.id`)
    .leftJoin(profiles, eq(profiles.id, shops.id))
    .orderBy(sql`chosen.featured DESC, chosen.place`),
);

function chosenForHome(now: SQLWrapper, turn: SQLWrapper): SQL {
  const { id, featuredUntil, ratingScore, createdAt } = shops;
  const columns = { id, featuredUntil, ratingScore, createdAt };
  // Each of the two looks at a bounded number of shops, under the name of their table.
  const promoted = build
    .select(columns)
    .from(shops)
    .where(gt(featuredUntil, now))
    .orderBy(featuredUntil)
    .limit(FEATURED_LOOKED_AT)
    .as("shops");
  const bestRated = build
    .select(columns)
    .from(shops)
    .orderBy(desc(ratingScore), desc(createdAt), desc(id))
    .limit(RATED_LOOKED_AT)
    .as("shops");
  return sql`(WITH featured AS MATERIALIZED (
      SELECT ${id} AS id, ROW_NUMBER() OVER (ORDER BY ${id}) - 1 AS place, COUNT(*) OVER () AS total
      FROM ${promoted} WHERE ${SELLS}),
    rated AS MATERIALIZED (
      SELECT ${id} AS id, ROW_NUMBER() OVER (ORDER BY ${ratingScore} DESC, ${createdAt} DESC, ${id} DESC) AS place
      FROM ${bestRated} WHERE (${featuredUntil} IS NULL OR ${featuredUntil} <= ${now}) AND ${SELLS}
      LIMIT ${FEATURED_SHOPS})
    SELECT id, 1 AS featured, (place - ${turn} % total + total) % total AS place FROM featured
    UNION ALL SELECT id, 0, place FROM rated ORDER BY featured DESC, place LIMIT ${FEATURED_SHOPS}) chosen`;
}
