/** The products that were viewed on this device. The browser keeps them, separately for each user. */
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";

/** A product as it was when it was viewed. */
export interface ViewedProduct {
  id: string;
  name: string;
  /** KES. */
  price: number;
  image: ShownImage | null;
  /** Ms since 1970. */
  viewedAt: number;
}

/** How many products are kept. Older ones are dropped. */
export const HISTORY_MAX = 50;

/** How many of them the home page shows. */
export const VIEWED_ON_HOME = 8;

const NAME = "browsing-history";

/** Newest first, each product once. Empty in a browser without storage. */
export function readHistory(): ViewedProduct[] {
  const kept = readPrivate("device", NAME);
  return Array.isArray(kept) ? kept.filter(isViewed).slice(0, HISTORY_MAX) : [];
}

/** Moves a product to the front. `now` in ms. */
export function noteView(product: Omit<ViewedProduct, "viewedAt">, now: number): void {
  const { id, name, price, image } = product;
  const others = readHistory().filter((viewed) => viewed.id !== id);
  writePrivate("device", NAME, [{ id, name, price, image, viewedAt: now }, ...others].slice(0, HISTORY_MAX));
}

export function forgetHistory(): void {
  writePrivate("device", NAME, null);
}

function isViewed(kept: unknown): kept is ViewedProduct {
  if (typeof kept !== "object" || kept === null) return false;
  const { id, name, price, image, viewedAt } = kept as Record<keyof ViewedProduct, unknown>;
  return (
    typeof id === "string" &&
    typeof name === "string" &&
    typeof price === "number" &&
    typeof viewedAt === "number" &&
    (image === null || isImage(image))
  );
}

function isImage(image: unknown): image is ShownImage {
  if (typeof image !== "object" || image === null) return false;
  const { key, widths } = image as Record<keyof ShownImage, unknown>;
  return typeof key === "string" && Array.isArray(widths) && widths.every((width) => typeof width === "number");
}
