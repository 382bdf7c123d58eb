import { and, eq, sql } from "drizzle-orm";
import { write } from "#app/db/batch.ts";
import { asBoolean, build, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { shopFollows } from "./tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { FOLLOWED_MAX } from "./shop-rules.ts";
import { type Following, followersOf, isFollowing } from "./shops.server.ts";

export type FollowResult = ({ ok: true } & Following) | { ok: false; code: "not_found" | "own" | "too_many" };

/**
 * Follows a shop, or stops following it. `follow` is the wanted state rather than a switch, so asking twice, or from
 * two pages at once, gives the same result. One round trip. Nobody can follow their own shop, or more than
 * FOLLOWED_MAX.
 */
export async function changeFollow(
  store: Store,
  input: { userId: string; shopId: string; follow: boolean },
): Promise<FollowResult> {
  const { userId, shopId, follow } = input;
  if (userId === shopId) return { ok: false, code: "own" };
  const followed = build.$count(shopFollows, eq(shopFollows.userId, userId));
  const change = follow
    ? insertEach(
        shopFollows,
        { userId, shopId: shops.id, createdAt: store.now() },
        sql`FROM ${shops} WHERE ${and(eq(shops.id, shopId), sql`${followed} < ${FOLLOWED_MAX}`)}`,
      ).onConflictDoNothing()
    : build.delete(shopFollows).where(and(eq(shopFollows.userId, userId), eq(shopFollows.shopId, shopId)));
  const {
    shop: [shop],
  } = await write(store.db, {
    change,
    shop: build
      .select({ follows: asBoolean(isFollowing(userId, shops.id)), followers: followersOf(sql`${shops.id}`) })
      .from(shops)
      .where(eq(shops.id, shopId)),
  });
  if (!shop) return { ok: false, code: "not_found" };
  return shop.follows === follow ? { ok: true, ...shop } : { ok: false, code: "too_many" };
}
