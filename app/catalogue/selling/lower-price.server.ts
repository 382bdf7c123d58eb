import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { productRow } from "#app/catalogue/table-rows.server.ts";
import { offers, products } from "#app/catalogue/tables.server.ts";
// The use cases that press it let follow what follows from it.
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { hasRow } from "#app/db/build.ts";
import { stateIs } from "#app/db/state-is.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { LOWER_EVERY_MS } from "./lower-price-rules.ts";

export type Listing = typeof products | typeof productRow;

interface Lowered {
  sellerId: string;
  productId: string;
  /** KES: what the seller saw, and what it costs afterwards (`loweredPrice`). */
  seen: number;
  price: number;
}

/** SQL: nobody is buying it or waits for an answer to an offer, which a new price would end. */
export function isFree(listing: Listing): SQL | undefined {
  const isOffered = and(eq(offers.productId, listing.id), stateIs(offers.state, OFFER.isActive));
  return and(eq(listing.reserved, 0), sql`NOT ${hasRow(offers, isOffered)}`);
}

/** SQL: it wasn't lowered within the last days. */
export function isRested(listing: Listing, now: number): SQL | undefined {
  return or(isNull(listing.loweredAt), lte(listing.loweredAt, now - LOWER_EVERY_MS));
}

/**
 * The statement that makes the seller's own listing cheaper in one press, if it still costs what they saw, is free and
 * rested, and `where` holds. The old price isn't shown crossed out: its seller may have raised it just before. Price
 * steps have prices of their own, so wholesale listings keep theirs.
 */
export function lowerListing(
  { sellerId, productId, seen, price }: Lowered,
  now: number,
  change: Parameters<typeof updateListings>[0],
  where: SQL | undefined,
) {
  return updateListings(
    {
      price,
      loweredAt: now,
      updatedAt: now,
      ...change,
    },
    and(
      eq(products.id, productId),
      eq(products.sellerId, sellerId),
      eq(products.price, seen),
      isNull(products.deletedAt),
      eq(products.wholesale, false),
      sql`COALESCE(${products.lowestOffer}, 0) < ${price}`,
      isFree(products),
      isRested(products, now),
      where,
    ),
  );
}
