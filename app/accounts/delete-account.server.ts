import { sql } from "drizzle-orm";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  rowOf,
  runBatch,
  type Statement,
} from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { ORDER, PAYMENT, type OrderStatus, type ClosedReason } from "#app/db/states/order.ts";
import { PAYOUT } from "#app/db/states/payout.ts";
import { REFUND } from "#app/db/states/refund.ts";
import { PLAN, type PlanStatus } from "#app/db/states/plan.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { hasAdminRole } from "./admin-role.server.ts";
import { eraseEvidence, forgetFormerEmails, rememberAccount } from "./deleted-accounts.server.ts";
import type { DocumentServices } from "./documents.server.ts";
import { DELETED_MESSAGE, DELETED_NAME, DELETED_PLACE, type DeletionBlocker } from "./account-rules.ts";

interface DeletionServices extends DocumentServices {
  passwordPepper: string;
}

export type DeletionResult =
  /** `documentKeys`: the files to delete from the private bucket. */
  { ok: true; documentKeys: string[] } | { ok: false; code: DeletionBlocker | "gone" };

/** SQL conditions: this user is an admin, or something about their orders isn't settled yet. Each of them blocks the deletion. */
function deletionBlockers(userId: string): Record<DeletionBlocker, ReturnType<typeof sql>> {
  // M-Pesa may still report a failed attempt as paid, for as long as we ask about it.
  const open = sql`(${stateIs("a.state", ATTEMPT.isUnderWay)} OR (${stateIs("a.state", ATTEMPT.isUnpaid)} AND a.next_query_at IS NOT NULL))`;
  return {
    admin: hasAdminRole(userId),
    payment_open: sql`EXISTS (SELECT 1 FROM payment_attempts a WHERE ${open} AND a.user_id = ${userId})
      OR EXISTS (SELECT 1 FROM order_items i JOIN payment_attempts a ON a.order_id = i.order_id WHERE i.seller_id = ${userId} AND ${open})`,
    purchase_open: sql`EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
      WHERE o.user_id = ${userId} AND ${stateIs("o.payment_status", PAYMENT.isPaid)} AND ${stateIs("i.status", ITEM.isHeld)})`,
    sale_open: sql`EXISTS (SELECT 1 FROM order_items i JOIN orders o ON o.id = i.order_id
      WHERE i.seller_id = ${userId} AND ${stateIs("i.status", ITEM.isHeld)} AND ${stateIs("o.payment_status", PAYMENT.isPaid)})`,
    payout_open: sql`EXISTS (SELECT 1 FROM payouts WHERE seller_id = ${userId} AND ${stateIs("state", PAYOUT.isOpen)})`,
    refund_open: sql`EXISTS (SELECT 1 FROM refunds r JOIN payment_attempts a ON a.id = r.attempt_id WHERE ${stateIs("r.state", REFUND.isOpen)} AND a.user_id = ${userId})`,
    // Both sides and our team need the words of an open report about an order, and those of its conversation.
    report_open: sql`EXISTS (SELECT 1 FROM issue_reports r WHERE r.status = 'open' AND (r.user_id = ${userId} OR r.seller_id = ${userId}
      OR EXISTS (SELECT 1 FROM order_items i WHERE i.order_id = r.order_id AND i.seller_id = ${userId})))`,
  };
}

/** Why the account can't be deleted yet; null when it can. One round trip. */
async function findDeletionBlocker(store: Store, userId: string): Promise<DeletionBlocker | null> {
  const reasons = Object.entries(deletionBlockers(userId)) as [DeletionBlocker, ReturnType<typeof sql>][];
  const results = await runBatch(
    store.db,
    reasons.map(([, condition]) => sql`SELECT (${condition}) AS holds`),
  );
  return reasons.find((_, n) => rowOf<{ holds: number }>(results[n])?.holds === 1)?.[0] ?? null;
}

/**
 * Deletes a sign-up with an unconfirmed email, because the owner of the email never signed up. A wholesaler code that
 * it used becomes free again. Returns "gone" if the email was confirmed in the meantime.
 */
export async function dropSignUp(services: DeletionServices, userId: string): Promise<DeletionResult> {
  return deleteAccount(services, userId, [
    expectThat(sql`EXISTS (SELECT 1 FROM credentials WHERE id = ${userId} AND email_confirmed_at IS NULL)`),
    sql`UPDATE wholesaler_codes SET is_used = 0, used_by = NULL, used_at = NULL WHERE used_by = (SELECT email FROM credentials WHERE id = ${userId})`,
  ]);
}

/**
 * Deletes an account in one batch. Everything personal is erased. Orders and the books stay without a name, listings are marked as deleted, every session ends, and the email
 * and the earlier ones are free again, unless a case about the account is open or upheld. Such a case keeps its copies.
 * The batch checks that nothing blocks it, and the conditions in `before`. If two deletions run at once, one succeeds
 * and the other returns "gone".
 */
export async function deleteAccount(
  services: DeletionServices,
  userId: string,
  before: Statement[] = [],
): Promise<DeletionResult> {
  const reason = await findDeletionBlocker(services, userId);
  if (reason) return { ok: false, code: reason };
  const [account] = await services.db.all<{ email: string }>(sql`SELECT email FROM credentials WHERE id = ${userId}`);
  if (!account) return { ok: false, code: "gone" };
  const documents = await services.db.all<{ key: string }>(
    sql`SELECT document_url AS key FROM verification_documents WHERE user_id = ${userId}`,
  );
  try {
    await commitBatch(services.db, [
      ...before,
      ...Object.values(deletionBlockers(userId)).map((condition) => expectThat(sql`NOT (${condition})`)),
      expectThat(sql`(SELECT email FROM credentials WHERE id = ${userId}) = ${account.email}`),
      ...closeTrade(userId, services.now()),
      ...eraseWords(userId),
      ...eraseEvidence(sql`SELECT ${userId}`, services.now()),
      rememberAccount(services, userId, account.email, services.now()),
      forgetFormerEmails(sql`SELECT ${userId}`, services.now()),
      ...erasePerson(userId, services.now()),
    ]);
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    return { ok: false, code: (await findDeletionBlocker(services, userId)) ?? "gone" };
  }
  return { ok: true, documentKeys: documents.map(({ key }) => key) };
}

/** Marks listings as deleted, deletes imports of listings, closes the shop, and expires unpaid orders. */
function closeTrade(userId: string, now: number): Statement[] {
  const unpaidOrders = sql`SELECT id FROM orders WHERE ${stateIs("payment_status", PAYMENT.isUnpaid)} AND ${stateIs("order_status", ORDER.isOpen)}
    AND (user_id = ${userId} OR id IN (SELECT order_id FROM order_items WHERE seller_id = ${userId} AND ${stateIs("status", ITEM.awaitsPayment)}))`;
  return [
    sql`UPDATE orders SET order_status = ${"expired" satisfies OrderStatus}, closed_reason = ${"account_deleted" satisfies ClosedReason}, updated_at = ${now} WHERE id IN (${unpaidOrders})`,
    sql`UPDATE order_items SET status = ${"expired" satisfies ItemStatus}, updated_at = ${now} WHERE ${stateIs("status", ITEM.awaitsPayment)}
      AND order_id IN (SELECT id FROM orders WHERE ${stateIs("order_status", ORDER.isClosed)} AND updated_at = ${now})`,
    sql`UPDATE products SET deleted_at = ${now}, description = '', location = 'Unknown', updated_at = ${now} WHERE seller_id = ${userId} AND deleted_at IS NULL`,
    sql`UPDATE products SET description = '' WHERE seller_id = ${userId} AND description <> ''`,
    sql`UPDATE subscriptions SET status = ${"ended" satisfies PlanStatus}, updated_at = ${now} WHERE user_id = ${userId} AND ${stateIs("status", PLAN.isOpen)}`,
    sql`DELETE FROM listing_import_rows WHERE import_id IN (SELECT id FROM listing_imports WHERE seller_id = ${userId})`,
    sql`DELETE FROM listing_imports WHERE seller_id = ${userId}`,
    sql`DELETE FROM shop_follows WHERE user_id = ${userId} OR shop_id = ${userId}`,
    sql`DELETE FROM reviews WHERE subject_id = ${userId}`,
    sql`DELETE FROM shops WHERE id = ${userId}`,
    sql`DELETE FROM cart_items WHERE user_id = ${userId}`,
    sql`DELETE FROM wishlist_items WHERE user_id = ${userId}`,
    sql`DELETE FROM stock_waits WHERE user_id = ${userId}`,
    // Those of others stay: they also hold for a new account with the same email.
    sql`DELETE FROM blocks WHERE user_id = ${userId}`,
  ];
}

/** Erases names, numbers and texts from what others can still see: orders, payments, conversations and emails. */
function eraseWords(userId: string): Statement[] {
  const payments = sql`SELECT id FROM payment_attempts WHERE user_id = ${userId}`;
  const sentToThem = sql`(payout_id IN (SELECT id FROM payouts WHERE seller_id = ${userId}) OR refund_id IN (SELECT id FROM refunds WHERE attempt_id IN (${payments})))`;
  const tokens = sql`SELECT callback_token FROM payment_attempts WHERE user_id = ${userId} UNION ALL SELECT callback_token FROM payouts WHERE seller_id = ${userId}
    UNION ALL SELECT callback_token FROM refunds WHERE attempt_id IN (${payments}) UNION ALL SELECT token FROM receipt_checks WHERE attempt_id IN (${payments})
    UNION ALL SELECT token FROM transfer_checks WHERE ${sentToThem}`;
  const bought = sql`SELECT i.id FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.user_id = ${userId}`;
  return [
    sql`UPDATE payment_callbacks SET body = '' WHERE applied_at IS NOT NULL AND token IN (${tokens})`,
    sql`UPDATE payment_attempts SET phone = '' WHERE user_id = ${userId}`,
    sql`UPDATE payouts SET phone = NULL WHERE seller_id = ${userId}`,
    sql`UPDATE seller_buyers SET phone = NULL WHERE buyer_id = ${userId}
      AND seller_id IN (SELECT i.seller_id FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.user_id = ${userId})`,
    sql`UPDATE refunds SET phone = NULL WHERE attempt_id IN (${payments})`,
    sql`UPDATE transfer_checks SET phone = NULL WHERE ${sentToThem}`,
    sql`UPDATE disputes SET description = ${DELETED_MESSAGE}, photos = '[]' WHERE order_item_id IN (${bought})`,
    sql`UPDATE deal_events SET note = NULL WHERE actor_id = ${userId} AND order_item_id IN (${bought} UNION SELECT id FROM order_items WHERE seller_id = ${userId})`,
    sql`UPDATE orders SET phone_number = NULL, delivery_address = NULL, delivery_instructions = NULL, meeting_point_id = NULL, meeting_place = NULL, meet_at = NULL
      WHERE user_id = ${userId}`,
    sql`UPDATE meetings SET place = ${DELETED_PLACE} WHERE point_id IS NULL AND proposed_by = ${userId}
      AND order_item_id IN (${bought} UNION SELECT id FROM order_items WHERE seller_id = ${userId})`,
    sql`UPDATE messages SET message = ${DELETED_MESSAGE}, images = '[]', sender_name = ${DELETED_NAME} WHERE sender_id = ${userId}`,
    // By conversation, because messages have no index of their recipients.
    sql`UPDATE messages SET recipient_name = ${DELETED_NAME} WHERE recipient_id = ${userId}
      AND thread IN (SELECT ${threadSql(sql`user_id`, sql`other_id`)} FROM conversations WHERE user_id = ${userId})`,
    // What they said about others loses its words. The stars still count.
    sql`UPDATE reviews SET text = '', photos = '[]' WHERE author_id = ${userId}`,
    sql`UPDATE issue_reports SET description = ${DELETED_MESSAGE} WHERE user_id = ${userId}`,
    sql`UPDATE outbox SET payload = '{}', done_at = COALESCE(done_at, created_at)
      WHERE json_extract(payload, '$.to') = (SELECT email FROM credentials WHERE id = ${userId})
        OR json_extract(payload, '$.template') = ${"new_messages" satisfies Mail["template"]} AND json_extract(payload, '$.data.otherId') = ${userId}`,
    sql`UPDATE wholesaler_codes SET used_by = NULL WHERE used_by = (SELECT email FROM credentials WHERE id = ${userId})`,
    sql`UPDATE wholesaler_codes SET creator_email = NULL WHERE created_by = ${userId}`,
  ];
}

/** Erases the account itself. Its row stays, because orders and messages refer to it, but nobody can log in to it again. */
function erasePerson(userId: string, now: number): Statement[] {
  const email = `deleted-${userId}@deleted.invalid`;
  return [
    // The daily sweep deletes files without an owner. The caller deletes these right away.
    sql`UPDATE uploads SET attached_at = NULL WHERE owner_id = ${userId} AND bucket = 'documents'`,
    // The sweep of photos keeps what an order still shows.
    sql`UPDATE uploads SET attached_at = NULL, created_at = ${now} WHERE owner_id = ${userId} AND bucket = 'media'`,
    sql`DELETE FROM verification_documents WHERE user_id = ${userId}`,
    sql`DELETE FROM wholesaler_details WHERE user_id = ${userId}`,
    sql`DELETE FROM email_tokens WHERE user_id = ${userId}`,
    sql`UPDATE profiles SET full_name = ${DELETED_NAME}, email = ${email}, phone = NULL, campus_location = NULL, campus_location_id = NULL,
        is_seller = 0, is_google_user = 0, is_pro = 0, pro_until = NULL, is_admin = 0, deleted_at = ${now}, updated_at = ${now}
      WHERE id = ${userId}`,
    sql`UPDATE credentials SET email = ${email}, password_hash = NULL, google_subject = NULL, email_confirmed_at = NULL, metadata = '{}',
        session_epoch = session_epoch + 1, suspended_at = ${now}, updated_at = ${now}
      WHERE id = ${userId} AND suspended_at IS NULL`,
    expectOneChange(),
  ];
}

/** Deletes the files of a deleted account. The daily sweep retries those that can't be deleted now. */
export async function removeDocuments(services: DocumentServices, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await services.documents.delete(keys);
  await services.db.run(
    sql`DELETE FROM uploads WHERE bucket = 'documents' AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  );
}
