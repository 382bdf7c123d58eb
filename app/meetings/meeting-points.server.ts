import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { build, named } from "#app/db/build.ts";
import { campusLocations, meetingPoints, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";

/** The query for the meeting points of items; `condition` is SQL on items. */
export function selectPoints(condition: SQL) {
  const ofPeople = build
    .select({ id: sql<number>`${profiles.campusLocationId}` })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(profiles, or(eq(profiles.id, orders.userId), eq(profiles.id, orderItems.sellerId)))
    .where(condition);
  const ofListings = build
    .select({ id: sql<number>`${campusLocations.id}` })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .innerJoin(campusLocations, eq(campusLocations.name, products.location))
    .where(condition);
  const { id, name, opensAt, closesAt, weekdaysOnly, campusId, hiddenAt } = meetingPoints;
  return build
    .select({ id, name, ...named({ campus: campusLocations.name }), opensAt, closesAt, weekdaysOnly })
    .from(meetingPoints)
    .innerJoin(campusLocations, eq(campusLocations.id, campusId))
    .where(and(isNull(hiddenAt), inArray(campusId, ofPeople.union(ofListings))))
    .orderBy(campusLocations.id, name);
}
