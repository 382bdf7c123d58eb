import type { ProductImage } from "#app/db/schema.ts";

/** A large photo that was made smaller in the browser has this variant, too, px. */
const SMALLER = 800;

/**
 * The photo of a banner's address, as wide as it names; null where there is none, and for an address that isn't ours.
 */
export function bannerPhoto(address: string | null): ProductImage | null {
  const match = /^\/files\/(.+)\/(\d+)\.(webp|jpg|png)$/.exec(address ?? "");
  if (!match?.[1] || !match[2]) return null;
  const width = Number(match[2]);
  const format = match[3] === "jpg" || match[3] === "png" ? match[3] : "webp";
  return {
    key: match[1],
    format,
    width,
    height: Math.round((width * 5) / 16),
    widths: width === 1600 && format === "webp" ? [SMALLER, width] : [width],
    tone: "#8f8a80",
    thumbhash: "",
  };
}
