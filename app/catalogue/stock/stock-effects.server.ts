/**
 * What follows from a change of stock, of a payment under way, or of an accepted offer. These are rules that look at
 * the rows as they are, as in `listing-effects.server.ts`.
 */
import { and, eq, exists, inArray, isNotNull, isNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { offers, products, stockWaits } from "#app/catalogue/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- what is reserved follows from who pays and who wishes
import { orderItems } from "#app/orders/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { paymentAttempts } from "#app/payments/tables.server.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- as above
import { wishlistItems } from "#app/basket/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { UNAVAILABLE } from "./stock-waits-columns.server.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/**
 * The statements for the batch that changes who has reserved pieces, after that change. The batch is undone if more
 * were promised than there are. `ids`: SQL, the listings
 */
export function afterReservationsChanged(ids: SQLWrapper, now: number): Statement[] {
  return [countReserved(ids), ...moveWaits(ids, now)];
}

/**
 * A payment under way reserves the pieces of its order, and an accepted offer keeps its own piece. Payments under way
 * are few, so the count starts with them. The trigger `stock_never_oversold` aborts the batch where more were promised
 * than there are.
 */
export function countReserved(ids: SQLWrapper): Statement {
  const byPayments = sql`SELECT COALESCE(SUM(${orderItems.quantity}), 0)
    FROM ${paymentAttempts} CROSS JOIN ${orderItems} ON ${orderItems.orderId} = ${paymentAttempts.orderId}
    WHERE ${orderItems.productId} = ${productRow.id} AND ${orderItems.offerId} IS NULL
      AND ${paymentAttempts.reservesStock} = 1
      AND ${stateIs(paymentAttempts.state, ATTEMPT.isUnderWay)}`;
  const byOffers = build.$count(
    offers,
    and(eq(offers.productId, productRow.id), stateIs(offers.state, OFFER.isAccepted)),
  );
  const counted = sql`(SELECT ${productRow.id} AS id, (${byPayments}) + ${byOffers} AS pieces
    FROM ${products} product_row
    WHERE ${inArray(productRow.id, ids)}) counted`;
  return build
    .update(products)
    .set({ reserved: sql`counted.pieces` })
    .from(counted)
    .where(sql`${products.id} = counted.id AND ${products.reserved} <> counted.pieces`);
}

function waitedFor(ids: SQLWrapper, condition: SQL | undefined): SQL {
  return sql`${inArray(stockWaits.productId, ids)} AND ${exists(
    build
      .select({ id: productRow.id })
      .from(productRow)
      .where(and(eq(productRow.id, stockWaits.productId), condition)),
  )}`;
}

/**
 * Who waits for a listing is told when it can be bought again, and waits on while it can't. Nobody waits for what is
 * gone. Who only wished for it (`welcomeBack`) waits no more once it is taken.
 */
export function moveWaits(ids: SQLWrapper, now: number): Statement[] {
  const isGone = or(isNotNull(productRow.deletedAt), isNotNull(productRow.suspendedAt));
  const isFree = sql`NOT ${UNAVAILABLE}`;
  const onlyWished = sql`${stockWaits.freeAt} = ${stockWaits.createdAt}`;
  return [
    build.delete(stockWaits).where(waitedFor(ids, or(isGone, and(UNAVAILABLE, onlyWished)))),
    build
      .update(stockWaits)
      .set({ freeAt: null })
      .where(and(isNotNull(stockWaits.freeAt), waitedFor(ids, UNAVAILABLE))),
    build
      .update(stockWaits)
      .set({ freeAt: now })
      .where(and(isNull(stockWaits.freeAt), waitedFor(ids, isFree))),
  ];
}

/** They are buying it, so they wait no more. `ids`: SQL, the listings */
export function endWaits(userId: string, ids: SQLWrapper): Statement {
  return build.delete(stockWaits).where(and(eq(stockWaits.userId, userId), inArray(stockWaits.productId, ids)));
}

/** A seller who marks it by mistake, and undoes it, disturbs nobody: a day, in ms. */
const GONE_FOR_MS = DAY_MS;

/**
 * Who wished for it is told as whoever waits for it, when it is back a day or more after it was sold. They never joined
 * the list, so their rows begin when they are free, and go if the pieces are reserved or sold before they were told,
 * which takes less than a minute. `sold_at` of what is active says that its return hasn't been noted.
 */
export function welcomeBack(ids: SQLWrapper, now: number): Statement[] {
  const isBack = and(eq(productRow.status, "active"), isNotNull(productRow.soldAt));
  const isShown = and(isNull(productRow.deletedAt), isNull(productRow.suspendedAt), sql`NOT ${UNAVAILABLE}`);
  return [
    insertEach(
      stockWaits,
      { productId: productRow.id, userId: wishlistItems.userId, createdAt: now, freeAt: now },
      sql`FROM ${products} product_row JOIN ${wishlistItems} ON ${wishlistItems.productId} = ${productRow.id}
        WHERE ${and(inArray(productRow.id, ids), isBack, isShown)} AND ${now} - ${productRow.soldAt} >= ${GONE_FOR_MS}
          AND NOT ${blockBetween(wishlistItems.userId, productRow.sellerId)}`,
    ).onConflictDoUpdate({ target: [stockWaits.productId, stockWaits.userId], set: { freeAt: now } }),
    build
      .update(products)
      .set({ soldAt: null })
      .where(and(inArray(products.id, ids), eq(products.status, "active"), isNotNull(products.soldAt))),
  ];
}
