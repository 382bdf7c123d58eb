/**
 * Tells people outside the app of messages that they haven't read: the first message of a conversation, and messages
 * about a paid item. Each side's row of a conversation waits until it is due, so that no message is looked at
 * again. By which ways is for `notify`.
 */
import { and, desc, eq, inArray, isNull, lte, min, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Statement, expectOneChange, tryWrite } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Logging, Store } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { conversations, messages } from "#app/messaging/tables.server.ts";
import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { threadSql } from "#app/messaging/thread-sql.server.ts";
import type { LiveMessage } from "#app/live/live-events.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { notBeforePause } from "./await-notice.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { isUnreadFrom, unreadFrom } from "#app/messaging/conversations/messages.server.ts";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { excerptOf, NOTICE_COUNTED, NOTICE_WAIT_MS } from "./message-notice-rules.ts";
import { spokenNameToTell } from "#app/messaging/conversations/spoken-name.server.ts";

const readers = alias(credentials, "readers");
const senders = alias(credentials, "senders");
const senderProfiles = alias(profiles, "sender_profiles");
const latest = alias(messages, "latest");

type MessageKind = LiveMessage["kind"];

/** Whether the reader is told of a message of this kind. A step that has an email of its own brings no second one. */
export const HAS_NOTICE = {
  text: true,
  // Nothing else tells the seller that the buyer agreed.
  agreement: true,
  offer: false,
  meeting: false,
} satisfies Record<MessageKind, boolean>;

const NOTICE_KINDS = (Object.keys(HAS_NOTICE) as MessageKind[]).filter((kind) => HAS_NOTICE[kind]);

/** How many conversations one run of the job looks at. The next run is a minute later. */
const AT_ONCE = 200;

export interface NoticeServices extends Store, Logging {
  /** This site's own. */
  origin: string;
}

/** What somebody is told: so many unread messages of one person, and the beginning of the latest. */
interface MessageNotice {
  reader: { id: string; email: string; name: string };
  sender: { id: string; name: string };
  count: number;
  latestId: string;
  /** What the latest message is about; null for nothing. */
  productName: string | null;
  /** Null when it should only be read in the app. */
  excerpt: string | null;
}

/**
 * SQL: a message is still news. Its reader has unread messages of its sender that our team hasn't removed, the sender's
 * account is open, and neither has blocked the other.
 */
export function isUnread(userId: SQL, otherId: string): SQL {
  return hasRow(
    messages,
    and(
      isUnreadFrom(userId, otherId),
      isNull(messages.removedAt),
      isOpenAccount(otherId),
      hasRow(profiles, and(eq(profiles.id, otherId), isNull(profiles.deletedAt))),
      not(blockBetween(userId, otherId)),
    ),
  );
}

/**
 * Tells those whose notices are due and who still haven't read. Returns how many people it told. Two runs at once and a
 * stop at any point are safe, and one failure doesn't stop the others.
 */
export async function sendDueNotices(services: NoticeServices): Promise<number> {
  const told = await oneByOne(
    await findDue(services),
    (waiting) => settle(services, waiting),
    ({ userId }, error) =>
      services.log({ event: "message_notice_failed", level: "error", userId, error: String(error) }),
  );
  return told.filter(Boolean).length;
}

/** The notices that are due, with what their readers haven't read. Reads up to 100 messages of each conversation. */
function findDue({ db, now }: Store) {
  const notice = build
    .select()
    .from(conversations)
    .where(lte(conversations.noticeDueAt, now()))
    .orderBy(conversations.noticeDueAt)
    .limit(AT_ONCE)
    .as("notice");
  // Newest first, so that a conversation with more of them still shows the latest.
  const unread = build
    .select({ id: messages.id, createdAt: messages.createdAt, orderItemId: messages.orderItemId })
    .from(messages)
    .where(
      and(
        eq(messages.thread, threadSql(notice.userId, notice.otherId)),
        sql`${messages.createdAt} >= ${notice.noticeSince}`,
        eq(messages.recipientId, notice.userId),
        sql`${messages.read} = 0`,
        isNull(messages.removedAt),
        inArray(messages.kind, NOTICE_KINDS),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(NOTICE_COUNTED)
    .as("unread");
  const isPaid = and(eq(orderItems.id, unread.orderItemId), not(stateIs(orderItems.status, ITEM.isUnpaid)));
  const mustBeTold = or(sql`${unread.createdAt} = ${notice.askedAt}`, hasRow(orderItems, isPaid));
  const oldest = build
    .select({ at: min(unread.createdAt) })
    .from(unread)
    .where(mustBeTold);
  return db
    .select({
      ...pick(notice, "userId", "otherId", "noticeDueAt", "lastMessageId"),
      unread: unreadFrom(notice.userId, notice.otherId),
      email: readers.email,
      readerName: profiles.fullName,
      senderName: senderProfiles.fullName,
      /** One of them is suspended or deleted, or has blocked the other. */
      isClosed: asBoolean(
        sql`(${readers.suspendedAt} IS NOT NULL OR ${senders.suspendedAt} IS NOT NULL
          OR ${blockBetween(notice.userId, notice.otherId)})`,
      ),
      /** When the first unread message was written that the reader must be told of; null when there is none. */
      oldestAt: sql<number | null>`${oldest}`,
      count: build.$count(unread),
      latestId: latest.id,
      text: latest.message,
      photos: sql<number | null>`json_array_length(${latest.images})`,
      productName: spokenNameToTell(sql`${latest.orderItemId}`, eq(products.sellerId, notice.userId)),
    })
    .from(notice)
    .innerJoin(readers, eq(readers.id, notice.userId))
    .innerJoin(senders, eq(senders.id, notice.otherId))
    .leftJoin(profiles, eq(profiles.id, notice.userId))
    .leftJoin(senderProfiles, eq(senderProfiles.id, notice.otherId))
    .leftJoin(latest, eq(latest.id, build.select({ id: unread.id }).from(unread).limit(1)))
    .leftJoin(products, eq(products.id, latest.productId))
    .orderBy(notice.noticeDueAt);
}

type WaitingNotice = Awaited<ReturnType<typeof findDue>>[number];

/**
 * Tells the reader, lets the notice wait on for messages that are younger, or ends it. Nothing of this happens if the
 * conversation has moved on since it was read; the next run looks again. Returns whether this run told the reader.
 */
async function settle(services: NoticeServices, waiting: WaitingNotice): Promise<boolean> {
  const now = services.now();
  const { userId, otherId, oldestAt } = waiting;
  const notice = waiting.isClosed || oldestAt === null ? null : toNotice(waiting, services.origin);
  const isYoung = oldestAt !== null && oldestAt + NOTICE_WAIT_MS > now;
  const change = !notice
    ? { noticeDueAt: null }
    : isYoung
      ? { noticeDueAt: notBeforePause(oldestAt + NOTICE_WAIT_MS), noticeSince: oldestAt }
      : { noticeDueAt: null, noticedAt: now };
  const isDone = await tryWrite(services.db, [
    build
      .update(conversations)
      .set(change)
      .where(
        and(
          eq(conversations.userId, userId),
          eq(conversations.otherId, otherId),
          sql`${conversations.noticeDueAt} = ${waiting.noticeDueAt}`,
          eq(conversations.lastMessageId, waiting.lastMessageId),
          sql`${unreadFrom(userId, otherId)} = ${waiting.unread}`,
        ),
      ),
    expectOneChange(),
    ...(notice && !isYoung ? deliver(notice, now) : []),
  ]);
  // Where it isn't done, another run was faster, or they have just read or written.
  return isDone && notice !== null && !isYoung;
}

function toNotice(waiting: WaitingNotice, origin: string): MessageNotice | null {
  const { userId, otherId, email, readerName, senderName, count, latestId, text, photos, productName } = waiting;
  if (latestId === null) return null;
  return {
    reader: { id: userId, email, name: readerName ?? "" },
    sender: { id: otherId, name: senderName ?? "" },
    count,
    latestId,
    productName,
    excerpt: excerptOf(text ?? "", photos ?? 0, origin),
  };
}

function deliver({ reader, sender, count, latestId, productName, excerpt }: MessageNotice, now: number): Statement[] {
  const data = { senderName: sender.name, otherId: sender.id, count, productName, excerpt, latestId };
  return notify(openParty(reader), { kind: "new_messages", data }, `messages:${latestId}`, now);
}
