import type { ProductImage } from "#app/db/product-image.ts";
import type { ShownImage } from "./image-sources.ts";
import { placeholderGradient } from "./placeholder-rules.ts";

/** A stored picture as pages get it. */
export function toShown({ thumbhash, tone, preview: _preview, ...image }: ProductImage): ShownImage {
  return { ...image, tone: placeholderGradient(thumbhash) ?? tone };
}
