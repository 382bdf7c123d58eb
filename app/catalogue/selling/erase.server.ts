import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import { afterListingsChanged, listingsOf } from "#app/catalogue/listing-effects.server.ts";
import { forgetSearches } from "#app/catalogue/saved/saved-searches.server.ts";
import { eraseReports } from "#app/catalogue/serials/stolen-serials.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { foundListings, listingSerials, products, stockWaits } from "#app/catalogue/tables.server.ts";

/**
 * The account is being deleted: its listings are marked as deleted, and lose their words. Its waits and saved searches
 * go.
 */
export function eraseListings(userId: string, now: number): Statement[] {
  return [
    updateListings(
      { deletedAt: now, description: "", location: "Unknown", updatedAt: now },
      and(eq(products.sellerId, userId), isNull(products.deletedAt)),
    ),
    updateListings({ description: "" }, and(eq(products.sellerId, userId), ne(products.description, ""))),
    ...afterListingsChanged(listingsOf(userId), now),
    build.delete(listingSerials).where(inArray(listingSerials.productId, listingsOf(userId))),
    eraseReports(userId),
    build.delete(stockWaits).where(eq(stockWaits.userId, userId)),
    ...forgetSearches(userId),
    build.delete(foundListings).where(eq(foundListings.userId, userId)),
  ];
}
