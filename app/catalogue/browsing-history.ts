/** Products that were looked at on this device: kept in the browser only, apart for everybody who logs in on it. */
import { readPrivate, writePrivate } from "#app/platform/private-storage.ts";
import type { ShownImage } from "./image-sources.ts";

/** A product as it was when it was looked at. */
export interface ViewedProduct {
  id: string;
  name: string;
  /** KES. */
  price: number;
  image: ShownImage | null;
  /** ms since 1970. */
  viewedAt: number;
}

/** Products; older ones fall out. */
export const HISTORY_MAX = 50;

const NAME = "browsing-history";

/** Latest first, each product once; none where the browser keeps nothing. */
export function readHistory(): ViewedProduct[] {
  const kept = readPrivate("device", NAME);
  return Array.isArray(kept) ? kept.filter(isViewed).slice(0, HISTORY_MAX) : [];
}

/** Puts a product first. `now` in ms. */
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
