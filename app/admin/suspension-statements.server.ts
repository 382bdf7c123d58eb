/** What a suspension changes: statements for the batch of the decision (`case-decisions.server.ts`). */
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { upheld } from "#app/db/upheld.ts";

/** SQL: the items that a person sells or buys. */
export function itemsOfPerson(userId: string): SQL {
  return sql`SELECT id FROM order_items WHERE seller_id = ${userId} UNION SELECT j.id FROM orders o JOIN order_items j ON j.order_id = o.id WHERE o.user_id = ${userId}`;
}

/** SQL: the items of a listing. */
export function itemsOfListing(productId: string): SQL {
  return sql`SELECT id FROM order_items WHERE product_id = ${productId}`;
}

/** Suspends an account that isn't suspended and isn't an admin's. Follow it with `takeDownWith`. */
export function suspendAccount(userId: string, now: number): Statement {
  return sql`UPDATE credentials SET suspended_at = ${now}, session_epoch = session_epoch + 1, updated_at = ${now}
    WHERE id = ${userId} AND suspended_at IS NULL AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${userId} AND is_admin = 1)`;
}

/**
 * Takes a suspended account's listings down, at the same time as the account's suspension: listings that were already
 * taken down stay down when the account is restored.
 */
export function takeDownWith(userId: string, now: number): Statement {
  return sql`UPDATE products SET suspended_at = ${now}, updated_at = ${now} WHERE seller_id = ${userId} AND suspended_at IS NULL`;
}

/**
 * Restores the listings that were taken down with an account at `suspendedAt`, except those that a case took down.
 */
export function restoreListingsOf(userId: string, suspendedAt: SQL, now: number): Statement {
  return sql`UPDATE products SET suspended_at = NULL, updated_at = ${now}
    WHERE seller_id = ${userId} AND held_for IS NULL AND suspended_at = ${suspendedAt}
      AND NOT EXISTS (SELECT 1 FROM moderation_cases u WHERE u.subject = 'listing' AND u.subject_id = products.id AND ${upheld("u")})`;
}

/** Whether one of these items is in a running deal of the admin. */
export async function endsOwnDeal({ db }: Store, adminId: string, items: SQL): Promise<boolean> {
  const [row] = await db.all<{ own: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id
      WHERE i.id IN (${items}) AND ${adminId} IN (i.seller_id, o.user_id) AND ${stateIs("i.status", ITEM.isRunning)}) AS own`,
  );
  return row?.own === 1;
}
