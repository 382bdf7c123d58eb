import { largestPath } from "./image-sources.ts";
import type { ProductDetail } from "./products.server.ts";
import { publicProductPath } from "#app/platform/public-links.ts";
import { formatPrice } from "#app/ui/money.ts";
import { shareMeta } from "#app/ui/share-meta.ts";
import { CONDITION_LABELS, type Condition, type ProductStatus } from "./catalogue-rules.ts";

const CONDITIONS_OF_SCHEMA: Record<Condition, string> = {
  new: "NewCondition",
  like_new: "UsedCondition",
  good: "UsedCondition",
  fair: "UsedCondition",
};
const AVAILABILITIES: Record<ProductStatus, string> = {
  active: "InStock",
  sold: "SoldOut",
  out_of_stock: "OutOfStock",
};

/** A product in the format of search engines (schema.org), with absolute addresses. `origin`: this site's. */
export function productData(product: ProductDetail, origin: string) {
  const { seller } = product;
  const url = origin + publicProductPath(product);
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.name,
    description: product.description,
    sku: product.id,
    category: product.category,
    itemCondition: `https://schema.org/${CONDITIONS_OF_SCHEMA[product.condition]}`,
    image: product.images.map((image) => origin + largestPath(image)),
    url,
    offers: {
      "@type": "Offer",
      url,
      price: product.price,
      priceCurrency: "KES",
      availability: `https://schema.org/${AVAILABILITIES[product.status]}`,
      seller: seller.shopName
        ? { "@type": "Organization", name: seller.shopName }
        : { "@type": "Person", name: seller.name || "Anonymous Seller" },
    },
  };
}

/** The meta tags of a product's page for members. Its canonical address is the public page. */
export function productMeta(product: ProductDetail, origin: string) {
  return [...productTags(product, origin), { "script:ld+json": productData(product, origin) }];
}

/** What the tags of a product's pages tell: nothing about its seller. */
type TaggedProduct = Pick<ProductDetail, "id" | "name" | "price" | "condition" | "location" | "description" | "images">;

/** The meta tags of a product's public page. */
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
