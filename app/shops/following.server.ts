import { and, desc, eq, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ProductPage } from "#app/catalogue/browse/browse.server.ts";
import { type Cursor, FEED_PAGE_SIZE, readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { summaryFields, toPage, type ViewContext } from "#app/catalogue/products.server.ts";
import { NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";
import { read } from "#app/db/batch.ts";
import { asBoolean, build, oneRow } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { shopFollows } from "./tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { readShopPlace, writeShopPlace } from "./shop-rules.ts";
import { cardFields, followsAny, IS_OPEN, isFeatured, type ShopsPage, toListed } from "./shops.server.ts";

/** One page of what followed shops have for sale. */
export interface FollowingPage extends ProductPage {
  /** The viewer follows a shop at all. */
  followsAny: boolean;
}

/**
 * The listings for sale of all shops that the viewer follows, newest first. One round trip. The rows that it reads grow
 * with the number of followed shops, of which there are at most FOLLOWED_MAX, and not with their listings.
 */
export async function openFollowing(
  store: Store,
  input: { viewerId: string; after: string | null },
): Promise<FollowingPage> {
  const cursor = readCursor(input.after);
  const {
    rows,
    viewer: [viewer],
  } = await read(store.db, {
    rows: followedListings({ viewerId: input.viewerId, now: store.now() }, cursor),
    viewer: oneRow({ followsAny: asBoolean(followsAny(input.viewerId)) }),
  });
  const page = toPage(rows);
  return {
    products: page.products,
    after: cursor && input.after,
    next: page.next && writeCursor(page.next),
    followsAny: viewer?.followsAny ?? false,
  };
}

const nextListing = alias(products, "next_listing");
const newest = alias(products, "newest");

/**
 * A page is made of the shops whose newest listings come first: no other shop can have one of the page's listings. So
 * only these are read further, and of all others just the newest listing.
 */
function followedListings({ viewerId, now }: ViewContext & { viewerId: string }, cursor: Cursor | null) {
  const size = FEED_PAGE_SIZE + 1;
  const listed = (sellerId: SQLiteColumn, limit: number) =>
    build
      .select({ id: nextListing.id })
      .from(nextListing)
      .where(
        and(
          eq(nextListing.sellerId, sellerId),
          sql`next_listing.status = 'active' AND next_listing.deleted_at IS NULL AND next_listing.suspended_at IS NULL`,
          cursor ? sql`(${nextListing.createdAt}, ${nextListing.id}) < (${cursor.createdAt}, ${cursor.id})` : undefined,
        ),
      )
      .orderBy(desc(nextListing.createdAt), desc(nextListing.id))
      .limit(limit);
  const first = build
    .select({ shopId: shopFollows.shopId })
    .from(shopFollows)
    .crossJoin(newest)
    .where(and(eq(shopFollows.userId, viewerId), eq(newest.id, sql`${listed(shopFollows.shopId, 1)}`)))
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(size)
    .as("first");
  return build
    .select(summaryFields(now))
    .from(first)
    .crossJoin(productRow)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(sql`${productRow.id} IN ${listed(first.shopId, size)}`)
    .orderBy(...NEWEST_FIRST)
    .limit(size);
}

/** How many shops a page of the followed ones has. */
const SHOPS_SHOWN = 24;

/**
 * One page of the shops that the viewer follows, the last followed first, also those with nothing for sale, but not
 * those whose owner is suspended. One round trip.
 */
export async function listFollowedShops(
  store: Store,
  { viewerId, after }: { viewerId: string; after: string | null },
): Promise<ShopsPage> {
  const place = readShopPlace(after, "newest");
  const { userId, shopId, createdAt } = shopFollows;
  const chosen = build
    .select({ chosenId: shopId, createdAt, featured: isFeatured(store.now()) })
    .from(shopFollows)
    .innerJoin(shops, eq(shops.id, shopId))
    .where(
      and(
        eq(userId, viewerId),
        IS_OPEN,
        place ? sql`(${createdAt}, ${shopId}) < (${place.createdAt}, ${place.id})` : undefined,
      ),
    )
    .orderBy(desc(createdAt), desc(shopId))
    .limit(SHOPS_SHOWN + 1)
    .as("chosen");
  const rows = await read(
    store.db,
    build
      .select({ ...cardFields(viewerId), createdAt: chosen.createdAt })
      .from(chosen)
      .innerJoin(shops, eq(shops.id, chosen.chosenId))
      .leftJoin(profiles, eq(profiles.id, shops.id))
      .orderBy(desc(chosen.createdAt), desc(chosen.chosenId)),
  );
  const shown = rows.slice(0, SHOPS_SHOWN);
  const last = shown.at(-1);
  return {
    shops: shown.map(({ createdAt: _createdAt, ...row }) => toListed(row, viewerId)),
    order: "newest",
    after: place && after,
    next: rows.length > SHOPS_SHOWN && last ? writeShopPlace({ ...last, score: 0 }, "newest") : null,
  };
}
