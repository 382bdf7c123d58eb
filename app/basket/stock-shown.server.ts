import { sql } from "drizzle-orm";
import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { fewLeft, type Stock } from "#app/catalogue/listing-stock-rules.ts";

/** What a line of the cart or the wishlist says about its product's stock. */
export interface StockShown {
  /** The number for "Only 2 left" (`fewLeft`). */
  left: number | null;
  soldOut: boolean;
}

/** What `STOCK_COLUMNS` selects. */
export type StockColumns = Stock & { condition: Condition };

/** SQL on products `p`. */
export const STOCK_COLUMNS = sql.raw("p.stock, p.reserved, p.condition");

export function stockShown(columns: StockColumns): StockShown {
  return { left: fewLeft(columns), soldOut: columns.stock === 0 };
}
