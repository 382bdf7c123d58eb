import { and, eq, exists, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from "drizzle-orm";
import {
  commitBatch,
  expectOneChange,
  expectThat,
  PreconditionFailed,
  runBatch,
  type Statement,
} from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  blocks,
  cartItems,
  conversations,
  credentials,
  dealEvents,
  emailTokens,
  issueReports,
  listingImportRows,
  listingImports,
  meetings,
  messages,
  orderItems,
  orders,
  outbox,
  paymentAttempts,
  paymentCallbacks,
  payouts,
  problems,
  products,
  profiles,
  receiptChecks,
  refunds,
  reviews,
  sellerBuyers,
  shopFollows,
  shops,
  stockWaits,
  subscriptions,
  transferChecks,
  uploads,
  verificationDocuments,
  wholesalerCodes,
  wholesalerDetails,
  wishlistItems,
} from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { PLAN } from "#app/db/states/plan.ts";
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
function deletionBlockers(userId: string): Record<DeletionBlocker, SQL> {
  // M-Pesa may still report a failed attempt as paid, for as long as we ask about it.
  const mayBePaid = or(
    stateIs(paymentAttempts.state, ATTEMPT.isUnderWay),
    and(stateIs(paymentAttempts.state, ATTEMPT.isUnpaid), isNotNull(paymentAttempts.nextQueryAt)),
  );
  const paysNow = build
    .select()
    .from(paymentAttempts)
    .where(and(mayBePaid, eq(paymentAttempts.userId, userId)));
  const isPaidNow = build
    .select()
    .from(orderItems)
    .innerJoin(paymentAttempts, eq(paymentAttempts.orderId, orderItems.orderId))
    .where(and(mayBePaid, eq(orderItems.sellerId, userId)));
  const heldWith = (side: SQL) =>
    build
      .select()
      .from(orders)
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .where(and(side, stateIs(orders.paymentStatus, PAYMENT.isPaid), stateIs(orderItems.status, ITEM.isHeld)));
  const openPayouts = build
    .select()
    .from(payouts)
    .where(and(eq(payouts.sellerId, userId), stateIs(payouts.state, TRANSFER.isOpen)));
  const openRefunds = build
    .select()
    .from(refunds)
    .innerJoin(paymentAttempts, eq(paymentAttempts.id, refunds.attemptId))
    .where(and(stateIs(refunds.state, TRANSFER.isOpen), eq(paymentAttempts.userId, userId)));
  const soldInReported = build
    .select()
    .from(orderItems)
    .where(and(eq(orderItems.orderId, issueReports.orderId), eq(orderItems.sellerId, userId)));
  const isConcerned = or(eq(issueReports.userId, userId), eq(issueReports.sellerId, userId), exists(soldInReported));
  const openReports = build
    .select()
    .from(issueReports)
    .where(and(eq(issueReports.status, "open"), isConcerned));
  return {
    admin: hasAdminRole(userId),
    payment_open: sql`(${exists(paysNow)} OR ${exists(isPaidNow)})`,
    purchase_open: exists(heldWith(eq(orders.userId, userId))),
    sale_open: exists(heldWith(eq(orderItems.sellerId, userId))),
    payout_open: exists(openPayouts),
    refund_open: exists(openRefunds),
    // Both sides and our team need the words of an open report about an order, and those of its conversation.
    report_open: exists(openReports),
  };
}

/** Why the account can't be deleted yet; null when it can. One round trip. */
async function findDeletionBlocker({ db }: Store, userId: string): Promise<DeletionBlocker | null> {
  const blockers = deletionBlockers(userId);
  const [holds] = await db.select(blockers).from(credentials).where(eq(credentials.id, userId));
  return (Object.keys(blockers) as DeletionBlocker[]).find((blocker) => holds?.[blocker] === 1) ?? null;
}

/** The email of an account, as part of a statement. */
function emailOf(userId: string) {
  return build.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, userId));
}

/**
 * Deletes a sign-up with an unconfirmed email, because the owner of the email never signed up. A wholesaler code that
 * it used becomes free again. Returns "gone" if the email was confirmed in the meantime.
 */
export async function dropSignUp(services: DeletionServices, userId: string): Promise<DeletionResult> {
  const unconfirmed = build
    .select()
    .from(credentials)
    .where(and(eq(credentials.id, userId), isNull(credentials.emailConfirmedAt)));
  return deleteAccount(services, userId, [
    expectThat(exists(unconfirmed)),
    build
      .update(wholesalerCodes)
      .set({ isUsed: false, usedBy: null, usedAt: null })
      .where(eq(wholesalerCodes.usedBy, emailOf(userId))),
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
  const [[account], documents] = await runBatch(services.db, [
    emailOf(userId),
    build
      .select({ key: verificationDocuments.documentUrl })
      .from(verificationDocuments)
      .where(eq(verificationDocuments.userId, userId)),
  ]);
  if (!account) return { ok: false, code: "gone" };
  try {
    await commitBatch(services.db, [
      ...before,
      ...Object.values(deletionBlockers(userId)).map((condition) => expectThat(not(condition))),
      expectThat(sql`${emailOf(userId)} = ${account.email}`),
      ...closeTrade(userId, services.now()),
      ...eraseWords(userId),
      ...eraseEvidence([userId], services.now()),
      rememberAccount(services, userId, account.email, services.now()),
      forgetFormerEmails([userId], services.now()),
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
  const soldUnpaid = build
    .select({ id: orderItems.orderId })
    .from(orderItems)
    .where(and(eq(orderItems.sellerId, userId), stateIs(orderItems.status, ITEM.awaitsPayment)));
  const isUnpaid = and(
    stateIs(orders.paymentStatus, PAYMENT.isUnpaid),
    stateIs(orders.orderStatus, ORDER.isOpen),
    or(eq(orders.userId, userId), inArray(orders.id, soldUnpaid)),
  );
  const closedNow = build
    .select({ id: orders.id })
    .from(orders)
    .where(and(stateIs(orders.orderStatus, ORDER.isClosed), eq(orders.updatedAt, now)));
  const imports = build
    .select({ id: listingImports.id })
    .from(listingImports)
    .where(eq(listingImports.sellerId, userId));
  return [
    build
      .update(orders)
      .set({ orderStatus: "expired", closedReason: "account_deleted", updatedAt: now })
      .where(isUnpaid),
    build
      .update(orderItems)
      .set({ status: "expired", updatedAt: now })
      .where(and(stateIs(orderItems.status, ITEM.awaitsPayment), inArray(orderItems.orderId, closedNow))),
    build
      .update(products)
      .set({ deletedAt: now, description: "", location: "Unknown", updatedAt: now })
      .where(and(eq(products.sellerId, userId), isNull(products.deletedAt))),
    build
      .update(products)
      .set({ description: "" })
      .where(and(eq(products.sellerId, userId), ne(products.description, ""))),
    build
      .update(subscriptions)
      .set({ status: "ended", updatedAt: now })
      .where(and(eq(subscriptions.userId, userId), stateIs(subscriptions.status, PLAN.isOpen))),
    build.delete(listingImportRows).where(inArray(listingImportRows.importId, imports)),
    build.delete(listingImports).where(eq(listingImports.sellerId, userId)),
    build.delete(shopFollows).where(or(eq(shopFollows.userId, userId), eq(shopFollows.shopId, userId))),
    build.delete(reviews).where(eq(reviews.subjectId, userId)),
    build.delete(shops).where(eq(shops.id, userId)),
    build.delete(cartItems).where(eq(cartItems.userId, userId)),
    build.delete(wishlistItems).where(eq(wishlistItems.userId, userId)),
    build.delete(stockWaits).where(eq(stockWaits.userId, userId)),
    // Those of others stay: they also hold for a new account with the same email.
    build.delete(blocks).where(eq(blocks.userId, userId)),
  ];
}

/** Erases names, numbers and texts from what others can still see: orders, payments, conversations and emails. */
function eraseWords(userId: string): Statement[] {
  return [
    ...erasePayments(userId),
    ...eraseDeals(userId),
    build
      .update(messages)
      .set({ message: DELETED_MESSAGE, images: [], senderName: DELETED_NAME })
      .where(eq(messages.senderId, userId)),
    // By conversation, because messages have no index of their recipients.
    build
      .update(messages)
      .set({ recipientName: DELETED_NAME })
      .where(
        and(
          eq(messages.recipientId, userId),
          inArray(
            messages.thread,
            build
              .select({ thread: threadSql(sql`${conversations.userId}`, sql`${conversations.otherId}`) })
              .from(conversations)
              .where(eq(conversations.userId, userId)),
          ),
        ),
      ),
    // What they said about others loses its words. The stars still count.
    build.update(reviews).set({ text: "", photos: [] }).where(eq(reviews.authorId, userId)),
    build.update(issueReports).set({ description: DELETED_MESSAGE }).where(eq(issueReports.userId, userId)),
    build
      .update(outbox)
      .set({ payload: "{}", doneAt: sql`COALESCE(${outbox.doneAt}, ${outbox.createdAt})` })
      .where(
        or(
          sql`json_extract(${outbox.payload}, '$.to') = ${emailOf(userId)}`,
          and(
            sql`json_extract(${outbox.payload}, '$.template') = ${"new_messages" satisfies Mail["template"]}`,
            sql`json_extract(${outbox.payload}, '$.data.otherId') = ${userId}`,
          ),
        ),
      ),
    build
      .update(wholesalerCodes)
      .set({ usedBy: null })
      .where(eq(wholesalerCodes.usedBy, emailOf(userId))),
    build.update(wholesalerCodes).set({ creatorEmail: null }).where(eq(wholesalerCodes.createdBy, userId)),
  ];
}

/** Erases numbers from payments, payouts and refunds, and what M-Pesa said about them. */
function erasePayments(userId: string): Statement[] {
  const isOwnAttempt = eq(paymentAttempts.userId, userId);
  const attemptIds = build.select({ id: paymentAttempts.id }).from(paymentAttempts).where(isOwnAttempt);
  const payoutIds = build.select({ id: payouts.id }).from(payouts).where(eq(payouts.sellerId, userId));
  const refundIds = build.select({ id: refunds.id }).from(refunds).where(inArray(refunds.attemptId, attemptIds));
  const isSentToThem = or(inArray(transferChecks.payoutId, payoutIds), inArray(transferChecks.refundId, refundIds));
  const tokens = build
    .select({ token: paymentAttempts.callbackToken })
    .from(paymentAttempts)
    .where(isOwnAttempt)
    .unionAll(build.select({ token: payouts.callbackToken }).from(payouts).where(eq(payouts.sellerId, userId)))
    .unionAll(
      build.select({ token: refunds.callbackToken }).from(refunds).where(inArray(refunds.attemptId, attemptIds)),
    )
    .unionAll(
      build
        .select({ token: receiptChecks.token })
        .from(receiptChecks)
        .where(inArray(receiptChecks.attemptId, attemptIds)),
    )
    .unionAll(build.select({ token: transferChecks.token }).from(transferChecks).where(isSentToThem));
  const sellersToThem = build
    .select({ id: orderItems.sellerId })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.userId, userId));
  return [
    build
      .update(paymentCallbacks)
      .set({ body: "" })
      .where(and(isNotNull(paymentCallbacks.appliedAt), inArray(paymentCallbacks.token, tokens))),
    build.update(paymentAttempts).set({ phone: "" }).where(isOwnAttempt),
    build.update(payouts).set({ phone: null }).where(eq(payouts.sellerId, userId)),
    build
      .update(sellerBuyers)
      .set({ phone: null })
      .where(and(eq(sellerBuyers.buyerId, userId), inArray(sellerBuyers.sellerId, sellersToThem))),
    build.update(refunds).set({ phone: null }).where(inArray(refunds.attemptId, attemptIds)),
    build.update(transferChecks).set({ phone: null }).where(isSentToThem),
  ];
}

/** Erases what they wrote about their orders, and where they met. */
function eraseDeals(userId: string): Statement[] {
  const bought = () =>
    build
      .select({ id: orderItems.id })
      .from(orders)
      .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
      .where(eq(orders.userId, userId));
  const traded = bought().union(
    build.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.sellerId, userId)),
  );
  return [
    build
      .update(problems)
      .set({ description: DELETED_MESSAGE, photos: [] })
      .where(inArray(problems.orderItemId, bought())),
    build
      .update(dealEvents)
      .set({ note: null })
      .where(and(eq(dealEvents.actorId, userId), inArray(dealEvents.orderItemId, traded))),
    build
      .update(orders)
      .set({
        phoneNumber: null,
        deliveryAddress: null,
        deliveryInstructions: null,
        meetingPointId: null,
        meetingPlace: null,
        meetAt: null,
      })
      .where(eq(orders.userId, userId)),
    build
      .update(meetings)
      .set({ place: DELETED_PLACE })
      .where(and(isNull(meetings.pointId), eq(meetings.proposedBy, userId), inArray(meetings.orderItemId, traded))),
  ];
}

/** Erases the account itself. Its row stays, because orders and messages refer to it, but nobody can log in to it again. */
function erasePerson(userId: string, now: number): Statement[] {
  const email = `deleted-${userId}@deleted.invalid`;
  return [
    // The daily sweep deletes files without an owner. The caller deletes these right away.
    build
      .update(uploads)
      .set({ attachedAt: null })
      .where(and(eq(uploads.ownerId, userId), eq(uploads.bucket, "documents"))),
    // The sweep of photos keeps what an order still shows.
    build
      .update(uploads)
      .set({ attachedAt: null, createdAt: now })
      .where(and(eq(uploads.ownerId, userId), eq(uploads.bucket, "media"))),
    build.delete(verificationDocuments).where(eq(verificationDocuments.userId, userId)),
    build.delete(wholesalerDetails).where(eq(wholesalerDetails.userId, userId)),
    build.delete(emailTokens).where(eq(emailTokens.userId, userId)),
    build
      .update(profiles)
      .set({
        fullName: DELETED_NAME,
        email,
        phone: null,
        campusLocation: null,
        campusLocationId: null,
        isSeller: false,
        isGoogleUser: false,
        isPro: false,
        proUntil: null,
        isAdmin: false,
        deletedAt: now,
        updatedAt: now,
      })
      .where(eq(profiles.id, userId)),
    build
      .update(credentials)
      .set({
        email,
        passwordHash: null,
        googleSubject: null,
        emailConfirmedAt: null,
        metadata: "{}",
        sessionEpoch: sql`${credentials.sessionEpoch} + 1`,
        suspendedAt: now,
        updatedAt: now,
      })
      .where(and(eq(credentials.id, userId), isNull(credentials.suspendedAt))),
    expectOneChange(),
  ];
}

/** Deletes the files of a deleted account. The daily sweep retries those that can't be deleted now. */
export async function removeDocuments(services: DocumentServices, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await services.documents.delete(keys);
  const isKey = sql`${uploads.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
  await services.db.delete(uploads).where(and(eq(uploads.bucket, "documents"), isKey));
}
