/** What search engines read about public pages has every field that Google asks for. */
import { describe, expect, test } from "vitest";
import { sellerData } from "#app/accounts/profile/seller-data.ts";
import { ratingOf } from "#app/accounts/trust/rating-rules.ts";
import { productStructuredData } from "#app/catalogue/product/product-structured-data.ts";
import type { PublicProduct } from "#app/catalogue/product/public-product.server.ts";
import { breadcrumbData, siteData, structuredData } from "#app/ui/page/structured-data.ts";

const ORIGIN = "https://chuoni.test";

const text = (value: unknown) => typeof value === "string" && value.trim() !== "";
const address = (value: unknown) => typeof value === "string" && value.startsWith(`${ORIGIN}/`);
const addresses = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(address);
const amount = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const oneOf =
  (...names: string[]) =>
  (value: unknown) =>
    names.some((name) => value === `https://schema.org/${name}`);
const things = (type: string) => (value: unknown) =>
  [value].flat().every((thing) => problemsOf(thing, type).length === 0);

type Check = (value: unknown) => boolean;

/**
 * The fields of each type. The sources are pages of developers.google.com/search/docs/appearance/structured-data/:
 * merchant-listing (Product, Offer), breadcrumb (BreadcrumbList, ListItem), organization (Organization) and
 * review-snippet (AggregateRating). Fields that only parcels, brands or bar codes have don't exist in a student's
 * offer: shippingDetails, hasMerchantReturnPolicy, gtin, brand and priceValidUntil.
 */
const FIELDS: Record<string, { required: Record<string, Check>; recommended?: Record<string, Check> }> = {
  Product: {
    required: { name: text, image: addresses, offers: things("Offer") },
    recommended: { description: text, sku: text, url: address, category: text },
  },
  Offer: {
    required: { price: amount, priceCurrency: (value) => value === "KES" },
    recommended: {
      availability: oneOf("InStock", "OutOfStock", "SoldOut"),
      itemCondition: oneOf("NewCondition", "UsedCondition"),
      url: address,
      seller: things("Organization"),
    },
  },
  BreadcrumbList: { required: { itemListElement: things("ListItem") } },
  ListItem: { required: { position: amount, name: text, item: address } },
  Organization: { required: { name: text }, recommended: { url: address } },
  AggregateRating: {
    required: { ratingValue: (value) => typeof value === "number", reviewCount: amount },
    recommended: { bestRating: amount, worstRating: amount },
  },
};

/** What is missing or wrong in a thing of a type: the names of its fields. */
function problemsOf(thing: unknown, type: string): string[] {
  const fields = FIELDS[type];
  if (!fields || typeof thing !== "object" || thing === null) return [type];
  const found = thing as Record<string, unknown>;
  if (found["@type"] !== type) return ["@type"];
  const checks = Object.entries({ ...fields.required, ...fields.recommended });
  const nested =
    "aggregateRating" in found
      ? problemsOf(found.aggregateRating, "AggregateRating").map((name) => `rating.${name}`)
      : [];
  return [...checks.flatMap(([name, check]) => (check(found[name]) ? [] : [name])), ...nested];
}

const product: PublicProduct = {
  feeText: null,
  facts: [],
  listed: "Listed today",
  handover: null,
  promise: "We hold your money until you have it",
  id: "0b9a7c1e-52d4-4f0e-9a55-0c6d8f1b2e3a",
  name: "Tecno Spark 20",
  revision: 0,
  price: 14_500,
  originalPrice: 16_000,
  condition: "like_new",
  location: "Main Campus",
  category: "Electronics",
  categoryKey: "electronics",
  rating: { average: 4.8, count: 12 },
  status: "active",
  stockLabel: null,
  featured: false,
  wholesale: false,
  description: "With charger.",
  warning: null,
  images: [{ key: "img/8c80", width: 800, height: 600, widths: [320, 800], tone: "#888888" }],
  minQuantity: 1,
  buyQuantity: 1,
  preview: null,
  steps: [],
  seller: {
    id: "1b9a7c1e-52d4-4f0e-9a55-0c6d8f1b2e3a",
    name: "Otieno",
    shopTitle: "Otieno's shop",
    campusLocation: "Main Campus",
    verified: "student",
    logoUrl: null,
    answers: null,
    verifiedAs: null,
    awayUntil: null,
  },
};

/** The offer, as plain JSON. */
function offerOf(change: Partial<PublicProduct>) {
  const [thing] = JSON.parse(JSON.stringify(productStructuredData({ ...product, ...change }, ORIGIN))) as [
    { offers: { price: number; availability: string; seller: Record<string, unknown> } },
  ];
  return thing.offers;
}

describe("structured data", () => {
  test("of a product has every field that Google requires or recommends", () => {
    const [thing, crumbs] = productStructuredData(product, ORIGIN);
    expect(problemsOf(thing, "Product")).toEqual([]);
    expect(problemsOf(crumbs, "BreadcrumbList")).toEqual([]);
    expect(crumbs).toMatchObject({ itemListElement: [{ item: `${ORIGIN}/c/electronics` }, { name: product.name }] });
    expect(productStructuredData({ ...product, categoryKey: null }, ORIGIN)).toHaveLength(1);
    expect(problemsOf({ ...(thing as object), name: "" }, "Product")).toEqual(["name"]);
  });

  test.each([
    ["active", null, "InStock"],
    ["active", 1_900_000_000_000, "OutOfStock"],
    ["out_of_stock", null, "OutOfStock"],
    ["sold", null, "SoldOut"],
    ["sold", 1_900_000_000_000, "SoldOut"],
  ] as const)("says of %s, with the seller away until %s, %s", (status, awayUntil, availability) => {
    const { seller } = product;
    expect(offerOf({ status, seller: { ...seller, awayUntil } }).availability).toBe(
      `https://schema.org/${availability}`,
    );
  });

  test("gives a free item the price 0", () => {
    expect(offerOf({ price: 0 }).price).toBe(0);
  });

  test("has a rating of the seller from three real reviews on, and none of the product", () => {
    expect(offerOf({}).seller).toMatchObject({ aggregateRating: { ratingValue: 4.8, reviewCount: 12 } });
    const two = sellerData(
      { id: product.seller.id, title: "Otieno's shop", rating: ratingOf([0, 0, 0, 0, 2]) },
      ORIGIN,
    );
    const three = sellerData(
      { id: product.seller.id, title: "Otieno's shop", rating: ratingOf([0, 0, 0, 1, 2]) },
      ORIGIN,
    );
    expect(JSON.stringify(two)).not.toContain("Rating");
    expect(problemsOf(three, "Organization")).toEqual([]);
    expect(three).toMatchObject({ aggregateRating: { ratingValue: 4.7, reviewCount: 3 } });
    expect(productStructuredData(product, ORIGIN)[0]).not.toHaveProperty("aggregateRating");
  });

  test("tells who we are, and the way to a page", () => {
    const page = { name: "Grace's shop", path: "/s/0000000000/grace-s-shop" };
    const crumbs = breadcrumbData([{ name: "Main Campus", path: "/campus/main-campus" }, page], ORIGIN);
    expect(crumbs.flatMap((list) => problemsOf(list, "BreadcrumbList"))).toEqual([]);
    expect(crumbs).toHaveLength(1);
    expect(breadcrumbData([page], ORIGIN)).toEqual([]);
    expect(problemsOf(siteData(ORIGIN), "Organization")).toEqual([]);
    expect(structuredData(crumbs)["script:ld+json"]["@context"]).toBe("https://schema.org");
  });
});
