import { feesAfter, newFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { reachingSeller } from "#app/payments/books/seller-money.server.ts";
import { confirmedFees, sellerFeeHasBegun } from "#app/catalogue/fees/fees.server.ts";
import { formatDate } from "#app/ui/dates.ts";
import type { SemesterNews } from "#app/accounts/profile/semester.ts";
import { selectSemester, toSemesterNews } from "#app/accounts/profile/semester.server.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { and, count, eq, gt, gte, isNull, min, ne, not, sql } from "drizzle-orm";
import { readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { ownListingRows, readOwnListings } from "#app/catalogue/selling/listings.server.ts";
import { EXACT_COUNT_MAX } from "#app/catalogue/labels.ts";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { readStars, sellerStars } from "#app/accounts/trust/ratings.server.ts";
import { type AnswersTo, read } from "#app/db/batch.ts";
import { build, hasRow, pick, oneRow } from "#app/db/build.ts";
import { meetings, orderItems, sellerOrderRank } from "#app/orders/tables.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { dayInSql } from "#app/upkeep/listing-days.server.ts";
import { unansweredCount } from "#app/upkeep/still-available.server.ts";
import {
  CHART_DAYS,
  type OrderGroup,
  ORDER_SEARCH_ERROR,
  readOrderPlace,
  readOrderNumber,
  type SalesDay,
  type Todo,
  todoList,
  writeOrderPlace,
} from "./sales-rules.ts";
import {
  doneItems,
  MEETING_RANKS,
  OPEN_GROUPS,
  orderPlaceOf,
  itemsOfNumber,
  openItems,
  PENDING_RANKS,
  readSoldItems,
  TODO_RANKS,
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
  /** What the semester of their campus means now; null where nothing is to be told. */
  semester: SemesterNews | null;
  /** Each new service fee that sellers will pay, in words. */
  newFees: string[];
  isSeller: boolean;
  isPro: boolean;
  listings: number;
  activeListings: number;
  /** The number of paid order items, and their total in KES. */
  sales: number;
  revenue: number;
  /** What of it reaches the seller, KES, once fees and refunds are off; null where nobody takes a fee, or it is all. */
  reaching: number | null;
  pendingOrders: number;
  /** The number of open items in each group. */
  groups: { new: number; processing: number; shipped: number };
  /** What waits for the seller, the most urgent first. */
  todos: Todo[];
  /** What buyers gave them. */
  stars: StarCounts;
  /** Of the last 60 days, those with sales. */
  days: SalesDay[];
  /** When this was read, ms. */
  now: number;
}

/**
 * The queries of the shop's head, to be sent in a batch. They count up to a limit; sales are added up from an index.
 */
function headQueries(sellerId: string, now: number) {
  const isOwn = eq(products.sellerId, sellerId);
  const rank = sql<number>`${sellerOrderRank}`;
  const toAnswer = hasRow(
    meetings,
    and(
      eq(meetings.orderItemId, orderItems.id),
      eq(meetings.state, "proposed"),
      ne(meetings.proposedBy, sellerId),
      gt(meetings.startsAt, now),
    ),
  );
  const held = build
    .select({
      id: orderItems.id,
      status: orderItems.status,
      rank: rank.as("rank"),
      // The buyer has suggested a meeting, and nothing is agreed yet.
      hasMeeting: sql<number>`${rank} IN ${[...MEETING_RANKS]} AND ${toAnswer}`.as("has_meeting"),
    })
    .from(orderItems)
    .where(and(eq(orderItems.sellerId, sellerId), stateIs(orderItems.status, ITEM.isHeld)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("held");
  const asked = build
    .select({ buyerId: offers.buyerId })
    .from(offers)
    .where(and(eq(offers.sellerId, sellerId), stateIs(offers.state, OFFER.awaitsSeller)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("asked");
  const listed = build
    .select({ status: products.status, suspendedAt: products.suspendedAt })
    .from(products)
    .where(and(isOwn, isNull(products.deletedAt)))
    .limit(EXACT_COUNT_MAX + 1)
    .as("listed");
  const isActive = sql`${listed.status} = 'active' AND ${listed.suspendedAt} IS NULL`;
  const { paidAt, status, subtotal } = orderItems;
  const isSold = and(eq(orderItems.sellerId, sellerId), not(stateIs(status, ITEM.isReturned)));
  const revenue = sql<number>`COALESCE(SUM(${subtotal}), 0)`;
  return {
    person: build
      .select({
        id: profiles.id,
        stars: sql<string | null>`${sellerStars(sql`${profiles.id}`)}`,
        ...pick(profiles, "isSeller", "isPro", "fullName"),
        ...pick(shops, "shopName", "description", "bannerUrl", "featuredUntil"),
        awayUntil: sql<number | null>`CASE WHEN ${shops.awayUntil} > ${now} THEN ${shops.awayUntil} END`,
      })
      .from(profiles)
      .leftJoin(shops, eq(shops.id, profiles.id))
      .where(eq(profiles.id, sellerId)),
    semester: selectSemester(sellerId),
    fees: confirmedFees(),
    // Open items by rank. What the buyer is checking is in the group of delivered items.
    ranks: build
      .select({ rank: held.rank, hasMeeting: held.hasMeeting, count: count(), one: min(held.id) })
      .from(held)
      .where(not(stateIs(held.status, ITEM.isDelivered)))
      .groupBy(sql`${held.rank}, ${held.hasMeeting}`),
    asked: build.select({ count: count(), one: min(asked.buyerId) }).from(asked),
    unanswered: unansweredCount(sellerId, now),
    listed: build
      .select({ listings: count(), activeListings: sql<number>`COALESCE(SUM(${isActive}), 0)` })
      .from(listed),
    sold: build
      .select({ sales: count(), revenue })
      .from(orderItems)
      .where(and(isSold, gt(paidAt, 0))),
    // Read only where a fee has ever been taken, because it adds up all payouts.
    reached: oneRow({
      amount: sql<number | null>`CASE WHEN ${sellerFeeHasBegun(now)} THEN ${reachingSeller(sellerId)} END`,
    }),
    days: build
      .select({ day: dayInSql(paidAt).as("day"), sales: count(), revenue })
      .from(orderItems)
      .where(and(isSold, gte(paidAt, dayStart(dayOf(now) - 2 * CHART_DAYS + 1))))
      .groupBy(sql`day`),
  };
}

function readHead(answers: AnswersTo<ReturnType<typeof headQueries>>, now: number): ShopHead {
  const {
    person: [person],
    ranks,
    asked: [asked],
    unanswered: [unanswered],
    listed: [listed],
    sold: [sold],
    reached: [reached],
    days,
    semester,
    fees,
  } = answers;
  if (!person || !asked || !unanswered || !listed || !sold) throw new Error("a shop was opened without a profile");
  const { fullName, shopName, description, bannerUrl, featuredUntil, stars, ...facts } = person;
  const sum = (rows: typeof ranks) => ({
    count: rows.reduce((all, row) => all + row.count, 0),
    one: rows[0]?.one ?? null,
  });
  const withoutMeeting = (rank: number) => sum(ranks.filter((row) => row.rank === rank && !row.hasMeeting));
  const countOf = (wanted: readonly number[]) => sum(ranks.filter(({ rank }) => wanted.includes(rank))).count;
  return {
    ...facts,
    semester: toSemesterNews(semester, now),
    newFees: feesAfter(fees, now).flatMap((fee) => {
      const words = newFeeText(fee, fees);
      return words === null ? [] : [`From ${formatDate(fee.startsAt)}: ${words}`];
    }),
    pendingOrders: countOf(PENDING_RANKS),
    groups: {
      new: countOf(OPEN_GROUPS.new),
      processing: countOf(OPEN_GROUPS.processing),
      shipped: countOf(OPEN_GROUPS.shipped),
    },
    todos: todoList({
      answer: withoutMeeting(TODO_RANKS.answer),
      meeting: sum(ranks.filter(({ hasMeeting }) => hasMeeting)),
      contact: withoutMeeting(TODO_RANKS.contact),
      hand_over: withoutMeeting(TODO_RANKS.hand_over),
      offer: asked,
      confirm: { count: unanswered.asked + unanswered.gone, one: null },
    }),
    ...listed,
    ...sold,
    reaching: reached?.amount != null && reached.amount < sold.revenue ? reached.amount : null,
    shop: shopName === null ? null : { name: shopName, description, bannerUrl, featuredUntil },
    publicTitle: publicShopTitle({ shopName, fullName }),
    stars: readStars(stars),
    days,
    now,
  };
}

/** How many listings My Shop shows at first, so that the figures below them are near. */
const FIRST_LISTINGS = 6;

/**
 * A seller's shop with its newest listings; or with a page of `all` of them, from `after` on. `hasMore`: there are more
 * than the first few. One round trip.
 */
export async function openShopListings(store: Store, sellerId: string, after: string | null, all = false) {
  const now = store.now();
  const { listings, ...head } = await read(store.db, {
    ...headQueries(sellerId, now),
    listings: ownListingRows(sellerId, after),
  });
  const page = readOwnListings(listings, readCursor(after) && after);
  const hasMore = !all && page.after === null && page.products.length > FIRST_LISTINGS;
  const shown = hasMore ? { ...page, products: page.products.slice(0, FIRST_LISTINGS), next: null } : page;
  return { head: readHead(head, now), hasMore, ...shown };
}

/** Page sizes of the open orders and of those that are over. */
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
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** The error of the search field. */
  searchError: string | null;
}

/**
 * A seller's shop with its orders: those that match a number, those of one group, or all open ones followed by the
 * latest that are over. One round trip.
 */
export async function openShopOrders(
  store: Store,
  sellerId: string,
  asked: OrderListQuery,
): Promise<{ head: ShopHead; orderList: OrderListPage }> {
  const now = store.now();
  const { lists, ...head } = await read(store.db, {
    ...headQueries(sellerId, now),
    lists: itemQueries(sellerId, asked),
  });
  return {
    head: readHead(head, now),
    orderList: {
      ...pageOf(
        asked,
        lists.map((list) => readSoldItems(list, now)),
      ),
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
  return group === null ? [open, doneItems("over", sellerId, null, DONE_ROWS)] : [open];
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
