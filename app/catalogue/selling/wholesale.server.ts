import { and, eq, type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { asJson, build, insertEach } from "#app/db/build.ts";
import { priceSteps, products, profiles } from "#app/db/schema.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import type { PriceStep } from "./price-step-rules.ts";
import type { WholesaleValues } from "./listing-form-rules.ts";
import { isWholesale, type Wholesale, writeTerms } from "./wholesale-rules.ts";

/**
 * SQL on products `p`: the price of one piece, in KES, in an order of `quantity` pieces. The same as `unitPrice` in
 * price-step-rules.ts. One seek for a wholesale listing, none for others.
 */
export function unitPriceOf(quantity: SQL): SQL<number> {
  return sql`(CASE WHEN ${p.wholesale} = 0 THEN ${p.price} ELSE MIN(${p.price}, COALESCE((SELECT ${priceSteps.price} FROM ${priceSteps}
    WHERE ${priceSteps.productId} = ${p.id} AND ${priceSteps.fromQuantity} <= ${quantity}
    ORDER BY ${priceSteps.fromQuantity} DESC LIMIT 1), ${p.price})) END)`;
}

/** SQL on products `p`: the price steps, in JSON and in rising order; null for a listing that isn't wholesale. */
export const STEPS_OF = asJson<
  PriceStep[] | null
>(sql`(CASE WHEN ${p.wholesale} = 1 THEN (SELECT json_group_array(json_object('fromQuantity', from_quantity, 'price', price))
  FROM (SELECT ${priceSteps.fromQuantity} AS from_quantity, ${priceSteps.price} AS price FROM ${priceSteps}
    WHERE ${priceSteps.productId} = ${p.id} ORDER BY ${priceSteps.fromQuantity})) END)`);

/**
 * The statements that set a listing's terms and SKU, for the batch that saves the listing, after the listing itself.
 * They undo the whole batch unless its seller is a verified wholesaler, and a UniqueViolation on `products.sku` says that
 * another listing of the seller has the SKU.
 */
export function setTerms(listing: { sellerId: string; productId: string }, { terms, sku }: Wholesale): Statement[] {
  const { sellerId, productId } = listing;
  const isOwn = and(eq(products.id, productId), eq(products.sellerId, sellerId));
  return [
    expectThat(isVerifiedWholesaler(sellerId)),
    updateListings({ minQuantity: terms.minQuantity, wholesale: isWholesale(terms), sku }, isOwn),
    build.delete(priceSteps).where(eq(priceSteps.productId, productId)),
    ...terms.steps.map((step) =>
      insertEach(priceSteps, { productId: products.id, ...step }, sql`FROM ${products} WHERE ${isOwn}`),
    ),
  ];
}

/** For a batch: a row if this person is a verified wholesaler. */
export function wholesalerRow(userId: string) {
  return build
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.id, userId), isVerifiedWholesaler(userId)));
}

/** The wholesale columns of products `p`, for the form of a listing. */
export const WHOLESALE_FIELDS = { sku: p.sku, minQuantity: p.minQuantity, steps: STEPS_OF };

export interface WholesaleRow {
  sku: string | null;
  minQuantity: number;
  steps: PriceStep[] | null;
}

/** The same, as the form holds it. */
export function wholesaleValues({ sku, minQuantity, steps }: WholesaleRow): WholesaleValues {
  return writeTerms({ minQuantity, steps: steps ?? [] }, sku);
}

/** Whether a listing has these terms and this SKU already. */
export function isSameWholesale(row: WholesaleRow, { terms, sku }: Wholesale): boolean {
  return JSON.stringify(wholesaleValues(row)) === JSON.stringify(writeTerms(terms, sku));
}
