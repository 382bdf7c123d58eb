import { and, eq, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { holds } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { conversations } from "#app/messaging/tables.server.ts";

/**
 * Whether two people have a conversation and neither has blocked the other. Only then can each see that the other is
 * typing.
 */
export function mayTypeTo(db: Database, userId: string, otherId: string): Promise<boolean> {
  return holds(db, sql`${hasConversation(userId, otherId)} AND ${not(blockBetween(userId, otherId))}`);
}

/** SQL: two people have a conversation. */
export function hasConversation(userId: string, otherId: string | SQLWrapper): SQL {
  return hasRow(conversations, and(eq(conversations.userId, userId), eq(conversations.otherId, otherId)));
}
