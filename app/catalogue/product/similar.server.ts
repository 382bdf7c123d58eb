/** Products like one, for its page. */
import { type Column, desc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepareOnce } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { MORE_FROM_SELLER } from "#app/catalogue/catalogue-rules.ts";
import { OTHER } from "#app/catalogue/browse/browse.server.ts";
import { summaryFields } from "#app/catalogue/products.server.ts";
import { FOR_SALE, NEWEST_FIRST } from "#app/catalogue/listing-columns.server.ts";

/** How many similar products a page shows. */
export const SIMILAR_SHOWN = 8;

/**
 * How many of the newest products of its type, and of its category, are compared. They bound the rows that are read.
 */
const COMPARED = 24;

/**
 * The products for sale that are most like `productId`, as SQL to select from, with a column for MOST_ALIKE_FIRST:
 * those of the same type, then those of the same category, unless it is "Other". Among them a price from half to double
 * comes first, then the viewer's campus or, where they have none, the product's.
 */
export function similarTo(productId: SQL | Placeholder, viewerId: SQL | Placeholder | null, limit: number): SQL {
  const { type, category, price, location } = products;
  const own = (column: Column) => sql`(SELECT ${column} FROM ${products} WHERE ${products.id} = ${productId})`;
  const ownCampus = sql`(SELECT ${profiles.campusLocation} FROM ${profiles} WHERE ${profiles.id} = ${viewerId})`;
  const newest = (key: SQL) => sql`SELECT rowid AS number FROM ${products} product_row WHERE ${key} AND ${FOR_SALE}
    ORDER BY ${desc(productRow.createdAt)}, ${desc(productRow.id)} LIMIT ${sql.raw(String(COMPARED))}`;
  const sameType = newest(sql`${productRow.type} = ${own(type)}`);
  const sameCategory = newest(sql`${productRow.category} = NULLIF(${own(category)}, ${OTHER})`);
  const likeness = sql`(${productRow.type} IS NOT NULL AND ${productRow.type} IS ${own(type)}) * 8
    + (${productRow.category} IS ${own(category)}) * 4
    + (${productRow.price} * 2 >= ${own(price)} AND ${productRow.price} <= ${own(price)} * 2) * 2
    + (${productRow.location} = COALESCE(${ownCampus}, ${own(location)}))`;
  return sql`(SELECT product_row.*, ${likeness} AS likeness
    FROM (SELECT * FROM (${sameType}) UNION SELECT * FROM (${sameCategory})) compared
    CROSS JOIN ${products} product_row ON product_row.rowid = compared.number
    WHERE ${FOR_SALE} AND ${productRow.id} <> ${productId}
    ORDER BY likeness DESC, ${desc(productRow.createdAt)}, ${desc(productRow.id)} LIMIT ${sql.raw(String(limit))})`;
}

/** The order of products selected from `similarTo`. */
export const MOST_ALIKE_FIRST = [sql`product_row.likeness DESC`, ...NEWEST_FIRST];

const [NOW, VIEWER, PRODUCT] = [sql.placeholder("now"), sql.placeholder("viewerId"), sql.placeholder("productId")];

/** The query for what a member's page of a product shows, and for what its seller's others may take away from it. */
export const SIMILAR = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(sql`${similarTo(PRODUCT, VIEWER, SIMILAR_SHOWN + MORE_FROM_SELLER)} product_row`)
    .leftJoin(categories, eq(categories.id, productRow.category))
    .orderBy(...MOST_ALIKE_FIRST),
);
