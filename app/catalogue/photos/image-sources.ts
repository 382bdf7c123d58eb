import type { ProductImage } from "#app/db/product-image.ts";

/** A product's picture as pages get it. `tone` is the placeholder until it loads: one colour, or a gradient of two. */
export type ShownImage = Omit<ProductImage, "thumbhash" | "preview">;

/** What a Photo needs to show a product's picture in its best variant. `sizes`: the rendered width, in CSS syntax. */
export function imageSources(image: ShownImage | null, sizes: string) {
  if (!image) return { src: null };
  const url = (width: number) => photoPath(image, width);
  return {
    src: url(image.widths.find((width) => width >= 640) ?? image.widths.at(-1) ?? image.width),
    srcSet: image.widths.map((width) => `${url(width)} ${width}w`).join(", "),
    sizes,
    width: image.width,
    height: image.height,
    tone: image.tone,
  };
}

/**
 * What a Photo needs to show a product's picture on a card of at most 360 px: the smallest variant, and a larger one
 * for screens with two pixels or more for each CSS px. It is shorter than `imageSources`, because a page has many
 * cards.
 */
export function cardSources(image: ShownImage | null, priority = false) {
  if (!image) return { src: null };
  const medium = image.widths.find((width) => width >= 640) ?? image.widths.at(-1) ?? image.width;
  const [src, larger] = [photoPath(image, image.widths[0] ?? image.width), photoPath(image, medium)];
  const { tone } = image;
  if (src === larger) return { src, tone };
  // React asks early for a photo in sight, by its srcSet alone.
  return { src, srcSet: `${priority ? `${src} 1x, ` : ""}${larger} 2x`, tone };
}

/** The address of a photo's largest variant. */
export function largestPath(image: Pick<ProductImage, "key" | "format" | "width" | "widths">): string {
  return photoPath(image, image.widths.at(-1) ?? image.width);
}

/** The address of one variant of a photo. `width` is one of its widths. */
export function photoPath(image: Pick<ProductImage, "key" | "format">, width: number): string {
  return `/files/${image.key}/${width}.${image.format ?? "webp"}`;
}
