/** One picture of a product: `key` names its variants in the public bucket. */
export interface ProductImage {
  /** `/files/{key}/{width}.{format}` serves a variant. */
  key: string;
  /** WebP when undefined. */
  format?: "webp" | "jpg" | "png";
  /** Of the largest variant, px. */
  width: number;
  height: number;
  /** Widths that exist, ascending, px. */
  widths: number[];
  /** Average colour `#rrggbb`, shown until the picture is there. */
  tone: string;
  /** Base64. Empty when the browser couldn't compute it. */
  thumbhash: string;
  /** Whether the same folder has `preview.jpg`. */
  preview?: boolean;
}
