import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import { publicProductPath } from "#app/public-links.ts";
import { formatPrice } from "#app/ui/money.ts";
import { brandPicture, type ShareImage, shareMeta } from "#app/ui/sharing/share-meta.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { PREVIEW_SIZE } from "#app/catalogue/photos/photo-rules.ts";
import type { PublicProduct } from "./public-product.server.ts";

/** What the tags of a product's public page tell: nothing about its seller. */
type TaggedProduct = Pick<
  PublicProduct,
  "id" | "name" | "price" | "condition" | "location" | "description" | "images" | "preview"
>;

/** The meta tags of a product's public page. `origin`: this site's. */
export function productMeta(product: TaggedProduct, origin: string) {
  const facts = [formatPrice(product.price), product.condition && CONDITION_LABELS[product.condition], product.location]
    .filter((fact) => fact !== null)
    .join(" · ");
  return [
    ...shareMeta({
      title: product.name,
      description: `${facts}. ${product.description}`,
      url: origin + publicProductPath(product),
      type: "product",
      image: sharedPicture(product, origin),
    }),
    { property: "product:price:amount", content: String(product.price) },
    { property: "product:price:currency", content: "KES" },
  ];
}

const MEDIA_TYPES = { webp: "image/webp", jpg: "image/jpeg", png: "image/png" } as const;

/** The cover's preview; the cover where it has none; our own picture where there is no photo. */
function sharedPicture({ name, images: [cover], preview }: TaggedProduct, origin: string): ShareImage {
  if (preview) return { ...PREVIEW_SIZE, url: origin + preview, type: MEDIA_TYPES.jpg, alt: name };
  if (!cover) return brandPicture(origin);
  const { width, height, format = "webp" } = cover;
  return { width, height, url: origin + largestPath(cover), type: MEDIA_TYPES[format], alt: name };
}
