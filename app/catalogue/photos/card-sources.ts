import { photoPath, type ShownImage } from "./image-sources.ts";

/**
 * What a Photo needs to show a product's picture on a card of at most 360 px: the smallest variant, and a larger one for
 * screens with two pixels or more for each CSS px. It is shorter than `imageSources`, because a page has many cards.
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
