/** What a suspension changes: statements for the batch of the decision (`decide-case.server.ts`). */
import { otherCaseRow } from "#app/moderation/table-rows.server.ts";
import { and, eq, exists, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { afterListingsChanged, listingsOf } from "#app/catalogue/listing-effects.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { holds, type Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { upheld } from "#app/moderation/cases/upheld-cases.server.ts";

const { id } = orderItems;

/** SQL: the items that a person sells or buys. */
export function itemsOfPerson(userId: string): SQL {
  const bought = build
    .select({ id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, userId));
  return build.select({ id }).from(orderItems).where(eq(orderItems.sellerId, userId)).union(bought).getSQL();
}

/** SQL: the items of a listing. */
export function itemsOfListing(productId: string): SQL {
  return build.select({ id }).from(orderItems).where(eq(orderItems.productId, productId)).getSQL();
}

/** Suspends an account that isn't suspended and isn't an admin's. Follow it with `takeDownWith`. */
export function suspendAccount(userId: string, now: number): Statement {
  const isAdmin = hasRow(profiles, and(eq(profiles.id, userId), isNotNull(profiles.adminRole)));
  return build
    .update(credentials)
    .set({ suspendedAt: now, sessionEpoch: sql`${credentials.sessionEpoch} + 1`, updatedAt: now })
    .where(and(eq(credentials.id, userId), isNull(credentials.suspendedAt), not(isAdmin)));
}

/**
 * Takes a suspended account's listings down, at the same time as the account's suspension: listings that were already
 * taken down stay down when the account is restored.
 */
export function takeDownWith(userId: string, now: number): Statement[] {
  return [
    updateListings(
      { suspendedAt: now, updatedAt: now },
      and(eq(products.sellerId, userId), isNull(products.suspendedAt)),
    ),
    ...afterListingsChanged(listingsOf(userId), now),
  ];
}

/**
 * Restores the listings that were taken down with an account at `from` (ms), except those that a case took down. `to`:
 * when the account was suspended for something else, with which they stay down; NULL where it is back. Follow it with
 * `holdReported`.
 */
export function restoreListingsOf(userId: string, { from, to }: { from: number; to: SQL }, now: number): Statement[] {
  const isTakenDown = hasRow(
    otherCaseRow,
    and(eq(otherCaseRow.subject, "listing"), eq(otherCaseRow.subjectId, products.id), upheld(otherCaseRow)),
  );
  return [
    updateListings(
      { suspendedAt: to, updatedAt: now },
      and(eq(products.sellerId, userId), isNull(products.heldFor), eq(products.suspendedAt, from), not(isTakenDown)),
    ),
    ...afterListingsChanged(listingsOf(userId), now),
  ];
}

/** Whether one of these items is in a running deal of the admin. */
export function endsOwnDeal({ db }: Store, adminId: string, items: SQL): Promise<boolean> {
  const own = build
    .select({ id })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(
      and(
        inArray(id, sql`(${items})`),
        or(eq(orderItems.sellerId, adminId), eq(orders.userId, adminId)),
        stateIs(orderItems.status, ITEM.isRunning),
      ),
    );
  return holds(db, exists(own));
}
