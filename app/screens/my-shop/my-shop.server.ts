import { dayOf } from "#app/platform/east-africa-time.ts";
import { and, count, eq, gt, isNull, not, sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { EXACT_COUNT_MAX } from "#app/catalogue/labels.ts";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import type { StarCounts } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import { type AnswersTo, runBatch, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { orderItems, products, profiles, sellerDays, sellerOrderRank, shops } from "#app/db/schema.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import {
  CHART_DAYS,
  chartDays,
  type OrderGroup,
  ORDER_SEARCH_ERROR,
  readOrderPlace,
  readOrderNumber,
  type SalesDay,
  writeOrderPlace,
} from "./sales-rules.ts";
import {
  doneItems,
  OPEN_GROUPS,
  orderPlaceOf,
  itemsOfNumber,
  openItems,
  readSoldItems,
  type DoneGroup,
  type SoldItem,
} from "./sold-items.server.ts";

/** The head of My Shop, above its tabs. Counts are exact up to `EXACT_COUNT_MAX`. */
export interface ShopHead {
  /** The seller's. */
  id: string;
  /** Null until the first save of the shop settings. */
  shop: { name: string; description: string | null; bannerUrl: string | null; featuredUntil: number | null } | null;
  /** What visitors see as its name. */
  publicTitle: string;
  /** When the holiday ends, ms; null when they aren't on holiday. */
  awayUntil: number | null;
  isSeller: boolean;
  isPro: boolean;
  listings: number;
  activeListings: number;
  /** The number of paid order items, and their total in KES. */
  sales: number;
  revenue: number;
  pendingOrders: number;
  /** What buyers gave them. */
  stars: StarCounts;
  /** The last 30 days, oldest first. */
  days: SalesDay[];
  /** When this was read, ms. */
  now: number;
}

/**
 * The queries of the shop's head, to be sent in a batch. They count up to a limit and read one row for each day with a sale, so
 * their cost does not grow with the number of sales.
 */
function headQueries(sellerId: string, now: number) {
  const isOwn = eq(products.sellerId, sellerId);
  const toShip = build
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(and(eq(orderItems.sellerId, sellerId), stateIs(orderItems.status, ITEM.isToShip)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("to_ship");
  const listed = build
    .select({ status: products.status, suspendedAt: products.suspendedAt })
    .from(products)
    .where(and(isOwn, isNull(products.deletedAt)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("listed");
  const isActive = sql`${listed.status} = 'active' AND ${listed.suspendedAt} IS NULL`;
  const { day, sales, revenue } = sellerDays;
  const isOwnDay = eq(sellerDays.sellerId, sellerId);
  return [
    build
      .select({
        id: profiles.id,
        stars: sql<string | null>`${sellerStars(sql`${profiles.id}`)}`,
        isSeller: profiles.isSeller,
        isPro: profiles.isPro,
        fullName: profiles.fullName,
        shopName: shops.shopName,
        description: shops.description,
        bannerUrl: shops.bannerUrl,
        featuredUntil: shops.featuredUntil,
        awayUntil: sql<number | null>`CASE WHEN ${shops.awayUntil} > ${now} THEN ${shops.awayUntil} END`,
      })
      .from(profiles)
      .leftJoin(shops, eq(shops.id, profiles.id))
      .where(eq(profiles.id, sellerId)),
    build.select({ pendingOrders: count() }).from(toShip),
    build.select({ listings: count(), activeListings: sql<number>`COALESCE(SUM(${isActive}), 0)` }).from(listed),
    build
      .select({ sales: sql<number>`COALESCE(SUM(${sales}), 0)`, revenue: sql<number>`COALESCE(SUM(${revenue}), 0)` })
      .from(sellerDays)
      .where(isOwnDay),
    build
      .select({ day, sales, revenue })
      .from(sellerDays)
      .where(and(isOwnDay, gt(day, dayOf(now) - CHART_DAYS))),
  ] as const;
}

function readHead(answers: AnswersTo<ReturnType<typeof headQueries>>, now: number): ShopHead {
  const [[person], [pending], [listed], [sold], days] = answers;
  if (!person || !pending || !listed || !sold) throw new Error("a shop was opened without a profile");
  const { fullName, shopName, description, bannerUrl, featuredUntil, stars, ...facts } = person;
  return {
    ...facts,
    ...pending,
    ...listed,
    ...sold,
    shop: shopName === null ? null : { name: shopName, description, bannerUrl, featuredUntil },
    publicTitle: publicShopTitle({ shopName, fullName }),
    stars: readStars(stars),
    days: chartDays(days, dayOf(now)),
    now,
  };
}

/** A seller's shop with the answers to `tab`'s queries. One round trip. */
export async function openShop<const S extends readonly Statement[] = []>(
  store: Store,
  sellerId: string,
  tab?: S,
): Promise<{ head: ShopHead; tab: AnswersTo<S> }> {
  const now = store.now();
  const [person, pending, listed, sold, days, ...answers] = await runBatch(store.db, [
    ...headQueries(sellerId, now),
    ...(tab ?? []),
  ]);
  return { head: readHead([person, pending, listed, sold, days], now), tab: answers as AnswersTo<S> };
}

/** Page sizes of the open orders and of the delivered ones. */
const OPEN_ROWS = 100;
const DONE_ROWS = 20;

export interface OrderListQuery {
  group: OrderGroup | null;
  /** The order number as it was typed. */
  search: string;
  /** A cursor. An unreadable one starts at the beginning. */
  after: string | null;
}

export interface OrderListPage {
  items: SoldItem[];
  /** The number of open items in each group. */
  counts: { new: number; processing: number; shipped: number };
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** The error of the search field. */
  searchError: string | null;
}

/**
 * A seller's shop with its orders: those that match a number, those of one group, or all open ones followed by the
 * latest delivered ones. One round trip.
 */
export async function openShopOrders(
  store: Store,
  sellerId: string,
  asked: OrderListQuery,
): Promise<{ head: ShopHead; orderList: OrderListPage }> {
  const { head, tab } = await openShop(store, sellerId, [countsOf(sellerId), ...itemQueries(sellerId, asked)]);
  const [[counts], ...lists] = tab;
  return {
    head,
    orderList: {
      ...pageOf(
        asked,
        lists.map((list) => readSoldItems(list, store.now())),
      ),
      counts: counts ?? { new: 0, processing: 0, shipped: 0 },
      searchError: searches(asked) && readOrderNumber(asked.search) === null ? ORDER_SEARCH_ERROR : null,
    },
  };
}

function searches({ search }: OrderListQuery): boolean {
  return search.trim() !== "";
}

function itemQueries(sellerId: string, asked: OrderListQuery) {
  const { group, after } = asked;
  if (searches(asked)) {
    const number = readOrderNumber(asked.search);
    return number === null ? [] : [itemsOfNumber(sellerId, number, DONE_ROWS)];
  }
  if (isDone(group)) return [doneItems(group, sellerId, readCursor(after), DONE_ROWS + 1)];
  const open = openItems(sellerId, group ?? "all", readOrderPlace(after), OPEN_ROWS + 1);
  return group === null ? [open, doneItems("delivered", sellerId, null, DONE_ROWS)] : [open];
}

/** The page that the results of `itemQueries` make up. */
function pageOf(asked: OrderListQuery, [found = [], done = []]: SoldItem[][]): Pick<OrderListPage, "items" | "next"> {
  const rows = isDone(asked.group) ? DONE_ROWS : OPEN_ROWS;
  const items = found.slice(0, rows);
  const last = items.at(-1);
  if (searches(asked) || found.length <= rows || !last) return { items: [...found, ...done], next: null };
  return { items, next: isDone(asked.group) ? writeCursor(last) : writeOrderPlace(orderPlaceOf(last)) };
}

function isDone(group: OrderGroup | null): group is DoneGroup {
  return group === "delivered" || group === "cancelled";
}

/** Counts each open group by its ranks. What the buyer is checking is in the group of delivered items. */
function countsOf(sellerId: string) {
  const held = build
    .select({ status: orderItems.status, rank: sql<number>`${sellerOrderRank}`.as("rank") })
    .from(orderItems)
    .where(and(eq(orderItems.sellerId, sellerId), stateIs(orderItems.status, ITEM.isHeld)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("held");
  const isOpen = not(stateIs(held.status, ITEM.isDelivered));
  const countOf = (group: keyof OrderListPage["counts"]) =>
    sql<number>`COALESCE(SUM(${held.rank} IN ${OPEN_GROUPS[group]} AND ${isOpen}), 0)`.as(group);
  return build
    .select({ new: countOf("new"), processing: countOf("processing"), shipped: countOf("shipped") })
    .from(held);
}
