/**
 * Changes that owners have just made to their listings. Every screen shows them before the server's data includes them.
 */
import { useSyncExternalStore } from "react";
import type { ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { createStore } from "#app/platform/store.ts";

export interface Change {
  /** The server's status when the change was made. The change is shown until the server reports a different one. */
  from: ProductStatus;
  /** Null means deleted. */
  to: ProductStatus | null;
  /** When the change was made, ms on the server's clock: the listing's `updatedAt`. Null until it answers. */
  madeAt: number | null;
}

/** By the listing's id. */
export const listingChanges = createStore<ReadonlyMap<string, Change>>(new Map());

export interface Listing {
  id: string;
  status: ProductStatus;
  updatedAt?: number;
}

/** The change that was made to a listing, if any. */
export function useChange(id: string): Change | undefined {
  return useSyncExternalStore(
    listingChanges.subscribe,
    () => listingChanges.get().get(id),
    () => undefined,
  );
}

/** A product with the changes applied. */
export function useListingState({ id, status }: Listing): {
  status: ProductStatus;
  deleted: boolean;
  pending: boolean;
} {
  const change = useChange(id);
  if (!change) return { status, deleted: false, pending: false };
  return {
    status: change.from === status && change.to ? change.to : status,
    deleted: change.to === null,
    pending: change.madeAt === null,
  };
}
