import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { fewLeft, type Stock } from "#app/catalogue/selling/listing-stock-rules.ts";

/** What a line of the cart or the wishlist says about its product's stock. */
export interface StockShown {
  /** The number for "Only 2 left" (`fewLeft`). */
  left: number | null;
  soldOut: boolean;
}

/** Of `productRow`: what `stockShown` reads. */
export const STOCK_FIELDS = { stock: productRow.stock, reserved: productRow.reserved, condition: productRow.condition };

export function stockShown(product: Stock & { condition: Condition }): StockShown {
  return { left: fewLeft(product), soldOut: product.stock === 0 };
}
