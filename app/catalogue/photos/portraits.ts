import type { ProductImage } from "#app/db/product-image.ts";
import { photoPath } from "./image-sources.ts";
import { PORTRAIT_SIDES } from "./photo-rules.ts";

/** The path that a profile or a shop keeps of its photo or logo: of the smallest variant. */
export function portraitPath(image: ProductImage): string {
  return photoPath(image, image.widths[0] ?? image.width);
}

/** The photo of such a path, as a form shows it; null where there is none. */
export function portraitPhoto(path: string | null): ProductImage | null {
  const named = /^\/files\/(?<key>.+)\/(?<width>\d+)\.(?<format>webp|jpg|png)$/.exec(path ?? "")?.groups;
  if (!named) return null;
  const smallest = Number(named.width);
  // An original has this one size.
  const widths = smallest === PORTRAIT_SIDES[0] ? [...PORTRAIT_SIDES] : [smallest];
  const width = widths.at(-1) ?? smallest;
  const format = named.format === "jpg" || named.format === "png" ? named.format : "webp";
  return { key: named.key ?? "", format, width, height: width, widths, tone: "#d8d4cc", thumbhash: "" };
}
