/**
 * Asked of each notification when it leaves, and of gathered news when it is told: is it still true, and still wanted?
 * It may have waited behind others, for a night, or for a provider that was away.
 */
import { and, eq, isNotNull, isNull, ne, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { buyerFeeSql, sellerFeeSql } from "#app/catalogue/fees/fees.server.ts";
import { UNAVAILABLE } from "#app/catalogue/stock/stock-waits-columns.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { isStillFollowed, isStillSearched } from "#app/catalogue/saved/still-wanted.server.ts";
import { read } from "#app/db/batch.ts";
import { build, hasRow, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { adminProposals } from "#app/moderation/tables.server.ts";
import { dealEvents, dealHolds, meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { emailTokens, profiles } from "#app/accounts/tables.server.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { waitsForOther } from "#app/admin/income/waiting-fees.server.ts";
import { offers, products, serviceFees } from "#app/catalogue/tables.server.ts";
import { paymentAttempts, payouts, refunds } from "#app/payments/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { continuesAfter } from "#app/shops/subscriptions.server.ts";
import { wishlistItems } from "#app/basket/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { DEAL_REMINDERS, RECORDED_EVENTS } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { MeetingState } from "#app/db/states/meeting.ts";
import type { OfferState } from "#app/db/states/offer.ts";
import { ORDER, PAYMENT } from "#app/db/states/order.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { IS_OPEN_PROPOSAL } from "#app/moderation/second-admin/open-proposals.server.ts";
import { isUnread } from "#app/messaging/notices/message-notices.server.ts";
import type {
  DealStepData,
  Gathered,
  Kind,
  KindData,
  MeetingMailStep,
  NamedListing,
  Notification,
  OfferMailStep,
  PaidFor,
} from "#app/notifications/kinds.ts";

/**
 * What is still true of a kind: SQL that is 1, or 0 or NULL where nothing is, or a JSON object with what has changed.
 */
type Check<Data> = (data: Data, reader: SQL, now: number) => SQL;

/** It has happened, and its reader must know, whatever came after. */
const PAST = null;

const none = (table: Parameters<typeof hasRow>[0], where: SQL | undefined) => not(hasRow(table, where));

/** Its link hasn't been used, nor has a later one taken its place. The outbox looks at its age. */
const unused = ({ tokenId }: { tokenId: string }) =>
  none(emailTokens, and(eq(emailTokens.id, tokenId), isNotNull(emailTokens.usedAt)));

const isStudent = stateIs(profiles.verifiedLevel, VERIFIED.isStudent);

/** For each kind. The compiler asks for a new one. */
const CHECKS: { [K in Kind]: Check<KindData[K]> | typeof PAST } = {
  confirmation: unused,
  password_reset: unused,
  email_change: unused,
  welcome: PAST,
  // Of security: also where it was undone since, its owner must hear of it.
  email_changing: PAST,
  email_changed: PAST,
  password_changed: PAST,
  google_linked: PAST,
  two_step_changed: PAST,
  admin_role_changed: PAST,
  admin_role_given: PAST,
  login_added: PAST,
  admin_step_reset: PAST,
  payout_phone_changed: PAST,

  payment_received: PAST,
  payment_failed: canPay,
  payment_held: (data, reader) =>
    "orderId" in data
      ? none(orders, and(eq(orders.id, data.orderId), not(stateIs(orders.paymentStatus, PAYMENT.isUnderWay))))
      : hasAttempt(data, reader, stateIs(paymentAttempts.state, ATTEMPT.isHeld)),
  payment_dismissed: canPay,
  refund_due: PAST,
  refund_parked: ({ orderId, amount }, reader) => {
    const own = and(eq(paymentAttempts.id, refunds.attemptId), eq(paymentAttempts.userId, reader));
    return hasRow(
      refunds,
      and(
        stateIs(refunds.state, TRANSFER.isParked),
        eq(refunds.amount, amount),
        orderId === null ? isNull(refunds.orderId) : eq(refunds.orderId, orderId),
        hasRow(paymentAttempts, own),
      ),
    );
  },
  refund_sent: PAST,
  payout_sent: PAST,
  payout_parked: ({ orderItemId }) =>
    hasRow(payouts, and(eq(payouts.orderItemId, orderItemId), stateIs(payouts.state, TRANSFER.isParked))),
  plan_active: PAST,
  plan_refund_due: PAST,
  plan_ending: ({ planId, endsAt }, reader) => sql`(NOT ${continuesAfter(reader, sql`${planId}`, endsAt)})`,
  plan_ended: ({ planId }, reader, now) => sql`(NOT ${continuesAfter(reader, sql`${planId}`, now)})`,

  issue_closed: PAST,
  case_outcome: PAST,
  report_undone: PAST,
  case_decided: PAST,
  appeal_answered: PAST,
  decision_changed: PAST,
  verification_decided: PAST,
  student_ending: ({ until }, reader) =>
    hasRow(profiles, and(sql`${profiles.id} = ${reader}`, eq(profiles.studentUntil, until), isStudent)),
  student_check: unused,
  proposals_waiting: () => {
    const open = build.$count(adminProposals, IS_OPEN_PROPOSAL);
    return sql`iif(${open} > 0, json_object('count', ${open}), NULL)`;
  },
  fees_waiting: (_data, reader, now) => {
    const waiting = build.$count(serviceFees, waitsForOther(reader, now));
    return sql`iif(${waiting} > 0, json_object('count', ${waiting}), NULL)`;
  },

  deal_outcome: PAST,
  deal_warning: isLatestStep,
  deal_step: isLatestStep,
  new_sale: ({ orderItemId }) =>
    none(orderItems, and(eq(orderItems.id, orderItemId), stateIs(orderItems.status, ITEM.isOver))),
  meeting_step: ({ orderItemId, step, startsAt }) => {
    const { state, startsAt: beginsAt } = meetings;
    const isOther = or(ne(state, MEETING_STATE[step]), ne(beginsAt, startsAt));
    const isOver = not(stateIs(orderItems.status, ITEM.isMeetable));
    return sql`(${and(
      none(meetings, and(eq(meetings.orderItemId, orderItemId), isOther)),
      none(orderItems, and(eq(orderItems.id, orderItemId), isOver)),
    )})`;
  },
  offer_step: ({ offerId, step, amount }, _reader, now) => {
    // D1 binds numbers as floats, and a fee is in whole shillings.
    const agreed = sql`CAST(${amount} AS INTEGER)`;
    const fees = sql`json_object('buyerFee', ${buyerFeeSql(agreed, now)},
      'sellerFee', ${sellerFeeSql(agreed, now)})`;
    const still = build
      .select({ still: sql`iif(${eq(offers.state, OFFER_STATE[step])}, ${fees}, 0)` })
      .from(offers)
      .innerJoin(productRow, eq(productRow.id, offers.productId))
      .where(eq(offers.id, offerId));
    return sql`COALESCE(${still}, 1)`;
  },
  message: ({ otherId }, reader) => isUnread(reader, otherId),
  new_messages: ({ otherId, latestId }, reader) => {
    const isRemoved = hasRow(messages, and(eq(messages.id, latestId ?? ""), isNotNull(messages.removedAt)));
    return sql`iif(${isUnread(reader, otherId)}, iif(${isRemoved}, json_object('excerpt', NULL), 1), 0)`;
  },
  review_written: ({ orderItemId, until }, reader, now) => {
    const own = and(eq(reviews.orderItemId, orderItemId), eq(reviews.authorId, reader));
    const isOpen = and(sql`${until} > ${now}`, none(reviews, own));
    return sql`(${and(isOpen, isKept(orderItemId, reader), areSpeaking(orderItemId))})`;
  },
  reviews_published: ({ orderItemId }, reader) => isKept(orderItemId, reader),
  review_replied: ({ orderItemId }, reader) => {
    const isGone = or(isNotNull(reviews.removedAt), isNotNull(reviews.replyRemovedAt));
    return none(reviews, and(eq(reviews.orderItemId, orderItemId), eq(reviews.authorId, reader), isGone));
  },

  stock_free: (data, reader, now) => {
    const isBack = sql`${awayUntil(sql`${productRow.sellerId}`, now)} IS NULL AND NOT ${UNAVAILABLE}`;
    return listingsLeft(data, and(mayBuy(reader), isBack));
  },
  search_found: (data, reader) =>
    listingsLeft(
      data,
      and(
        mayBuy(reader),
        isStillSearched(sql`one.value -> 'searchIds'`, reader),
        sql`(one.value ->> 'priceBefore' IS NULL OR ${productRow.price} < one.value ->> 'priceBefore')`,
      ),
    ),
  searches_daily: (data, reader) =>
    listingsLeft(data, and(mayBuy(reader), isStillSearched(sql`one.value -> 'searchIds'`, reader))),
  wish_cheaper: (data, reader) => {
    const isWished = and(
      eq(wishlistItems.userId, reader),
      eq(wishlistItems.productId, productRow.id),
      // What they were told of: it may cost more again.
      sql`${productRow.price} <= ${wishlistItems.price}`,
    );
    return listingsLeft(
      data,
      and(mayBuy(reader), hasRow(wishlistItems, isWished), sql`${productRow.price} < one.value ->> 'priceBefore'`),
    );
  },
  shops_daily: (data, reader) => listingsLeft(data, and(mayBuy(reader), isStillFollowed(reader))),
  held_listing_published: (data, reader) => listingsLeft(data, and(FOR_SALE, eq(productRow.sellerId, reader))),
  listing_held: ({ productId }) => hasRow(products, and(eq(products.id, productId), IS_HELD)),
  import_held: (_, reader) => hasRow(products, and(eq(products.sellerId, reader), IS_HELD)),
  saved: PAST,
  friend_came: PAST,
  still_available: (data, reader) => {
    const isAsked = and(isNotNull(productRow.askedAt), sql`${productRow.updatedAt} <= ${productRow.askedAt}`);
    return ownListings(data, and(eq(productRow.sellerId, reader), FOR_SALE, isAsked));
  },
  listing_left: (data, reader) =>
    ownListings(
      data,
      and(
        eq(productRow.sellerId, reader),
        eq(productRow.status, "unconfirmed"),
        isNull(productRow.deletedAt),
        isNull(productRow.suspendedAt),
      ),
    ),
  digest: ({ productId, productName, others }, reader) => {
    const all = JSON.stringify([{ id: productId, name: productName }, ...others]);
    const left = sql`(SELECT json_group_array(json(one.value) ORDER BY one.key) AS list FROM json_each(${all}) one
      JOIN ${products} product_row ON ${productRow.id} = one.value ->> 'id' WHERE ${mayBuy(reader)})`;
    return sql`(SELECT iif(json_array_length(list) = 0, NULL, json_object('productId', list ->> '$[0].id',
      'productName', list ->> '$[0].name', 'others', json_remove(list, '$[0]'))) FROM ${left})`;
  },

  team_question: PAST,
  // Its end is told, too.
  alarm: PAST,
  test_email: PAST,
};

/** The state of a meeting after a step, for as long as it is still the latest. */
const MEETING_STATE: Record<MeetingMailStep, MeetingState> = {
  suggested: "proposed",
  accepted: "accepted",
  declined: "declined",
  cancelled: "cancelled",
  reminder: "accepted",
};

const OFFER_STATE: Record<OfferMailStep, OfferState> = {
  offered: "open",
  countered: "countered",
  seller_accepted: "accepted",
  buyer_accepted: "accepted",
  seller_declined: "declined",
  buyer_declined: "declined",
  withdrawn: "withdrawn",
  expired: "expired",
  ended: "ended",
};

/** SQL on products: our team looks at it before it is published. */
const IS_HELD = and(isNotNull(products.heldFor), isNotNull(products.suspendedAt), isNull(products.deletedAt));

/** SQL on `productRow`: it can be bought, by somebody with whom its seller deals. */
function mayBuy(reader: SQL): SQL | undefined {
  return and(FOR_SALE, ne(productRow.sellerId, reader), sql`NOT ${blockBetween(reader, sql`${productRow.sellerId}`)}`);
}

/**
 * The listings of which `isLeft` holds, SQL on `productRow` and on `one.value`, with their names and prices of today.
 */
function listingsLeft({ count, listings }: Gathered<NamedListing>, isLeft: SQL | undefined): SQL {
  const left = sql`(SELECT json_group_array(json_set(one.value, '$.productName', ${productRow.name},
    '$.price', ${productRow.price}) ORDER BY one.key) AS list
    FROM json_each(${JSON.stringify(listings)}) one
      JOIN ${products} product_row ON ${productRow.id} = one.value ->> 'productId' WHERE ${isLeft})`;
  return sql`(SELECT iif(json_array_length(list) = 0, NULL, json_object('listings', json(list),
    'count', ${count - listings.length} + json_array_length(list))) FROM ${left})`;
}

/**
 * One of the listings of which `isSo` holds, SQL on `productRow`, and how many others there are. The one that was
 * named, if it is left.
 */
function ownListings({ productId }: { productId: string }, isSo: SQL | undefined): SQL {
  return sql`(SELECT json_object('productId', id, 'productName', name, 'others', n - 1) FROM (
    SELECT ${productRow.id} AS id, ${productRow.name} AS name, COUNT(*) OVER () AS n FROM ${products} product_row
      WHERE ${isSo}
    ORDER BY ${productRow.id} = ${productId} DESC, ${productRow.id} LIMIT 1))`;
}

/** What a payment was for can still be paid, and nobody is paying. */
function canPay(data: PaidFor, reader: SQL): SQL {
  if (!("orderId" in data)) return not(hasAttempt(data, reader, stateIs(paymentAttempts.state, ATTEMPT.isUnderWay)));
  const isOpen = and(
    stateIs(orders.paymentStatus, PAYMENT.isPayable),
    stateIs(orders.orderStatus, ORDER.awaitsPayment),
  );
  return none(orders, and(eq(orders.id, data.orderId), sql`NOT (${isOpen})`));
}

/** Somebody has a payment for a plan that is `so`. */
function hasAttempt({ planId }: { planId: string }, reader: SQL, so: SQL): SQL {
  const isPlan = and(eq(subscriptions.id, paymentAttempts.subscriptionId), sql`${subscriptions.plan} = ${planId}`);
  return hasRow(paymentAttempts, and(eq(paymentAttempts.userId, reader), hasRow(subscriptions, isPlan), so));
}

/** Our team hasn't removed the review of the reader. */
function isKept(orderItemId: string, reader: SQL): SQL {
  return none(
    reviews,
    and(eq(reviews.orderItemId, orderItemId), eq(reviews.subjectId, reader), isNotNull(reviews.removedAt)),
  );
}

/** The two sides of an item deal with each other. */
function areSpeaking(orderItemId: string): SQL {
  const isItem = and(eq(orderItems.id, orderItemId), eq(orders.id, orderItems.orderId));
  const buyer = build.select({ id: orders.userId }).from(orders).where(isItem);
  return none(orderItems, and(eq(orderItems.id, orderItemId), blockBetween(sql`${buyer}`, orderItems.sellerId)));
}

/** Nothing has happened in the deal since this step. A reminder is true while its reader can still do what it says. */
function isLatestStep({ step, orderItemId }: DealStepData): SQL {
  const isItem = eq(orderItems.id, orderItemId);
  const isHeld = hasRow(dealHolds, eq(dealHolds.orderItemId, orderItemId));
  if (step === "held") return isHeld;
  if (step === "resumed")
    return sql`(${and(not(isHeld), none(orderItems, and(isItem, stateIs(orderItems.status, ITEM.isOver))))})`;
  if (DEAL_REMINDERS.some((one) => one === step)) {
    const isTime =
      step === "inspection_reminder" ? eq(orderItems.status, "delivered") : stateIs(orderItems.status, ITEM.isToShip);
    return sql`(${and(not(isHeld), none(orderItems, and(isItem, not(isTime))))})`;
  }
  // Who reads it can answer it, whatever became of the deal.
  if (step === "buyer_missed" || step === "seller_missed") {
    const answer = step === "buyer_missed" ? "seller_missed" : "buyer_missed";
    return none(
      dealEvents,
      and(eq(dealEvents.orderItemId, orderItemId), eq(dealEvents.event, answer), isNotNull(dealEvents.reason)),
    );
  }
  const own = sql`(SELECT MAX(own.rowid) FROM ${dealEvents} own
    WHERE own.order_item_id = ${orderItemId} AND own.event = ${step})`;
  return none(
    dealEvents,
    and(
      eq(dealEvents.orderItemId, orderItemId),
      notInArray(dealEvents.event, [...RECORDED_EVENTS]),
      sql`${dealEvents}.rowid > ${own}`,
    ),
  );
}

/** Somebody is told of something. `reader`: the account; null for an address without one. */
export interface Telling {
  notification: Notification;
  reader: string | null;
}

/**
 * What is still true of each, in order: its data as it is now, or null where nothing is. At most one round trip. A kind
 * of an earlier release stays as it is.
 */
export async function findTrue({ db, now }: Store, tellings: readonly Telling[]): Promise<(object | null)[]> {
  const asked = tellings.map(({ notification: { kind, data }, reader }) => {
    const check = CHECKS[kind] as Check<unknown> | null | undefined;
    return check ? oneRow({ still: check(data, sql`${reader ?? ""}`, now()) }) : null;
  });
  const queries = asked.flatMap((query) => query ?? []);
  const answers = queries.length === 0 ? [] : await read(db, queries);
  return tellings.map(({ notification: { data } }, at) => {
    const query = asked[at];
    if (!query) return data;
    const still: unknown = answers[queries.indexOf(query)]?.[0]?.still ?? null;
    if (typeof still === "string") return { ...data, ...(JSON.parse(still) as object) };
    return still === null || still === 0 ? null : data;
  });
}
