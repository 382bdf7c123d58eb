import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { FALL_TO } from "#app/catalogue/saved/saved-search-rules.ts";
import { write } from "#app/db/batch.ts";
import { build, hasRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { wishlistItems } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";

/** SQL on `wishlist_items`: a price, in KES, is so much lower than the one they know that they are told (`isFall`). */
export function isFallTo(price: SQLWrapper | number): SQL {
  return sql`(${price} < ${wishlistItems.price} AND 100 * ${price} <= ${FALL_TO} * ${wishlistItems.price})`;
}

/**
 * Tells everybody who wished for a listing that it costs less than they know (`isFall`): than when they wished for it,
 * and than they were told since. So a price that goes up and down again tells nobody. Safe to repeat, also at once.
 * Returns whom it told.
 */
export async function tellWishers(store: Store, productId: string): Promise<string[]> {
  const isWished = eq(productRow.id, wishlistItems.productId);
  const isFall = and(
    eq(wishlistItems.productId, productId),
    isFallTo(productRow.price),
    FOR_SALE,
    sql`NOT ${blockBetween(sql`${wishlistItems.userId}`, sql`${productRow.sellerId}`)}`,
  );
  const rows = build
    .select({
      userId: sql<string>`${wishlistItems.userId}`.as("userId"),
      data: sql`json_object('productId', ${productRow.id}, 'productName', ${productRow.name},
        'price', ${productRow.price},
        'priceBefore', ${wishlistItems.price}, 'since', ${wishlistItems.createdAt})`.as("data"),
    })
    .from(wishlistItems)
    .innerJoin(productRow, isWished)
    .where(isFall);
  const known = build
    .update(wishlistItems)
    .set({ price: sql`${build.select({ price: productRow.price }).from(productRow).where(isWished)}` })
    .where(and(eq(wishlistItems.productId, productId), hasRow(productRow, and(isWished, isFall))));
  const { told } = await write(store.db, {
    told: rows,
    notices: notifyEach("wish_cheaper", sql`${rows}`, store.now()),
    known,
  });
  return told.map(({ userId }) => userId);
}
