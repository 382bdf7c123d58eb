import { type SQL, sql } from "drizzle-orm";
import type { Mail } from "#app/platform/mailer.ts";
import type { Notifier } from "#app/platform/live-events.ts";
import { expectOneChange, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { upheld } from "#app/db/upheld.ts";
import { endDeals, keepDeals } from "#app/orders/deal-records.server.ts";
import { performAdminAction, type Admin } from "./admin-pages.server.ts";

interface SuspensionServices extends Store {
  notifier: Notifier;
}

/**
 * protected: an admin, or oneself. own_money: it would end a deal of the admin, who could get money back by it. stale:
 * the account or listing has changed or is gone.
 */
export type SuspensionResult = { ok: true } | { ok: false; code: "protected" | "own_money" | "concerned" | "stale" };

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

/** Takes a suspended account's listings down and ends its deals. */
export function takeDownWith(userId: string, now: number): Statement[] {
  return [
    // The same time as the account's suspension. Listings that were already taken down stay down when the account is
    // restored.
    sql`UPDATE products SET suspended_at = ${now}, updated_at = ${now} WHERE seller_id = ${userId} AND suspended_at IS NULL`,
    endDeals(itemsOfPerson(userId), now),
  ];
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

/**
 * Suspends an account: every session ends at once, nobody can log in to it, its listings are taken down, and its owner
 * gets an email. Its deals end: what isn't shipped is refunded, and our team decides about the rest. Payouts continue.
 */
export async function suspendUser(
  services: SuspensionServices,
  admin: Admin,
  userId: string,
  reason: string,
): Promise<SuspensionResult> {
  const now = services.now();
  const [user] = await services.db.all<{ email: string; name: string | null; isAdmin: number | null }>(
    sql`SELECT c.email, p.full_name AS name, p.is_admin AS isAdmin FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = ${userId}`,
  );
  if (!user) return { ok: false, code: "stale" };
  if (userId === admin.id || user.isAdmin === 1) return { ok: false, code: "protected" };
  if (await endsOwnDeal(services, admin.id, itemsOfPerson(userId))) return { ok: false, code: "own_money" };
  const mail: Mail = { to: user.email, template: "account_suspended", data: { name: user.name ?? "", reason } };
  const done = await performAdminAction(
    services,
    admin,
    { action: "user_suspended", subject: `user:${userId}`, detail: reason },
    [
      suspendAccount(userId, now),
      expectOneChange(),
      ...takeDownWith(userId, now),
      queueEffect("mail", `account_suspended:${userId}:${now}`, mail, now),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  await services.notifier.endSessions(userId);
  return { ok: true };
}

/**
 * Restores an account, with the listings that were taken down with it, except those that are held for a look. Its deals that
 * the job hasn't ended yet go on. A deleted account stays deleted.
 */
export async function restoreUser(
  services: SuspensionServices,
  admin: Admin,
  userId: string,
): Promise<SuspensionResult> {
  const now = services.now();
  const done = await performAdminAction(services, admin, { action: "user_restored", subject: `user:${userId}` }, [
    restoreListingsOf(userId, sql`(SELECT suspended_at FROM credentials WHERE id = ${userId})`, now),
    sql`UPDATE credentials SET suspended_at = NULL, updated_at = ${now}
      WHERE id = ${userId} AND suspended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = ${userId} AND deleted_at IS NOT NULL)`,
    expectOneChange(),
    keepDeals(itemsOfPerson(userId)),
  ]);
  return done ? { ok: true } : { ok: false, code: "stale" };
}

/** Takes a listing down everywhere. Its seller gets an email, and a notice on open pages. */
export async function suspendListing(
  services: SuspensionServices,
  admin: Admin,
  productId: string,
  reason: string,
): Promise<SuspensionResult> {
  const now = services.now();
  const [listing] = await services.db.all<{ name: string; sellerId: string; email: string; seller: string | null }>(
    sql`SELECT q.name, q.seller_id AS sellerId, c.email, p.full_name AS seller FROM products q JOIN credentials c ON c.id = q.seller_id
      LEFT JOIN profiles p ON p.id = c.id WHERE q.id = ${productId}`,
  );
  if (!listing) return { ok: false, code: "stale" };
  const items = itemsOfListing(productId);
  if (await endsOwnDeal(services, admin.id, items)) return { ok: false, code: "own_money" };
  const mail: Mail = {
    to: listing.email,
    template: "listing_suspended",
    data: { name: listing.seller ?? "", productName: listing.name, reason },
  };
  const done = await performAdminAction(
    services,
    admin,
    { action: "listing_suspended", subject: `product:${productId}`, detail: reason },
    [
      ...changeListing(productId, sql`suspended_at = ${now}`, sql`suspended_at IS NULL`, now),
      endDeals(items, now),
      queueEffect("mail", `listing_suspended:${productId}:${now}`, mail, now),
    ],
  );
  if (!done) return { ok: false, code: "stale" };
  await services.notifier.notify(listing.sellerId, {
    type: "account",
    notice: `We took ${listing.name} down. We've emailed you the reason.`,
  });
  return { ok: true };
}

/**
 * Restores a listing. If its seller is suspended, it stays down until the seller is restored. A listing that is held for
 * a look is `stale`: the decision of its case publishes it. Nobody restores their own (`concerned`). Its deals that the job
 * hasn't ended yet go on.
 */
export async function restoreListing(
  services: SuspensionServices,
  admin: Admin,
  productId: string,
): Promise<SuspensionResult> {
  const [own] = await services.db.all(sql`SELECT 1 FROM products WHERE id = ${productId} AND seller_id = ${admin.id}`);
  if (own) return { ok: false, code: "concerned" };
  const sellerIsIn = sql`suspended_at IS NOT NULL AND held_for IS NULL AND EXISTS (SELECT 1 FROM credentials c WHERE c.id = products.seller_id AND c.suspended_at IS NULL)`;
  const done = await performAdminAction(
    services,
    admin,
    { action: "listing_restored", subject: `product:${productId}` },
    [
      ...changeListing(productId, sql`suspended_at = NULL`, sellerIsIn, services.now()),
      keepDeals(itemsOfListing(productId)),
    ],
  );
  return done ? { ok: true } : { ok: false, code: "stale" };
}

function changeListing(
  productId: string,
  change: ReturnType<typeof sql>,
  condition: ReturnType<typeof sql>,
  now: number,
): Statement[] {
  return [
    sql`UPDATE products SET ${change}, updated_at = ${now} WHERE id = ${productId} AND deleted_at IS NULL AND ${condition}`,
    expectOneChange(),
  ];
}
