import { and, eq, type SQL, sql } from "drizzle-orm";
import { endBlockedOffers } from "#app/catalogue/end-offers.server.ts";
import { write } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { blocks, credentials } from "#app/accounts/tables.server.ts";

/**
 * Blocks a person: neither can message the other, their offers end, and old messages stay. Safe to repeat. Returns
 * false for oneself and for unknown ids.
 */
export async function blockUser(store: Store, input: { userId: string; blockedId: string }): Promise<boolean> {
  if (input.userId === input.blockedId) return false;
  const { blocked } = await write(store.db, {
    block: insertEach(
      blocks,
      { userId: input.userId, blockedId: credentials.id, createdAt: store.now() },
      sql`FROM ${credentials} WHERE ${credentials.id} = ${input.blockedId}`,
    ).onConflictDoNothing(),
    blocked: build
      .select({ userId: blocks.userId })
      .from(blocks)
      .where(and(eq(blocks.userId, input.userId), eq(blocks.blockedId, input.blockedId))),
    endBlockedOffers: endBlockedOffers(input.userId, input.blockedId, store.now()),
  });
  return blocked.length === 1;
}

export async function unblockUser(store: Store, input: { userId: string; blockedId: string }): Promise<void> {
  await write(store.db, [build.delete(blocks).where(blocksOf(input.userId, input.blockedId))]);
}

function blocksOf(userId: string, blockedId: string): SQL | undefined {
  return and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId));
}
