import type { ProductImage } from "#app/db/product-image.ts";

/** A large photo that was made smaller in the browser has these variants, too, px. */
const SMALLER = [640, 1080];

/**
 * The photo of a banner's address, as wide as it names; null where there is none, and for an address that isn't ours.
 */
export function bannerPhoto(address: string | null): ProductImage | null {
  const named = /^\/files\/(?<key>.+)\/(?<width>\d+)\.(?<format>webp|jpg|png)$/.exec(address ?? "")?.groups;
  if (!named) return null;
  const width = Number(named.width);
  const format = named.format === "jpg" || named.format === "png" ? named.format : "webp";
  return {
    key: named.key ?? "",
    format,
    width,
    height: Math.round((width * 5) / 16),
    widths: width === 1600 && format === "webp" ? [...SMALLER, width] : [width],
    tone: "#8f8a80",
    thumbhash: "",
  };
}
