import { dayOf } from "#app/platform/east-africa-time.ts";
import { sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { EXACT_COUNT_MAX } from "#app/catalogue/labels.ts";
import { publicShopTitle } from "#app/accounts/public-names.ts";
import type { StarCounts } from "#app/accounts/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/ratings.server.ts";
import { rowOf, rowsOf, runBatch, type Statement } from "#app/db/batch.ts";
import { sellerOrderRank } from "#app/db/schema.ts";
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

interface HeadRow {
  id: string;
  stars: string | null;
  isSeller: number;
  isPro: number;
  fullName: string | null;
  shopName: string | null;
  description: string | null;
  bannerUrl: string | null;
  featuredUntil: number | null;
  awayUntil: number | null;
  listings: number;
  activeListings: number;
  sales: number;
  revenue: number;
  pendingOrders: number;
}

/**
 * The queries of the shop's head, to be sent in a batch. They count up to a limit and read one row for each day with a sale, so
 * their cost does not grow with the number of sales.
 */
function headQueries(sellerId: string, now: number): Statement[] {
  const today = dayOf(now);
  const counted = EXACT_COUNT_MAX + 1;
  return [
    sql`SELECT p.id, ${sellerStars(sql.raw("p.id"))} AS stars, p.is_seller AS isSeller, p.is_pro AS isPro, p.full_name AS fullName, s.shop_name AS shopName, s.description, s.banner_url AS bannerUrl, s.featured_until AS featuredUntil,
        CASE WHEN s.away_until > ${now} THEN s.away_until END AS awayUntil,
        l.listings, l.activeListings, d.sales, d.revenue,
        (SELECT COUNT(*) FROM (SELECT 1 FROM order_items WHERE seller_id = ${sellerId} AND ${stateIs("status", ITEM.isToShip)} LIMIT ${counted})) AS pendingOrders
      FROM profiles p LEFT JOIN shops s ON s.id = p.id,
        (SELECT COUNT(*) AS listings, COALESCE(SUM(status = 'active' AND suspended_at IS NULL), 0) AS activeListings FROM (
          SELECT status, suspended_at FROM products WHERE seller_id = ${sellerId} AND deleted_at IS NULL LIMIT ${counted})) l,
        (SELECT COALESCE(SUM(sales), 0) AS sales, COALESCE(SUM(revenue), 0) AS revenue FROM seller_days WHERE seller_id = ${sellerId}) d
      WHERE p.id = ${sellerId}`,
    sql`SELECT day, sales, revenue FROM seller_days WHERE seller_id = ${sellerId} AND day > ${today - CHART_DAYS}`,
  ];
}

function readHead([head, days]: readonly unknown[], now: number): ShopHead {
  const row = rowOf<HeadRow>(head);
  if (!row) throw new Error("a shop was opened without a profile");
  const { fullName, shopName, description, bannerUrl, featuredUntil, ...figures } = row;
  return {
    ...figures,
    shop: shopName === null ? null : { name: shopName, description, bannerUrl, featuredUntil },
    publicTitle: publicShopTitle({ shopName, fullName }),
    stars: readStars(row.stars),
    isSeller: row.isSeller === 1,
    isPro: row.isPro === 1,
    days: chartDays(rowsOf<SalesDay>(days), dayOf(now)),
    now,
  };
}

/** A seller's shop with the results of `tab`'s queries. One round trip. */
export async function openShop(
  store: Store,
  sellerId: string,
  tab: Statement[] = [],
): Promise<{ head: ShopHead; tab: readonly unknown[] }> {
  const now = store.now();
  const head = headQueries(sellerId, now);
  const answers = await runBatch(store.db, [...head, ...tab]);
  return { head: readHead(answers.slice(0, head.length), now), tab: answers.slice(head.length) };
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
  const [counts, ...lists] = tab;
  return {
    head,
    orderList: {
      ...pageOf(
        asked,
        lists.map((list) => readSoldItems(list, store.now())),
      ),
      counts: rowOf<OrderListPage["counts"]>(counts) ?? { new: 0, processing: 0, shipped: 0 },
      searchError: searches(asked) && readOrderNumber(asked.search) === null ? ORDER_SEARCH_ERROR : null,
    },
  };
}

function searches({ search }: OrderListQuery): boolean {
  return search.trim() !== "";
}

function itemQueries(sellerId: string, asked: OrderListQuery): Statement[] {
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
function countsOf(sellerId: string): Statement {
  const isOpen = sql`NOT ${stateIs("status", ITEM.isDelivered)}`;
  const countOf = (group: keyof OrderListPage["counts"]) =>
    sql`COALESCE(SUM(rank IN (${sql.raw(OPEN_GROUPS[group].join(", "))}) AND ${isOpen}), 0) AS ${sql.identifier(group)}`;
  return sql`SELECT ${countOf("new")}, ${countOf("processing")}, ${countOf("shipped")}
    FROM (SELECT status, ${sellerOrderRank} AS rank FROM order_items WHERE seller_id = ${sellerId} AND ${stateIs("status", ITEM.isHeld)} LIMIT ${EXACT_COUNT_MAX + 1})`;
}
