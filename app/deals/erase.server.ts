import { inArray } from "drizzle-orm";
import { DELETED_MESSAGE } from "#app/accounts/login/account-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { problems } from "./tables.server.ts";
import { boughtBy } from "#app/orders/erase.server.ts";

/** The account is being deleted: the problems that it reported lose their words and photos. */
export function eraseProblems(userId: string): Statement {
  return build
    .update(problems)
    .set({ description: DELETED_MESSAGE, photos: [] })
    .where(inArray(problems.orderItemId, boughtBy(userId)));
}
