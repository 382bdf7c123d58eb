/** How many messages one person can send. */
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { countOne, isWithin } from "#app/db/rate-counters.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

interface SendLimit {
  /** How many messages within one window. */
  max: number;
  windowMs: number;
}
/** How many messages one person can send, in all conversations together. */
const SEND_LIMITS: readonly SendLimit[] = [
  { max: 30, windowMs: MINUTE_MS },
  { max: 600, windowMs: DAY_MS },
];
/** How many new people one person can message in a day. */
export const FIRST_MESSAGES = { max: 40, windowMs: DAY_MS };

export function firstMessagesKey(senderId: string): string {
  return `messages:first:${senderId}`;
}

/** SQL: the sender can send one more message. */
export function hasLeft(senderId: string, now: number): SQL {
  const each = SEND_LIMITS.map((limit) => sql`${sentLately(senderId, limit, now)} < ${limit.max}`);
  return sql`(${sql.join(each, sql` AND `)})`;
}

/** SQL for a batch that has written the message: the sender's messages are still within the limit. */
function isWithinLimit(senderId: string, limit: SendLimit, now: number): SQL {
  return sql`${sentLately(senderId, limit, now)} <= ${limit.max}`;
}

/**
 * SQL: how many messages the sender wrote within the window, counted up to one more than the limit. The messages
 * themselves are counted, because a counter would cost two more written rows a message and limit.
 */
function sentLately(senderId: string, { max, windowMs }: SendLimit, now: number): SQL {
  const some = build
    .select({ one: sql`1`.as("one") })
    .from(messages)
    .where(writtenAfter(senderId, now - windowMs))
    .limit(max + 1)
    .as("some");
  return build.$count(some);
}

export function writtenAfter(senderId: string, time: number): SQL | undefined {
  return and(eq(messages.senderId, senderId), gt(messages.createdAt, time));
}

/** Counts a message to a stranger. Aborts the batch when messages at the same moment have used up the allowance. */
export function countFirstMessage(
  { senderId, maxFirstMessages }: { senderId: string; maxFirstMessages: number },
  now: number,
): Statement[] {
  const key = firstMessagesKey(senderId);
  return [countOne({ key, ...FIRST_MESSAGES }, now), expectThat(isWithin({ key, max: maxFirstMessages }))];
}

/** For a batch that has written a message: the sender's messages are still within the limits. */
export function expectWithinLimits(senderId: string, now: number): Statement[] {
  return SEND_LIMITS.map((limit) => expectThat(isWithinLimit(senderId, limit, now)));
}
