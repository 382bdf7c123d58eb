import { and, eq, sql } from "drizzle-orm";
import { runBatch } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { shopFollows, shops } from "#app/db/schema.ts";
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
    ? insertEach(
        shopFollows,
        { userId, shopId: shops.id, createdAt: store.now() },
        sql`FROM ${shops} WHERE ${eq(shops.id, shopId)}`,
      ).onConflictDoNothing()
    : build.delete(shopFollows).where(and(eq(shopFollows.userId, userId), eq(shopFollows.shopId, shopId)));
  const [, [shop]] = await runBatch(store.db, [
    change,
    build
      .select({ followers: followersOf(sql`${shops.id}`) })
      .from(shops)
      .where(eq(shops.id, shopId)),
  ]);
  return shop ? { ok: true, follows: follow, followers: shop.followers } : { ok: false, code: "not_found" };
}
