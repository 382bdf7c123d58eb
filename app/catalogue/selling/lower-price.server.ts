import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { products } from "#app/catalogue/tables.server.ts";
// The use cases that press it let follow what follows from it.
import { updateListings } from "#app/catalogue/write-listings.server.ts";

interface Lowered {
  sellerId: string;
  productId: string;
  /** KES: what the seller saw, and what it costs afterwards (`loweredPrice`). */
  seen: number;
  price: number;
}

/**
 * The statement that makes the seller's own listing cheaper in one press, if it still costs what they saw, and `where`
 * holds. The old price stays beside it. Price steps have prices of their own, so wholesale listings keep theirs.
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
      originalPrice: sql`MAX(COALESCE(${products.originalPrice}, 0), ${products.price})`,
      loweredAt: now,
      updatedAt: sql`MAX(${now}, ${products.updatedAt} + 1)`,
      ...change,
    },
    and(
      eq(products.id, productId),
      eq(products.sellerId, sellerId),
      eq(products.price, seen),
      isNull(products.deletedAt),
      eq(products.wholesale, false),
      sql`COALESCE(${products.lowestOffer}, 0) < ${price}`,
      where,
    ),
  );
}
