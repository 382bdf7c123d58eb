/** Who signed up by whose link, and the week that it brings them (docs/product-rules.md, "Bring a friend"). */
import { and, count, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { publicName } from "#app/safety/public-text-rules.ts";
import { invitationIn } from "#app/public-links.ts";
import { read, type Statement } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { idOfShortId } from "#app/db/short-id.ts";
import { credentials, invitations, profiles, shops } from "#app/accounts/tables.server.ts";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { extendFeatured } from "./featured-time.server.ts";
import {
  FEATURED_WEEK_MS,
  FRIENDS_COUNT_MAX,
  FRIENDS_COUNT_MS,
  type InvitationRole,
  type OwnInvitations,
  WEEKS_AHEAD_MAX,
} from "./invitation-rules.ts";

const SIDES = {
  invited: { id: invitations.invitedId, weekAt: invitations.invitedWeekAt },
  inviter: { id: invitations.inviterId, weekAt: invitations.inviterWeekAt },
} as const satisfies Record<InvitationRole, unknown>;

/** SQL on `credentials`: the open account of a link. */
const isInviter = (shortId: string) =>
  and(eq(credentials.id, idOfShortId(credentials, shortId)), isNull(credentials.suspendedAt));

/** For the batch of a sign-up, after the account. `to`: where it goes on, which is the link that somebody came by. */
export function noteInvitation(invitedId: string, to: string | null, now: number): Statement[] {
  const shortId = invitationIn(to);
  if (shortId === null) return [];
  return [
    insertEach(
      invitations,
      { invitedId, inviterId: credentials.id, createdAt: now },
      sql`FROM ${credentials} WHERE ${and(isInviter(shortId), ne(credentials.id, invitedId))}`,
    ),
  ];
}

/** The first name of who invites by a link; null where the link is nobody's. */
export async function findInviter({ db }: Pick<Store, "db">, to: string | null): Promise<string | null> {
  const shortId = invitationIn(to);
  if (shortId === null) return null;
  const [row] = await db
    .select({ fullName: profiles.fullName })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.id))
    .where(isInviter(shortId));
  return row ? calledBy(row.fullName) : null;
}

function calledBy(fullName: string): string {
  return publicName(firstName(fullName)) || "A friend";
}

/** Where somebody else made an account with an address, its owner wasn't invited. SQL `only`: on which condition. */
export function forgetInvitation(invitedId: string, only?: SQL): Statement {
  return build.delete(invitations).where(and(eq(invitations.invitedId, invitedId), only));
}

/**
 * For the batch that deletes an account. Whom it had invited keep what they were promised, and so does who invited it:
 * what has counted names an emptied account from then on.
 */
export function eraseInvitations(userId: string): Statement[] {
  return [
    forgetInvitation(userId, isNull(invitations.countedAt)),
    build.update(invitations).set({ inviterId: null }).where(eq(invitations.inviterId, userId)),
  ];
}

/** SQL: somebody was invited, and no deal of theirs counts yet. `userId`: SQL. */
export function hasOpenInvitation(userId: SQLWrapper): SQL {
  return hasRow(invitations, and(eq(invitations.invitedId, userId), isNull(invitations.countedAt)));
}

/** The invitations of `invitedIds` of which `counts` holds, SQL on `invitations`, count from now on. */
export function countInvitations(invitedIds: SQLWrapper, counts: SQL | undefined, now: number): Statement {
  return build
    .update(invitations)
    .set({ countedAt: now })
    .where(and(inArray(invitations.invitedId, invitedIds), isNull(invitations.countedAt), hasRoom(now), counts));
}

/** SQL on `invitations`: fewer friends of their inviter count than may, whether those still have an account or not. */
function hasRoom(now: number): SQL {
  const other = alias(invitations, "other_invitation");
  const isRecent = and(eq(other.inviterId, invitations.inviterId), gt(other.countedAt, now - FRIENDS_COUNT_MS));
  const counted = build.select({ n: count() }).from(other).where(isRecent);
  return sql`(${counted}) < ${FRIENDS_COUNT_MAX}`;
}

/**
 * The weeks that wait for these people begin, if they have a shop. `userIds`: SQL for the ids of people who have
 * something for sale, as a plan asks, too: the days would pass with nothing to show.
 */
export function beginWeeks(userIds: SQLWrapper, now: number): Statement[] {
  const roles = Object.values(SIDES);
  const waiting = sql`(${build
    .select({ n: count() })
    .from(invitations)
    .where(or(...roles.map(({ id, weekAt }) => and(eq(id, shops.id), isWaiting(weekAt)))))})`;
  const aheadMs = WEEKS_AHEAD_MAX * FEATURED_WEEK_MS;
  const isDue = build
    .select({ id: shops.id })
    .from(shops)
    .where(and(inArray(shops.id, userIds), sql`${waiting} > 0`));
  const hasShop = (id: SQLWrapper) => and(inArray(id, userIds), hasRow(shops, eq(shops.id, id)));
  return [
    extendFeatured(isDue, sql`${waiting} * ${FEATURED_WEEK_MS}`, now, aheadMs),
    build
      .update(invitations)
      .set({ invitedWeekAt: now })
      .where(and(hasShop(invitations.invitedId), isWaiting(invitations.invitedWeekAt))),
    build
      .update(invitations)
      .set({ inviterWeekAt: now })
      .where(and(hasShop(invitations.inviterId), isWaiting(invitations.inviterWeekAt))),
  ];
}

function isWaiting(weekAt: (typeof SIDES)[InvitationRole]["weekAt"]): SQL | undefined {
  return and(isNotNull(invitations.countedAt), isNull(weekAt));
}

/** What a member's invitations have come to. One round trip. */
export async function findInvitations({ db, now }: Store, userId: string): Promise<OwnInvitations> {
  const {
    own: [own],
    brought: [brought],
    shop: [shop],
  } = await read(db, {
    own: build
      .select({
        by: profiles.fullName,
        isGone: asBoolean(isNull(invitations.inviterId)),
        isOpen: asBoolean(isNull(invitations.countedAt)),
        isWaiting: asBoolean(isWaiting(invitations.invitedWeekAt) ?? sql`0`),
      })
      .from(invitations)
      .leftJoin(profiles, eq(profiles.id, invitations.inviterId))
      .where(eq(invitations.invitedId, userId)),
    brought: build
      .select({
        joined: count(),
        counted: count(invitations.countedAt),
        waiting: sql<number>`COALESCE(SUM(${isWaiting(invitations.inviterWeekAt)}), 0)`,
      })
      .from(invitations)
      .innerJoin(credentials, eq(credentials.id, invitations.invitedId))
      .where(and(eq(invitations.inviterId, userId), isNotNull(credentials.emailConfirmedAt))),
    shop: build.select({ until: shops.featuredUntil }).from(shops).where(eq(shops.id, userId)),
  });
  const until = shop?.until ?? null;
  return {
    invitedBy: own && (own.isGone ? null : calledBy(own.by ?? "")),
    isInvitationOpen: own?.isOpen ?? false,
    joined: brought?.joined ?? 0,
    counted: brought?.counted ?? 0,
    weeksWaiting: (own?.isWaiting ? 1 : 0) + (brought?.waiting ?? 0),
    featuredUntil: until !== null && until > now() ? until : null,
  };
}
