/** Products that were looked at on this device: kept in the browser only, apart for everybody who signs in on it. */
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

type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Latest first, each product once; none where the browser keeps nothing. */
export function readHistory(viewerId: string, storage: () => Keeper = browserStorage): ViewedProduct[] {
  try {
    const kept: unknown = JSON.parse(storage().getItem(keyOf(viewerId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isViewed).slice(0, HISTORY_MAX) : [];
  } catch {
    return [];
  }
}

/** Puts a product first. A browser that keeps nothing is left alone. */
export function noteView(
  viewerId: string,
  product: Omit<ViewedProduct, "viewedAt">,
  now: number,
  storage: () => Keeper = browserStorage,
): void {
  const { id, name, price, image } = product;
  const others = readHistory(viewerId, storage).filter((viewed) => viewed.id !== id);
  const latest = [{ id, name, price, image, viewedAt: now }, ...others].slice(0, HISTORY_MAX);
  quietly(() => storage().setItem(keyOf(viewerId), JSON.stringify(latest)));
}

export function forgetHistory(viewerId: string, storage: () => Keeper = browserStorage): void {
  quietly(() => storage().removeItem(keyOf(viewerId)));
}

function keyOf(viewerId: string): string {
  return `browsingHistory:${viewerId}`;
}

/** Reaching it may throw already, where the browser forbids it. */
function browserStorage(): Keeper {
  return localStorage;
}

function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // Storage is full or forbidden.
  }
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
