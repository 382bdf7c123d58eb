import { sql } from "drizzle-orm";
import { rowOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { type Following, followersOf } from "./shops.server.ts";

export type FollowResult = ({ ok: true } & Following) | { ok: false; code: "not_found" | "own" };

/**
 * Follows a shop, or stops following it. `follow` is the wanted state rather than a switch, so asking twice, or from
 * two pages at once, gives the same result. One round trip. Nobody can follow their own shop.
 */
export async function changeFollow(
  store: Store,
  input: { userId: string; shopId: string; follow: boolean },
): Promise<FollowResult> {
  const { userId, shopId, follow } = input;
  if (userId === shopId) return { ok: false, code: "own" };
  const change = follow
    ? sql`INSERT INTO shop_follows (user_id, shop_id, created_at) SELECT ${userId}, id, ${store.now()} FROM shops WHERE id = ${shopId} ON CONFLICT DO NOTHING`
    : sql`DELETE FROM shop_follows WHERE user_id = ${userId} AND shop_id = ${shopId}`;
  const [, state] = await runBatch(store.db, [
    change,
    sql`SELECT ${followersOf(sql`h.id`)} AS followers FROM shops h WHERE h.id = ${shopId}`,
  ]);
  const shop = rowOf<{ followers: number }>(state);
  return shop ? { ok: true, follows: follow, followers: shop.followers } : { ok: false, code: "not_found" };
}
