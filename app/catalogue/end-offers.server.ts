/**
 * Offers that can't be kept any more end, so that nobody can accept or pay one. The scheduled job tells their buyers.
 * An accepted offer is a promise: a new price doesn't end it. If the new price is lower, its buyer pays that.
 */
import { and, eq, inArray, isNotNull, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { offers, products } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER, type OfferEndReason } from "#app/db/states/offer.ts";
import { afterReservationsChanged, countReserved } from "./stock/stock-effects.server.ts";

const IS_ACTIVE = stateIs(offers.state, OFFER.isActive);

function ended(endReason: OfferEndReason | SQL<OfferEndReason>, now: number) {
  return { state: "ended", endReason, noticeDue: true, updatedAt: now } as const;
}

/** SQL: the listings whose offers this batch has ended. */
function justEnded(which: SQL | undefined, now: number) {
  return build
    .select({ id: offers.productId })
    .from(offers)
    .where(and(which, eq(offers.state, "ended"), eq(offers.updatedAt, now)));
}

/** Ends the offers for these listings that aren't for sale, or not as they were when the offer was made. `ids`: SQL */
export function endStaleOffers(ids: SQLWrapper, now: number): Statement[] {
  const isGone = or(isNotNull(products.deletedAt), isNotNull(products.suspendedAt));
  const isOffSale = ne(products.status, "active");
  const isChanged = ne(products.revision, offers.revision);
  const isRepriced = and(ne(products.price, offers.listingPrice), stateIs(offers.state, OFFER.isNegotiated));
  const because = (reason: OfferEndReason) => sql`${reason}`;
  const reason = sql<OfferEndReason>`CASE WHEN ${isGone} THEN ${because("listing_removed")}
    WHEN ${isOffSale} THEN ${because("sold_out")} WHEN ${isChanged} THEN ${because("listing_changed")}
    ELSE ${because("price_changed")} END`;
  const isStale = or(isGone, isOffSale, isChanged, isRepriced);
  return [
    build
      .update(offers)
      .set(ended(reason, now))
      .from(products)
      .where(and(inArray(offers.productId, ids), IS_ACTIVE, eq(products.id, offers.productId), isStale)),
    countReserved(justEnded(inArray(offers.productId, ids), now)),
  ];
}

/** Ends the offers between two people of whom one has blocked the other. */
export function endBlockedOffers(one: string, other: string, now: number): Statement[] {
  const isBetween = or(
    and(eq(offers.buyerId, one), eq(offers.sellerId, other)),
    and(eq(offers.buyerId, other), eq(offers.sellerId, one)),
  );
  return [
    build
      .update(offers)
      .set(ended("blocked", now))
      .where(and(IS_ACTIVE, isBetween, blockBetween(offers.buyerId, offers.sellerId))),
    ...afterReservationsChanged(justEnded(isBetween, now), now),
  ];
}

/** Ends the offers of a person whose account is closed: suspended, or deleted. */
export function endClosedOffers(userId: string, now: number): Statement[] {
  const isClosed = hasRow(credentials, and(eq(credentials.id, userId), isNotNull(credentials.suspendedAt)));
  const own = build.select({ id: products.id }).from(products).where(eq(products.sellerId, userId));
  const isTheirs = or(eq(offers.buyerId, userId), inArray(offers.productId, own));
  return [
    build
      .update(offers)
      .set(ended("account_closed", now))
      .where(and(IS_ACTIVE, isTheirs, isClosed)),
    ...afterReservationsChanged(justEnded(isTheirs, now), now),
  ];
}
