/**
 * The statements that write what a listing says. Only the effects that `listing-writers.test.ts` names write
 * `products`, too: what is derived. What follows from such a change is `afterListingsChanged`, which goes into the same
 * batch behind them.
 */
import { is, or, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { isVerifiedPerson } from "#app/accounts/trust/verified-effects.server.ts";
import { build, insertEach } from "#app/db/build.ts";
import { products } from "./tables.server.ts";

type Row = typeof products.$inferInsert;

/** What becomes of listings: values, or SQL on `products` as they were. */
type ListingChange = { [K in keyof Row]?: Row[K] | SQL };

export function insertListing(row: Row) {
  return build.insert(products).values({ ...row, sellerVerified: isVerifiedPerson(sql`${row.sellerId}`) });
}

/** A listing for each row of `from`, as for `insertEach`. Its status follows from its stock. */
export function insertListings(row: Omit<{ [K in keyof Row]: Row[K] | SQLWrapper }, "status" | "soldAt">, from: SQL) {
  const isSoldOut = sql`${row.stock ?? null} IS 0`;
  return insertEach(
    products,
    {
      ...row,
      status: sql`iif(${isSoldOut}, ${soldOut(row.condition)}, 'active')`,
      soldAt: sql`iif(${isSoldOut}, ${row.createdAt}, NULL)`,
      sellerVerified: isVerifiedPerson(sql`${row.sellerId}`),
    },
    from,
  );
}

export function updateListings(change: ListingChange, where: SQL | undefined) {
  return build
    .update(products)
    .set(withRevision(withVersion(withSale(change))))
    .where(where);
}

/** The same, with the row of `from` that `where` joins to each listing. */
export function updateListingsFrom(change: ListingChange, from: SQL | SQLWrapper, where: SQL | undefined) {
  return build
    .update(products)
    .set(withRevision(withVersion(withSale(change))))
    .from(from as SQL)
    .where(where);
}

/** `updatedAt` tells the versions of a listing apart, so it rises even where two changes have one time. */
function withVersion(change: ListingChange): ListingChange {
  if (change.updatedAt === undefined) return change;
  return { ...change, updatedAt: sql`MAX(${change.updatedAt}, ${products.updatedAt} + 1)` };
}

/** What a buyer is promised. */
const PROMISED = ["name", "description", "condition", "facts", "images"] as const;

/** A listing counts the edits of what it promises, and whoever orders or offers says which of them they have seen. */
function withRevision(change: ListingChange): ListingChange {
  if (change.revision !== undefined) return change;
  const others = PROMISED.flatMap((key) => {
    const value: unknown = change[key];
    if (value === undefined) return [];
    return [sql`${products[key]} IS NOT ${is(value, SQL) ? value : sql.param(value, products[key])}`];
  });
  if (others.length === 0) return change;
  return { ...change, revision: sql`${products.revision} + (${or(...others)})` };
}

/** SQL: the status of a listing of this condition without pieces. */
function soldOut(condition: unknown): SQL {
  return sql`iif(${condition} = 'new', 'out_of_stock', 'sold')`;
}

/**
 * The last piece is gone: a used product is sold, a new one out of stock. It comes back when there are pieces again;
 * then `soldAt` stays until what follows from that is written (`welcomeBack`).
 */
function withSale(change: ListingChange): ListingChange {
  if (change.stock === undefined) return change;
  const { stock, status = products.status, condition = products.condition, soldAt = products.soldAt } = change;
  const isSoldOut = sql`(${stock} IS 0 AND ${status} = 'active')`;
  const isBack = sql`(${products.stock} IS 0 AND ${stock} IS NOT 0 AND ${status} <> 'active')`;
  return {
    ...change,
    status: sql`CASE WHEN ${isSoldOut} THEN ${soldOut(condition)}
      WHEN ${isBack} THEN 'active' ELSE ${status} END`,
    soldAt: sql`CASE WHEN ${isSoldOut} THEN ${change.updatedAt ?? products.updatedAt} ELSE ${soldAt} END`,
  };
}
