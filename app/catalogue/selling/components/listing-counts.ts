import { useSyncExternalStore } from "react";
import { type Change, listingChanges } from "./listing-state.ts";

const NONE: ReadonlyMap<string, Change> = new Map();

interface ListingCounts {
  listings: number;
  activeListings: number;
}

/**
 * A seller's counts, which were read from the database at `readAt` (ms, the server's clock), with later changes
 * applied.
 */
export function useListingCounts(counts: ListingCounts, readAt: number): ListingCounts {
  const made = useSyncExternalStore(listingChanges.subscribe, listingChanges.get, () => NONE);
  const result = { listings: counts.listings, activeListings: counts.activeListings };
  for (const { from, to, madeAt } of made.values()) {
    if (madeAt !== null && madeAt <= readAt) continue;
    if (to === null) result.listings -= 1;
    result.activeListings += Number(to === "active") - Number(from === "active");
  }
  return result;
}
