import { and, type Column, desc, eq, exists, isNotNull, not, or, type SQL, sql } from "drizzle-orm";
import { build, hasRow } from "#app/db/build.ts";
import { attendance, blocks, credentials, profiles, sellerBuyers } from "#app/accounts/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- how fast a seller answers stands on product pages
import { conversations } from "#app/messaging/tables.server.ts";
import { meetingRecordText, type MeetingSide } from "./missed-meeting-rules.ts";
import { CONVERSATIONS_COUNTED, type ConversationStart, medianAnswer, type SellerRecord } from "./reliability-rules.ts";

/**
 * SQL: the latest conversations that others began with a seller, as JSON. At most 20 rows, by an index. Whoever waits
 * for an answer that the seller can't give, because they blocked the seller or their account is closed, doesn't count.
 * `sellerId` is the SQL of a column. Read the result with `readAnswerMs`.
 */
export function latestConversationStarts(sellerId: SQL): SQL {
  const { userId, otherId, askedAt, replyMs } = conversations;
  const hasBlocked = hasRow(blocks, and(eq(blocks.userId, otherId), eq(blocks.blockedId, userId)));
  const closed = build
    .select({ id: credentials.id })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(and(eq(credentials.id, otherId), or(isNotNull(credentials.suspendedAt), isNotNull(profiles.deletedAt))));
  const counts = or(isNotNull(replyMs), and(not(hasBlocked), not(exists(closed))));
  const latest = build
    .select({ askedAt, replyMs })
    .from(conversations)
    .where(and(eq(userId, sellerId), isNotNull(askedAt), counts))
    .orderBy(desc(askedAt))
    .limit(CONVERSATIONS_COUNTED)
    .as("latest");
  const starts = sql`json_group_array(json_array(${latest.askedAt}, ${latest.replyMs}))`;
  return sql`${build.select({ starts }).from(latest)}`;
}

/** The median time until a seller's first answer, in ms; null with too few conversations. */
export function readAnswerMs(json: string, now: number): number | null {
  return medianAnswer(JSON.parse(json) as ConversationStart[], now);
}

/** SQL: a seller's record as JSON. It reads a row for each buyer: 10,000 of them in 5 ms. */
export function sellerRecord(sellerId: SQL): SQL {
  const sums = [sellerBuyers.handedOver, sellerBuyers.refunded, sellerBuyers.cancelled].map(
    (way) => sql`total(${way})`,
  );
  const record = sql`json_array(${sql.join(sums, sql`, `)})`;
  return sql`${build.select({ record }).from(sellerBuyers).where(eq(sellerBuyers.sellerId, sellerId))}`;
}

export function readRecord(json: string): SellerRecord {
  const [handedOver, refunded, cancelled] = JSON.parse(json) as [number, number, number];
  return { handedOver, refunded, cancelled };
}

/** SQL: how many meetings a person had, as buyer and as seller, and missed, as JSON. It reads a row for each. */
export function meetingRecord(personId: SQL): SQL {
  const { buyerId, sellerId, missedBy } = attendance;
  const of = (own: Column, other: Column, side: MeetingSide) =>
    sql`SELECT ${other} AS other, ${missedBy} IS ${side} AS missed FROM ${attendance} WHERE ${own} = ${personId}`;
  return sql`(SELECT json_array(COUNT(DISTINCT other), COUNT(DISTINCT iif(missed, other, NULL)))
    FROM (${of(sellerId, buyerId, "seller")} UNION ALL ${of(buyerId, sellerId, "buyer")}))`;
}

/** A person's meetings in words; null with too few. */
export function readMeetingRecord(json: string): string | null {
  const [meetings, missed] = JSON.parse(json) as [number, number];
  return meetingRecordText({ meetings, missed });
}
