/** Who gets a message, what it is about, and what stands between the two. */
import { and, eq, gt, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasBlocked } from "#app/accounts/trust/blocks.server.ts";
import { NEWCOMER_MAX } from "#app/accounts/trust/newcomer-rules.ts";
import { isNewcomer } from "#app/accounts/trust/newcomer.server.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { asBoolean, build, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { rateCounters } from "#app/db/tables.server.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { ITEM, type ItemStatus } from "#app/db/states/item.ts";
import { FIRST_MESSAGES, firstMessagesKey, hasLeft } from "./message-limits.server.ts";
import { hasConversation } from "#app/messaging/conversations/has-conversation.server.ts";
import { type Subject } from "#app/messaging/message-rules.ts";

const senders = alias(profiles, "senders");

export interface Parties {
  senderId: string;
  senderName: string | null;
  recipientId: string;
  recipientName: string | null;
  productId: string | null;
  productName: string | null;
  orderId: string | null;
  itemId: string | null;
  buyerId: string | null;
  handover: Handover | null;
  agreed: boolean;
  /** Its seller hasn't written about the item yet. */
  isFirstContact: boolean;
  /** The item is paid, its buyer was contacted, and hasn't agreed. */
  awaitsAgreement: boolean;
  conversing: boolean;
  /** The message is about an item that was paid. */
  isPaid: boolean;
  blockedByMe: boolean;
  blocked: boolean;
  /** The sender writes to a stranger: the two have no conversation, and no paid item between them. */
  isFirstMessage: boolean;
  /** How many strangers the sender can write to in a day. */
  maxFirstMessages: number;
  /** They have written to that many. */
  firstMessagesUsed: boolean;
  /** A rate limit is reached. */
  tooMany: boolean;
}

export interface PartiesInput {
  senderId: string;
  /** Undefined when the subject determines it. */
  recipientId?: string;
  about?: Subject | null;
}

/** The recipient and the subject of a message; null when they are not allowed. */
export async function findParties({ db, now }: Store, input: PartiesInput): Promise<Parties | null> {
  const [found] = await read(db, subjectOf(input, now()));
  return toParties(input, found);
}

function toParties(input: PartiesInput, row: RowOf<ReturnType<typeof subjectOf>> | undefined): Parties | null {
  if (!row || row.recipientId === input.senderId) return null;
  const { conversing, contacted, agreed, status } = row;
  if (!input.about && !conversing) return null;
  const isPaid = status !== null && !ITEM.isUnpaid(status);
  const maxFirstMessages = row.newcomer ? NEWCOMER_MAX.firstMessages : FIRST_MESSAGES.max;
  const isFirstMessage = !conversing && !isPaid;
  return {
    ...row,
    senderId: input.senderId,
    agreed: agreed === true,
    isPaid,
    isFirstContact: row.itemId !== null && contacted === false && row.buyerId !== input.senderId,
    awaitsAgreement: contacted === true && agreed === false && status === "processing",
    isFirstMessage,
    maxFirstMessages,
    firstMessagesUsed: isFirstMessage && row.firstMessages >= maxFirstMessages,
    tooMany: !row.hasLeft,
  };
}

/**
 * The one row of the recipient and the subject. None when the sender has nothing to do with it, or the other account is
 * deleted.
 */
function subjectOf({ senderId, recipientId = "", about }: PartiesInput, now: number) {
  const subject = selectSubject({ senderId, recipientId, about }).as("subject");
  const { key, count, windowStart } = rateCounters;
  const firstMessages = build
    .select({ count })
    .from(rateCounters)
    .where(and(eq(key, firstMessagesKey(senderId)), gt(windowStart, now - FIRST_MESSAGES.windowMs)));
  return build
    .select({
      recipientId: subject.recipientId,
      productId: subject.productId,
      productName: subject.productName,
      orderId: subject.orderId,
      itemId: subject.itemId,
      buyerId: subject.buyerId,
      handover: subject.handover,
      status: subject.status,
      contacted: subject.contacted,
      agreed: subject.agreed,
      recipientName: profiles.fullName,
      senderName: sql<string | null>`${senders.fullName}`.as("sender_name"),
      conversing: asBoolean(hasConversation(senderId, subject.recipientId)).as("conversing"),
      blockedByMe: asBoolean(hasBlocked(senderId, subject.recipientId)).as("blocked_by_me"),
      blocked: asBoolean(hasBlocked(subject.recipientId, senderId)).as("blocked"),
      firstMessages: sql<number>`COALESCE(${firstMessages}, 0)`.as("first_messages"),
      newcomer: asBoolean(isNewcomer(senderId, now)).as("newcomer"),
      hasLeft: asBoolean(hasLeft(senderId, now)).as("has_left"),
    })
    .from(subject)
    .innerJoin(credentials, and(eq(credentials.id, subject.recipientId), isNull(credentials.suspendedAt)))
    .leftJoin(profiles, eq(profiles.id, subject.recipientId))
    .leftJoin(senders, eq(senders.id, senderId))
    .where(sql`${recipientId} IN ('', ${subject.recipientId})`);
}

/** What a message is about, and who gets it. */
function selectSubject({ senderId, recipientId, about }: PartiesInput & { recipientId: string }) {
  switch (about?.kind) {
    case "item":
      return build
        .select(
          subjectColumns({
            recipientId: sql`CASE WHEN ${orders.userId} = ${senderId} THEN ${orderItems.sellerId}
              ELSE ${orders.userId} END`,
            productId: sql`${orderItems.productId}`,
            productName: sql`${orderItems.productName}`,
            orderId: sql`${orderItems.orderId}`,
            itemId: sql`${orderItems.id}`,
            buyerId: sql`${orders.userId}`,
            handover: sql`${orderItems.handover}`,
            status: sql`${orderItems.status}`,
            contacted: asBoolean(sql`${orderItems.buyerContacted}`),
            agreed: asBoolean(sql`${orderItems.buyerAgreed}`),
          }),
        )
        .from(orderItems)
        .innerJoin(orders, eq(orders.id, orderItems.orderId))
        .where(and(eq(orderItems.id, about.id), sql`${senderId} IN (${orders.userId}, ${orderItems.sellerId})`));
    case "product": {
      const { id, name, sellerId, deletedAt, suspendedAt } = products;
      // A conversation goes on when its listing is gone, but nothing more is written about that.
      const isShown = and(isNull(deletedAt), isNull(suspendedAt));
      return build
        .select(
          subjectColumns({
            recipientId: sql`CASE WHEN ${sellerId} = ${senderId} THEN ${recipientId} ELSE ${sellerId} END`,
            productId: sql`iif(${isShown}, ${id}, NULL)`,
            productName: sql`iif(${isShown}, ${name}, NULL)`,
          }),
        )
        .from(products)
        .where(and(eq(id, about.id), or(and(ne(sellerId, senderId), isShown), hasConversation(senderId, recipientId))));
    }
    default:
      return build.select(subjectColumns({ recipientId: sql`${recipientId}` })).from(sql`(SELECT 1)`);
  }
}

const NOTHING: SQL<null> = sql`NULL`;
const NO_SUBJECT = {
  productId: NOTHING as SQL<string | null>,
  productName: NOTHING as SQL<string | null>,
  orderId: NOTHING as SQL<string | null>,
  itemId: NOTHING as SQL<string | null>,
  buyerId: NOTHING as SQL<string | null>,
  handover: NOTHING as SQL<Handover | null>,
  status: NOTHING as SQL<ItemStatus | null>,
  contacted: NOTHING as SQL<boolean | null>,
  agreed: NOTHING as SQL<boolean | null>,
};

/** The columns of a subject. What isn't given is NULL. */
function subjectColumns(given: { recipientId: SQL<string> } & Partial<typeof NO_SUBJECT>) {
  return named({ ...NO_SUBJECT, ...given });
}
