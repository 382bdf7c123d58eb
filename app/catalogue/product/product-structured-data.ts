import type { ItemAvailability, OfferItemCondition, Product, PropertyValue, Thing } from "schema-dts";
import { sellerData } from "#app/accounts/profile/seller-data.ts";
import { publicCategoryPath, publicProductPath } from "#app/public-links.ts";
import type { ShownFact } from "#app/catalogue/facts/fact-field-rules.ts";
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

/** What schema.org calls the facts of a product. Those that it has no name for are properties of their own. */
function factData(facts: readonly ShownFact[]): Pick<Product, "additionalProperty"> {
  const named = facts.flatMap(({ property, text }) => (property === null ? [] : [[property, NAMED[property](text)]]));
  const others = facts.filter(({ property }) => property === null);
  const additionalProperty = others.map(({ label, value, unit }): PropertyValue => ({
    "@type": "PropertyValue",
    name: label,
    value: unit === null ? value : Number(value),
    ...(unit !== null && { unitText: unit }),
  }));
  return { ...Object.fromEntries(named), ...(others.length > 0 && { additionalProperty }) };
}

const NAMED: Record<NonNullable<ShownFact["property"]>, (text: string) => unknown> = {
  brand: (name) => ({ "@type": "Brand", name }),
  model: (text) => text,
  size: (text) => text,
  color: (text) => text,
  author: (name) => ({ "@type": "Person", name }),
  bookEdition: (text) => text,
};

/** Facts that only a book has for schema.org. */
const OF_BOOKS: readonly ShownFact["property"][] = ["author", "bookEdition"];

/** Something for sale that is a book. The types of schema.org in TypeScript know no thing of two. */
const BOOK = { "@type": ["Product", "Book"] } as unknown as Pick<Exclude<Product, string>, "@type">;

function productData(product: PublicProduct, url: string, origin: string): Product {
  const { seller, facts } = product;
  // During a holiday nobody can order.
  const status = product.status === "active" && seller.awayUntil !== null ? "out_of_stock" : product.status;
  const condition = product.condition && { itemCondition: CONDITIONS[product.condition] };
  return {
    ...(facts.some(({ property }) => OF_BOOKS.includes(property)) ? BOOK : { "@type": "Product" }),
    ...factData(facts),
    name: product.name,
    description: product.description,
    sku: product.id,
    category: product.category,
    url,
    ...condition,
    ...(product.images.length > 0 && { image: product.images.map((image) => origin + largestPath(image)) }),
    offers: {
      "@type": "Offer",
      url,
      price: product.price,
      priceCurrency: "KES",
      availability: AVAILABILITIES[status],
      ...condition,
      seller: sellerData({ id: seller.id, title: seller.shopTitle, rating: product.rating ?? null }, origin),
    },
  };
}
