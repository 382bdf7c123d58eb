import { and, eq, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { priceSteps, products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { updateListings } from "#app/catalogue/write-listings.server.ts";
import type { WholesaleValues } from "./listing-form-rules.ts";
import type { WholesaleRow } from "./wholesale.server.ts";
import { isWholesale, type Wholesale, writeTerms } from "./wholesale-rules.ts";

/**
 * The statements that set a listing's terms and SKU, for the batch that saves the listing, after the listing itself.
 * They undo the whole batch unless its seller is a verified wholesaler, and a UniqueViolation on `products.sku` says
 * that another listing of the seller has the SKU.
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

/** The terms and the SKU of a listing, as the form holds them. */
export function wholesaleValues({ sku, minQuantity, steps }: WholesaleRow): WholesaleValues {
  return writeTerms({ minQuantity, steps: steps ?? [] }, sku);
}

/** Whether a listing has these terms and this SKU already. */
export function isSameWholesale(row: WholesaleRow, { terms, sku }: Wholesale): boolean {
  return JSON.stringify(wholesaleValues(row)) === JSON.stringify(writeTerms(terms, sku));
}
