/** "3 people saved your kettle": what a seller is told of wishlists. Never whose they are. */
import { and, eq, gte, ne, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { wishlistItems } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { SHOWN_NAME } from "#app/catalogue/product/shown-product.server.ts";
import { notifyCount } from "#app/notifications/notify.server.ts";
import { dayName, dayOf, dayStart } from "#app/platform/east-africa-time.ts";

/** More are not counted, however many people save it in a day. */
const COUNTED = 100;

/**
 * Tells the seller how many people have this product on their wishlists since the day began, once a day. It counts the
 * wishes themselves, as they are when it runs, so that saving it again counts once.
 */
export function countSaves(productId: string, now: number): Statement {
  const latest = build
    .select({ createdAt: wishlistItems.createdAt, userId: wishlistItems.userId })
    .from(wishlistItems)
    .where(eq(wishlistItems.productId, productId))
    .orderBy(sql`${wishlistItems}.rowid DESC`)
    .limit(COUNTED)
    .as("latest");
  const saves = build
    .select({ saves: sql`COUNT(*)` })
    .from(latest)
    .where(and(gte(latest.createdAt, dayStart(dayOf(now))), ne(latest.userId, productRow.sellerId)));
  const listing = sql`SELECT ${productRow.id} AS id, ${productRow.sellerId} AS userId, ${SHOWN_NAME} AS name,
    ${saves} AS count
    FROM ${products} product_row WHERE ${eq(productRow.id, productId)}`;
  const rows = sql`SELECT userId, ${`saved:${productId}:${dayName(now)}`} AS key, 'product:' || id AS thing, count,
    json_object('productId', id, 'productName', name, 'count', count) AS data FROM (${listing})`;
  return notifyCount("saved", rows, now);
}
