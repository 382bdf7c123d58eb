/**
 * Tells people outside the app of messages that they haven't read: the first message of a conversation, and messages
 * about a paid item. One row for each side of a conversation waits until it is due, so that no message is looked at
 * again. `deliver` is the one place that says how somebody is told.
 */
import { type SQL, sql } from "drizzle-orm";
import { spokenName } from "#app/catalogue/shown-product.server.ts";
import { expectOneChange, expectThat, PreconditionFailed, runBatch, type Statement } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { queueEffect } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { threadSql } from "#app/db/thread-sql.ts";
import type { LiveMessage } from "#app/platform/live-events.ts";
import type { Mail } from "#app/platform/mailer.ts";
import { excerptOf, NOTICE_COUNTED, NOTICE_PAUSE_MS, NOTICE_WAIT_MS } from "./message-notice-rules.ts";

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

export interface NoticeServices extends Store {
  /** This site's own. */
  origin: string;
  log(event: { event: string } & Record<string, unknown>): void;
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

/** For the batch of a message that its reader must be told of: a notice waits, unless one waits already. */
export function awaitNotice({ userId, otherId }: { userId: string; otherId: string }, now: number): Statement {
  return sql`INSERT INTO message_notices (user_id, other_id, due_at, since) VALUES (${userId}, ${otherId}, ${now + NOTICE_WAIT_MS}, ${now})
    ON CONFLICT (user_id, other_id) DO UPDATE SET since = excluded.since, due_at = ${notBeforePause(sql`excluded.due_at`)} WHERE due_at IS NULL`;
}

/** SQL: `dueAt`, or the end of the pause after the last notice. */
function notBeforePause(dueAt: SQL): SQL {
  return sql`MAX(${dueAt}, COALESCE(told_at + ${NOTICE_PAUSE_MS}, 0))`;
}

/**
 * Tells those whose notices are due and who still haven't read. Returns how many people it told. Two runs at once and a
 * stop at any point are safe, and one failure doesn't stop the others.
 */
export async function sendDueNotices(services: NoticeServices): Promise<number> {
  let told = 0;
  for (const waiting of await findDue(services)) {
    try {
      if (await settle(services, waiting)) told += 1;
    } catch (error) {
      services.log({ event: "message_notice_failed", level: "error", userId: waiting.userId, error: String(error) });
    }
  }
  return told;
}

interface WaitingNotice {
  userId: string;
  otherId: string;
  dueAt: number;
  /** Of the conversation, when this was read. */
  unread: number | null;
  lastMessageId: string | null;
  email: string;
  readerName: string | null;
  senderName: string | null;
  /** One of them is suspended or deleted, or has blocked the other. */
  isClosed: number;
  /** When the first unread message was written that the reader must be told of; null when there is none. */
  oldestAt: number | null;
  count: number;
  latestId: string | null;
  text: string | null;
  photos: number | null;
  productName: string | null;
}

/** The notices that are due, with what their readers haven't read. Reads up to 100 messages of each conversation. */
function findDue({ db, now }: Store): Promise<WaitingNotice[]> {
  // Newest first, so that a conversation with more of them still shows the latest.
  const unread = sql`SELECT id, created_at, order_item_id FROM messages
    WHERE thread = ${threadSql(sql`n.user_id`, sql`n.other_id`)} AND created_at >= n.since AND recipient_id = n.user_id
      AND read = 0 AND removed_at IS NULL AND kind IN (${sql.join(
        NOTICE_KINDS.map((kind) => sql`${kind}`),
        sql`, `,
      )})
    ORDER BY created_at DESC, id DESC LIMIT ${NOTICE_COUNTED}`;
  const mustBeTold = sql`(u.created_at = c.asked_at
    OR EXISTS (SELECT 1 FROM order_items i WHERE i.id = u.order_item_id AND NOT ${stateIs("i.status", ITEM.isUnpaid)}))`;
  return db.all<WaitingNotice>(sql`SELECT n.user_id AS userId, n.other_id AS otherId, n.due_at AS dueAt, c.unread, c.last_message_id AS lastMessageId,
      reader.email, own.full_name AS readerName, other.full_name AS senderName,
      (reader.suspended_at IS NOT NULL OR sender.suspended_at IS NOT NULL OR EXISTS (SELECT 1 FROM blocks
        WHERE (user_id = n.user_id AND blocked_id = n.other_id) OR (user_id = n.other_id AND blocked_id = n.user_id))) AS isClosed,
      (SELECT MIN(u.created_at) FROM (${unread}) u WHERE ${mustBeTold}) AS oldestAt,
      (SELECT COUNT(*) FROM (${unread})) AS count,
      latest.id AS latestId, latest.message AS text, json_array_length(latest.images) AS photos, ${spokenName("p", sql`latest.order_item_id`, sql`p.seller_id = n.user_id`)} AS productName
    FROM (SELECT * FROM message_notices WHERE due_at <= ${now()} ORDER BY due_at LIMIT ${AT_ONCE}) n
      JOIN credentials reader ON reader.id = n.user_id JOIN credentials sender ON sender.id = n.other_id
      LEFT JOIN profiles own ON own.id = n.user_id LEFT JOIN profiles other ON other.id = n.other_id
      LEFT JOIN conversations c ON c.user_id = n.user_id AND c.other_id = n.other_id
      LEFT JOIN messages latest ON latest.id = (SELECT id FROM (${unread}) LIMIT 1)
      LEFT JOIN products p ON p.id = latest.product_id
    ORDER BY n.due_at`);
}

/**
 * Tells the reader, lets the notice wait on for messages that are younger, or ends it. Nothing of this happens if the
 * conversation has moved on since it was read; the next run looks again. Returns whether this run told the reader.
 */
async function settle(services: NoticeServices, waiting: WaitingNotice): Promise<boolean> {
  const now = services.now();
  const { userId, otherId, oldestAt } = waiting;
  const notice = waiting.isClosed === 1 || oldestAt === null ? null : toNotice(waiting, services.origin);
  const isYoung = oldestAt !== null && oldestAt + NOTICE_WAIT_MS > now;
  const change = !notice
    ? sql`due_at = NULL`
    : isYoung
      ? sql`due_at = ${notBeforePause(sql`${oldestAt + NOTICE_WAIT_MS}`)}, since = ${oldestAt}`
      : sql`due_at = NULL, told_at = ${now}`;
  const conversation = sql`SELECT 1 FROM conversations WHERE user_id = ${userId} AND other_id = ${otherId}
    AND (unread <> ${waiting.unread} OR last_message_id <> ${waiting.lastMessageId})`;
  try {
    await runBatch(services.db, [
      sql`UPDATE message_notices SET ${change} WHERE user_id = ${userId} AND other_id = ${otherId} AND due_at = ${waiting.dueAt}`,
      expectOneChange(),
      expectThat(sql`NOT EXISTS (${conversation})`),
      ...(notice && !isYoung ? deliver(notice, now) : []),
    ]);
  } catch (error) {
    // Another run was faster, or they have just read or written.
    if (error instanceof PreconditionFailed) return false;
    throw error;
  }
  return notice !== null && !isYoung;
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

/** Statements that tell somebody: an email. */
function deliver({ reader, sender, count, latestId, productName, excerpt }: MessageNotice, now: number): Statement[] {
  const mail: Mail = {
    to: reader.email,
    template: "new_messages",
    data: { name: reader.name, senderName: sender.name, otherId: sender.id, count, productName, excerpt },
  };
  return [queueEffect("mail", `messages:${latestId}`, mail, now)];
}
