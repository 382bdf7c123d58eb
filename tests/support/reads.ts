import { type CategoryInput, type CategoryPage, categoryRead } from "#app/catalogue/browse/category.server.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { ownListingRows, readOwnListings } from "#app/catalogue/selling/listings.server.ts";
import { runBatch, runRead } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { type HomePage, homeRead } from "#app/shops/shops.server.ts";

/** What screens read in the viewer's round trip, alone. */
export function browseCategory(store: Store, input: CategoryInput): Promise<CategoryPage> {
  return runRead(store.db, categoryRead(input, store.now()));
}

export function openHome(store: Store, viewerId: string): Promise<HomePage> {
  return runRead(store.db, homeRead({ viewerId, now: store.now(), wantsAll: false }));
}

export async function listOwnListings(db: Database, sellerId: string, after: string | null): Promise<ProductPage> {
  const [rows] = await runBatch(db, [ownListingRows(sellerId, after)]);
  return readOwnListings(rows, readCursor(after) && after);
}
