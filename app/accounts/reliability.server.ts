import { type SQL, sql } from "drizzle-orm";
import { CONVERSATIONS_COUNTED, type ConversationStart, medianAnswer, type SellerRecord } from "./reliability-rules.ts";

/**
 * SQL: the latest conversations that others began with a seller, as JSON. At most 20 rows, by an index. Whoever waits for
 * an answer that the seller can't give, because they blocked the seller or their account is closed, doesn't count.
 * `sellerId` is the SQL of a column. Read the result with `readAnswerMs`.
 */
export function latestConversationStarts(sellerId: SQL): SQL {
  return sql`(SELECT json_group_array(json_array(asked_at, reply_ms)) FROM (SELECT asked_at, reply_ms FROM conversations v
    WHERE user_id = ${sellerId} AND asked_at IS NOT NULL AND (reply_ms IS NOT NULL
      OR NOT (EXISTS (SELECT 1 FROM blocks b WHERE b.user_id = v.other_id AND b.blocked_id = v.user_id)
        OR EXISTS (SELECT 1 FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = v.other_id AND (c.suspended_at IS NOT NULL OR p.deleted_at IS NOT NULL)))) ORDER BY asked_at DESC LIMIT ${CONVERSATIONS_COUNTED}))`;
}

/** The median time until a seller's first answer, in ms; null with too few conversations. */
export function readAnswerMs(json: string, now: number): number | null {
  return medianAnswer(JSON.parse(json) as ConversationStart[], now);
}

/** SQL: a seller's record as JSON; null when none of their sales has ended. One row by its primary key. */
export function sellerRecord(sellerId: SQL): SQL {
  return sql`(SELECT json_array(handed_over, refunded, cancelled) FROM seller_records WHERE seller_id = ${sellerId})`;
}

export function readRecord(json: string | null): SellerRecord {
  const [handedOver, refunded, cancelled] = JSON.parse(json ?? "[0,0,0]") as [number, number, number];
  return { handedOver, refunded, cancelled };
}
