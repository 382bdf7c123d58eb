/** News that isn't true any more when it leaves must not cost its reader the place on a waiting list. */
import { waitOn } from "#app/catalogue/stock/stock-waits.server.ts";
import type { Store } from "#app/db/client.ts";
import type { WaitingListing } from "#app/notifications/gather.server.ts";

type Told = Partial<Pick<WaitingListing, "at" | "joinedAt">> & { productId: string };

/** Gives the reader of news their places on the lists of what it no longer tells of. `left`: what it still tells of. */
export async function keepWaiting(
  store: Store,
  userId: string,
  listings: readonly Told[],
  left: readonly Told[],
): Promise<void> {
  for (const { productId, joinedAt, at } of listings)
    if (joinedAt !== undefined && at !== undefined && !left.some((listing) => listing.productId === productId))
      await waitOn(store, userId, { productId, joinedAt, at });
}
