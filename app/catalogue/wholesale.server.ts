import { type SQL, sql } from "drizzle-orm";
import { isVerifiedWholesaler } from "#app/accounts/member.server.ts";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { readSteps } from "./price-step-rules.ts";
import type { WholesaleValues } from "./listing-form-rules.ts";
import { isWholesale, type Wholesale, writeTerms } from "./wholesale-rules.ts";

/**
 * SQL on products `p`: the price of one piece, in KES, in an order of `quantity` pieces. The same as `unitPrice` in
 * price-step-rules.ts. One seek for a wholesale listing, none for others.
 */
export function unitPriceOf(quantity: SQL): SQL {
  return sql`(CASE WHEN p.wholesale = 0 THEN p.price ELSE MIN(p.price, COALESCE((SELECT t.price FROM price_steps t
    WHERE t.product_id = p.id AND t.from_quantity <= ${quantity} ORDER BY t.from_quantity DESC LIMIT 1), p.price)) END)`;
}

/** SQL on products `p`: the price steps as JSON, in rising order; null for a listing that isn't wholesale. */
export const STEPS_OF =
  sql.raw(`(CASE WHEN p.wholesale = 1 THEN (SELECT json_group_array(json_object('fromQuantity', t.from_quantity, 'price', t.price))
  FROM (SELECT from_quantity, price FROM price_steps WHERE product_id = p.id ORDER BY from_quantity) t) END)`);

/**
 * The statements that set a listing's terms and SKU, for the batch that saves the listing, after the listing itself.
 * They undo the whole batch unless its seller is a verified wholesaler, and a UniqueViolation on `products.sku` says that
 * another listing of the seller has the SKU.
 */
export function setTerms(listing: { sellerId: string; productId: string }, { terms, sku }: Wholesale): Statement[] {
  const { sellerId, productId } = listing;
  return [
    expectThat(isVerifiedWholesaler(sellerId)),
    sql`UPDATE products SET min_quantity = ${terms.minQuantity}, wholesale = ${isWholesale(terms) ? 1 : 0}, sku = ${sku} WHERE id = ${productId} AND seller_id = ${sellerId}`,
    sql`DELETE FROM price_steps WHERE product_id = ${productId}`,
    sql`INSERT INTO price_steps (product_id, from_quantity, price)
      SELECT p.id, s.value ->> 'fromQuantity', s.value ->> 'price' FROM products p, json_each(${JSON.stringify(terms.steps)}) s
      WHERE p.id = ${productId} AND p.seller_id = ${sellerId}`,
  ];
}

/** The wholesale columns of products `p`, for the form of a listing. */
export const WHOLESALE_COLUMNS = sql`p.sku, p.min_quantity AS minQuantity, ${STEPS_OF} AS steps`;

export interface WholesaleRow {
  sku: string | null;
  minQuantity: number;
  /** JSON. */
  steps: string | null;
}

/** The same, as the form holds it. */
export function wholesaleValues({ sku, minQuantity, steps }: WholesaleRow): WholesaleValues {
  return writeTerms({ minQuantity, steps: readSteps(steps) }, sku);
}

/** Whether a listing has these terms and this SKU already. */
export function isSameWholesale(row: WholesaleRow, { terms, sku }: Wholesale): boolean {
  return JSON.stringify(wholesaleValues(row)) === JSON.stringify(writeTerms(terms, sku));
}
