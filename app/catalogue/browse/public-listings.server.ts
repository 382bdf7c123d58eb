import { and, desc, type SQL, sql } from "drizzle-orm";
import type { RowOf } from "#app/db/batch.ts";
import { build, named, pick } from "#app/db/build.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { stockLabel } from "#app/catalogue/selling/listing-stock-rules.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { campusOf, COVER, FOR_SALE, NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";
import { SHOWN_CONDITION } from "#app/catalogue/types/handover.server.ts";
import { publicName } from "#app/safety/public-text-rules.ts";

/** A product for sale, as a card on a public page shows it: nothing about its seller. Prices in KES. */
export interface PublicListing {
  id: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ShownImage | null;
  /** Null where new or used says nothing. */
  condition: Condition | null;
  /** The campus; null where nobody knows it. */
  location: string | null;
  /** "Only 2 left"; null where there is nothing to say. */
  stockLabel: string | null;
}

const FIELDS = named({
  ...pick(productRow, "id", "name", "price", "originalPrice"),
  image: COVER,
  location: campusOf(productRow.location),
  ...pick(productRow, "condition", "status", "stock", "reserved", "createdAt"),
  shownCondition: SHOWN_CONDITION,
});

/**
 * Products for sale, the newest first, for a batch. Read the result with `readPublicListings`.
 *
 * @param where SQL on `productRow`
 * @param from SQL: the products to choose from
 */
export function publicListingRows(
  where: SQL | undefined,
  limit: number,
  from: SQL = sql`${products}`,
  order: SQL[] = NEWEST_FIRST,
) {
  return build
    .select(FIELDS)
    .from(sql`${from} product_row`)
    .where(and(FOR_SALE, where))
    .orderBy(...order)
    .limit(limit);
}

/**
 * Deleted listings stay in the table, and a seller can have any number of them. An index without them would cost one
 * more write for each listing. So only this many of a seller's newest listings are read, and older ones are left out.
 */
const SELLER_LISTINGS_READ = 1_000;

/**
 * A seller's newest products for sale, for a batch. It reads as many rows as it returns, and one for each deleted
 * listing between them.
 */
export function sellerListingRows(sellerId: SQL, limit: number) {
  const newest = build
    .select()
    .from(products)
    .where(and(sql`${products.sellerId} = ${sellerId}`, sql`${products.status} = 'active'`))
    .orderBy(desc(products.createdAt), desc(products.id))
    .limit(SELLER_LISTINGS_READ);
  return publicListingRows(undefined, limit, sql`${newest}`);
}

/** A product's name for everybody: without phone numbers and emails. */
export function publicProductName(name: string): string {
  return publicName(name) || "Item";
}

export function readPublicListings(rows: readonly RowOf<ReturnType<typeof publicListingRows>>[]): PublicListing[] {
  return rows.map(({ status, stock, reserved, image, condition, shownCondition, createdAt: _createdAt, ...row }) => ({
    ...row,
    condition: shownCondition,
    name: publicProductName(row.name),
    image: image && toShown(image),
    stockLabel: stockLabel({ status, stock, reserved, condition }),
  }));
}
