/** Price steps, smallest order and SKU of a listing, read. */
import { type SQL, sql } from "drizzle-orm";
import { asJson } from "#app/db/build.ts";
import { priceSteps } from "#app/catalogue/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import type { PriceStep } from "./price-step-rules.ts";

/**
 * SQL on `productRow`: the price of one piece, in KES, in an order of `quantity` pieces. The same as `unitPrice` in
 * price-step-rules.ts. One seek for a wholesale listing, none for others.
 */
export function unitPriceOf(quantity: SQL): SQL<number> {
  return sql`(CASE WHEN ${productRow.wholesale} = 0 THEN ${productRow.price}
    ELSE MIN(${productRow.price}, COALESCE((SELECT ${priceSteps.price} FROM ${priceSteps}
    WHERE ${priceSteps.productId} = ${productRow.id} AND ${priceSteps.fromQuantity} <= ${quantity}
    ORDER BY ${priceSteps.fromQuantity} DESC LIMIT 1), ${productRow.price})) END)`;
}

/** SQL on `productRow`: the price steps, in JSON and in rising order; null for a listing that isn't wholesale. */
export const STEPS_OF = asJson<PriceStep[] | null>(sql`(CASE WHEN ${productRow.wholesale} = 1 THEN
  (SELECT json_group_array(json_object('fromQuantity', from_quantity, 'price', price))
  FROM (SELECT ${priceSteps.fromQuantity} AS from_quantity, ${priceSteps.price} AS price FROM ${priceSteps}
    WHERE ${priceSteps.productId} = ${productRow.id} ORDER BY ${priceSteps.fromQuantity})) END)`);

/** The wholesale columns of `productRow`, for the form of a listing. */
export const WHOLESALE_FIELDS = { sku: productRow.sku, minQuantity: productRow.minQuantity, steps: STEPS_OF };

export interface WholesaleRow {
  sku: string | null;
  minQuantity: number;
  steps: PriceStep[] | null;
}
