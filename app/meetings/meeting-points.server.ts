import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { asksForPoints } from "#app/accounts/profile/points-only.server.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVERS } from "#app/db/states/handover.ts";
import { build, named, pick } from "#app/db/build.ts";
import { campusLocations, meetingPoints, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";

const CHANGES_HANDS = HANDOVERS.filter((handover) => HANDOVER_TERMS[handover].changesHands);

/** The query for the campus that asks that these items are handed over at meeting points; no row for none. */
export function selectAskingCampus(condition: SQL) {
  return build
    .select(pick(campusLocations, "name"))
    .from(orderItems)
    .innerJoin(campusLocations, asksForPoints(orderItems.sellerId, orderItems.createdAt))
    .where(and(condition, inArray(orderItems.handover, CHANGES_HANDS)))
    .limit(1);
}

/** The query for the meeting points of items, the guarded ones first; `condition` is SQL on items. */
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
  const { id, name, opensAt, closesAt, weekdaysOnly, isGuarded, campusId, hiddenAt } = meetingPoints;
  return build
    .select({ id, name, ...named({ campus: campusLocations.name }), opensAt, closesAt, weekdaysOnly, isGuarded })
    .from(meetingPoints)
    .innerJoin(campusLocations, eq(campusLocations.id, campusId))
    .where(and(isNull(hiddenAt), inArray(campusId, ofPeople.union(ofListings))))
    .orderBy(campusLocations.id, desc(isGuarded), name);
}
