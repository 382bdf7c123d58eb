import { SHOWN_COVER, SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { asc, desc, eq } from "drizzle-orm";
import { blockOf } from "#app/accounts/trust/blocks.server.ts";
import type { Block } from "#app/accounts/trust/block-rules.ts";
import { campusOf } from "#app/catalogue/listing-columns.server.ts";
import { read } from "#app/db/batch.ts";
import { asBoolean, asJson, build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { wishlistItems } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { IS_LISTED, isAvailableTo, MAX_QUANTITY } from "./orderable.server.ts";
import { STOCK_FIELDS, type StockShown, stockShown } from "./stock-shown.server.ts";
import { WISHLIST_MAX } from "./basket-rules.ts";

/** A wishlist item with the current state of its product. Prices in KES. */
export interface WishlistItem extends StockShown {
  id: string;
  productId: string;
  name: string;
  price: number;
  originalPrice: number | null;
  image: ProductImage | null;
  location: string | null;
  sellerName: string | null;
  /** The largest quantity that the buyer can order. */
  maxQuantity: number;
  /** It can be added to the cart. */
  available: boolean;
  /** One of buyer and seller has blocked the other; null when nobody has. */
  block: Block | null;
  /** The product's page still exists. */
  listed: boolean;
}

/** A user's wishlist, newest item first. */
export async function listWishlist(db: Database, userId: string): Promise<WishlistItem[]> {
  const rows = await read(db, wishlistRows(userId));
  return readWishlist(rows);
}

/** The query of `listWishlist`. Send it in a batch and read the result with `readWishlist`. */
export function wishlistRows(userId: string) {
  return build
    .select({
      id: wishlistItems.id,
      productId: wishlistItems.productId,
      name: SHOWN_NAME,
      price: productRow.price,
      originalPrice: productRow.originalPrice,
      image: asJson<ProductImage | null>(SHOWN_COVER),
      location: campusOf(productRow.location),
      sellerName: profiles.fullName,
      maxQuantity: MAX_QUANTITY,
      listed: asBoolean(IS_LISTED),
      available: asBoolean(isAvailableTo(userId)),
      block: blockOf(userId, productRow.sellerId),
      ...STOCK_FIELDS,
    })
    .from(wishlistItems)
    .innerJoin(productRow, eq(productRow.id, wishlistItems.productId))
    .leftJoin(profiles, eq(profiles.id, productRow.sellerId))
    .where(eq(wishlistItems.userId, userId))
    .orderBy(desc(wishlistItems.createdAt), asc(wishlistItems.id))
    .limit(WISHLIST_MAX);
}

export function readWishlist(rows: Awaited<ReturnType<typeof wishlistRows>>): WishlistItem[] {
  return rows.map(({ stock, reserved, condition, ...row }) => ({
    ...row,
    ...stockShown({ stock, reserved, condition }),
  }));
}
