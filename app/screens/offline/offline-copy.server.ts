import { asc, desc, eq, inArray } from "drizzle-orm";
import { SESSION_LIFE_S } from "#app/accounts/login/account-rules.ts";
import { wantsAllCampuses } from "#app/catalogue/browse/campus-choice.ts";
import { browseCampusFeed } from "#app/catalogue/browse/campus-feed.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import type { ListedStep } from "#app/deals/words/next-step-texts.ts";
import { buyerStepColumns, readStep } from "#app/screens/listed-steps.server.ts";
import { openItems } from "#app/screens/my-shop/sold-items.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { dealsOfOrders } from "#app/deals/words/deal-views.server.ts";
import { usableCode } from "#app/deals/code/enter-code.server.ts";
import { itemStatusLabel, shortOrderId } from "#app/orders/order-rules.ts";
import { pageOfOrders } from "#app/orders/orders.server.ts";
import type { OfflineCopy, OfflineItem, OfflineSale } from "#app/platform/offline-copy.ts";
import { formatDate, formatDateTime, formatTime } from "#app/ui/dates.ts";
import { formatPrice } from "#app/ui/money.ts";

/** How many orders it has, the newest; and how many items and listings. */
const ORDERS = 20;
const ITEMS = 30;
/** How many of a seller's open sales: first what is ready to be handed over. */
const SALES = 20;
const LISTINGS = 24;

/** A session is renewed after half its life, so it lives at least this long after each request. */
const LIFE_MS = (SESSION_LIFE_S * 1000) / 2;

/**
 * What somebody reads without a network: their latest orders with the handover codes that work, what they have sold and
 * not handed over, and the beginning of their feed. Written as people read it, because the offline page only fills in
 * texts.
 */
export async function makeOfflineCopy(
  services: Pick<DealServices, "db" | "now" | "deals">,
  { viewerId, cookie }: { viewerId: string; cookie: string | null },
): Promise<OfflineCopy> {
  const now = services.now();
  const newest = pageOfOrders(viewerId, ORDERS, undefined);
  const [feed, { bought, sold, deals }] = await Promise.all([
    browseCampusFeed(services, {
      viewerId,
      after: null,
      filters: NO_LIST_FILTERS,
      wantsAll: wantsAllCampuses(new URLSearchParams(), cookie),
    }),
    read(services.db, {
      bought: itemsOf(viewerId),
      sold: openItems(viewerId, "all", null, SALES),
      deals: dealsOfOrders(newest, viewerId),
    }),
  ]);
  const dealOf = new Map(deals.map((deal) => [deal.id, deal]));
  const items = await Promise.all(
    bought.map(async (row): Promise<OfflineItem> => {
      const deal = dealOf.get(row.id);
      const code = deal ? await usableCode(services, deal) : null;
      return {
        ...saleOf(row, readStep("buyer", row, now), now),
        other: row.seller || "the seller",
        code: code && `${code.slice(0, 3)} ${code.slice(3)}`,
      };
    }),
  );
  return {
    viewerId,
    savedAt: now,
    saved: { time: formatTime(now), date: formatDateTime(now) },
    until: now + LIFE_MS,
    // What is still to be handed over first.
    items: items.toSorted((one, other) => Number(other.code !== null) - Number(one.code !== null)).slice(0, ITEMS),
    sales: sold.map((row) => ({
      ...saleOf(row, readStep("seller", row, now), now),
      other: row.buyerName || "the buyer",
    })),
    listings: feed.products
      .slice(0, LISTINGS)
      .map(({ name, price, location }) => ({ name, price: formatPrice(price), place: location ?? "" })),
  };
}

interface DealRow {
  orderId: string;
  name: string;
  subtotal: number;
  handover: Handover;
  status: ItemStatus;
  createdAt: number;
  meeting: { state: MeetingState; startsAt: number; place: string } | null;
}

/** It is read later, so "today" says nothing: a meeting to come is named by its date. */
function saleOf({ meeting, ...row }: DealRow, { text }: ListedStep, now: number): Omit<OfflineSale, "other"> {
  const agreed = meeting?.state === "accepted" ? meeting : null;
  return {
    name: row.name,
    facts: [formatPrice(row.subtotal), `Order ${shortOrderId(row.orderId)}`, formatDate(row.createdAt)].join(" · "),
    status: itemStatusLabel(row.status, row.handover),
    step: agreed && agreed.startsAt > now ? null : text,
    meeting: agreed && `${formatDateTime(agreed.startsAt)}, ${agreed.place}`,
  };
}

/** The items of a buyer's newest orders. */
function itemsOf(viewerId: string) {
  const { productName: name, id, orderId, createdAt, sellerId } = orderItems;
  return build
    .select({ id, orderId, name, createdAt, seller: profiles.fullName, ...buyerStepColumns(viewerId) })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderId))
    .leftJoin(profiles, eq(profiles.id, sellerId))
    .leftJoin(meetings, eq(meetings.orderItemId, id))
    .where(inArray(orderId, pageOfOrders(viewerId, ORDERS, undefined)))
    .orderBy(desc(orders.createdAt), asc(createdAt), asc(id));
}
