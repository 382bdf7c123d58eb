/** The values of the listing form. The device keeps them until the form is sent or the draft is discarded. */
import type { ProductImage } from "#app/db/product-image.ts";
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import { EMPTY_LISTING, factFieldsIn, type ListingValues } from "./listing-form-rules.ts";
import { PHOTOS_KEPT_MS } from "#app/catalogue/photos/kept-photos.ts";
import { readImages } from "#app/catalogue/photos/photo-list.ts";

export interface ListingDraft {
  /** The id of the new listing. Sending a draft twice lists it once. */
  productId: string;
  values: ListingValues;
  images: ProductImage[];
  /**
   * What an edit's form was opened with (`writeOpened`), so that a change made meanwhile is merged; null for a new
   * listing.
   */
  opened: string | null;
  /** When it got its first photo that isn't posted, or was saved last without one, ms. */
  begunAt: number;
}

/** The storage name of a draft: of an edited listing, or of a new one (null). */
function nameOf(editedId: string | null): string {
  return `listing-draft:${editedId ?? "new"}`;
}

/** Whether a draft has photos that aren't posted. */
export function hasNewPhotos({ images, opened }: Pick<ListingDraft, "images" | "opened">): boolean {
  return !images.every(isPosted(opened));
}

function isPosted(opened: string | null) {
  return ({ key }: ProductImage) => opened?.includes(key) === true;
}

/** The draft of an edited listing, or of a new one (null). Null when there is none. */
export function readDraft(editedId: string | null, now: number): ListingDraft | null {
  const draft = asDraft(readPrivate("device", nameOf(editedId)));
  if (!draft || (draft.opened === null) !== (editedId === null)) return null;
  // Those of the edited listing stay.
  if (now - draft.begunAt <= PHOTOS_KEPT_MS) return draft;
  return { ...draft, images: draft.images.filter(isPosted(draft.opened)) };
}

export function writeDraft(editedId: string | null, draft: ListingDraft): void {
  writePrivate("device", nameOf(editedId), draft);
}

export function clearDraft(editedId: string | null): void {
  writePrivate("device", nameOf(editedId), null);
}

function asDraft(kept: unknown): ListingDraft | null {
  if (!isRecord(kept) || !isRecord(kept.values)) return null;
  const { productId, values, images, begunAt, opened } = kept;
  if (typeof productId !== "string" || typeof begunAt !== "number") return null;
  const fields = [...Object.entries(EMPTY_LISTING), ...factFieldsIn(values).map((field) => [field, ""] as const)];
  const texts = fields.map(([field, missing]) => [field, typeof values[field] === "string" ? values[field] : missing]);
  return {
    productId,
    values: Object.fromEntries(texts) as unknown as ListingValues,
    images: readImages(images),
    opened: typeof opened === "string" ? opened : null,
    begunAt,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
