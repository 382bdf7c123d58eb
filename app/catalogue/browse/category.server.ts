import { and, eq, sql } from "drizzle-orm";
import { prepareOnce, type Read, readOf } from "#app/db/batch.ts";
import { build, namedByKey } from "#app/db/build.ts";
import { categories, itemTypes, products, typeCounts } from "#app/db/schema.ts";
import { type BrowseInput, categoryNamed, filteredList, type ProductPage, type ResultCount } from "./browse.server.ts";
import { categorySort } from "./category-panel.ts";
import { activeChips, type ListFilters } from "./list-filters.ts";
import { displayCategory, LIST_COUNT_MAX } from "#app/catalogue/labels.ts";
import { KEPT_TABLE, typesIn } from "#app/catalogue/types/type-table.ts";
import { p } from "#app/catalogue/product-alias.server.ts";
import { FOR_SALE } from "#app/catalogue/products.server.ts";
import { countRows, NAMES, namesOf } from "#app/catalogue/search/index-rows.server.ts";
import { limitsOf, planList } from "#app/catalogue/search/search-query.ts";

export interface CategoryPage extends ProductPage {
  /** The category's name for display. */
  name: string;
  /** How many products match. */
  count: ResultCount;
  /** What kinds of things are for sale, the most frequent first. None where filters limit the page. */
  types: CountedType[];
  /** There is a category of this name, or something for sale that has it as plain text. */
  exists: boolean;
}

/** A type of thing, with the number of its listings for sale. */
export interface CountedType {
  id: string;
  /** Plural, as shown. */
  name: string;
  count: number;
}

export interface CategoryInput extends BrowseInput {
  /** An id or a name. */
  category: string;
}

/** One page of the products for sale in a category, and the count of all that match. */
export function categoryRead(input: CategoryInput, now: number): Read<CategoryPage> {
  const { category, after } = input;
  const filters = { ...input.filters, sort: categorySort(input.filters) };
  const list = filteredList({ after, filters, category }, now);
  const count = activeChips(filters).length === 0 ? countOfAll(category) : countOfMatches(category, filters);
  const typed = categoryOfTypes(input);
  const ownTypes = typesIn(typed);
  return readOf(
    [
      categoryNamed(category),
      LISTED({ category }),
      TYPES({ types: JSON.stringify([...new Set(ownTypes.flatMap(({ includes }) => includes))]) }),
      ADDED_TYPES({ typed }),
      ...count.statements,
      ...list.statements,
    ],
    ([[known], listed, types, added, counted, ...found]) => ({
      ...list.read(found),
      count: count.read([counted]),
      name: displayCategory(category, known?.name ?? null),
      types: [...countTypes(ownTypes, types), ...added]
        .filter((type) => type.count > 0)
        .toSorted((one, other) => other.count - one.count),
      exists: known !== undefined || listed.length > 0,
    }),
  );
}

/** Something for sale that has the category as plain text. One seek. */
const LISTED = prepareOnce(
  build
    .select(namedByKey({ id: p.id }))
    .from(p)
    .where(and(eq(p.category, sql.placeholder("category")), FOR_SALE))
    .limit(1),
);

/** How many listings the filters leave. */
function countOfMatches(category: string, filters: ListFilters): Read<ResultCount> {
  return readOf([countRows(planList(limitsOf(filters, KEPT_TABLE)), LIST_COUNT_MAX + 1, category)], ([[row]]) =>
    upToMax(row?.count ?? 0),
  );
}

/** How many listings the category has. Those that have it as plain text are few, and nobody keeps their number. */
function countOfAll(category: string): Read<ResultCount> {
  return readOf([COUNT(namesOf(category))], ([[row]]) => {
    const { shown, more } = upToMax(row?.plain ?? 0);
    return { shown: (row?.listed ?? 0) + shown, more };
  });
}

function upToMax(count: number): ResultCount {
  return { shown: Math.min(count, LIST_COUNT_MAX), more: count > LIST_COUNT_MAX };
}

// SQL, because the builder doesn't name an index.
const COUNT = prepareOnce(
  build.select({ listed: sql<number>`listed`, plain: sql<number>`plain` }).from(
    sql`(WITH ${NAMES} SELECT
        (SELECT COALESCE(SUM(${categories.listingCount}), 0) FROM ${categories} WHERE ${categories.id} IN (SELECT value FROM names)) AS listed,
        (SELECT COUNT(*) FROM (SELECT 1 FROM names CROSS JOIN ${products} p INDEXED BY products_for_sale_category_newest ON ${p.category} = value
          WHERE ${FOR_SALE} AND NOT EXISTS (SELECT 1 FROM ${categories} WHERE ${categories.id} = value)
          LIMIT ${sql.raw(String(LIST_COUNT_MAX + 1))})) AS plain)`,
  ),
);

/** The numbers of listings of `types` (JSON). */
const TYPES = prepareOnce(
  build
    .select({ id: typeCounts.type, count: typeCounts.listings })
    .from(sql`json_each(${sql.placeholder("types")}) t`)
    .innerJoin(typeCounts, sql`${typeCounts.type} = t.value`),
);

/** The types that admins added to a category, with their numbers. No other type is narrower. */
const ADDED_TYPES = prepareOnce(
  build
    .select({ id: itemTypes.id, name: itemTypes.plural, count: typeCounts.listings })
    .from(itemTypes)
    .innerJoin(typeCounts, eq(typeCounts.type, itemTypes.id))
    .where(eq(itemTypes.category, sql.placeholder("typed"))),
);

/** The category whose types the page names. None where the page is filtered, or isn't the first. */
function categoryOfTypes({ category, filters, after }: CategoryInput): string {
  return after === null && activeChips(filters).length === 0 ? category : "";
}

/** A wider type counts the narrower ones, which its list has, too. */
function countTypes(
  types: ReturnType<typeof typesIn>,
  rows: readonly Pick<CountedType, "id" | "count">[],
): CountedType[] {
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return types.map(({ id, name, includes }) => ({
    id,
    name,
    count: includes.reduce((sum, included) => sum + (counts.get(included) ?? 0), 0),
  }));
}
