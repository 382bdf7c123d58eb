/** What we hold of a person, for the file that they can download. The law's name for it is a copy of their data. */
import { and, between, eq, getTableColumns, inArray, isNotNull, isNull, ne, or, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import {
  authenticators,
  blocks,
  credentials,
  emailTokens,
  invitations,
  passkeys,
  profiles,
  shops,
  uploads,
  userRatings,
  verificationDocuments,
  wholesalerCodes,
  wholesalerDetails,
} from "#app/accounts/tables.server.ts";
import { cartItems, wishlistItems } from "#app/basket/tables.server.ts";
import {
  categories,
  foundListings,
  offers,
  priceSteps,
  products,
  savedQueries,
  savedSearches,
  listingSerials,
  stolenSerials,
  stockWaits,
} from "#app/catalogue/tables.server.ts";
import { copies, outbox } from "#app/db/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { notificationSettings, notifications, pushSubscriptions } from "#app/notifications/tables.server.ts";
import { dealEvents, issueReports, meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { shopFollows, subscriptions } from "#app/shops/tables.server.ts";
import { listingDays } from "#app/upkeep/tables.server.ts";

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

const emailOf = (userId: string) =>
  build.select({ email: credentials.email }).from(credentials).where(eq(credentials.id, userId));
const bought = (userId: string) => build.select({ id: orders.id }).from(orders).where(eq(orders.userId, userId));
const items = (userId: string) =>
  build
    .select({ id: orderItems.id })
    .from(orderItems)
    .where(or(eq(orderItems.sellerId, userId), inArray(orderItems.orderId, bought(userId))));
const sold = (userId: string) =>
  build.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.sellerId, userId));
const soldCopies = (userId: string) =>
  build.select({ id: orderItems.copyId }).from(orderItems).where(eq(orderItems.sellerId, userId));
const attempts = (userId: string) =>
  build.select({ id: paymentAttempts.id }).from(paymentAttempts).where(eq(paymentAttempts.userId, userId));
const listings = (userId: string) =>
  build.select({ id: products.id }).from(products).where(eq(products.sellerId, userId));
const queries = (userId: string) =>
  build.select({ id: savedSearches.queryId }).from(savedSearches).where(eq(savedSearches.userId, userId));

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
  credentials: held(credentials, (id) => eq(credentials.id, id), ["passwordHash", "sessionEpoch", "recoveryCodes"]),
  profiles: held(profiles, (id) => eq(profiles.id, id)),
  emailTokens: held(emailTokens, (id) => eq(emailTokens.userId, id), ["tokenHash", "accountBefore"]),
  verificationDocuments: held(verificationDocuments, (id) => eq(verificationDocuments.userId, id), [
    "documentUrl",
    "reviewedBy",
  ]),
  wholesalerDetails: held(wholesalerDetails, (id) => eq(wholesalerDetails.userId, id)),
  wholesalerCodes: held(wholesalerCodes, (id) => inArray(wholesalerCodes.usedBy, emailOf(id)), [
    "createdBy",
    "creatorEmail",
  ]),
  passkeys: held(passkeys, (id) => eq(passkeys.userId, id), ["publicKey"]),
  authenticators: held(authenticators, (id) => eq(authenticators.userId, id), ["secret", "startedBy", "lastPeriod"]),
  notificationSettings: held(notificationSettings, (id) => eq(notificationSettings.userId, id)),
  pushSubscriptions: held(pushSubscriptions, (id) => eq(pushSubscriptions.userId, id), [
    "endpoint",
    "p256dh",
    "auth",
    "sessionId",
    "sessionEpoch",
  ]),
  notifications: held(notifications, (id) => eq(notifications.userId, id)),
  blocks: held(blocks, (id) => eq(blocks.userId, id)),
  // Who came by their link is those people's matter.
  invitations: held(invitations, (id) => or(eq(invitations.invitedId, id), eq(invitations.inviterId, id)), [
    "invitedId",
  ]),
  userRatings: held(userRatings, (id) => eq(userRatings.userId, id)),
  shops: held(shops, (id) => eq(shops.id, id)),
  shopFollows: held(shopFollows, (id) => eq(shopFollows.userId, id)),
  subscriptions: held(subscriptions, (id) => eq(subscriptions.userId, id)),
  categories: held(categories, (id) => eq(categories.createdBy, id)),
  products: held(products, (id) => eq(products.sellerId, id)),
  priceSteps: held(priceSteps, (id) => inArray(priceSteps.productId, listings(id))),
  listingSerials: held(listingSerials, (id) => inArray(listingSerials.productId, listings(id)), ["hash"]),
  stolenSerials: held(stolenSerials, (id) => eq(stolenSerials.reporterId, id), ["hash"]),
  listingDays: held(listingDays, (id) => eq(listingDays.sellerId, id)),
  uploads: held(uploads, (id) => eq(uploads.ownerId, id), ["removingAt"]),
  cartItems: held(cartItems, (id) => eq(cartItems.userId, id), ["lastAdditionKey"]),
  wishlistItems: held(wishlistItems, (id) => eq(wishlistItems.userId, id)),
  savedSearches: held(savedSearches, (id) => eq(savedSearches.userId, id)),
  savedQueries: held(savedQueries, (id) => inArray(savedQueries.id, queries(id))),
  foundListings: held(foundListings, (id) => eq(foundListings.userId, id)),
  stockWaits: held(stockWaits, (id) => eq(stockWaits.userId, id)),
  offers: held(offers, (id) => or(eq(offers.buyerId, id), eq(offers.sellerId, id))),
  orders: held(orders, (id) => eq(orders.userId, id), ["checkoutRequestId", "idempotencyKey"]),
  orderItems: held(orderItems, (id) => inArray(orderItems.id, items(id)), ["paidBySeller"]),
  dealEvents: held(dealEvents, (id) => inArray(dealEvents.orderItemId, items(id)), ["actorId"]),
  meetings: held(meetings, (id) => inArray(meetings.orderItemId, items(id))),
  problems: held(problems, (id) => inArray(problems.orderItemId, items(id))),
  issueReports: held(issueReports, (id) => eq(issueReports.userId, id), ["notes"]),
  paymentAttempts: held(paymentAttempts, (id) => eq(paymentAttempts.userId, id), [
    "callbackToken",
    "merchantRequestId",
    "checkoutRequestId",
    "queryCount",
    "nextQueryAt",
  ]),
  payouts: held(payouts, (id) => eq(payouts.sellerId, id), TRANSFER_SECRETS),
  payoutItems: held(payoutItems, (id) => inArray(payoutItems.orderItemId, sold(id))),
  refunds: held(refunds, (id) => inArray(refunds.attemptId, attempts(id)), TRANSFER_SECRETS),
  messages: held(
    messages,
    // What our team removed is gone for both.
    (id) => and(or(eq(messages.senderId, id), eq(messages.recipientId, id)), isNull(messages.removedAt)),
    ["thread", "idempotencyKey"],
  ),
  conversations: held(conversations, (id) => eq(conversations.userId, id), [
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
  reports: held(reports, (id) => eq(reports.reporterId, id), ["caseId"]),
  // What they wrote to our team while logged in. The address that a visitor gives isn't proven.
  outbox: held(
    outbox,
    // The beginning of the key that askTeam gives (app/screens/help/contact.server.ts).
    (id) => between(outbox.dedupeKey, `team_question:${id}:`, `team_question:${id}:~`),
    ["topic", "priority", "dedupeKey", "attempts", "availableAt", "doneAt", "deadAt", "lastError", "fault"],
  ),
};

/** The other tables, and why they aren't in a person's copy. */
export const NOT_IN_COPY = {
  "It is about nobody": `campusLocations meetingPoints universityDomains loginIssuers itemTypes itemTypeWords
    prohibitedTerms missedSearches listingNews probes alarms leases passes writeMarks darajaTokens`,
  "It holds only hashes": "operatorDates rememberedEmails endedSessions",
  "It counts for minutes or hours": "rateCounters",
  "It says when the rest of the copy is looked at or told next": "dealTimers dealHolds gatheredNews",
  "It counts what is in the copy for a record": "attendance sellerBuyers",
  "The books: the same payments once more, for our accounts": "ledgerEntries",
  "What M-Pesa sent us about payments that are in the copy, and our team's questions about them": `paymentCallbacks
    receiptChecks discrepancies mpesaLists unmatchedLines`,
  "Our team's work": "adminClaims auditLog adminProposals adminMoves serviceFees monthlyCosts",
} as const;

/** Of each table at most so many rows. Nobody has more by using a marketplace. */
const ROWS_MAX = 20_000;

/** All that we hold of a person, by table, as JSON values. Times in ms since 1970. One round trip. */
export async function readMyData({ db }: Store, userId: string): Promise<Record<string, unknown[]>> {
  const names = Object.keys(IN_COPY);
  const found = await read(
    db,
    Object.values(IN_COPY).map(({ table, isTheirs, without }) => {
      const columns = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name));
      return build.select(Object.fromEntries(columns)).from(table).where(isTheirs(userId)).limit(ROWS_MAX);
    }),
  );
  return Object.fromEntries(names.map((name, at) => [name, found[at] ?? []]));
}
