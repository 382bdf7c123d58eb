import { and, eq, type SQL, sql } from "drizzle-orm";
import { prepareOnce, read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import {
  type BrowseInput,
  browseFeed,
  categoryRows,
  type FeedWithCategories,
  readCategories,
} from "./browse.server.ts";
import { hasNone } from "./list-filters.ts";
import { FEED_PAGE_SIZE, readCursor, writeCursor } from "#app/catalogue/catalogue-rules.ts";
import { summaryFields, toPage } from "#app/catalogue/products.server.ts";
import { FOR_SALE, NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";

export interface CampusFeed extends FeedWithCategories {
  /** The viewer's campus, if the feed shows it alone; else null. */
  ownCampus: string | null;
}

interface CampusFeedInput extends BrowseInput {
  viewerId: string;
  /** All campuses, although the own one may have enough. */
  wantsAll: boolean;
}

/**
 * One page of the feed. Without filters it is of the viewer's own campus, if that has enough for a page. One round
 * trip.
 */
export async function browseCampusFeed(store: Store, { wantsAll, ...input }: CampusFeedInput): Promise<CampusFeed> {
  if (!wantsAll && hasNone(input.filters)) return browseOwnCampus(store, input);
  return { ...(await browseFeed(store, input)), ownCampus: null };
}

async function browseOwnCampus(
  store: Store,
  { viewerId, after }: Pick<CampusFeedInput, "viewerId" | "after">,
): Promise<CampusFeed> {
  const cursor = readCursor(after);
  const values = { viewerId, now: store.now(), ...(cursor ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" }) };
  const {
    own: [own],
    ofOwn,
    ofAll,
    counted,
  } = await read(store.db, {
    own: OWN({ viewerId }),
    ofOwn: OF_OWN(values),
    ofAll: OF_ALL(values),
    counted: categoryRows(),
  });
  const page = toPage(own ? ofOwn : ofAll);
  return {
    products: page.products,
    after: cursor && after,
    next: page.next && writeCursor(page.next),
    facts: [],
    categories: readCategories(counted),
    typeName: null,
    ownCampus: own?.campus ?? null,
  };
}

const [NOW, VIEWER] = [sql.placeholder("now"), sql.placeholder("viewerId")];

/** SQL: the newest listings of a campus that make a page. Reads the index alone. */
const PAGE = sql`SELECT 1 FROM ${products} near INDEXED BY products_for_sale_location
  WHERE near.location = ${profiles.campusLocation} AND near.status = 'active'
    AND near.deleted_at IS NULL AND near.suspended_at IS NULL
  LIMIT ${sql.raw(String(FEED_PAGE_SIZE))}`;

/** SQL on profiles: their campus is a known one, and has enough. */
const HAS_ENOUGH = sql`(${profiles.campusLocationId} IS NOT NULL
  AND (SELECT COUNT(*) FROM (${PAGE})) = ${sql.raw(String(FEED_PAGE_SIZE))})`;

/**
 * The viewer's campus, if the condition holds. At most one row, which SQLite knows, so it reads a page in its order.
 */
const campusIf = (condition: SQL) =>
  build
    .select({ campus: sql<string>`${profiles.campusLocation}`.as("campus") })
    .from(profiles)
    .where(and(eq(profiles.id, VIEWER), condition));

const OWN = prepareOnce(campusIf(HAS_ENOUGH));
const OF_OWN = prepareOnce(feedOf(HAS_ENOUGH, "products_for_sale_location", sql`${productRow.location} = own.campus`));
const OF_ALL = prepareOnce(feedOf(sql`NOT ${HAS_ENOUGH}`, "products_for_sale", undefined));

/** Reads nothing unless the condition on the viewer's profile holds. */
function feedOf(condition: SQL, index: string, where: SQL | undefined) {
  return build
    .select(summaryFields(NOW))
    .from(sql`${campusIf(condition)} own CROSS JOIN ${products} product_row INDEXED BY ${sql.raw(index)}`)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .where(
      and(
        where,
        FOR_SALE,
        sql`(${productRow.createdAt}, ${productRow.id}) < (${sql.placeholder("createdAt")}, ${sql.placeholder("id")})`,
      ),
    )
    .orderBy(...NEWEST_FIRST)
    .limit(FEED_PAGE_SIZE + 1);
}
