/** SQL on `itemRow` and its `orderRow`: what the rules of a deal must know, one seek each. */
import { itemRow, orderRow } from "#app/orders/table-rows.server.ts";
import {
  and,
  asc,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  min,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { MissedFacts } from "#app/accounts/trust/missed-meeting-rules.ts";
import { asJson, build, hasRow } from "#app/db/build.ts";
import { blocks, credentials } from "#app/accounts/tables.server.ts";
import { dealEvents, meetings } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CODE_EVENTS } from "#app/db/states/deal.ts";
import { MEETING } from "#app/db/states/meeting.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- whose turn it is depends on who wrote last
import { messages } from "#app/messaging/tables.server.ts";
import { isTakenDown } from "#app/catalogue/listing-columns.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- its key of a conversation, too
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import type { HandoverLink } from "./code/handover-link-rules.ts";
import { isDealOnHold } from "./deal-holds.server.ts";
import { REVIEW_CAUSES, type ReviewCause, type TurnFacts } from "./deal-blame-rules.ts";

/** This condition on an item and its order holds for the item with this id. */
export function holdsFor(itemId: string | SQLWrapper, condition: SQL): SQL {
  const item = build.select({ id: itemRow.id }).from(itemRow).innerJoin(orderRow, eq(orderRow.id, itemRow.orderId));
  return exists(item.where(and(eq(itemRow.id, itemId), condition)));
}

/** The end of the deal waits for a second admin. */
export const dealOnHold: SQL = sql`${isDealOnHold(itemRow.id)}`.inlineParams();

/** The seller is suspended, or the listing was taken down. One that is held keeps its deals. */
export const sellerGone: SQL = sql`${or(
  hasRow(credentials, and(eq(credentials.id, itemRow.sellerId), isNotNull(credentials.suspendedAt))),
  isTakenDown(itemRow.productId),
)}`.inlineParams();

/** Why an item waits for our team; NULL when it never did. */
export const reviewCause = sql<ReviewCause | null>`${build
  .select({ event: dealEvents.event })
  .from(dealEvents)
  .where(and(eq(dealEvents.orderItemId, itemRow.id), inArray(dealEvents.event, REVIEW_CAUSES)))
  .orderBy(desc(dealEvents.createdAt), desc(sql`rowid`))
  .limit(1)}`.inlineParams();

/** The seller has entered the buyer's code. */
export const codeEntered: SQL = sql`${hasRow(
  dealEvents,
  and(eq(dealEvents.orderItemId, itemRow.id), inArray(dealEvents.event, CODE_EVENTS)),
)}`.inlineParams();

const linkOf = <Column extends SQLWrapper>(made: Column) =>
  build
    .select({ link: sql`iif(${eq(dealEvents.event, "helper_asked")}, ${made}, NULL)` })
    .from(dealEvents)
    .where(and(eq(dealEvents.orderItemId, itemRow.id), inArray(dealEvents.event, ["helper_asked", "helper_stopped"])))
    .orderBy(desc(dealEvents.createdAt), desc(sql`rowid`))
    .limit(1);

/** The link by which somebody else hands it over; null for none, and for one that the seller has ended. */
export const handoverLink = asJson<HandoverLink | null>(
  sql`${linkOf(sql`json_object('id', ${dealEvents.id}, 'day', ${dealEvents.reason})`)}`.inlineParams(),
);

/** SQL on `itemRow`: its link is this one; null for none. */
export function isHandoverLink(linkId: string | null): SQL {
  return sql`(${linkOf(dealEvents.id)}) IS ${linkId}`;
}

const lastMessage = build
  .select({
    last: sql`json_array(iif(${eq(messages.senderId, orderRow.userId)}, 'buyer', 'seller'), ${messages.createdAt})`,
  })
  .from(messages)
  .where(
    and(eq(messages.thread, threadSql(orderRow.userId, itemRow.sellerId)), gte(messages.createdAt, itemRow.paidAt)),
  )
  .orderBy(desc(messages.createdAt), desc(messages.id))
  .limit(1);

const agreedAt = build
  .select({ at: dealEvents.createdAt })
  .from(dealEvents)
  .where(and(eq(dealEvents.orderItemId, itemRow.id), eq(dealEvents.event, "buyer_agreed")))
  .limit(1);

const firstBlock = build
  .select({ by: sql`iif(${eq(blocks.userId, orderRow.userId)}, 'buyer', 'seller')` })
  .from(blocks)
  .where(
    or(
      and(eq(blocks.userId, orderRow.userId), eq(blocks.blockedId, itemRow.sellerId)),
      and(eq(blocks.userId, itemRow.sellerId), eq(blocks.blockedId, orderRow.userId)),
    ),
  )
  .orderBy(asc(blocks.createdAt))
  .limit(1);

/** Which side said first that the other didn't come. The answer to it has a reason. */
const saidFirst = build
  .select({ by: sql`iif(${eq(dealEvents.event, "buyer_missed")}, 'seller', 'buyer')` })
  .from(dealEvents)
  .where(
    and(
      eq(dealEvents.orderItemId, itemRow.id),
      inArray(dealEvents.event, ["buyer_missed", "seller_missed"]),
      isNull(dealEvents.reason),
    ),
  )
  .limit(1);

/** When a side said that the other didn't come. */
function saidAt(event: "buyer_missed" | "seller_missed") {
  return build
    .select({ at: min(dealEvents.createdAt) })
    .from(dealEvents)
    .where(and(eq(dealEvents.orderItemId, itemRow.id), eq(dealEvents.event, event)));
}

const agreedFor = build
  .select({ at: sql`iif(${stateIs(meetings.state, MEETING.isAccepted)}, ${meetings.startsAt}, ${meetings.passedAt})` })
  .from(meetings)
  .where(eq(meetings.orderItemId, itemRow.id));

/** SQL on `itemRow`: this is what is known of its meeting. */
export function isMissed({ agreedFor: time, saidAt: { buyer, seller } }: MissedFacts): SQL {
  return sql`(${agreedFor}) IS ${time} AND (${saidAt("seller_missed")}) IS ${buyer}
    AND (${saidAt("buyer_missed")}) IS ${seller}`;
}

/** Who has to act next, before it is shipped. */
export const turn = sql`json_object('buyerContacted', ${itemRow.buyerContacted}, 'buyerAgreed', ${itemRow.buyerAgreed},
    'isDelivery', ${orderRow.deliveryOption} = 'delivery',
  'agreedAt', ${agreedAt}, 'last', json(${lastMessage}), 'blockedBy', ${firstBlock},
  'agreedFor', ${agreedFor}, 'sellerSaid', ${saidAt("buyer_missed")}, 'buyerSaid', ${saidAt("seller_missed")},
  'saidFirst', ${saidFirst})`
  .inlineParams()
  .mapWith(readTurn);

function readTurn(json: string): TurnFacts {
  const {
    last,
    buyerContacted,
    buyerAgreed,
    isDelivery,
    agreedAt: agreed,
    blockedBy,
    agreedFor: time,
    sellerSaid: seller,
    buyerSaid: buyer,
    saidFirst: first,
  } = JSON.parse(json) as Pick<TurnFacts, "blockedBy" | "agreedAt"> & {
    last: [NonNullable<TurnFacts["lastWriter"]>, number] | null;
    buyerContacted: number;
    buyerAgreed: number;
    isDelivery: number | null;
    agreedFor: number | null;
    sellerSaid: number | null;
    buyerSaid: number | null;
    saidFirst: MissedFacts["saidFirst"];
  };
  return {
    buyerContacted: buyerContacted === 1,
    buyerAgreed: buyerAgreed === 1,
    isDelivery: isDelivery === 1,
    lastWriter: last?.[0] ?? null,
    lastWroteAt: last?.[1] ?? null,
    agreedAt: agreed,
    blockedBy,
    missed: { agreedFor: time, saidAt: { buyer, seller }, saidFirst: first },
  };
}
