import { largestPath } from "./image-sources.ts";
import type { ProductDetail } from "./products.server.ts";
import { publicProductPath } from "#app/platform/public-links.ts";
import { formatPrice } from "#app/ui/money.ts";
import { shareMeta } from "#app/ui/share-meta.ts";
import { CONDITION_LABELS } from "./catalogue-rules.ts";

/** What the tags of a product's pages tell: nothing about its seller. */
type TaggedProduct = Pick<ProductDetail, "id" | "name" | "price" | "condition" | "location" | "description" | "images">;

/** The meta tags of a product's pages. The public page is the canonical one. */
export function productTags(product: TaggedProduct, origin: string) {
  const cover = product.images[0];
  const facts = [formatPrice(product.price), CONDITION_LABELS[product.condition], product.location].join(" · ");
  return [
    ...shareMeta({
      title: product.name,
      description: `${facts}. ${product.description}`,
      url: origin + publicProductPath(product),
      type: "product",
      image: cover
        ? { url: origin + largestPath(cover), width: cover.width, height: cover.height, alt: product.name }
        : null,
    }),
    { property: "product:price:amount", content: String(product.price) },
    { property: "product:price:currency", content: "KES" },
  ];
}
