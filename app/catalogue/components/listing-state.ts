/**
 * Changes that owners have just made to their listings. Every screen shows them before the server's data includes them.
 */
import { useSyncExternalStore } from "react";
import type { ProductStatus } from "#app/catalogue/rules.ts";

export interface Change {
  /** The server's status when the change was made. The change is shown until the server reports a different one. */
  from: ProductStatus;
  /** Null means deleted. */
  to: ProductStatus | null;
  /** When the server made the change, ms on its clock; null until it answers. */
  madeAt: number | null;
}

const NO_CHANGES: ReadonlyMap<string, Change> = new Map();
let changes = NO_CHANGES;
const listeners = new Set<() => void>();

/** Shows a change on every screen. Null shows the server's data again. */
export function putChange(id: string, change: Change | null): void {
  const after = new Map(changes);
  if (change) after.set(id, change);
  else after.delete(id);
  changes = after;
  for (const listener of listeners) listener();
}

export function changeOf(id: string): Change | undefined {
  return changes.get(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export interface Listing {
  id: string;
  status: ProductStatus;
}

/** A product with the changes applied. */
export function useListingState({ id, status }: Listing): {
  status: ProductStatus;
  deleted: boolean;
  pending: boolean;
} {
  const change = useSyncExternalStore(
    subscribe,
    () => changes.get(id),
    () => undefined,
  );
  if (!change) return { status, deleted: false, pending: false };
  return {
    status: change.from === status && change.to ? change.to : status,
    deleted: change.to === null,
    pending: change.madeAt === null,
  };
}

interface ListingCounts {
  listings: number;
  activeListings: number;
}

/**
 * A seller's counts, which were read from the database at `readAt` (ms, the server's clock), with later changes
 * applied.
 */
export function useListingCounts(counts: ListingCounts, readAt: number): ListingCounts {
  const made = useSyncExternalStore(
    subscribe,
    () => changes,
    () => NO_CHANGES,
  );
  const result = { listings: counts.listings, activeListings: counts.activeListings };
  for (const { from, to, madeAt } of made.values()) {
    if (madeAt !== null && madeAt <= readAt) continue;
    if (to === null) result.listings -= 1;
    result.activeListings += Number(to === "active") - Number(from === "active");
  }
  return result;
}
