import type { ProductImage } from "#app/db/schema.ts";

/** What a Photo needs to show a product's picture in its best variant. `sizes`: the rendered width, as CSS says it. */
export function imageSources(image: ProductImage | null, sizes: string) {
  if (!image) return { src: null };
  const url = (width: number) => `/files/${image.key}/${width}.webp`;
  return {
    src: url(image.widths.find((width) => width >= 640) ?? image.widths.at(-1) ?? image.width),
    srcSet: image.widths.map((width) => `${url(width)} ${width}w`).join(", "),
    sizes,
    width: image.width,
    height: image.height,
    tone: image.tone,
  };
}
