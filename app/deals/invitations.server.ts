/** What follows for whoever was invited once a deal of theirs has ended by the code: the statements for its batch. */
import { and, count, eq, exists, gt, isNull, ne, or, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { InvitationRole, UncountedDeals } from "#app/accounts/invitations/invitation-rules.ts";
import { whoSells } from "#app/catalogue/listing-columns.server.ts";
import { beginWeeks, countInvitations } from "#app/accounts/invitations/invitations.server.ts";
import { invitations, profiles, shops } from "#app/accounts/tables.server.ts";
import { read, type Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { ITEM } from "#app/db/states/item.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import type { Deal } from "./find-deal.server.ts";

/** Write it after the item and `afterSalesEnded`, which says whether it was paid by its own seller. */
export function noteInvitedDeal(
  { id, buyer, seller }: Pick<Deal, "id" | "buyer" | "seller">,
  now: number,
): Statement[] {
  const payer = sql`${build
    .select({ phone: orders.phoneNumber })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(eq(orderItems.id, id))}`;
  const payee = sql`${build.select({ phone: profiles.phone }).from(profiles).where(eq(profiles.id, seller.id))}`;
  const sides = sql`(${buyer.id}, ${seller.id})`;
  const isBuyer = eq(invitations.invitedId, buyer.id);
  const own = sql`iif(${isBuyer}, ${payer}, ${payee})`;
  const others = sql`iif(${isBuyer}, ${payee}, ${payer})`;
  const other = sql`iif(${isBuyer}, ${seller.id}, ${buyer.id})`;
  const isSale = and(
    eq(orderItems.id, id),
    stateIs(orderItems.status, ITEM.isCompleted),
    gt(orderItems.subtotal, 0),
    eq(orderItems.paidBySeller, false),
  );
  const counted = sql`${invitations} WHERE ${invitations.invitedId} IN ${sides} AND ${eq(invitations.countedAt, now)}`;
  const people = sql`(SELECT ${invitations.invitedId} FROM ${counted}
    UNION SELECT ${invitations.inviterId} FROM ${counted})`;
  const endsAt = (reader: SQLWrapper, weekAt: SQLWrapper) => sql`(SELECT ${shops.featuredUntil} FROM ${shops}
    WHERE ${and(eq(shops.id, reader), sql`${weekAt} = ${now}`)})`;
  const told = (role: InvitationRole, reader: SQLWrapper, weekAt: SQLWrapper) => sql`SELECT ${reader} AS userId,
    'friend_came:' || ${invitations.invitedId} || ${`:${role}`} AS key,
    json_object('role', ${role}, 'endsAt', ${endsAt(reader, weekAt)}) AS data FROM ${counted}`;
  return [
    countInvitations(
      sides,
      and(hasRow(orderItems, isSale), isThird(other), isOwnNumber(own), isOtherNumber(others)),
      now,
    ),
    ...beginWeeks(whoSells(people), now),
    ...notifyEach(
      "friend_came",
      sql`${told("invited", invitations.invitedId, invitations.invitedWeekAt)}
        UNION ALL ${told("inviter", invitations.inviterId, invitations.inviterWeekAt)}`,
      now,
    ),
  ];
}

const sibling = alias(invitations, "sibling");

/** SQL on `invitations`: the other side is neither who invited, nor somebody whom they invited, too. */
function isThird(other: SQL): SQL | undefined {
  const isSibling = and(eq(sibling.invitedId, other), eq(sibling.inviterId, invitations.inviterId));
  return and(sql`${other} IS NOT ${invitations.inviterId}`, not(hasRow(sibling, isSibling)));
}

/** SQL on `invitations`: nobody else is paid on the number of the invited, or has paid from it. */
function isOwnNumber(phone: SQL): SQL | undefined {
  return not(usesNumber(phone, (userId) => ne(userId, invitations.invitedId)));
}

/** SQL on `invitations`: the other side is no second account of who invited. */
function isOtherNumber(phone: SQL): SQL | undefined {
  return not(usesNumber(phone, (userId) => eq(userId, invitations.inviterId)));
}

function usesNumber(phone: SQL, who: (userId: SQLWrapper) => SQL): SQL {
  const { userId, state } = paymentAttempts;
  return sql`(${or(
    hasRow(profiles, and(eq(profiles.phone, phone), who(profiles.id))),
    hasRow(paymentAttempts, and(eq(paymentAttempts.phone, phone), stateIs(state, ATTEMPT.isPaid), who(userId))),
  )})`;
}

/** SQL on `invitations`: whoever was invited has bought or sold something for money, and no deal of theirs counts. */
const HAS_TRADED = (() => {
  const isDone = and(stateIs(orderItems.status, ITEM.isCompleted), gt(orderItems.subtotal, 0));
  const bought = build
    .select({ id: orderItems.id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(and(eq(orders.userId, invitations.invitedId), isDone));
  const sold = hasRow(orderItems, and(eq(orderItems.sellerId, invitations.invitedId), isDone));
  return and(isNull(invitations.countedAt), or(sold, exists(bought)));
})();

/** The deals of a member and their friends that brought no week. One round trip. */
export async function findUncountedDeals({ db }: Pick<Store, "db">, userId: string): Promise<UncountedDeals> {
  const {
    friends: [friends],
    own,
  } = await read(db, {
    friends: build
      .select({ n: count() })
      .from(invitations)
      .where(and(eq(invitations.inviterId, userId), HAS_TRADED)),
    own: build
      .select({ id: invitations.invitedId })
      .from(invitations)
      .where(and(eq(invitations.invitedId, userId), HAS_TRADED)),
  });
  return { friends: friends?.n ?? 0, own: own.length > 0 };
}
