/** Products like one, for its page. */
import { and, desc, eq, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { prepareOnce, type Read, readOf } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { categories, products, profiles } from "#app/db/schema.ts";
import { MORE_FROM_SELLER } from "#app/catalogue/catalogue-rules.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import {
  FOR_SALE,
  NEWEST_FIRST,
  type ProductPageData,
  productRead,
  type ProductSummary,
  summaryFields,
  toSummary,
  type ViewContext,
} from "#app/catalogue/products.server.ts";

/** How many similar products a page shows. */
export const SIMILAR_SHOWN = 8;

/** How many of the newest products of the category are compared. They bound the rows that are read. */
const COMPARED = 32;

/**
 * The products for sale of the same category that are most like `productId`, as SQL to select from, with a column for
 * MOST_ALIKE_FIRST. A price from half to double comes first, then the viewer's campus or, where they have none, the
 * product's.
 */
export function similarTo(productId: SQL | Placeholder, viewerId: SQL | Placeholder | null, limit: number): SQL {
  const isIt = sql`${products.id} = ${productId}`;
  const price = build.select({ price: products.price }).from(products).where(isIt);
  const category = build.select({ category: products.category }).from(products).where(isIt);
  const campus = build.select({ campus: products.location }).from(products).where(isIt);
  const ownCampus = build
    .select({ campus: profiles.campusLocation })
    .from(profiles)
    .where(sql`${profiles.id} = ${viewerId}`);
  const compared = build
    .select()
    .from(p)
    .where(and(eq(p.category, category), FOR_SALE, ne(p.id, sql`${productId}`)))
    .orderBy(...NEWEST_FIRST)
    .limit(COMPARED);
  const isLikePrice = sql`${p.price} * 2 >= ${price} AND ${p.price} <= ${price} * 2`;
  return sql`(SELECT *, (${isLikePrice}) * 2 + (${p.location} = COALESCE(${ownCampus}, ${campus})) AS likeness
    FROM ${compared} p ORDER BY likeness DESC, ${desc(p.createdAt)}, ${desc(p.id)} LIMIT ${sql.raw(String(limit))})`;
}

/** The order of products selected from `similarTo`. */
export const MOST_ALIKE_FIRST = [sql`p.likeness DESC`, ...NEWEST_FIRST];

const [NOW, VIEWER, PRODUCT] = [sql.placeholder("now"), sql.placeholder("viewerId"), sql.placeholder("productId")];

const SIMILAR = prepareOnce(
  build
    .select(summaryFields(NOW))
    .from(sql`${similarTo(PRODUCT, VIEWER, SIMILAR_SHOWN + MORE_FROM_SELLER)} p`)
    .leftJoin(categories, eq(categories.id, p.category))
    .orderBy(...MOST_ALIKE_FIRST),
);

/** What a member's page of a product shows. */
export interface ProductScreenData extends ProductPageData {
  /** Others like it, without those that stand in `more`. */
  similar: ProductSummary[];
}

/** The product with the seller's others and those like it, or null. */
export function productScreenRead(productId: string, view: ViewContext): Read<ProductScreenData | null> {
  const page = productRead(productId, view);
  return readOf([SIMILAR({ productId, ...view }), ...page.statements], ([alike, ...answers]) => {
    const shown = page.read(answers);
    if (!shown) return null;
    const listed = new Set(shown.more.map(({ id }) => id));
    const similar = alike.filter(({ id }) => !listed.has(id)).slice(0, SIMILAR_SHOWN);
    return { ...shown, similar: similar.map(toSummary) };
  });
}
