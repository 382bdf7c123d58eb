/** Uploaded photos of a form that isn't sent yet, as the browser keeps them. Pure. */
import type { ProductImage } from "#app/db/product-image.ts";
import { readImages } from "./photo-list.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** Uploaded photos that aren't part of anything are deleted after a day. */
export const PHOTOS_KEPT_MS = 20 * HOUR_MS;

export interface KeptPhoto {
  image: ProductImage;
  /** Since when, ms. */
  at: number;
}

/** What to keep of a form that has these photos now, and whose earlier ones were `kept`. */
export function keepPhotos(images: readonly ProductImage[], kept: readonly KeptPhoto[], now: number): KeptPhoto[] {
  const since = new Map(kept.map(({ image, at }) => [image.key, at]));
  return images.map((image) => ({ image, at: since.get(image.key) ?? now }));
}

/** The photos in a value from the browser's storage that the server still has. */
export function readKeptPhotos(value: unknown, now: number): KeptPhoto[] {
  if (!Array.isArray(value)) return [];
  return (value as (Partial<KeptPhoto> | null)[]).flatMap((entry) => {
    const [image] = readImages([entry?.image]);
    const at = entry?.at;
    return image && typeof at === "number" && now - at <= PHOTOS_KEPT_MS ? [{ image, at }] : [];
  });
}
