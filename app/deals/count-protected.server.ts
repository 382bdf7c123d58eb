import { and, count, eq, gte, ne, or, sql } from "drizzle-orm";
import { protectedSince } from "#app/accounts/profile/protected-deal-rules.ts";
import { campusLocations, profiles } from "#app/accounts/tables.server.ts";
import { read, write } from "#app/db/batch.ts";
import { build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { takeLease } from "#app/db/leases.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { IS_PROTECTED } from "./protected-deals.server.ts";

/** What fails is tried again within the day. */
const EVERY_MS = 6 * HOUR_MS;

/**
 * Four times a day, how many protected deals the buyers of each campus had is written down for its public page, which
 * is read too often to count for each. Reads the orders of at most a year. Returns how many campuses have another
 * number.
 */
export async function countProtectedDeals(store: Store): Promise<number> {
  if (!(await takeLease(store, "protected_deals", EVERY_MS))) return 0;
  const campuses = await read(store.db, build.select(pick(campusLocations, "id", "opensOn")).from(campusLocations));
  if (campuses.length === 0) return 0;
  const since = campuses.map(({ id, opensOn }) => ({ id, ...protectedSince(opensOn, store.now()) }));
  const froms = JSON.stringify(Object.fromEntries(since.map(({ id, from }) => [id, from])));
  const counted = await read(
    store.db,
    build
      .select({ campus: profiles.campusLocationId, deals: count().as("deals") })
      .from(orders)
      .innerJoin(profiles, eq(profiles.id, orders.userId))
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .where(
        and(
          gte(orders.createdAt, Math.min(...since.map(({ from }) => from))),
          sql`${orders.createdAt} >= ${froms} ->> ('$."' || ${profiles.campusLocationId} || '"')`,
          IS_PROTECTED,
        ),
      )
      .groupBy(profiles.campusLocationId),
  );
  const deals = new Map(counted.map((row) => [row.campus, row.deals]));
  const { protectedDeals, protectedPeriod } = campusLocations;
  const { written } = await write(store.db, {
    written: since.map(({ id, period }) => {
      const found = deals.get(id) ?? 0;
      return build
        .update(campusLocations)
        .set({ protectedDeals: found, protectedPeriod: period })
        .where(and(eq(campusLocations.id, id), or(ne(protectedDeals, found), ne(protectedPeriod, period))));
    }),
  });
  return written.filter(({ meta }) => meta.changes > 0).length;
}
