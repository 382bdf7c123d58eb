import { and, eq, inArray, isNull } from "drizzle-orm";
import { DELETED_PLACE } from "#app/accounts/login/account-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { meetings } from "#app/orders/tables.server.ts";
import { tradedBy } from "#app/orders/erase.server.ts";

/** The account is being deleted: the places that it named in its own words go. */
export function eraseMeetings(userId: string): Statement {
  return build
    .update(meetings)
    .set({ place: DELETED_PLACE })
    .where(
      and(isNull(meetings.pointId), eq(meetings.proposedBy, userId), inArray(meetings.orderItemId, tradedBy(userId))),
    );
}
