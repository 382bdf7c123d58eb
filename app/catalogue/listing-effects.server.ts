/**
 * What follows from a change of listings. Each of these is a rule that must hold, and looks at the listings as they
 * are: done twice, it leaves what it leaves when done once. What depends on an earlier state compares with what is
 * stored of it. The simulation counts after every step where one doesn't hold
 * (tests/support/simulation/audit-listings.ts).
 */
import { LISTING_COPY } from "./listing-copy.server.ts";
import { and, eq, exists, inArray, isNull, lt, ne, notExists, or, type SQLWrapper, sql } from "drizzle-orm";
import type { Statement } from "#app/db/batch.ts";
import { build, insertEach } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import { categories, listingNews, products } from "./tables.server.ts";
import { productRow } from "./table-rows.server.ts";
import { ASK_AFTER_MS } from "./catalogue-rules.ts";
import { endStaleOffers } from "./end-offers.server.ts";
import { indexListings } from "./search/search-index.server.ts";
import { moveWaits, welcomeBack } from "./stock/stock-effects.server.ts";

/**
 * The statements for the batch that changes listings, after those that write them.
 * @param ids SQL: the ids of all that may have changed, such as `idList` or a query. It is asked after the change
 */
export function afterListingsChanged(ids: SQLWrapper, now: number): Statement[] {
  return [
    nameCategories(ids),
    ...indexListings(ids),
    copyEdited(LISTING_COPY, ids, now),
    ...endStaleOffers(ids, now),
    ...welcomeBack(ids, now),
    ...moveWaits(ids, now),
    noteNews(ids, now),
    keepKnown(ids),
    beginChecks(ids),
  ];
}

/** SQL: the ids of a seller's listings, with those that they deleted. */
export function listingsOf(sellerId: string): SQLWrapper {
  return build.select({ id: products.id }).from(products).where(eq(products.sellerId, sellerId));
}

function isForSale(listing: typeof products | typeof productRow) {
  return and(eq(listing.status, "active"), isNull(listing.deletedAt), isNull(listing.suspendedAt));
}

/**
 * A listing that appears, comes back or becomes cheaper is noted. A job tells those who wait for such a thing, and
 * deletes the note. `keepKnown` remembers what has been noted.
 */
function noteNews(ids: SQLWrapper, now: number): Statement {
  const isNews = or(ne(productRow.news, "known"), lt(productRow.price, productRow.newsPrice));
  return insertEach(
    listingNews,
    { productId: productRow.id, kind: sql`iif(${productRow.news} = 'known', 'cheaper', ${productRow.news})`, at: now },
    sql`FROM ${products} product_row WHERE ${and(inArray(productRow.id, ids), isForSale(productRow), isNews)}`,
  );
}

function keepKnown(ids: SQLWrapper): Statement {
  const { price, status } = products;
  const news = sql<"new">`CASE WHEN ${isForSale(products)} THEN 'known' WHEN ${status} = 'active' THEN 'new'
    ELSE 'back' END`;
  const isOther = sql`(${products.news}, ${products.newsPrice}) <> (${news}, ${price})`;
  return build
    .update(products)
    .set({ news, newsPrice: sql`${price}` })
    .where(and(inArray(products.id, ids), isOther));
}

/** A listing with the status of one for sale is looked at 30 days after its last change: app/upkeep. */
function beginChecks(ids: SQLWrapper): Statement {
  const { id, status, deletedAt, checkAt, updatedAt } = products;
  return build
    .update(products)
    .set({ checkAt: sql`${updatedAt} + ${ASK_AFTER_MS}` })
    .where(and(inArray(id, ids), eq(status, "active"), isNull(deletedAt), isNull(checkAt)));
}

/** A listing whose category is plain text gets the id of the category that is called so, where there is one. */
function nameCategories(ids: SQLWrapper): Statement {
  const { id, nameKey, status } = categories;
  const called = build
    .select({ id })
    .from(categories)
    .where(and(eq(nameKey, sql`lower(${products.category})`), eq(status, "approved")));
  const isText = notExists(build.select({ id }).from(categories).where(eq(id, products.category)));
  return build
    .update(products)
    .set({ category: sql`(${called})` })
    .where(and(inArray(products.id, ids), isText, exists(called)));
}
