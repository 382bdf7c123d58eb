/** What was typed into the form of a listing, kept on this device until it is sent or thrown away. */
import type { ProductImage } from "#app/db/schema.ts";
import { EMPTY_LISTING, type ListingValues } from "./listing-rules.ts";

export interface ListingDraft {
  values: ListingValues;
  images: ProductImage[];
  /** When the edited listing was last saved, ms; null for a new one. A draft of an older state is of no use. */
  basedOn: number | null;
  /** When it was first kept, ms. */
  begunAt: number;
}

/** Photos that were not posted are swept after a day. */
const PHOTOS_KEPT_MS = 20 * 60 * 60_000;

/** Drafts are a person's own: others may use the same device. */
export function draftKey(sellerId: string, productId: string | null): string {
  return `listingDraft:${sellerId}:${productId ?? "new"}`;
}

/** The draft under this key, or null. */
export function readDraft(key: string, basedOn: number | null, now: number): ListingDraft | null {
  try {
    const draft = asDraft(JSON.parse(localStorage.getItem(key) ?? "null"));
    if (!draft || draft.basedOn !== basedOn) return null;
    return now - draft.begunAt > PHOTOS_KEPT_MS ? { ...draft, images: [] } : draft;
  } catch {
    return null;
  }
}

export function writeDraft(key: string, draft: ListingDraft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A browser that keeps nothing still lists.
  }
}

export function clearDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

function asDraft(kept: unknown): ListingDraft | null {
  if (!isRecord(kept) || !isRecord(kept.values) || !Array.isArray(kept.images) || typeof kept.begunAt !== "number")
    return null;
  const { values, images, begunAt, basedOn } = kept;
  const texts = Object.keys(EMPTY_LISTING).map((field) => [
    field,
    typeof values[field] === "string" ? values[field] : "",
  ]);
  return {
    values: { ...EMPTY_LISTING, ...Object.fromEntries(texts) },
    images: images.filter(isImage),
    basedOn: typeof basedOn === "number" ? basedOn : null,
    begunAt,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isImage(value: unknown): value is ProductImage {
  return (
    isRecord(value) && typeof value.key === "string" && typeof value.width === "number" && Array.isArray(value.widths)
  );
}
