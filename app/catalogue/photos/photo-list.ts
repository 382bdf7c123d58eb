/** The photos of a form as they are added, moved and removed. Pure; use-photos.ts uploads them. */
import type { ProductImage } from "#app/db/product-image.ts";

/** Photos of one product. */
export const PHOTOS_MAX = 8;

export interface FormPhoto {
  /** Unique within the form. */
  id: string;
  /** The file name that its owner knows it by. */
  name: string;
  /** A local address of the picture until it is uploaded. */
  preview: string | null;
  upload: Upload;
}

export type Upload =
  | { phase: "waiting" }
  | { phase: "preparing" }
  | { phase: "sending"; share: number }
  | { phase: "failed"; error: string }
  | { phase: "done"; image: ProductImage };

export type PhotoChange =
  | { type: "add"; photos: FormPhoto[]; max: number }
  | { type: "step"; id: string; upload: Upload }
  | { type: "remove"; id: string }
  | { type: "move"; id: string; to: number }
  | { type: "replace"; photos: FormPhoto[] }
  | { type: "fill"; photos: FormPhoto[] };

/**
 * The photos after a change. Changes of a photo that was removed are ignored, and kept photos (`fill`) where some were
 * chosen on this page.
 */
export function changePhotos(photos: FormPhoto[], change: PhotoChange): FormPhoto[] {
  switch (change.type) {
    case "add":
      return [...photos, ...change.photos].slice(0, Math.max(photos.length, change.max));
    case "step":
      return photos.map((photo) => (photo.id === change.id ? { ...photo, upload: change.upload } : photo));
    case "remove":
      return photos.filter(({ id }) => id !== change.id);
    case "move":
      return moved(photos, change.id, change.to);
    case "replace":
      return change.photos;
    case "fill":
      return photos.some(({ preview }) => preview !== null) ? photos : change.photos;
  }
}

function moved(photos: FormPhoto[], id: string, to: number): FormPhoto[] {
  const photo = photos.find((candidate) => candidate.id === id);
  if (!photo) return photos;
  const others = photos.filter((candidate) => candidate !== photo);
  const place = Math.min(Math.max(0, to), others.length);
  return [...others.slice(0, place), photo, ...others.slice(place)];
}

/** Photos that are on the server already. */
export function asFormPhotos(images: readonly ProductImage[]): FormPhoto[] {
  return images.map((image, at) => ({
    id: `${at} ${image.key}`,
    name: "",
    preview: null,
    upload: { phase: "done", image },
  }));
}

/** The keys of uploaded photos, in order, each once. */
export function finishedImages(photos: readonly FormPhoto[]): ProductImage[] {
  const images = photos.flatMap(({ upload }) => (upload.phase === "done" ? upload.image : []));
  return [...new Map(images.map((image) => [image.key, image])).values()];
}

/** The photos in a value from the browser's storage, which may hold anything. */
export function readImages(kept: unknown): ProductImage[] {
  return Array.isArray(kept) ? kept.filter(isImage) : [];
}

function isImage(value: unknown): value is ProductImage {
  if (typeof value !== "object" || value === null) return false;
  const { key, width, widths } = value as Partial<ProductImage>;
  return typeof key === "string" && typeof width === "number" && Array.isArray(widths);
}

/** Whether a photo is still being uploaded. */
export function isUnderWay({ upload }: FormPhoto): boolean {
  return upload.phase !== "done" && upload.phase !== "failed";
}
