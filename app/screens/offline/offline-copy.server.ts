import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { SESSION_LIFE_S } from "#app/accounts/login/account-rules.ts";
import { wantsAllCampuses } from "#app/catalogue/browse/campus-choice.ts";
import { browseCampusFeed } from "#app/catalogue/browse/campus-feed.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { read } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { dealsOfOrders } from "#app/deals/words/deal-views.server.ts";
import { usableCode } from "#app/deals/code/enter-code.server.ts";
import { itemStatusLabel, shortOrderId } from "#app/orders/order-rules.ts";
import { pageOfOrders } from "#app/orders/orders.server.ts";
import type { OfflineCopy, OfflineItem } from "#app/platform/offline-copy.ts";
import { formatDate, formatDateTime, formatTime } from "#app/ui/dates.ts";
import { formatPrice } from "#app/ui/money.ts";

/** How many orders it has, the newest; and how many items and listings. */
const ORDERS = 20;
const ITEMS = 30;
const LISTINGS = 24;

/** A session is renewed after half its life, so it lives at least this long after each request. */
const LIFE_MS = (SESSION_LIFE_S * 1000) / 2;

/**
 * What somebody reads without a network: their latest orders with the handover codes that work, and the beginning of
 * their feed. Written as people read it, because the offline page only fills in texts.
 */
export async function makeOfflineCopy(
  services: Pick<DealServices, "db" | "now" | "deals">,
  { viewerId, cookie }: { viewerId: string; cookie: string | null },
): Promise<OfflineCopy> {
  const now = services.now();
  const newest = pageOfOrders(viewerId, ORDERS, undefined);
  const [feed, { rows, deals }] = await Promise.all([
    browseCampusFeed(services, {
      viewerId,
      after: null,
      filters: NO_LIST_FILTERS,
      wantsAll: wantsAllCampuses(new URLSearchParams(), cookie),
    }),
    read(services.db, { rows: itemsOf(viewerId), deals: dealsOfOrders(newest, viewerId) }),
  ]);
  const dealOf = new Map(deals.map((deal) => [deal.id, deal]));
  const items = await Promise.all(
    rows.map(async (row): Promise<OfflineItem> => {
      const deal = dealOf.get(row.id);
      const code = deal ? await usableCode(services, deal) : null;
      return {
        name: row.name,
        facts: [formatPrice(row.subtotal), `Order ${shortOrderId(row.orderId)}`, formatDate(row.createdAt)].join(" · "),
        status: itemStatusLabel(row.status),
        seller: row.seller || "the seller",
        meeting: row.startsAt === null ? null : `${formatDateTime(row.startsAt)}, ${row.place}`,
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
    listings: feed.products
      .slice(0, LISTINGS)
      .map(({ name, price, location }) => ({ name, price: formatPrice(price), place: location ?? "" })),
  };
}

/** The items of a buyer's newest orders, each with the meeting that is agreed for it. */
function itemsOf(viewerId: string) {
  const { productName: name, id, orderId, subtotal, status, createdAt, sellerId } = orderItems;
  const { place, startsAt } = meetings;
  return build
    .select(named({ id, orderId, name, subtotal, status, createdAt, seller: profiles.fullName, place, startsAt }))
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderId))
    .leftJoin(profiles, eq(profiles.id, sellerId))
    .leftJoin(meetings, and(eq(meetings.orderItemId, id), eq(meetings.state, "accepted")))
    .where(inArray(orderId, pageOfOrders(viewerId, ORDERS, undefined)))
    .orderBy(desc(orders.createdAt), asc(createdAt), asc(id));
}
