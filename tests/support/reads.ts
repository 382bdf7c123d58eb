import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { ownListingRows, readOwnListings } from "#app/catalogue/selling/listings.server.ts";
import { read } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";

export async function listOwnListings(db: Database, sellerId: string, after: string | null): Promise<ProductPage> {
  const rows = await read(db, ownListingRows(sellerId, after));
  return readOwnListings(rows, readCursor(after) && after);
}
