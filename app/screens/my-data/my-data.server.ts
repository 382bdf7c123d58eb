/** What we hold of a person, for the file that they can download. The law's name for it is a copy of their data. */
import { and, eq, getTableColumns, inArray, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { runBatch } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import * as schema from "#app/db/schema.ts";

/** The rows of a table that belong to a person, and the columns that are no part of their copy. */
interface Held {
  table: SQLiteTable;
  isTheirs: (userId: string) => SQL | undefined;
  /** Secrets, the inside of our work, and what belongs to somebody else. */
  without: readonly string[];
}

function held<T extends SQLiteTable>(
  table: T,
  isTheirs: Held["isTheirs"],
  without: readonly (keyof T["_"]["columns"] & string)[] = [],
): Held {
  return { table, isTheirs, without };
}

const { categories, copies, moderationCases, orderItems, orders, paymentAttempts, payoutItems, products, reviews } =
  schema;

const emailOf = (userId: string) =>
  build.select({ email: schema.credentials.email }).from(schema.credentials).where(eq(schema.credentials.id, userId));
const bought = (userId: string) => build.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId));
const items = (userId: string) =>
  build
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(or(eq(orderItems.sellerId, userId), inArray(orderItems.orderId, bought(userId))));
const soldCopies = (userId: string) =>
  build.select({ id: orderItems.copyId }).from(orderItems).where(eq(orderItems.sellerId, userId));
const attempts = (userId: string) =>
  build.select({ id: paymentAttempts.id }).from(paymentAttempts).where(eq(paymentAttempts.userId, userId));
const listings = (userId: string) =>
  build.select({ id: products.id }).from(products).where(eq(products.sellerId, userId));
const queries = (userId: string) =>
  build
    .select({ id: schema.savedSearches.queryId })
    .from(schema.savedSearches)
    .where(eq(schema.savedSearches.userId, userId));

/** How money left us. The rest of a transfer is between M-Pesa and us. */
const TRANSFER_SECRETS = [
  "conversationId",
  "callbackToken",
  "providerConversationId",
  "resultCode",
  "waitDetail",
  "sendCount",
  "lookupCount",
  "nextActionAt",
  "doneBy",
] as const;

/** Each table that holds something of a person. Every other table is in NOT_IN_COPY. */
export const IN_COPY: Record<string, Held> = {
  credentials: held(schema.credentials, (id) => eq(schema.credentials.id, id), [
    "passwordHash",
    "sessionEpoch",
    "recoveryCodes",
  ]),
  profiles: held(schema.profiles, (id) => eq(schema.profiles.id, id)),
  emailTokens: held(schema.emailTokens, (id) => eq(schema.emailTokens.userId, id), ["tokenHash", "accountBefore"]),
  verificationDocuments: held(schema.verificationDocuments, (id) => eq(schema.verificationDocuments.userId, id), [
    "documentUrl",
    "reviewedBy",
  ]),
  wholesalerDetails: held(schema.wholesalerDetails, (id) => eq(schema.wholesalerDetails.userId, id)),
  wholesalerCodes: held(schema.wholesalerCodes, (id) => inArray(schema.wholesalerCodes.usedBy, emailOf(id)), [
    "createdBy",
    "creatorEmail",
  ]),
  passkeys: held(schema.passkeys, (id) => eq(schema.passkeys.userId, id), ["publicKey"]),
  authenticators: held(schema.authenticators, (id) => eq(schema.authenticators.userId, id), [
    "secret",
    "startedBy",
    "lastPeriod",
  ]),
  notificationSettings: held(schema.notificationSettings, (id) => eq(schema.notificationSettings.userId, id)),
  pushSubscriptions: held(schema.pushSubscriptions, (id) => eq(schema.pushSubscriptions.userId, id), [
    "endpoint",
    "p256dh",
    "auth",
    "sessionId",
    "sessionEpoch",
  ]),
  notifications: held(schema.notifications, (id) => eq(schema.notifications.userId, id)),
  blocks: held(schema.blocks, (id) => eq(schema.blocks.userId, id)),
  userRatings: held(schema.userRatings, (id) => eq(schema.userRatings.userId, id)),
  shops: held(schema.shops, (id) => eq(schema.shops.id, id)),
  shopFollows: held(schema.shopFollows, (id) => eq(schema.shopFollows.userId, id)),
  subscriptions: held(schema.subscriptions, (id) => eq(schema.subscriptions.userId, id)),
  categories: held(categories, (id) => eq(categories.createdBy, id)),
  products: held(products, (id) => eq(products.sellerId, id)),
  priceSteps: held(schema.priceSteps, (id) => inArray(schema.priceSteps.productId, listings(id))),
  listingDays: held(schema.listingDays, (id) => eq(schema.listingDays.sellerId, id)),
  uploads: held(schema.uploads, (id) => eq(schema.uploads.ownerId, id), ["removingAt"]),
  cartItems: held(schema.cartItems, (id) => eq(schema.cartItems.userId, id), ["lastAdditionKey"]),
  wishlistItems: held(schema.wishlistItems, (id) => eq(schema.wishlistItems.userId, id)),
  savedSearches: held(schema.savedSearches, (id) => eq(schema.savedSearches.userId, id)),
  savedQueries: held(schema.savedQueries, (id) => inArray(schema.savedQueries.id, queries(id))),
  foundListings: held(schema.foundListings, (id) => eq(schema.foundListings.userId, id)),
  stockWaits: held(schema.stockWaits, (id) => eq(schema.stockWaits.userId, id)),
  offers: held(schema.offers, (id) => or(eq(schema.offers.buyerId, id), eq(schema.offers.sellerId, id))),
  orders: held(orders, (id) => eq(orders.userId, id), ["checkoutRequestId", "idempotencyKey"]),
  orderItems: held(orderItems, (id) => inArray(orderItems.id, items(id))),
  dealEvents: held(schema.dealEvents, (id) => inArray(schema.dealEvents.orderItemId, items(id)), ["actorId"]),
  meetings: held(schema.meetings, (id) => inArray(schema.meetings.orderItemId, items(id))),
  problems: held(schema.problems, (id) => inArray(schema.problems.orderItemId, items(id))),
  issueReports: held(schema.issueReports, (id) => eq(schema.issueReports.userId, id), ["notes"]),
  paymentAttempts: held(paymentAttempts, (id) => eq(paymentAttempts.userId, id), [
    "callbackToken",
    "merchantRequestId",
    "checkoutRequestId",
    "queryCount",
    "nextQueryAt",
  ]),
  payouts: held(schema.payouts, (id) => eq(schema.payouts.sellerId, id), TRANSFER_SECRETS),
  payoutItems: held(payoutItems, (id) => inArray(payoutItems.orderItemId, items(id))),
  refunds: held(schema.refunds, (id) => inArray(schema.refunds.attemptId, attempts(id)), TRANSFER_SECRETS),
  messages: held(
    schema.messages,
    // What our team removed is gone for both.
    (id) =>
      and(or(eq(schema.messages.senderId, id), eq(schema.messages.recipientId, id)), isNull(schema.messages.removedAt)),
    ["thread", "idempotencyKey"],
  ),
  conversations: held(schema.conversations, (id) => eq(schema.conversations.userId, id), [
    "replyMs",
    "noticeDueAt",
    "noticeSince",
    "noticedAt",
  ]),
  // Neither side knows the other's review before both are published.
  reviews: held(reviews, (id) =>
    or(
      eq(reviews.authorId, id),
      and(eq(reviews.subjectId, id), isNotNull(reviews.publishedAt), isNull(reviews.removedAt)),
    ),
  ),
  // What they sold, as it was ordered. A copy for a case would say that they were reported, and with a talk by whom.
  copies: held(copies, (id) => inArray(copies.id, soldCopies(id))),
  // Of a case they are told once it is decided against them, and never who reported.
  moderationCases: held(
    moderationCases,
    (id) =>
      and(
        eq(moderationCases.reportedId, id),
        isNotNull(moderationCases.decidedAt),
        ne(moderationCases.decision, "dismissed"),
      ),
    ["copyId", "harm", "reports", "decidedBy", "appealToken", "appealDecidedBy"],
  ),
  reports: held(schema.reports, (id) => eq(schema.reports.reporterId, id), ["caseId"]),
};

/** The other tables, and why they aren't in a person's copy. */
export const NOT_IN_COPY = {
  "It is about nobody": `campusLocations meetingPoints universityDomains itemTypes itemTypeWords
    prohibitedTerms missedSearches listingNews probes alarms leases passes writeMarks darajaTokens`,
  "It holds only hashes": "secretDates rememberedEmails endedSessions",
  "It counts for minutes or hours": "rateCounters",
  "It says when the rest of the copy is looked at or told next": "dealTimers dealHolds gatheredNews outbox",
  "It counts what is in the copy for a record": "sellerBuyers",
  "The books: the same payments once more, for our accounts": "ledgerEntries",
  "What M-Pesa sent us about payments that are in the copy, and our team's questions about them": `paymentCallbacks
    receiptChecks discrepancies mpesaLists unmatchedLines`,
  "Our team's work": "auditLog adminProposals adminMoves",
} as const;

/** Of each table at most so many rows. Nobody has more by using a marketplace. */
const ROWS_MAX = 20_000;

/** All that we hold of a person, by table, as JSON values. Times in ms since 1970. One round trip. */
export async function readMyData({ db }: Store, userId: string): Promise<Record<string, unknown[]>> {
  const names = Object.keys(IN_COPY);
  const found = await runBatch(
    db,
    Object.values(IN_COPY).map(({ table, isTheirs, without }) => {
      const columns = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name));
      return build.select(Object.fromEntries(columns)).from(table).where(isTheirs(userId)).limit(ROWS_MAX);
    }),
  );
  return Object.fromEntries(names.map((name, at) => [name, found[at] ?? []]));
}
