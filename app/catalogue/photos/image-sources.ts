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
 * What a Photo needs to show a product's picture on a card of at most 360 px. It is shorter than `imageSources`,
 * because a page has many cards: two variants are enough, and the grid gives the photo its shape.
 */
export function cardSources(image: ShownImage | null) {
  if (!image) return { src: null };
  const [small = image.width, larger = small] = image.widths;
  const [src, tone] = [photoPath(image, small), image.tone];
  if (small === larger) return { src, tone };
  return { src, srcSet: `${src} ${small}w, ${photoPath(image, larger)} ${larger}w`, sizes: CARD_SIZES, tone };
}

/**
 * Phones show two cards side by side, of 44 % of the screen each. We say less, because a screen with three pixels for
 * each of the page's would else fetch 640 px, which weighs twice as much as 320 px and looks the same at this size.
 */
const CARD_SIZES = "(max-width: 767px) 24vw, 280px";

/** The address of a photo's largest variant. */
export function largestPath(image: Pick<ProductImage, "key" | "format" | "width" | "widths">): string {
  return photoPath(image, image.widths.at(-1) ?? image.width);
}

/** The address of one variant of a photo. `width` is one of its widths. */
export function photoPath(image: Pick<ProductImage, "key" | "format">, width: number): string {
  return `/files/${image.key}/${width}.${image.format ?? "webp"}`;
}
