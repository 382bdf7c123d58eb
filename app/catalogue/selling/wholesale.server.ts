/** Price steps, smallest order and SKU of a listing, read. */
import { type SQL, sql } from "drizzle-orm";
import { asJson } from "#app/db/build.ts";
import { priceSteps } from "#app/db/schema.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import type { PriceStep } from "./price-step-rules.ts";

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

/** The wholesale columns of products `p`, for the form of a listing. */
export const WHOLESALE_FIELDS = { sku: p.sku, minQuantity: p.minQuantity, steps: STEPS_OF };

export interface WholesaleRow {
  sku: string | null;
  minQuantity: number;
  steps: PriceStep[] | null;
}
