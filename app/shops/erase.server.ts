import { and, eq, or } from "drizzle-orm";
import { forgetShops } from "#app/catalogue/search/search-index.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { shopFollows, subscriptions } from "./tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { PLAN } from "#app/db/states/plan.ts";

/** The account is being deleted: its shop and follows go, and its plan ends. */
export function eraseShop(userId: string, now: number): Statement[] {
  return [
    build
      .update(subscriptions)
      .set({ status: "ended", updatedAt: now })
      .where(and(eq(subscriptions.userId, userId), stateIs(subscriptions.status, PLAN.isOpen))),
    build.delete(shopFollows).where(or(eq(shopFollows.userId, userId), eq(shopFollows.shopId, userId))),
    forgetShops(idList(userId)),
    build.delete(shops).where(eq(shops.id, userId)),
  ];
}
