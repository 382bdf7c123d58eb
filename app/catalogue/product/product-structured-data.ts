import type { ItemAvailability, OfferItemCondition, Product, Thing } from "schema-dts";
import { sellerData } from "#app/accounts/seller-data.ts";
import { publicCategoryPath, publicProductPath } from "#app/platform/public-links.ts";
import { breadcrumbData } from "#app/ui/page/structured-data.ts";
import type { Condition, ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import type { PublicProduct } from "./public-product.server.ts";

const CONDITIONS: Record<Condition, OfferItemCondition> = {
  new: "https://schema.org/NewCondition",
  like_new: "https://schema.org/UsedCondition",
  good: "https://schema.org/UsedCondition",
  fair: "https://schema.org/UsedCondition",
};

const AVAILABILITIES: Record<ProductStatus, ItemAvailability> = {
  active: "https://schema.org/InStock",
  sold: "https://schema.org/SoldOut",
  out_of_stock: "https://schema.org/OutOfStock",
  unconfirmed: "https://schema.org/OutOfStock",
};

/** What search engines read about a product on its public page: the offer, its seller and the way to the page. */
export function productStructuredData(product: PublicProduct, origin: string): Thing[] {
  const { name, category, categoryKey } = product;
  const path = publicProductPath(product);
  return [
    productData(product, origin + path, origin),
    ...breadcrumbData(
      [...(categoryKey ? [{ name: category, path: publicCategoryPath(categoryKey) }] : []), { name, path }],
      origin,
    ),
  ];
}

function productData(product: PublicProduct, url: string, origin: string): Product {
  const { seller } = product;
  // During a holiday nobody can order.
  const status = product.status === "active" && seller.awayUntil !== null ? "out_of_stock" : product.status;
  return {
    "@type": "Product",
    name: product.name,
    description: product.description,
    sku: product.id,
    category: product.category,
    url,
    itemCondition: CONDITIONS[product.condition],
    ...(product.images.length > 0 && { image: product.images.map((image) => origin + largestPath(image)) }),
    offers: {
      "@type": "Offer",
      url,
      price: product.price,
      priceCurrency: "KES",
      availability: AVAILABILITIES[status],
      itemCondition: CONDITIONS[product.condition],
      seller: sellerData({ id: seller.id, title: seller.shopTitle, rating: product.rating ?? null }, origin),
    },
  };
}
