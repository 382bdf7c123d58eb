import { sql } from "drizzle-orm";
import { expectThat, PreconditionFailed, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { REPORT_MAX_LENGTH, threadOf } from "./message-rules.ts";

/** How many reports one person can send in a day. */
const REPORTS = { max: 10, windowMs: 24 * 60 * 60_000 };

/**
 * Blocks a person: neither can message the other, and old messages stay. Safe to repeat. Returns false for oneself and
 * for unknown ids.
 */
export async function blockUser(store: Store, input: { userId: string; blockedId: string }): Promise<boolean> {
  if (input.userId === input.blockedId) return false;
  const blocked = await store.db.all(
    sql`INSERT INTO blocks (user_id, blocked_id, created_at) SELECT ${input.userId}, id, ${store.now()} FROM credentials WHERE id = ${input.blockedId}
      ON CONFLICT DO UPDATE SET created_at = created_at RETURNING user_id`,
  );
  return blocked.length === 1;
}

export async function unblockUser(store: Store, input: { userId: string; blockedId: string }): Promise<void> {
  await store.db.run(sql`DELETE FROM blocks WHERE user_id = ${input.userId} AND blocked_id = ${input.blockedId}`);
}

export type ReportResult = { ok: true } | { ok: false; code: "empty" | "too_long" | "no_conversation" | "too_many" };

/**
 * Reports a conversation to the admins. Each person can have one open report about a conversation; a second one adds
 * nothing.
 */
export async function reportConversation(
  store: Store,
  input: { userId: string; reportedId: string; reason: string },
): Promise<ReportResult> {
  const reason = input.reason.trim();
  if (reason === "") return { ok: false, code: "empty" };
  if (reason.length > REPORT_MAX_LENGTH) return { ok: false, code: "too_long" };
  if (!(await takeAllowance(store, [{ key: `message-reports:${input.userId}`, ...REPORTS }])))
    return { ok: false, code: "too_many" };
  const thread = threadOf(input.userId, input.reportedId);
  try {
    await runBatch(store.db, [
      expectThat(
        sql`EXISTS (SELECT 1 FROM conversations WHERE user_id = ${input.userId} AND other_id = ${input.reportedId})`,
      ),
      sql`INSERT INTO message_reports (id, user_id, thread, reported_id, reason, status, created_at)
        SELECT ${crypto.randomUUID()}, ${input.userId}, ${thread}, ${input.reportedId}, ${reason}, 'open', ${store.now()}
        WHERE NOT EXISTS (SELECT 1 FROM message_reports WHERE user_id = ${input.userId} AND thread = ${thread} AND status = 'open')`,
    ]);
  } catch (error) {
    if (error instanceof PreconditionFailed) return { ok: false, code: "no_conversation" };
    throw error;
  }
  return { ok: true };
}
