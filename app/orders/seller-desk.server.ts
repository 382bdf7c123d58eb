import { eq, sql } from "drizzle-orm";
import { ownListingRows, readOwnListings } from "#app/catalogue/listings.server.ts";
import { runBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { credentials } from "#app/db/schema.ts";
import { listItemsOfSeller } from "./orders.server.ts";
import { daysElapsed } from "./rules.ts";

/** How many orders the desk shows. */
const ROWS = 100;

function deskHead(db: Database, sellerId: string) {
  return db
    .select({
      shopName: sql<string | null>`(SELECT shop_name FROM shops WHERE shops.id = ${sellerId})`.as("shopName"),
      pendingOrders: sql<number>`(SELECT COUNT(*) FROM order_items WHERE seller_id = ${sellerId} AND status = 'processing')`.as("pendingOrders"),
    })
    .from(credentials)
    .where(eq(credentials.id, sellerId));
}

type Head = Awaited<ReturnType<typeof deskHead>>[number];

/** A seller's shop with a page of their listings, which begins after the cursor `after`. One round trip. */
export async function openDeskProducts(db: Database, sellerId: string, after: string | null) {
  const [head, products] = await runBatch(db, [deskHead(db, sellerId), ownListingRows(sellerId, after)]);
  return { ...readHead((head?.results ?? []) as Head[]), ...readOwnListings(products, after) };
}

/** A seller's shop with the order items they have to see to, and how many whole days ago each was ordered. One round trip. */
export async function openDeskOrders(store: Store, sellerId: string) {
  const [head, items] = await store.db.batch([deskHead(store.db, sellerId), listItemsOfSeller(store.db, sellerId, ROWS)]);
  return { ...readHead(head), items: items.map((item) => ({ ...item, days: daysElapsed(item.createdAt, store.now()) })) };
}

export type DeskItem = Awaited<ReturnType<typeof openDeskOrders>>["items"][number];

function readHead(head: Head[]): Head {
  return { shopName: head[0]?.shopName ?? null, pendingOrders: head[0]?.pendingOrders ?? 0 };
}
