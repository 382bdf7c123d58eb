import { isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CopySource, keysOf } from "#app/db/copies.ts";
import { categories, listingSerials, priceSteps, products } from "./tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import type { VerifiedLevel } from "#app/db/states/verified.ts";

/** A listing as it was. */
export interface ListingCopy {
  name: string;
  description: string;
  condition: "new" | "like_new" | "good" | "fair";
  /** `products.facts`; and what its seller chose of them, and as its type. Our rules read the rest in its name. */
  facts: {
    values: Record<string, string>;
    chosen: Record<string, string | null>;
    chosenType: string | null;
  };
  /** The category's name, or its plain text. */
  category: string | null;
  campus: string;
  /** Its shop delivers: 0 or 1. */
  delivery: number;
  /** The shop's policies, and its words about itself; null where it has none. */
  policies: string | null;
  about: string | null;
  /** How far its seller was verified; null where nobody knows. */
  verified: VerifiedLevel | null;
  /** KES for one piece. */
  price: number;
  /** Pieces. */
  minQuantity: number;
  /** KES for one piece from so many pieces on. */
  steps: { fromQuantity: number; price: number }[];
  images: ProductImage[];
  /** The end of its serial number; null where its seller gave none. Copies of before it could be given have none. */
  serial?: string | null;
}

const writtenListing = alias(products, "written_listing");
const writtenPerson = alias(profiles, "written_person");
const writtenShop = alias(shops, "written_shop");

/** How a listing is copied, with what its shop and its seller promise. */
export const LISTING_COPY: CopySource<ListingCopy> = {
  kind: "listing",
  from: sql`${products} written_listing`,
  id: writtenListing.id,
  ownerId: writtenListing.sellerId,
  isLive: isNull(writtenListing.deletedAt),
  content: {
    name: writtenListing.name,
    description: writtenListing.description,
    condition: writtenListing.condition,
    facts: sql`json_object('values', json(${writtenListing.facts}), 'chosen', json(${writtenListing.factsChosen}),
      'chosenType', iif(${writtenListing.typeChosen}, ${writtenListing.type}, NULL))`,
    category: sql`COALESCE((SELECT ${categories.name} FROM ${categories}
      WHERE ${categories.id} = ${writtenListing.category}), ${writtenListing.category})`,
    campus: writtenListing.location,
    delivery: sql`COALESCE(${ofShop(writtenShop.offersDelivery)}, 0)`,
    policies: ofShop(writtenShop.policies),
    about: ofShop(writtenShop.description),
    verified: sql`(SELECT ${writtenPerson.verifiedLevel} FROM ${profiles} written_person
      WHERE ${writtenPerson.id} = ${writtenListing.sellerId})`,
    price: writtenListing.price,
    minQuantity: writtenListing.minQuantity,
    steps: sql`(SELECT json_group_array(json_object('fromQuantity', step.from_quantity, 'price', step.price))
      FROM (SELECT ${priceSteps.fromQuantity}, ${priceSteps.price} FROM ${priceSteps}
        WHERE ${priceSteps.productId} = ${writtenListing.id} AND ${writtenListing.wholesale} = 1
          ORDER BY ${priceSteps.fromQuantity}) step)`,
    images: sql`json(${writtenListing.images})`,
    serial: sql`(SELECT ${listingSerials.ending} FROM ${listingSerials}
      WHERE ${listingSerials.productId} = ${writtenListing.id})`,
  },
  photos: keysOf(writtenListing.images),
};

/** SQL: a column of the shop of a listing's seller. */
function ofShop(column: SQLWrapper): SQL {
  return sql`(SELECT ${column} FROM ${shops} written_shop WHERE ${writtenShop.id} = ${writtenListing.sellerId})`;
}
