import { type SQL, sql } from "drizzle-orm";
import { productRow } from "./table-rows.server.ts";

/**
 * SQL on `productRow`: with what its price is compared: "phone used samsung". Things of one type and brand, all new or
 * all used. Null where nobody knows its type. `priceGroupOf` says the same of what isn't listed yet.
 */
export const PRICE_GROUP: SQL<string | null> = sql<string | null>`(${productRow.type} || ' '
  || iif(${productRow.condition} = 'new', 'new', 'used') || ' '
  || coalesce(${productRow.facts} ->> 'brand', ''))`.inlineParams();

export function priceGroupOf(thing: { type: string; isNew: boolean; brand: string | undefined }): string {
  return `${thing.type} ${thing.isNew ? "new" : "used"} ${thing.brand ?? ""}`;
}
