/** A campus can ask that its sellers hand over at its meeting points alone. What was ordered before stays as it was. */
import { and, eq, isNotNull, lte, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { build, hasRow } from "#app/db/build.ts";
import { campusLocations, profiles, shops } from "#app/accounts/tables.server.ts";

/** Later than anything that is ordered. */
const ANY_TIME = sql`9e15`;

/** SQL on campuses: this seller's, if it asks for meeting points for what is ordered at `orderedAt`. */
export function asksForPoints(sellerId: SQLWrapper | string, orderedAt: SQLWrapper = ANY_TIME): SQL | undefined {
  const campus = build.select({ id: profiles.campusLocationId }).from(profiles).where(eq(profiles.id, sellerId));
  return and(eq(campusLocations.id, sql`${campus}`), lte(campusLocations.pointsOnlySince, orderedAt));
}

/** Where no campus asks, no list looks up the campus of each of its sellers. */
const ANY_ASKS = hasRow(campusLocations, isNotNull(campusLocations.pointsOnlySince));

/**
 * SQL: a seller delivers what is ordered at `orderedAt`, or now. Their shop says so, and their campus doesn't ask for
 * meeting points.
 */
export function delivers(sellerId: SQLWrapper, orderedAt?: SQLWrapper): SQL {
  const isAsked = sql`(${and(ANY_ASKS, hasRow(campusLocations, asksForPoints(sellerId, orderedAt)))})`;
  const shop = hasRow(shops, and(eq(shops.id, sellerId), eq(shops.offersDelivery, true)));
  return sql`(${and(shop, not(isAsked))})`;
}
