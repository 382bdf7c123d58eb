import { useRevalidator } from "react-router";
import { LISTING_TEXTS } from "#app/catalogue/listing-rules.ts";
import type { ProductStatus } from "#app/catalogue/rules.ts";
import { toast } from "#app/ui/toast.ts";
import { changeOf, type Listing, putChange } from "./listing-state.ts";

interface Management {
  setStatus(to: ProductStatus): void;
  /** True once it is deleted. */
  remove(): Promise<boolean>;
}

/** Changes a listing at once, tells how it went, and loads the screen's data anew; where it failed, as it was (commerce spec §4). */
export function useManageListing({ id, status }: Listing): Management {
  const { revalidate } = useRevalidator();

  async function make(to: ProductStatus | null, fields: Record<string, string>, failed: string): Promise<boolean> {
    const before = changeOf(id);
    if (before?.pending) return false;
    putChange(id, { from: status, to, pending: true });
    const answer = await post(id, fields);
    if (answer?.ok) {
      putChange(id, { from: status, to, pending: false });
      toast.success(answer.message);
      if (to !== null) void revalidate();
      return true;
    }
    putChange(id, before ?? null);
    toast.error(answer?.message ?? failed);
    void revalidate();
    return false;
  }
  return {
    setStatus: (to) => void make(to, { intent: "status", status: to }, LISTING_TEXTS.status_failed),
    async remove() {
      const deleted = await make(null, { intent: "delete" }, LISTING_TEXTS.delete_failed);
      if (deleted) void revalidate();
      return deleted;
    },
  };
}

async function post(id: string, fields: Record<string, string>): Promise<{ ok: boolean; message: string } | null> {
  try {
    const response = await fetch(managePath(id), {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json" },
    });
    return (await response.json()) as { ok: boolean; message: string };
  } catch {
    return null;
  }
}

/** Where an owner's forms go, which also work without scripts. */
export function managePath(id: string): string {
  return `/product/${id}/manage`;
}
