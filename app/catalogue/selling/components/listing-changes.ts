import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { changeRemembered } from "#app/catalogue/selling/change-remembered.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { managePath, type ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { postForm } from "#app/ui/forms/post-form.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { type Change, type Listing, listingChanges, useChange } from "./listing-state.ts";

interface Management {
  setStatus(to: ProductStatus): void;
  /** True once the listing is deleted. */
  remove(): Promise<boolean>;
}

/** Shows a change to a listing at once, sends it, and reloads the screen's data. A change that fails is undone. */
export function useManageListing({ id, status, updatedAt }: Listing): Management {
  const { revalidate } = useRevalidator();
  const change = useChange(id);
  useEffect(() => {
    if (change && hasArrived(change, status) && listingChanges.get().get(id) === change) putChange(id, null);
  }, [id, change, status]);

  async function make(to: ProductStatus | null, fields: Record<string, string>, failed: string): Promise<boolean> {
    const before = listingChanges.get().get(id);
    if (before?.madeAt === null) return false;
    putChange(id, { from: status, to, madeAt: null });
    const answer = await postForm<Answer>(managePath(id), fields);
    if (answer?.ok) {
      putChange(id, { from: status, to, madeAt: answer.madeAt });
      if (to !== null) changeRemembered(id, { status: to, updatedAt: answer.madeAt });
      toast.success(answer.message);
      if (to !== null) void revalidate();
      return true;
    }
    const now = answer?.status ? { from: status, to: answer.status, madeAt: answer.madeAt } : null;
    putChange(id, now ?? before ?? null);
    toast.error(answer?.message ?? failed);
    // The seller enters the number of pieces in this field.
    if (answer?.code === "needs_stock") document.getElementById(`stock-${id}`)?.focus();
    void revalidate();
    return false;
  }
  return {
    setStatus(to) {
      const seen = Math.max(change?.madeAt ?? 0, updatedAt ?? 0);
      const fields = { intent: "status", status: to, ...(seen && { seen: String(seen) }) };
      void make(to, fields, LISTING_TEXTS.status_failed);
    },
    async remove() {
      // A status change that is under way comes first.
      await answered(id);
      if (listingChanges.get().get(id)?.to === null) return true;
      const deleted = await make(null, { intent: "delete" }, LISTING_TEXTS.delete_failed);
      if (deleted) void revalidate();
      return deleted;
    },
  };
}

/** Waits until no change of this listing is under way. */
function answered(id: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = listingChanges.subscribe(check);
    check();
    function check() {
      if (listingChanges.get().get(id)?.madeAt === null) return;
      stop();
      resolve();
    }
  });
}

/**
 * Whether the server's status shows that a change is over. Otherwise it would come back when the status is the old one
 * again.
 */
export function hasArrived({ from, to, madeAt }: Change, status: ProductStatus): boolean {
  return to !== null && madeAt !== null && from !== status;
}

/** Shows a change on every screen; null shows the server's data again. */
function putChange(id: string, change: Change | null): void {
  const after = new Map(listingChanges.get());
  if (change) after.set(id, change);
  else after.delete(id);
  listingChanges.set(after);
}

type Answer = { message: string } & (
  | { ok: true; madeAt: number }
  | { ok: false; code?: "needs_stock"; status?: undefined }
  /** The listing isn't as its seller saw it. It is like this, since then. */
  | { ok: false; code?: undefined; status: ProductStatus; madeAt: number }
);
