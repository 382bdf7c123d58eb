import { and, eq, ne, sql } from "drizzle-orm";
import { blockBetween } from "#app/accounts/trust/blocks.server.ts";
import { FOR_SALE } from "#app/catalogue/listing-columns.server.ts";
import { write } from "#app/db/batch.ts";
import { insertEach } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { foundListings, products } from "#app/catalogue/tables.server.ts";
import { shopFollows } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";

/**
 * Keeps a new listing for the daily notification of everybody who follows its shop, unless their saved searches have
 * found it for them. Safe to repeat, also at once.
 */
export async function keepForFollowers(store: Store, productId: string): Promise<void> {
  const now = store.now();
  const mayKnow = and(
    eq(productRow.id, productId),
    FOR_SALE,
    ne(shopFollows.userId, productRow.sellerId),
    sql`NOT ${blockBetween(sql`${shopFollows.userId}`, sql`${productRow.sellerId}`)}`,
  );
  await write(store.db, [
    insertEach(
      foundListings,
      {
        userId: shopFollows.userId,
        productId: productRow.id,
        reason: "shop",
        price: productRow.price,
        told: 1,
        waitsSince: now,
        createdAt: now,
      },
      sql`FROM ${products} product_row JOIN ${shopFollows} ON ${eq(shopFollows.shopId, productRow.sellerId)}
        WHERE ${mayKnow}`,
    ).onConflictDoNothing(),
  ]);
}
