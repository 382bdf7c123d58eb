/** What owners have just done with their listings, shown before the server has said so, on every screen that lists them. */
import { useSyncExternalStore } from "react";
import type { ProductStatus } from "#app/catalogue/rules.ts";

export interface Change {
  /** What the server said when it was made: as soon as it says something else, that counts. */
  from: ProductStatus;
  /** Null: deleted. */
  to: ProductStatus | null;
  pending: boolean;
}

let changes: ReadonlyMap<string, Change> = new Map();
const listeners = new Set<() => void>();

/** Shows a change everywhere, or, with null, what the server says. */
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

/** A product as it is to be shown now. */
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
    pending: change.pending,
  };
}
