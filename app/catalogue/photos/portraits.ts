import type { ProductImage } from "#app/db/schema.ts";
import { photoPath } from "./image-sources.ts";
import { PORTRAIT_SIDES } from "./photo-rules.ts";

/** The path that a profile or a shop keeps of its photo or logo: of the smallest variant. */
export function portraitPath(image: ProductImage): string {
  return photoPath(image, image.widths[0] ?? image.width);
}

/** The photo of such a path, as a form shows it; null where there is none. */
export function portraitPhoto(path: string | null): ProductImage | null {
  const match = /^\/files\/(.+)\/(\d+)\.(webp|jpg|png)$/.exec(path ?? "");
  if (!match?.[1] || !match[2]) return null;
  const smallest = Number(match[2]);
  // An original has this one size.
  const widths = smallest === PORTRAIT_SIDES[0] ? [...PORTRAIT_SIDES] : [smallest];
  const width = widths.at(-1) ?? smallest;
  const format = match[3] === "jpg" || match[3] === "png" ? match[3] : "webp";
  return { key: match[1], format, width, height: width, widths, tone: "#d8d4cc", thumbhash: "" };
}
