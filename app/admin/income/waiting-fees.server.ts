/** What one owner has suggested about the service fee, and a second one hasn't decided yet. */
import { and, count, gt, isNotNull, isNull, min, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { credentials } from "#app/accounts/tables.server.ts";
import { serviceFees } from "#app/catalogue/tables.server.ts";
import { write } from "#app/db/batch.ts";
import { build, named } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { isAdmin } from "#app/team/is-admin.server.ts";
import { rolesFor } from "#app/team/role-rules.ts";

const { confirmedAt, createdAt, setBy, startsAt, takeBackAt, takeBackBy } = serviceFees;

/** SQL on `serviceFees`: a fee is suggested. */
export const IS_SUGGESTED = isNull(confirmedAt);

/** SQL on `serviceFees`: two owners have confirmed it, and it hasn't begun at `now`. */
export function isComing(now: number): SQL | undefined {
  return and(isNotNull(confirmedAt), gt(startsAt, now));
}

/** SQL on `serviceFees`: it waits for a second owner other than `ownerId`. */
export function waitsForOther(ownerId: SQLWrapper, now: number): SQL | undefined {
  const toTakeBack = and(isNotNull(takeBackBy), isComing(now), ne(takeBackBy, ownerId));
  return or(and(IS_SUGGESTED, ne(setBy, ownerId)), toTakeBack);
}

/**
 * Tells each owner, once a day, while another owner's suggestion about the service fee waits. Returns how many were
 * told.
 */
export async function remindOfFees({ db, now }: Store): Promise<number> {
  const at = now();
  const since = min(sql`COALESCE(${takeBackAt}, ${createdAt})`);
  const owners = build
    .select({
      ...named({ userId: credentials.id }),
      key: sql`${`fees_waiting:${dayName(at)}:`} || ${credentials.id}`.as("key"),
      data: sql`json_object('count', ${count()}, 'since', ${since})`.as("data"),
    })
    .from(credentials)
    .innerJoin(serviceFees, waitsForOther(credentials.id, at))
    .where(isAdmin(credentials.id, rolesFor("fee_confirmed")))
    .groupBy(credentials.id);
  const {
    told: [told],
  } = await write(db, { told: notifyEach("fees_waiting", owners.getSQL(), at) });
  return (told as D1Result).meta.changes;
}
