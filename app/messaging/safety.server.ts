import { sql } from "drizzle-orm";
import { repeatBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";

/**
 * Blocks a person: neither can message the other, and old messages stay. Safe to repeat. Returns false for oneself and
 * for unknown ids.
 */
export async function blockUser(store: Store, input: { userId: string; blockedId: string }): Promise<boolean> {
  if (input.userId === input.blockedId) return false;
  const [blocked] = await repeatBatch(store.db, [
    sql`INSERT INTO blocks (user_id, blocked_id, created_at) SELECT ${input.userId}, id, ${store.now()} FROM credentials WHERE id = ${input.blockedId}
      ON CONFLICT DO UPDATE SET created_at = created_at RETURNING user_id`,
  ]);
  return blocked?.results.length === 1;
}

export async function unblockUser(store: Store, input: { userId: string; blockedId: string }): Promise<void> {
  await store.db.run(sql`DELETE FROM blocks WHERE user_id = ${input.userId} AND blocked_id = ${input.blockedId}`);
}
